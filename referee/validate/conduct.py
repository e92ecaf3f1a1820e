"""Level L3: the referee's own conduct, as the head fixed it: clocks, acts in a player's place, forfeits."""

from typing import Final

import msgspec
from msgspec import UNSET

from referee.game.game import Game
from referee.game.records import COMPLETE, AnyAct, Forfeit, Record, Void
from referee.game.stand_in import stand_in
from referee.log.records import Head, Late
from referee.validate.findings import Fault


def as_sent(act: AnyAct) -> AnyAct:
    """The act as a player sends it: what the game fills in is unset."""
    derived = COMPLETE.get(type(act))
    return msgspec.structs.replace(act, **dict.fromkeys(derived, UNSET)) if derived else act


class Watch:
    """Follows what the referee does about clocks and faults."""

    def __init__(self, head: Head) -> None:
        self._clock: Final = head.clock
        self._limit: Final = head.conduct.faults
        self._faults: Final = [0] * len(head.seats)
        self._late: int | None = None
        self._due: int | None = None
        """A seat that has used up its faults and is to be forfeited next."""

    def late(self, game: Game, record: Late) -> None:
        """A passed deadline; raises `Fault`."""
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

    def act(self, game: Game, record: AnyAct) -> bool:
        """A legal act about to take effect. Returns whether refusals must account for it, since the referee acted for
        a seat that was not late; raises `Fault`."""
        self._expect_forfeit(game, record)
        late, self._late = self._late, None
        if record.by is UNSET:
            if record.ms is not UNSET and self._clock == "none":
                raise Fault("E388", "there is no clock, and yet a time", pointer="/ms", expected="no ms")
            if record.ms is UNSET and self._clock == "ms":
                raise Fault("E389", "the time is missing", pointer="/ms", expected="milliseconds")
            return False
        must, _ = game.asks()
        wanted = stand_in(game, record.seat) if record.seat in must else None
        if as_sent(record) != wanted:
            raise Fault(
                "E382",
                "not what the referee plays in a player's place",
                expected=msgspec.json.encode(wanted).decode() if wanted else f"an act of seat {must[0]}",
                actual=msgspec.json.encode(record).decode(),
            )
        self._faults[record.seat] += 1
        if self._faults[record.seat] == self._limit:
            self._due = record.seat
        return late != record.seat

    def decision(self, record: Forfeit | Void) -> None:
        """A decision of the referee about to take effect; raises `Fault`."""
        self._late = None
        # Between a fault and its consequence a table may crash or be closed, and another bot may leave.
        if isinstance(record, Void) or record.why != "faults":
            return
        if record.seat != self._due:
            raise Fault(
                "E387",
                f"seat {record.seat} has {self._faults[record.seat]} faults",
                pointer="/seat",
                expected=f"{self._limit} faults" if self._limit else "no forfeit for faults",
                actual=f"{self._faults[record.seat]} faults",
            )
        self._due = None

    def _expect_forfeit(self, game: Game, record: Record) -> None:
        if self._due is None:
            return
        if not game.in_game >> self._due & 1:
            self._due = None
            return
        raise Fault(
            "E386",
            f"seat {self._due} has {self._limit} faults and is not forfeited",
            expected=f"forfeit of seat {self._due}",
            actual=str(record.__struct_config__.tag),
        )
