"""Faults that are planted into the referee, to prove that the simulation finds them.

Each is a function that breaks the code under test, a seed that is known to find it, and what its violation says.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import pytest

from referee.game.records import Act
from referee.log.writer import LogWriter
from referee.service.hall import Hall
from referee.service.session import Session
from referee.service.syncer import SyncedFile
from referee.table.messages import NEVER, Ask
from referee.table.steps import Step
from referee.table.table import Table
from referee.v1 import play_pb2


class Planted(NamedTuple):
    """A bug, and how it is found."""

    plant: Callable[[pytest.MonkeyPatch], None]
    seed: int
    says: str


def told_before_written(patch: pytest.MonkeyPatch) -> None:
    """Lines stay in memory until there are several of them."""
    flush = LogWriter.flush

    def lazy(self: LogWriter) -> None:
        if self._seal_waiting or len(self._waiting) > 2:
            flush(self)

    patch.setattr(LogWriter, "flush", lazy)


def applied_twice_after_a_reconnect(patch: pytest.MonkeyPatch) -> None:
    """A table that hears from a bot again gives its last act once more, if it is legal."""
    on_act, on_link = Table.on_act, Table.on_link
    last: dict[tuple[int, int], Any] = {}

    def remembers(self: Table, seat: int, number: int, answer: Any, now: int) -> Any:
        if isinstance(answer, Act):
            last[id(self), seat] = answer
        return on_act(self, seat, number, answer, now)

    def repeats(self: Table, seat: int, up: bool, now: int) -> Any:
        ask, act = self._pending.get(seat), last.get((id(self), seat))
        if up and ask is not None and act is not None and self._judge(ask, act) is None:
            on_link(self, seat, up, now)
            return on_act(self, seat, ask.id, act, now)
        return on_link(self, seat, up, now)

    patch.setattr(Table, "on_act", remembers)
    patch.setattr(Table, "on_link", repeats)


def hidden_card_in_an_ask(patch: pytest.MonkeyPatch) -> None:
    """Once in a while a hand shows one card of the next seat."""
    push_ask = Session.push_ask

    def leaks(self: Session, seating: Any, ask: Ask) -> None:
        game = seating.table.game
        other = game.hands[(ask.seat + 1) % game.seats]
        if ask.id % 11 == 0 and ask.hand:
            ask.hand |= other & -other
        push_ask(self, seating, ask)

    patch.setattr(Session, "push_ask", leaks)


def hidden_card_in_a_refusal(patch: pytest.MonkeyPatch) -> None:
    """A refusal explains itself with the cards of another seat."""
    from referee.cards import names

    refuse = Table._refuse

    def explains(self: Table, ask: Ask, fault: Any, got: Any) -> None:
        other = names(self.game.hands[(ask.seat + 1) % self.game.seats])
        refuse(self, ask, type(fault)(fault.code, fault.rule, f"{fault.why}; not even {other[:1]}"), got)

    patch.setattr(Table, "_refuse", explains)


def deadline_from_asking(patch: pytest.MonkeyPatch) -> None:
    """The clock runs from when the table asks, but the bot is told of all its time when the ask is sent."""
    ask_all, sent = Table._ask, Table.sent

    def starts(self: Table, step: Step, now: int) -> None:
        ask_all(self, step, now)
        for ask in self._pending.values():
            if ask.sent_at == NEVER:
                self._start_clock(ask, now)

    def tells(self: Table, ask: Ask, now: int) -> int:
        return ask.budget_ms if sent(self, ask, now) else 0

    patch.setattr(Table, "_ask", starts)
    patch.setattr(Table, "sent", tells)


def lost_refusal(patch: pytest.MonkeyPatch) -> None:
    """A refusal that is not the first in its batch is forgotten."""
    push = Session.push_refusal

    def forgets(self: Session, table: int, refused: Any) -> None:
        if not self._rest.refusals:
            push(self, table, refused)

    patch.setattr(Session, "push_refusal", forgets)


def lost_news(patch: pytest.MonkeyPatch) -> None:
    """What a table says to bots that have just dialled in is thrown away while an ask is in flight to them."""
    take_seats = Hall._take_seats

    def skips(self: Hall, session: Session) -> None:
        take_seats(self, session)
        push = session.push
        left = [2]

        def once(message: bytes) -> None:
            if play_pb2.PlayResponse.FromString(message).updates and left[0]:
                left[0] -= 1
                return
            push(message)

        session.push = once  # type: ignore[method-assign]

    patch.setattr(Hall, "_take_seats", skips)


def forgotten_deadline(patch: pytest.MonkeyPatch) -> None:
    """The clock of an ask whose link is down is noted, but nobody looks at it."""
    on_link = Table.on_link

    def forgets(self: Table, seat: int, up: bool, now: int) -> Any:
        before = self.deadline
        out = on_link(self, seat, up, now)
        if not up:
            self.deadline = before
        return out

    patch.setattr(Table, "on_link", forgets)


def over_before_it_is_on_disk(patch: pytest.MonkeyPatch) -> None:
    """A log is closed without waiting for the disk."""

    def hurries(self: SyncedFile) -> None:
        self._syncer.forget(self)
        self._closed = True
        self._file.close()

    patch.setattr(SyncedFile, "close", hurries)


def ticks_decide(patch: pytest.MonkeyPatch) -> None:
    """An answer counts as long as no tick has found it late."""
    on_act = Table.on_act

    def lenient(self: Table, seat: int, number: int, answer: Any, now: int) -> Any:
        if (ask := self._pending.get(seat)) is not None:
            ask.deadline = NEVER
        return on_act(self, seat, number, answer, now)

    patch.setattr(Table, "on_act", lenient)


def kept_session(patch: pytest.MonkeyPatch) -> None:
    """A bot that goes while it has a seat stays connected in the hall's books."""
    disconnect = Hall.disconnect

    def keeps(self: Hall, session: Session) -> None:
        if not session.in_flight:
            disconnect(self, session)

    patch.setattr(Hall, "disconnect", keeps)


def clock_while_the_disk_works(patch: pytest.MonkeyPatch) -> None:
    """In durable mode clocks start before the disk is waited for."""

    def early(self: Session) -> None:
        self._staged, self._staged_asks = [self.take_batch()], 0

    patch.setattr(Session, "stage", early)


PLANTED: Final = {
    "told before written": Planted(told_before_written, 1, "before it is in the log"),
    "applied twice": Planted(applied_twice_after_a_reconnect, 21, "nobody gave"),
    "hidden card in an ask": Planted(hidden_card_in_an_ask, 1, "is shown"),
    "hidden card in a refusal": Planted(hidden_card_in_a_refusal, 2, "a refusal speaks of"),
    "deadline from asking": Planted(deadline_from_asking, 4, "before its time"),
    "lost refusal": Planted(lost_refusal, 1, "refusal"),
    "lost news": Planted(lost_news, 6, "told of events"),
    "forgotten deadline": Planted(forgotten_deadline, 41, "stands still"),
    "over before it is on disk": Planted(over_before_it_is_on_disk, 1, "not on disk"),
    "ticks decide": Planted(ticks_decide, 1, "refusal"),
    "kept session": Planted(kept_session, 15, "stands still"),
    "clock while the disk works": Planted(clock_while_the_disk_works, 1, "ms"),
}
