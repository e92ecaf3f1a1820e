"""Level L3: the referee's own conduct, as the head fixed it: clocks, acts in a player's place, forfeits."""

from typing import Final

import msgspec
from msgspec import UNSET

from referee.game.game import Game
from referee.game.records import COMPLETE, AnyAct, Confess, Cut, Forfeit, Record, Void
from referee.game.stand_in import stand_in
from referee.log.records import PRIVATE, Head, Late
from referee.validate.findings import Fault


def as_sent(act: AnyAct) -> AnyAct:
    """The act as a player sends it: what the game fills in is unset."""
    derived = ("card", "pay") if type(act) is Confess else COMPLETE.get(type(act))
    return msgspec.structs.replace(act, **dict.fromkeys(derived, UNSET)) if derived else act


class Watch:
    """Follows what the referee does about clocks and faults."""

    def __init__(self, head: Head) -> None:
        self._clock: Final = head.clock
        self._limit: Final = head.conduct.faults
        self._faults: Final = [0] * len(head.seats)
        self._late: int | None = None
        self._due: list[int] = []
        """Seats that have used up their faults and are to be forfeited, in this order."""

        self._in_step = False
        """The other acts of a sealed step come first."""

    def late(self, game: Game, record: Late) -> None:
        """A passed deadline; raises `Fault`."""
        if self._due:
            self._expect_forfeit(game, record)
        if record.elapsed is not UNSET and self._clock == "none":
            raise Fault("E390", "there is no clock, and yet a time", pointer="/elapsed", expected="no elapsed")
        must, may = game.asks()
        if record.seat not in must and record.seat not in may:
            raise Fault(
                "E391",
                f"nothing is asked of seat {record.seat}",
                pointer="/seat",
                expected=" ".join(map(str, sorted((*must, *may)))),
                actual=record.seat,
            )
        self._late = record.seat

    def act(self, game: Game, record: AnyAct, more: bool) -> bool:
        """A legal act about to take effect; ``more``: others of the same sealed step follow. Returns whether refusals
        must account for it, since the referee acted for a seat that was not late; raises `Fault`."""
        if self._due:
            self._expect_forfeit(game, record)
        late, self._late = self._late, None
        self._in_step = more
        if record.by is UNSET:
            if record.ms is UNSET:
                if self._clock == "ms" and not isinstance(record, PRIVATE):
                    raise Fault("E389", "the time is missing", pointer="/ms", expected="milliseconds")
            elif self._clock == "none":
                raise Fault("E388", "there is no clock, and yet a time", pointer="/ms", expected="no ms")
            return False
        must, _ = game.asks()
        wanted = stand_in(game, record.seat) if record.seat in must else None
        if as_sent(record) != wanted:
            raise Fault(
                "E382",
                "not what the referee plays in a player's place",
                expected=msgspec.json.encode(wanted).decode() if wanted else _seats(must),
                actual=msgspec.json.encode(record).decode(),
            )
        self._faults[record.seat] += 1
        if self._faults[record.seat] == self._limit:
            self._due.append(record.seat)
        return late != record.seat

    def decision(self, game: Game, record: Forfeit | Void) -> None:
        """A decision of the referee about to take effect; raises `Fault`."""
        self._late = None
        # Between a fault and its consequence a table may crash or be closed, and another bot may leave.
        if isinstance(record, Void) or record.why != "faults":
            return
        if record.seat != self._next_due(game):
            raise Fault(
                "E387",
                f"seat {record.seat} has {self._faults[record.seat]} faults",
                pointer="/seat",
                expected=f"{self._limit} faults" if self._limit else "no forfeit for faults",
                actual=f"{self._faults[record.seat]} faults",
            )
        del self._due[0]

    def _expect_forfeit(self, game: Game, record: Record) -> None:
        """Nothing but the forfeit may come now; only a cut can, because a forfeit waits for the cards."""
        if self._in_step or isinstance(record, Cut):
            return
        if (seat := self._next_due(game)) is not None:
            raise Fault(
                "E386",
                f"seat {seat} has {self._limit} faults and is not forfeited",
                expected=f"forfeit of seat {seat}",
                actual=str(record.__struct_config__.tag),
            )

    def _next_due(self, game: Game) -> int | None:
        """Who is to be forfeited next; whoever is out already is not."""
        while self._due and not game.in_game >> self._due[0] & 1:
            del self._due[0]
        return self._due[0] if self._due else None


def _seats(must: list[int]) -> str:
    return f"an act of seat {' or '.join(map(str, must))}" if must else "no act of the referee"
