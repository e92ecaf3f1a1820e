"""``python -m referee`` is ``toep``."""

from referee.cli.main import main

main()
