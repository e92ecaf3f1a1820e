"""Level L3: the referee's own conduct, as the head fixed it: clocks, acts in a player's place, forfeits."""

from typing import Final

import msgspec
from msgspec import UNSET

from referee.game.game import Game
from referee.game.records import COMPLETE, AnyAct, Confess, Cut, Forfeit, Record, Void
from referee.game.stand_in import stand_in
from referee.log.policy import TIMED, Budgets, Faults, fault_kind, needs_clock, voids
from referee.log.records import PRIVATE, Head, Late
from referee.validate.findings import Fault

CRASH: Final = Void(why="crash")


def as_sent(act: AnyAct) -> AnyAct:
    """The act as a player sends it: what the game fills in is unset."""
    derived = ("card", "pay") if type(act) is Confess else COMPLETE.get(type(act))
    return msgspec.structs.replace(act, **dict.fromkeys(derived, UNSET)) if derived else act


class Watch:
    """Follows what the referee does about clocks and faults."""

    def __init__(self, head: Head) -> None:
        """Raises `Fault` for a conduct that this clock cannot keep to."""
        if head.clock == "none" and (name := needs_clock(head.conduct)):
            raise Fault(
                "E309", f"{name} needs a clock", pointer=f"/conduct/{name}", expected="clock ms", actual="clock none"
            )
        seats = len(head.seats)
        self._clock: Final = head.clock
        self._conduct: Final = head.conduct
        self._faults: Final = Faults(head.conduct, seats)
        self._budgets: Final = Budgets(head.conduct, seats)
        self._late: Final[dict[int, Late]] = {}
        """By seat, the deadlines that passed since the last act."""
        self._due: list[int] = []
        """Seats that have used up their faults and are to be forfeited, in this order."""

        self._in_step = False
        """The other acts of a sealed step come first."""

    def late(self, game: Game, record: Late) -> None:
        """A passed deadline; raises `Fault`."""
        self._expect_void(record)
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
        budget = self._budgets.of(record.seat, secret=bool(game.discards_due))
        if record.budget != budget:
            raise Fault("E384", "not its time", pointer="/budget", expected=budget, actual=record.budget)
        if record.elapsed is not UNSET and record.elapsed < budget:
            raise Fault(
                "E384",
                "its time was not over",
                pointer="/elapsed",
                expected=f"at least {budget}",
                actual=record.elapsed,
            )
        self._late[record.seat] = record
        self._budgets.missed(record.seat)

    def act(self, game: Game, record: AnyAct, more: bool) -> bool:
        """A legal act about to take effect; ``more``: others of the same sealed step follow. Returns whether refusals
        must account for it, since the referee acted for a seat that was not late; raises `Fault`."""
        if self._due:
            self._expect_forfeit(game, record)
        self._expect_void(record)
        late = self._late.get(record.seat)
        self._late.clear()
        self._in_step = more
        if record.by is UNSET:
            if record.ms is UNSET:
                if self._clock == "ms" and not isinstance(record, PRIVATE):
                    raise Fault("E389", "the time is missing", pointer="/ms", expected="milliseconds")
            elif self._clock == "none":
                raise Fault("E388", "there is no clock, and yet a time", pointer="/ms", expected="no ms")
            if not self._budgets.plain and isinstance(record, TIMED) and record.seat in game.asks()[0]:
                self._take_time(record)
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
        if late is not None:
            self._budgets.late(late)
        elif isinstance(record, TIMED):
            self._budgets.acted(record.seat, UNSET)
        kind = fault_kind(self._conduct, late)
        if kind is not None and self._faults.count(record.seat, kind):
            self._due.append(record.seat)
        return late is None

    def _take_time(self, record: AnyAct) -> None:
        """A player's required act pays for its time."""
        budget = self._budgets.of(record.seat, secret=False)
        if record.ms is not UNSET and record.ms >= budget:
            raise Fault("E384", "its time was over", pointer="/ms", expected=f"below {budget}", actual=record.ms)
        self._budgets.acted(record.seat, record.ms)

    def decision(self, game: Game, record: Forfeit | Void) -> None:
        """A decision of the referee about to take effect; raises `Fault`."""
        self._expect_void(record)
        for late in self._late.values():
            self._budgets.late(late)
        self._late.clear()
        if isinstance(record, Forfeit) and record.why == "left" and self._conduct.left == "wait":
            raise Fault("E387", "who leaves is waited for", pointer="/why", expected="no forfeit", actual="left")
        # Between a fault and its consequence a table may crash or be closed, and another bot may leave.
        if isinstance(record, Void) or record.why != "faults":
            return
        if record.seat != self._next_due(game):
            raise Fault(
                "E387",
                f"seat {record.seat} has {self._faults.total[record.seat]} faults",
                pointer="/seat",
                expected=f"{limit} faults" if (limit := self._conduct.faults) else "no forfeit for faults",
                actual=f"{self._faults.total[record.seat]} faults",
            )
        del self._due[0]

    def _expect_forfeit(self, game: Game, record: Record) -> None:
        """Nothing but the forfeit may come now; only a cut can, because a forfeit waits for the cards."""
        if self._in_step or isinstance(record, Cut):
            return
        if (seat := self._next_due(game)) is not None:
            raise Fault(
                "E386",
                f"seat {seat} has {self._faults.total[seat]} faults and is not forfeited",
                expected=f"forfeit of seat {seat}",
                actual=str(record.__struct_config__.tag),
            )

    def _expect_void(self, record: Record) -> None:
        """Nothing but the void may come behind lateness that makes the round void."""
        if record != CRASH and any(voids(self._conduct, late) for late in self._late.values()):
            raise Fault(
                "E398",
                "the round is void",
                expected=msgspec.json.encode(CRASH).decode(),
                actual=str(record.__struct_config__.tag),
            )

    def _next_due(self, game: Game) -> int | None:
        """Who is to be forfeited next; whoever is out already is not."""
        while self._due and not game.in_game >> self._due[0] & 1:
            del self._due[0]
        return self._due[0] if self._due else None


def _seats(must: list[int]) -> str:
    return f"an act of seat {' or '.join(map(str, must))}" if must else "no act of the referee"
