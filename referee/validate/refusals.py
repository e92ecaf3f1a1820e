"""Level L3: the acts that were refused in a round, each judged again in the very state it was sent into."""

from collections.abc import Iterable, Iterator
from itertools import accumulate, combinations
from typing import Final, NamedTuple

from msgspec import UNSET, Struct

from referee.cards import NAMES, PACK_SIZE
from referee.game.game import BIT, Game
from referee.game.records import (
    NO_SALT,
    AnyAct,
    Blind,
    Challenge,
    Chance,
    Confess,
    Cut,
    Discard,
    Exchange,
    Fold,
    Forfeit,
    Peek,
    Play,
    Record,
    Resign,
    Signal,
    Stay,
    Toep,
    Void,
)
from referee.game.sizes import DISCARDS
from referee.game.state import Phase
from referee.log.canonical import encode
from referee.log.records import PROTOCOL_CODES, Refused
from referee.validate.findings import Fault, Place

Input = AnyAct | Forfeit | Void
Between = Phase | list[int | None] | None
"""What happens to a game between two acts: a phase is closed, or the pack is dealt; None: the pack is offered to be
cut."""


class Done(Struct, frozen=True, gc=False):
    """An effective act of the running round."""

    before: tuple[Between, ...]
    """What is known to have happened since the act before it."""

    closable: Phase
    """The last phase that may have been closed before it, perhaps without a trace."""

    act: Input
    drawn: tuple[int, ...]
    """Cards that had to be put on top of the stock before it."""

    place: Place
    asked_at: int
    """Effective acts of the match when it was asked for: all acts of a sealed step are asked for at once."""

    owed: bool
    """The referee acted, and only refusals can say why."""


def take(game: Game, act: Input, drawn: tuple[int, ...]) -> list[Record]:
    """Carry out an act that is known to be legal, after putting the cards that it draws on top of the stock."""
    if drawn:
        game.stock[: len(drawn)] = drawn
    return game.carry_out(act)


def pass_by(game: Game, between: Between) -> list[Record]:
    """Let happen what happened between two acts."""
    if between is None:
        return game.open_deal()
    return game.close(between) if isinstance(between, Phase) else game.deal(between)


def repeat(game: Game, done: Iterable[Done], between: Iterable[Between]) -> None:
    """Let happen again what happened: acts, with what lies before each, and what came after them."""
    for one in done:
        for before in one.before:
            pass_by(game, before)
        take(game, one.act, one.drawn)
    for after in between:
        pass_by(game, after)


class Past(NamedTuple):
    """A round that is over, and how the next one began."""

    done: list[Done]
    between: tuple[Between, ...]


APART: Final = 16
"""Rounds from one copy of the game to the next: a copy costs as much as five lines, and most rounds need none."""


class Refusals:
    """The acts of a round, kept until its score, and the refusals that stand before that."""

    def __init__(self, tries: int) -> None:
        self._tries: Final = tries
        self._done: list[Done] = []
        self._between: Final[list[Between]] = []
        """What happened since the last act."""

        self._sealed_since: int | None = None
        """When the sealed step that is running was asked for."""

        self._owing = False
        """Refusals must account for an act of the referee in this round."""

        self._start: Game | None = None
        """The game at the beginning of this round, or of an earlier one."""

        self._past: list[Past] = []
        """The rounds from there to this one."""

        self._first = 0
        self._cursor: Game | None = None
        self._cursor_at = 0
        self._closable: list[Phase] = []
        self._last = (0, 0)
        self._counts: dict[tuple[int, int], int] = {}

    @property
    def at(self) -> int:
        """Effective acts of the match so far."""
        return self._first + len(self._done)

    def begin(self, game: Game, opening: list[int | None] | None) -> None:
        """A round starts: ``opening`` has just been dealt; None: the pack is offered to be cut."""
        if self._start is None or len(self._past) == APART:
            self._start = game.clone()
            self._past.clear()
        else:
            self._past.append(Past(self._done, (*self._between, opening)))
        self._first = self.at
        self._done = []
        self._between.clear()
        self._sealed_since = None
        self._owing = False
        self._cursor = None
        self._last = (0, 0)
        self._counts.clear()

    def between(self, happened: Between) -> None:
        """A phase is closed, or the pack is dealt."""
        self._between.append(happened)

    def did(
        self, game: Game, act: Input, drawn: tuple[int, ...], place: Place, owed: bool = False, *, more: bool = False
    ) -> None:
        """An effective act about to be carried out; ``more``: others of the same sealed step follow."""
        asked_at = self._first + len(self._done)
        if more or self._sealed_since is not None:
            asked_at = asked_at if self._sealed_since is None else self._sealed_since
            self._sealed_since = asked_at if more else None
        closable = _CLOSABLE.get(type(act)) or _closable(game, act)
        before: tuple[Between, ...] = ()
        if self._between:
            before = tuple(self._between)
            self._between.clear()
        self._owing |= owed
        self._done.append(Done(before, closable, act, drawn, place, asked_at, owed))

    def refused(self, record: Refused) -> None:
        """A refused act; raises `Fault`."""
        key = (record.at, record.seat)
        self._require_place(record)
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
        self._judge(record)

    def possible(self) -> Iterator[Refused]:
        """Every refusal, without salt, of an act with no free fields that may stand in this round; see `probes`."""
        saved = self._cursor, self._cursor_at, self._closable
        self._cursor = None
        last = self.at if self._between else self.at - 1
        seen: set[bytes] = set()
        for at in range(self._first, last + 1):
            if at < self.at and self._done[at - self._first].asked_at != at:
                continue
            for game in self._states(at):
                for refused in refusals_in(game, at):
                    line = encode(refused)
                    if line not in seen:
                        seen.add(line)
                        yield refused
        self._cursor, self._cursor_at, self._closable = saved

    def _require_place(self, record: Refused) -> None:
        """Raise unless something was asked in this round after so many acts."""
        # A round can end without another act: four alike are shown when a window is closed.
        last = self.at if self._between else self.at - 1
        if not self._first <= record.at <= last:
            raise Fault(
                "E377",
                "no act of this round could follow it",
                pointer="/at",
                expected=f"{self._first} to {last}",
                actual=record.at,
            )
        if record.at < self.at and (asked_at := self._done[record.at - self._first].asked_at) != record.at:
            raise Fault(
                "E377", "a sealed step is asked at its beginning", pointer="/at", expected=asked_at, actual=record.at
            )

    def _judge(self, record: Refused) -> None:
        asked: set[int] = set()
        refusals = []
        for game in self._states(record.at):
            must, may = game.asks()
            asked.update(must, may)
            if record.seat not in must and record.seat not in may:
                continue
            if record.got is UNSET:
                return
            refusal = game.check(record.got)
            if refusal is not None and refusal.rule == record.code:
                return
            refusals.append(refusal)
        if not refusals:
            raise Fault(
                "E381",
                f"nothing was asked of seat {record.seat}",
                pointer="/seat",
                expected=" ".join(map(str, sorted(asked))),
                actual=record.seat,
            )
        for refusal in refusals:
            if refusal is not None:
                raise Fault(
                    "E379",
                    f"refused for another reason: {refusal.why}",
                    pointer="/code",
                    expected=refusal.rule,
                    actual=record.code,
                    rule=refusal.rule,
                )
        raise Fault("E378", "the refused act was legal", pointer="/got", expected="an illegal act", rule=record.code)

    def close(self) -> None:
        """The round is over: do the refusals account for what the referee did? Raises `Fault`."""
        counts, tries = self._counts, self._tries
        self._cursor = None
        if not counts and not self._owing:
            return
        for done in self._done:
            act = done.act
            if isinstance(act, Forfeit | Void):
                continue
            count = counts.get((done.asked_at, act.seat), 0)
            if done.owed and count != tries:
                raise Fault(
                    "E383",
                    "the referee acted, but the player was neither late nor out of tries",
                    pointer="/by",
                    expected=f"a late line just before it, or {tries} refused acts at {done.asked_at}",
                    actual=f"{count} refused acts",
                    place=done.place,
                )
            if act.by is UNSET and count == tries and not isinstance(act, Resign):
                raise Fault(
                    "E385",
                    f"{count} acts were refused here, and then the player acted all the same",
                    expected="an act of the referee",
                    actual="an act of the player",
                    place=done.place,
                )

    def _states(self, at: int) -> Iterator[Game]:
        """Every state in which something may have been asked after so many effective acts.

        There is more than one: windows that nobody used are closed without a line. Callers ask in ascending order.
        """
        game = self._state(at).clone()
        yield game
        number = at - self._first
        for between in self._done[number].before if number < len(self._done) else self._between:
            pass_by(game, between)
            yield game
        for phase in (Phase.BLIND, Phase.EXCHANGE):
            if phase > self._closable[number] or game.answer_queue or game.discards_due:
                return
            if Phase.DEAL < game.phase <= phase:
                if game.close(phase):
                    return
                yield game

    def _state(self, at: int) -> Game:
        """The game after so many effective acts."""
        if self._cursor is None:
            self._cursor, self._cursor_at = self._beginning().clone(), self._first
            # What may have been closed before an act may have been before every later one.
            bounds = [Phase.EXCHANGE, *(done.closable for done in reversed(self._done))]
            self._closable = list(accumulate(bounds, min))[::-1]
        while self._cursor_at < at:
            number = self._cursor_at - self._first
            repeat(self._cursor, self._done[number : number + 1], ())
            self._cursor_at += 1
        return self._cursor

    def _beginning(self) -> Game:
        """The game at the beginning of this round."""
        assert self._start is not None
        for past in self._past:
            repeat(self._start, past.done, past.between)
        self._past.clear()
        return self._start


def refusals_in(game: Game, at: int) -> Iterator[Refused]:
    """Every refusal, without salt, that can be made of what was asked in this state."""
    for seat in sorted(set().union(*game.asks())):
        for code in PROTOCOL_CODES:
            yield Refused(at=at, code=code, salt=NO_SALT, seat=seat)
        for act in probes(game, seat):
            if refusal := game.check(act):
                yield Refused(at=at, code=refusal.rule, got=act, salt=NO_SALT, seat=seat)


def probes(game: Game, seat: int) -> Iterator[AnyAct]:
    """Every act that a seat may send, legal or not; cards to lay away only three at a time, and when that is asked."""
    for card in NAMES:
        yield Play(card=card, seat=seat)
    for kind in (Blind, Peek, Chance, Exchange, Challenge, Toep, Stay, Fold, Confess, Resign):
        yield kind(seat=seat)
    yield Signal(seat=seat, sign="whistle")
    yield Signal(seat=seat, sign="sing")
    yield Signal(seat=seat, sign="stand")
    if game.rules.cut:
        for at in range(1, PACK_SIZE):
            yield Cut(at=at, seat=seat)
    if game.may(seat) & BIT[Discard]:
        for cards in combinations(NAMES, DISCARDS):
            yield Discard(cards=list(cards), seat=seat)


_CLOSABLE: Final[dict[type[Record], Phase]] = {
    **dict.fromkeys((Chance, Exchange, Challenge), Phase.BLIND),
    **dict.fromkeys((Play, Toep, Stay, Fold), Phase.EXCHANGE),
}


def _closable(game: Game, act: Input) -> Phase:
    """The last phase that may be closed when an act takes effect."""
    early = isinstance(act, Peek) and game.phase is Phase.BLIND and not game.declined >> act.seat & 1
    return Phase.DEAL if early or isinstance(act, Blind) else Phase.EXCHANGE
