"""Write a commented spec of an event that can be played as it is. An existing file is never overwritten.

The event is called after the file. Without FILE it is tournament.toml in this folder.

example:
  toep tournament init spring.toml
"""

import argparse
import re
from pathlib import Path

from referee.cli.exits import VALID, CommandError
from referee.tournament.spec_text import init_text
from referee.tournament.spec_types import EVENT_NAME, MAX_NAME


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument(
        "file", type=Path, nargs="?", default=Path("tournament.toml"), metavar="FILE", help="default: tournament.toml"
    )


def run(args: argparse.Namespace) -> int:
    """Write the file; raises `CommandError`."""
    path: Path = args.file
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(init_text(_name(path)))
    except FileExistsError:
        raise CommandError(f"{path}: it is there already, and stays; give another name") from None
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from None
    print(path)
    return VALID


def _name(path: Path) -> str:
    """The file's name, as far as it can be an event's."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", path.stem).lstrip("._-")[:MAX_NAME]
    return name if EVENT_NAME.match(name) else "event"
