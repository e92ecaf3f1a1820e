"""Level L3: the acts that were refused in a round, each judged again in the very state it was sent into."""

from typing import Final, NamedTuple

from msgspec import UNSET

from referee.game.game import Game
from referee.game.records import AnyAct, Forfeit, Resign, Void
from referee.log.records import Refused
from referee.validate.findings import Fault, Place

Input = AnyAct | Forfeit | Void


class Done(NamedTuple):
    """An effective act of the running round."""

    act: Input
    drawn: tuple[int, ...]
    """Cards that had to be put on top of the stock before it."""

    place: Place
    owed: bool
    """The referee acted, and only refusals can say why."""


def take(game: Game, act: Input, drawn: tuple[int, ...]) -> None:
    """Play an act again, after putting the cards that it draws on top of the stock."""
    if drawn:
        game.stock[: len(drawn)] = drawn
    game.apply(act)


class Refusals:
    """The acts of a round, kept until its score, and the refusals that stand before that."""

    def __init__(self, tries: int) -> None:
        self._tries: Final = tries
        self._done: list[Done] = []
        self._start: Game | None = None
        self._first = 0
        self._cursor: Game | None = None
        self._cursor_at = 0
        self._last = (0, 0)
        self._counts: dict[tuple[int, int], int] = {}

    @property
    def at(self) -> int:
        """Effective acts of the match so far."""
        return self._first + len(self._done)

    def begin(self, game: Game) -> None:
        """A round starts, its cards are dealt."""
        self._first = self.at
        self._done = []
        self._start = game.clone()
        self._cursor = None
        self._last = (0, 0)
        self._counts = {}

    def did(self, act: Input, drawn: tuple[int, ...], place: Place, owed: bool) -> None:
        """An effective act."""
        self._done.append(Done(act, drawn, place, owed))

    def refused(self, record: Refused) -> None:
        """A refused act; raises `Fault`."""
        key = (record.at, record.seat)
        if not self._first <= record.at < self.at:
            raise Fault(
                "E377",
                "no act of this round could follow it",
                pointer="/at",
                expected=f"{self._first} to {self.at - 1}",
                actual=record.at,
            )
        if key < self._last:
            raise Fault(
                "E376",
                "refused acts stand in the order of at, then seat",
                pointer="/at",
                expected=f"at {self._last[0]}, seat {self._last[1]} or later",
                actual=f"at {record.at}, seat {record.seat}",
            )
        self._last = key
        self._counts[key] = count = self._counts.get(key, 0) + 1
        if count > self._tries:
            raise Fault("E380", "more refusals than tries", expected=f"at most {self._tries}", actual=f"number {count}")
        game = self._state(record.at)
        must, may = game.asks()
        if record.seat not in must and record.seat not in may:
            raise Fault(
                "E381",
                f"nothing was asked of seat {record.seat}",
                pointer="/seat",
                expected=" ".join(map(str, sorted((*must, *may)))),
                actual=record.seat,
            )
        if record.got is UNSET:
            return
        refusal = game.check(record.got)
        if refusal is None:
            raise Fault(
                "E378", "the refused act was legal", pointer="/got", expected="an illegal act", rule=record.code
            )
        if refusal.rule != record.code:
            raise Fault(
                "E379",
                f"refused for another reason: {refusal.why}",
                pointer="/code",
                expected=refusal.rule,
                actual=record.code,
                rule=refusal.rule,
            )

    def close(self) -> None:
        """The round is over: do the refusals account for what the referee did? Raises `Fault`."""
        for at, done in enumerate(self._done, self._first):
            act = done.act
            if isinstance(act, Forfeit | Void):
                continue
            count = self._counts.get((at, act.seat), 0)
            if done.owed and count != self._tries:
                raise Fault(
                    "E383",
                    "the referee acted, but the player was neither late nor out of tries",
                    pointer="/by",
                    expected=f"a late line just before it, or {self._tries} refused acts at {at}",
                    actual=f"{count} refused acts",
                    place=done.place,
                )
            if act.by is UNSET and count == self._tries and not isinstance(act, Resign):
                raise Fault(
                    "E385",
                    f"{count} acts were refused here, and then the player acted all the same",
                    expected="an act of the referee",
                    actual="an act of the player",
                    place=done.place,
                )
        self._start = self._cursor = None

    def _state(self, at: int) -> Game:
        """The game after so many effective acts; they ask in ascending order."""
        assert self._start is not None
        if self._cursor is None:
            self._cursor, self._cursor_at = self._start.clone(), self._first
        while self._cursor_at < at:
            done = self._done[self._cursor_at - self._first]
            take(self._cursor, done.act, done.drawn)
            self._cursor_at += 1
        return self._cursor
