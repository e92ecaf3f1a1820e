"""Put the seed into logs that were held back, and seal them, as a referee does when all matches of a deal set are over.

For when no referee will be started on those logs again. The seed is taken from LOG.seed beside each log, and that file
is removed once the log is complete.

example:
  toep reveal --key referee.key logs/*.toep
"""

import argparse
from pathlib import Path

from referee.cli.exits import CommandError
from referee.cli.options import add_key, key_from, seed_of_file
from referee.log.reveal import RevealError, reveal


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("logs", nargs="+", type=Path, metavar="LOG", help="a log that is final and not revealed")
    add_key(parser)


def run(args: argparse.Namespace) -> int:
    """Reveal each log; raises `CommandError` at the first one that cannot be."""
    signer = key_from(args)
    for path in args.logs:
        beside = path.with_name(path.name + ".seed")
        try:
            if not beside.exists():
                raise CommandError(f"{path}: there is no seed beside it ({beside.name})")
            done = reveal(path, seed_of_file(beside, str(beside)), signer)
        except RevealError as error:
            raise CommandError(f"{path}: {error}") from None
        except OSError as error:
            raise CommandError(f"{error.filename or path}: {error.strerror}") from None
        beside.unlink()
        print(f"{path}: {'revealed' if done else 'complete already'}")
    return 0
