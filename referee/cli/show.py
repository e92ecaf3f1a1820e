"""Show a match for people: who holds what, who did what, and what it cost.

FILE is a log, a compressed log (*.zst), or - for standard input; a log that is still being written, or was cut off, is
shown as far as it goes. The numbers on the left are those of the log's lines, as `toep verify` gives them. Nothing is
checked here.

With --json every line of the log is one object: "line" (its number), "record" (as logged), and with --hands or --line
"position", the game before it: round, try, trick, stake, hands, table (the cards of the trick: seat and card), toeper
(who toeped last), total, seat (who acts) and legal (what this seat may do). No position: no round is running.

examples:
  toep show match.toep --round 3 --hands
  toep show match.toep --line 120
"""

import argparse
import os
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final, Protocol, TextIO

import msgspec
from msgspec import UNSET

from referee.cards import INDEX, NAMES, CardName, bits
from referee.cli.exits import UNSUPPORTED, VALID, CommandError
from referee.game import records as game
from referee.game.game import Game
from referee.game.state import NOBODY, Phase
from referee.log import records as log
from referee.log.canonical import LineError, Unsupported
from referee.log.reader import STDIN, RawLine, decode, open_log, read_lines
from referee.log.records import AnyRecord
from referee.replay import Replay, ReplayError
from referee.ruleset import PRESETS, Ruleset, Value, differences

WIDTH: Final = 96
"""Columns of a line that can be wrapped."""

NAME: Final = 20
"""Columns of a bot's name, at most."""

GUTTER: Final = 8
"""Columns left of the names: a line number and two spaces."""

SLOW_MS: Final = 1000
"""An act that took longer is shown with its time."""

SYMBOLS: Final = {"h": "♥", "s": "♠", "d": "♦", "c": "♣"}
RED: Final = "hd"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a log; - is standard input")
    parser.add_argument("--round", type=_number, metavar="N", help="only this round")
    parser.add_argument("--line", type=_number, metavar="N", help="the position before this line, and on from there")
    parser.add_argument("--hands", action="store_true", help="before every act: the hands, the stake, what was legal")
    parser.add_argument(
        "--color", action=argparse.BooleanOptionalAction, default=None, help="colours (default: on a terminal)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def _number(text: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,15}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1")
    return int(text)


def run(args: argparse.Namespace) -> int:
    out = sys.stdout
    positions = args.hands or args.line is not None
    whole = args.round is None and args.line is None
    view: View = Objects(positions) if args.json else Text(Paint(out, args.color), positions=positions)
    if isinstance(view, Text) and whole:
        view.ending = foresee(args.file)
    try:
        show(args, view, out)
    finally:
        out.flush()
    return VALID


class View(Protocol):
    """One way to show a log."""

    def tell(self, number: int, raw: RawLine, record: AnyRecord) -> list[str]:
        """What to print for a line; called for every line in order, also for those that are not shown."""

    def position(self, number: int, replay: Replay, record: AnyRecord, *, first: bool) -> list[str]:
        """What to print before a line that is shown; ``first``: nothing has been shown yet."""

    def remark(self, text: str) -> None:
        """Say something that is not in the log."""


def show(args: argparse.Namespace, view: View, out: TextIO) -> None:
    """Print the lines of a log that the arguments ask for."""
    replay: Replay | None = Replay()
    progress = Progress()
    shown = False
    for number, raw, record in read_records(args.file, progress):
        progress.see(record)
        if args.round is not None and (progress.round > args.round or progress.ended):
            break
        wanted = args.round in (None, progress.round) and number >= (args.line or 0)
        if wanted and replay is not None:
            _print(out, view.position(number, replay, record, first=not shown and args.line is not None and number > 1))
        lines = view.tell(number, raw, record)
        if wanted:
            _print(out, lines)
            shown = True
        if replay is not None:
            replay = _follow(args, view, replay, record)
    else:
        if remark := progress.missing(args.file):
            view.remark(remark)
    if not shown:
        _nothing(args, progress)


def _follow(args: argparse.Namespace, view: View, replay: Replay, record: AnyRecord) -> Replay | None:
    """The replay after a record; None when there is no following it any more, and why that is has been said."""
    try:
        replay.feed(record)
    except ReplayError as error:
        if error.broken:
            remark = f"line {error.line} breaks the rules: {error.why}\nTo check the log, run: toep verify {args.file}"
        else:
            remark = f"from line {error.line} on there are no positions: {error.why}"
        if error.broken or args.hands or args.line is not None:
            view.remark(remark)
        return None
    return replay
