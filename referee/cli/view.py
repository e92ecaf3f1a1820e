"""Make a view of a log: what one seat, or a spectator, may see, under the same seals.

FILE is a log, a compressed log (*.zst), or - for standard input. Every private line (cards, discard, refused) that is
not the seat's own is replaced by its hash, and so is a hand of its own at which it never looked, as far as the log
tells. All other lines stay as they are, so `toep verify` finds every seal right and says which lines are hidden. A view
can be made of a view, and of a log that is not finished; a last line that is cut off is left out.

A view hides nothing once the seed is known: whoever reads a `reveal` or a declared seed can work out all cards.

exit codes: 0 done, 2 not a log or it cannot be read or written, 3 unsupported version.

example:
  toep view match.toep --seat 1 -o seat1.toep
  toep view match.toep --spectator | toep verify -
"""

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from msgspec import UNSET

from referee.cli.exits import VALID, CommandError
from referee.cli.show import Progress, read_records
from referee.log.records import Head
from referee.log.redact import Redactor


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("file", metavar="FILE", help="a log; - is standard input")
    whose = parser.add_mutually_exclusive_group(required=True)
    whose.add_argument("--seat", type=int, metavar="N", help="the view of this seat, counted from 0")
    whose.add_argument("--spectator", action="store_true", help="the view of somebody who sees no private line")
    parser.add_argument("-o", "--output", type=Path, metavar="OUT", help="a new file (default: standard output)")
    parser.add_argument("--json", action="store_true", help="say what was hidden as one JSON object; needs -o")


def run(args: argparse.Namespace) -> int:
    """Write the view; raises `CommandError`."""
    if args.json and args.output is None:
        raise CommandError("--json goes with -o OUT: standard output has the view itself")
    redactor, progress, seed = Redactor(args.seat), Progress(), False
    with _destination(args.output) as out:
        for _, line, record in read_records(args.file, progress):
            progress.see(record)
            if progress.lines == 1 and isinstance(record, Head):
                seed = record.open_seed is not UNSET
                _check_seat(args.seat, len(record.seats))
            for ready in redactor.feed(line, record):
                out.write(ready + b"\n")
        for ready in redactor.finish():
            out.write(ready + b"\n")
        out.flush()
    if progress.torn:
        print(f"toep view: line {progress.torn} is cut off and left out", file=sys.stderr)
    seed = seed or progress.revealed
    if args.json:
        print(
            json.dumps(
                {
                    "file": str(args.output),
                    "seat": args.seat,
                    "lines": progress.lines,
                    "hidden": redactor.hidden,
                    "private": redactor.private,
                    "seed": seed,
                }
            )
        )
        return VALID
    if args.output is not None:
        print(f"{args.output}: {progress.lines} lines, {redactor.hidden} hidden, {redactor.private} private ones shown")
    if seed:
        print("toep view: the seed stands in this log: all cards can be worked out from the view", file=sys.stderr)
    return VALID


def _check_seat(seat: int | None, seats: int) -> None:
    if seat is not None and not 0 <= seat < seats:
        raise CommandError(f"there is no seat {seat}: the seats of this match are 0 to {seats - 1}")


@contextmanager
def _destination(path: Path | None) -> Iterator[BinaryIO]:
    """Standard output, or a new file, of which nothing is left when the view cannot be finished."""
    if path is None:
        yield sys.stdout.buffer
        return
    if path.suffix == ".zst":
        raise CommandError(f"{path}: a view is written uncompressed, and this name says otherwise")
    try:
        out = path.open("xb")
    except FileExistsError:
        raise CommandError(f"{path}: it exists, and a log is never overwritten") from None
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from None
    try:
        with out:
            yield out
    except BaseException as error:
        path.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise CommandError(f"{path}: {error.strerror}") from None
        raise
