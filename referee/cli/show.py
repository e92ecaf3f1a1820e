"""Show a match for people: who holds what, who did what, and what it cost.

FILE is a log, a compressed log (*.zst), or - for standard input. A log that is still being written, or was cut off, is
shown as far as it goes. The numbers on the left are those of the log's lines, as `toep verify` gives them; nothing is
checked here.

With --json every line of the log is one object: "line" (its number), "record" (as logged), and with --hands every act
but a cut also has a "position", the game before it: round, try, trick, stake, hands, table (the trick so far: seats and
cards), toeper (who toeped last), total, seat (who acts) and legal (what it may do); so has the first line after --at.

examples:
  toep show match.toep --round 3 --hands
  toep show match.toep --at 120
"""

import argparse
import json
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol, TextIO

import msgspec

from referee.cards import NAMES
from referee.cli.exits import UNSUPPORTED, VALID, CommandError
from referee.cli.page import Ending, Line, Page, actor, sorted_hand
from referee.cli.paint import Paint, listed
from referee.game.game import Game
from referee.game.records import Act, Round
from referee.game.state import NOBODY, Phase
from referee.log.canonical import LineError, Unsupported
from referee.log.reader import STDIN, decode, open_log, read_lines
from referee.log.records import AnyRecord, End, Head, Reveal, Seal
from referee.replay import Replay, ReplayError

_TORN: Final = "E020"
_SIGNPOSTS: Final = (b'{"_":"round",', b'{"_":"end",', b'{"_":"reveal",')
_NOT_ASCII: Final = re.compile(r"[^ -~]")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a log; - is standard input")
    parser.add_argument("--round", type=_number, metavar="N", help="only this round")
    parser.add_argument("--at", type=_number, metavar="N", help="the position before this line, and on from there")
    parser.add_argument("--hands", action="store_true", help="before every act: the hands, the stake, what is legal")
    parser.add_argument("--color", action=argparse.BooleanOptionalAction, help="colours (default: on a terminal)")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def _number(text: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,15}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 up")
    return int(text)


def run(args: argparse.Namespace) -> int:
    out = sys.stdout
    view: View
    if args.json:
        view = Objects(hands=args.hands, line=args.at is not None)
    else:
        whole = args.round is None and args.at is None
        view = Page(Paint(out, args.color), hands=args.hands, ending=foresee(args.file) if whole else None)
    try:
        show(args, view, out)
    finally:
        # What was shown before an error stands before its message.
        out.flush()
    return VALID


class View(Protocol):
    """One way to show a log."""

    def tell(self, line: Line) -> list[str]:
        """What to print for a line; called for every line in order, also for those that are not wanted."""

    def remark(self, text: str) -> None:
        """Say something that does not stand in the log."""


def show(args: argparse.Namespace, view: View, out: TextIO) -> None:
    """Print the lines that the arguments ask for, while the log is being read. Raises `CommandError`."""
    replay: Replay | None = Replay()
    progress = Progress()
    shown = False
    for number, data, record in read_records(args.file, progress):
        progress.see(record)
        if args.round is not None and (progress.round > args.round or progress.ended):
            break
        wanted = args.round in (None, progress.round) and number >= (args.at or 1)
        line = Line(number, data, record, _running(replay), wanted, wanted and not shown and number > 1)
        for text in view.tell(line):
            print(text, file=out)
        shown = shown or wanted
        if replay is not None and (trouble := _feed(replay, record)):
            replay = None
            if trouble.broken:
                view.remark(f"Line {number} breaks the rules: {trouble.why}.\nTo check the log: {_verify(args.file)}")
            elif args.hands or args.at is not None:
                view.remark(f"No positions from line {number} on: {trouble.why}.")
    else:
        if missing := progress.missing():
            view.remark(f"The log is incomplete: {missing}.")
    if not shown:
        raise CommandError(progress.nothing(args))


def _running(replay: Replay | None) -> Game | None:
    game = replay.game if replay is not None else None
    return None if game is None or game.phase in (Phase.DEAL, Phase.OVER) else game


def _feed(replay: Replay, record: AnyRecord) -> ReplayError | None:
    try:
        replay.feed(record)
    except ReplayError as error:
        return error
    return None


# -- reading -----------------------------------------------------------------------------------------------------------


class Progress:
    """How far a log has come."""

    def __init__(self) -> None:
        self.lines = 0
        self.round = 0
        self.ended = self.revealed = self.sealed = False
        self.torn = 0
        """The number of a last line that is cut off; 0: there is none."""

    def see(self, record: AnyRecord) -> None:
        """Take note of the next record."""
        self.lines += 1
        self.sealed = isinstance(record, Seal)
        if isinstance(record, Round):
            self.round = record.round
        elif isinstance(record, End):
            self.ended = True
        elif isinstance(record, Reveal):
            self.revealed = True

    def missing(self) -> str:
        """What a whole log has and this one has not; nothing if it is whole."""
        parts = [f"line {self.torn} is cut off"] if self.torn else []
        if not self.ended:
            parts.append("the match has no end")
        elif not self.revealed:
            parts.append("the seed is not revealed")
        elif not self.sealed:
            parts.append("the last seal is missing")
        return listed(parts)

    def nothing(self, args: argparse.Namespace) -> str:
        """Why nothing was shown."""
        if args.round is not None and args.round > self.round:
            return f"{_name(args.file)}: there is no round {args.round}; the last one is round {self.round}"
        if args.round is not None:
            return f"{_name(args.file)}: round {args.round} ends before line {args.at}"
        return f"{_name(args.file)}: there is no line {args.at}; the last one is line {self.lines}"


def read_records(file: str, progress: Progress) -> Iterator[tuple[int, bytes, AnyRecord]]:
    """Number, bytes and record of every line; a last line that is cut off is only noted. Raises `CommandError`."""
    number = 0
    try:
        with open_log(file) as stream:
            for raw in read_lines(stream):
                number = raw.index + 1
                try:
                    record = decode(raw)
                except LineError as error:
                    if error.code == _TORN and number > 1:
                        progress.torn = number
                        return
                    raise _unreadable(file, number, error) from None
                if number == 1 and not isinstance(record, Head):
                    raise CommandError(f"{_name(file)}, line 1: a log begins with its head, this is something else")
                yield number, raw.data, record
    except OSError as error:
        raise CommandError(f"{error.filename or _name(file)}: {error.strerror or error}") from None
    if not number:
        raise CommandError(f"{_name(file)}: the file is empty, not a log")


def _unreadable(file: str, number: int, error: LineError) -> CommandError:
    place = f"{_name(file)}, line {number}"
    if isinstance(error, Unsupported):
        known = f"; this program knows {error.expected}" if error.expected else ""
        return CommandError(f"{place}: {error.message}: {error.actual}{known} ({error.code})", UNSUPPORTED)
    what = "not a log" if number == 1 else "not a line of a log"
    return CommandError(f"{place}: {what}: {error.message} ({error.code}). To see what is wrong: {_verify(file)}")


def _name(file: str) -> str:
    return "standard input" if file == STDIN else file


def _verify(file: str) -> str:
    return f"toep verify {shlex.quote(file)}"


def foresee(file: str) -> Ending | None:
    """How a log ends, found without decoding its lines; None for a stream, which can be read only once."""
    if not Path(file).is_file():
        return None
    progress = Progress()
    end = None
    with suppress(OSError, LineError), open_log(file) as stream:
        for raw in read_lines(stream):
            if raw.data.startswith(_SIGNPOSTS):
                record = decode(raw)
                progress.see(record)
                end = record if isinstance(record, End) else end
    return Ending(end, progress.round, progress.revealed)


# -- JSON --------------------------------------------------------------------------------------------------------------


class Objects:
    """One JSON object a line, in ASCII."""

    def __init__(self, *, hands: bool, line: bool) -> None:
        """``hands``: acts have the position before them; ``line``: the first line that is shown has it."""
        self._hands: Final = hands
        self._line: Final = line

    def tell(self, line: Line) -> list[str]:
        """The line's object, if it is wanted."""
        if not line.wanted:
            return []
        fields: dict[str, object] = {"line": line.number}
        asked = (self._hands and isinstance(line.record, Act)) or (self._line and line.first)
        if asked and line.game is not None:
            fields["position"] = position(line.game, line.record)
        fields["record"] = msgspec.Raw(line.data)
        text = msgspec.json.encode(fields).decode("utf-8")
        return [_NOT_ASCII.sub(lambda found: json.dumps(found.group())[1:-1], text)]

    def remark(self, text: str) -> None:
        """To standard error: standard output is for programs."""
        print(f"toep show: {text}", file=sys.stderr)


def position(game: Game, record: AnyRecord) -> dict[str, object]:
    """Where a running round stands, and what the seat that acts next may do."""
    seat = actor(game, record)
    return {
        "round": game.round,
        "try": game.try_,
        "trick": game.trick_number,
        "stake": game.stake,
        "hands": [sorted_hand(hand) for hand in game.hands],
        "table": [[player, NAMES[card]] for player, card in game.trick],
        "toeper": None if game.toeper == NOBODY else game.toeper,
        "total": game.totals(),
        "seat": seat,
        "legal": game.legal(seat),
    }
