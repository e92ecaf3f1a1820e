"""``python clients/hostile NAME``: runs one of the hostile bots; without a name it lists them.

Like every bot it takes from its environment where to play and as whom: TOEP_ADDRESS, TOEP_BOT and TOEP_TOKEN.
"""

import importlib
import json
import sys
from pathlib import Path

from wire import run


def main(words: list[str]) -> int:
    """The exit code."""
    bots = {bot["name"]: bot for bot in json.loads((Path(__file__).parent / "expected.json").read_text())}
    if len(words) == 1 and words[0] in bots:
        run(importlib.import_module(words[0].replace("-", "_")).main)
        return 0
    for name, bot in bots.items():
        print(f"{name:<24}{bot['about']}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
