"""Following a log: the position of the game before and after every line, for viewers and statistics.

A viewer trusts the log it shows. The referee's conduct, the order of private lines, the shuffle and the seals are not
looked at here: that is what the validator is for. But a position exists only while the acts of the log are legal and
lead to what it says they lead to; where that ends, `ReplayError` names the line.
"""

from collections import deque
from typing import Final

import msgspec
from msgspec.structs import replace

from referee.cards import INDEX, PACK_SIZE
from referee.game import dealing, phases
from referee.game.game import Game
from referee.game.records import (
    EFFECTIVE,
    NO_SALT,
    Auto,
    Cards,
    Chance,
    Cut,
    Discard,
    Draw,
    Exchange,
    Open,
    Out,
    Penalty,
    Record,
    Round,
    Score,
    Show,
    Trick,
)
from referee.game.state import Phase
from referee.log.records import AnyRecord, End, Head, Redacted
from referee.ruleset import RulesetError

_DERIVED: Final = (Auto, Open, Show, Penalty, Trick, Score, Out)
_DRAWING: Final = (Exchange, Chance)


class ReplayError(ValueError):
    """The log cannot be followed from here on; the replay that raised it is of no further use.

    ``line`` is the line's number, 1-based; ``why`` says in a few words what is the matter. ``broken``: the line is
    against the rules; otherwise nothing is wrong with it, but cards are hidden.
    """

    def __init__(self, line: int, why: str, *, broken: bool = True) -> None:
        super().__init__(f"line {line}: {why}")
        self.line: Final = line
        self.why: Final = why
        self.broken: Final = broken


class Replay:
    """Moves a game along with the records of one log, fed in order from its first line."""

    def __init__(self) -> None:
        self.game: Game | None = None
        """The game as it stands after the last record; None before the head.

        A deal counts when its last hand is there, an exchange or a chance draw when its new cards are. Windows that
        nobody uses are closed without a line; such a game still stands before them.
        """

        self.line: int = 0
        """The number, 1-based, of the last record."""

        self._places: dict[int, tuple[int, ...]] = {}
        """Hands still to come in a deal: by seat, the places of its cards after the cut."""

        self._pack: list[int | None] = []
        """The cards dealt, as they were shuffled."""

        self._drawing: Exchange | Chance | None = None
        """An act whose new cards come next."""

        self._expected: deque[Record] = deque()
        """What the last act led to and the log has not said yet."""

    def feed(self, record: AnyRecord) -> None:
        """Take the next record. Raises `ReplayError`."""
        self.line += 1
        if isinstance(record, Head):
            self._start(record)
        elif isinstance(record, Round):
            self._open(record)
        elif isinstance(record, Draw):
            self._draw(record)
        elif isinstance(record, Cut):
            self._apply_legal(record)
        elif isinstance(record, Cards):
            self._cards(record)
        elif isinstance(record, Redacted):
            self._hidden()
        elif isinstance(record, Show | Open) and not self._expected:
            self._close(record)
        elif isinstance(record, _DERIVED) or (self._expected and isinstance(record, EFFECTIVE)):
            self._derived(record)
        elif isinstance(record, EFFECTIVE):
            self._act(record)
        elif isinstance(record, End):
            self._settled()

    def _start(self, head: Head) -> None:
        if self.game is not None:
            raise self._error("a second head")
        try:
            self.game = Game(head.rules, len(head.seats), 0 if head.length == "game" else head.length.rounds)
        except RulesetError as error:
            raise self._error(str(error)) from None

    def _draw(self, record: Draw) -> None:
        drawn: list[int | None] = [INDEX[name] for _seat, name in record.cards]
        try:
            (due,) = self._running.draw([*drawn, *[None] * PACK_SIZE])
        except ValueError as error:
            raise self._error(str(error)) from None
        if record != due:
            raise self._error(f"by the rules {_what(due)} follows, not {_what(record)}")

    def _open(self, record: Round) -> None:
        self._settled()
        game = self._running
        if not game.needs_deal:
            raise self._error("a new round, though the match is over" if game.over else "the last round has no end")
        if game.needs_draw:
            raise self._error("the first dealer must be drawn first")
        (due,) = game.open_deal()
        if record != due:
            raise self._error(f"by the rules {_what(due)} follows, not {_what(record)}")
        self._places = {seat: mine for seat, mine in enumerate(dealing.who_gets_what(game)) if mine}
        self._pack = [None] * PACK_SIZE

    def _cards(self, record: Cards) -> None:
        if self._drawing is not None:
            self._drawn(self._drawing, record)
            return
        places = self._places.pop(record.seat, None)
        if places is None or len(places) != len(record.cards):
            raise self._error(f"seat {record.seat} is not dealt {len(record.cards)} cards here")
        game = self._running
        for place, card in zip(places, record.cards, strict=True):
            self._pack[(place + game.cut_at) % PACK_SIZE] = INDEX[card]
        if self._places:
            return
        try:
            events = game.deal(self._pack)
        except ValueError as error:
            raise self._error(str(error)) from None
        self._expected.extend(event for event in events if not isinstance(event, Cards))

    def _hidden(self) -> None:
        """A line that the view does not show: nothing is lost if it does not matter, or follows from others."""
        game = self._running
        if self._places or self._drawing or phases.discards_come_first(game):
            raise self._error("the cards are hidden in this view", broken=False)
        if self._expected and isinstance(self._expected[0], Discard):
            self._expected.popleft()

    def _close(self, record: Show | Open) -> None:
        """A line that tells that windows were closed, by what that led to."""
        self._settled()
        game = self._running
        if not game.answer_queue and not phases.discards_come_first(game):
            self._expected.extend(game.close(Phase.BLIND if isinstance(record, Show) else Phase.EXCHANGE))
        self._derived(record)

    def _act(self, record: Record) -> None:
        self._settled()
        self._apply_legal(record)

    def _apply_legal(self, record: Record) -> None:
        if refusal := self._running.check(record):  # type: ignore[arg-type]
            raise self._error(f"{refusal.rule}: {refusal.why}")
        if isinstance(record, _DRAWING):
            self._drawing = record
        else:
            self._apply(record)

    def _drawn(self, act: Exchange | Chance, record: Cards) -> None:
        if record.seat != act.seat:
            raise self._error(f"the new cards of seat {act.seat} are due")
        self._drawing = None
        stock = self._running.stock
        stock[: len(record.cards)] = [INDEX[card] for card in record.cards]
        self._apply(act)
        self._derived(record)

    def _apply(self, act: Record) -> None:
        try:
            self._expected.extend(self._running.apply(act))  # type: ignore[arg-type]
        except ValueError as error:
            raise self._error(str(error)) from None
        self._derived(act)

    def _derived(self, record: Record) -> None:
        """A record that follows from an act: the next one that the rules lead to."""
        if not self._expected:
            raise self._error(f"nothing leads to {_what(record)} here")
        due = self._expected.popleft()
        if due != record and due != _without_salt(record):
            raise self._error(f"by the rules {_what(due)} follows, not {_what(record)}")

    def _settled(self) -> None:
        """Raise `ReplayError` if something must come before the next act, deal or end."""
        if self._places:
            raise self._error(f"seat {min(self._places)} has no cards")
        if self._drawing is not None:
            raise self._error(f"the new cards of seat {self._drawing.seat} are missing")
        if self._expected:
            raise self._error(f"by the rules {_what(self._expected[0])} comes first")

    @property
    def _running(self) -> Game:
        if self.game is None:
            raise self._error("a log begins with its head")
        return self.game

    def _error(self, why: str, *, broken: bool = True) -> ReplayError:
        return ReplayError(self.line, why, broken=broken)


def _without_salt(record: Record) -> Record:
    return replace(record, salt=NO_SALT) if isinstance(record, Cards | Discard) else record


def _what(record: Record) -> str:
    """A record in a message: its kind and its fields but the salt, as in ``trick lead=2 win=2``."""
    fields = msgspec.to_builtins(record)
    kind = fields.pop("_")
    fields.pop("salt", None)
    return " ".join([kind, *(f"{name}={_value(value)}" for name, value in fields.items())])


def _value(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
