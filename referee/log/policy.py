"""The conduct policy at work: how much time a seat has, and when its faults are too many.

The table keeps to it, and the validator counts again; both use this one reading, because a limit that is read in two
ways is none.
"""

from collections.abc import Mapping
from typing import Final, Literal

import msgspec
from msgspec import UNSET, UnsetType

from referee.game.records import Fold, Play, Record, Stay, Toep
from referee.log.records import Conduct, Late, Verdict

FaultKind = Literal["late", "link", "refused"]
"""Why the referee acts in a player's place: he was late, was not connected, or had all his tries refused."""

NOTHING: Final[Mapping[str, object]] = {
    "bank_ms": 0,
    "increment_ms": 0,
    "late_faults": 0,
    "left": "forfeit",
    "link_faults": 0,
    "ready_ms": 0,
    "refused_faults": 0,
    "stall": "count",
}
"""The fields of a conduct that a log leaves out, and what each means where it is not there."""

TIMED: Final[tuple[type[Record], ...]] = (Play, Toep, Stay, Fold)
"""The acts whose time counts, where they were required. Others leave no trace of which ask they answered."""

OWN: Final[tuple[Verdict, ...]] = ("host", "referee")
"""The verdicts by which lateness is nobody's at the table."""


class ConductError(ValueError):
    """A conduct policy that cannot be kept to; the message begins with the field."""


def make_conduct(values: Mapping[str, object]) -> Conduct:
    """A policy as people write it, where a field may also have the value that stands for its absence.

    Raises `ConductError`.
    """
    told = {name: value for name, value in values.items() if name not in NOTHING or value != NOTHING[name]}
    try:
        return msgspec.convert(told, Conduct)
    except msgspec.ValidationError as error:
        text, _, path = str(error).partition(" - at `$.")
        raise ConductError(f"{path.rstrip('`')}: {text}" if path else text) from None


def told(conduct: Conduct) -> dict[str, object]:
    """Every field of a policy, those that a log leaves out too."""
    return {**NOTHING, **msgspec.to_builtins(conduct)}


def needs_clock(conduct: Conduct) -> str:
    """The field that makes no sense without times in the log; empty: none does."""
    for name in ("bank_ms", "increment_ms"):
        if getattr(conduct, name) is not UNSET:
            return name
    return ""


def fault_kind(conduct: Conduct, late: Late | None) -> FaultKind | None:
    """What an act of the referee in a player's place counts as; None: it is excused. ``late`` is why it was needed, or
    None when all tries were refused."""
    if late is None:
        return "refused"
    if late.verdict in OWN and conduct.stall is not UNSET:
        return None
    return "link" if late.verdict == "link" else "late"


def voids(conduct: Conduct, late: Late) -> bool:
    """Whether this lateness makes the round void."""
    return conduct.stall == "void" and late.verdict in OWN


class Faults:
    """Counts the faults of each seat, and says when a limit is reached."""

    def __init__(self, conduct: Conduct, seats: int) -> None:
        self.total: Final = [0] * seats
        """All of a seat's faults."""
        self.kinds: Final[dict[FaultKind, list[int]]] = {
            kind: [0] * seats for kind in ("late", "link", "refused")
        }  # fmt: skip
        self._limits: Final[dict[FaultKind, int | UnsetType]] = {
            "late": conduct.late_faults,
            "link": conduct.link_faults,
            "refused": conduct.refused_faults,
        }
        self._limit: Final = conduct.faults
        self._reached: Final = [False] * seats

    def count(self, seat: int, kind: FaultKind) -> bool:
        """One more fault; whether the seat is to be forfeited now, which is said once."""
        mine = self.kinds[kind]
        self.total[seat] += 1
        mine[seat] += 1
        if self._reached[seat] or (self.total[seat] != self._limit and mine[seat] != self._limits[kind]):
            return False
        self._reached[seat] = True
        return True


class Budgets:
    """What each seat may still take for the acts that are required of it, in milliseconds.

    Time is charged by what the log says: an act of a player that is one of `TIMED` and was required pays what it took
    beyond ``act_ms``, and adds the increment. A late act takes all, unless it is excused. Discards are secret, and so
    is their time: they have none of the bank, and pay nothing.
    """

    def __init__(self, conduct: Conduct, seats: int) -> None:
        self._conduct: Final = conduct
        self._act: Final = conduct.act_ms
        self._ready: Final = max(conduct.act_ms, conduct.ready_ms or 0)
        self._increment: Final = conduct.increment_ms or 0
        self.plain: Final = self._ready == self._act and not conduct.bank_ms and not self._increment
        """Every required act has ``act_ms``."""
        self._bank: Final = [conduct.bank_ms or 0] * seats
        self._acted: Final = [False] * seats

    def of(self, seat: int, *, secret: bool) -> int:
        """The time for an act that is required of a seat now; ``secret``: a discard."""
        if self.plain:
            return self._act
        basic = self._act if self._acted[seat] else self._ready
        return basic if secret else basic + self._bank[seat]

    def acted(self, seat: int, took: int | UnsetType) -> None:
        """A seat has given one of `TIMED` that was required; ``took``: its milliseconds, where the log has them."""
        if self.plain:
            return
        basic = self._act if self._acted[seat] else self._ready
        self._acted[seat] = True
        if took is not UNSET:
            self._bank[seat] += self._increment - max(0, took - basic)

    def missed(self, seat: int) -> None:
        """A seat did not act in time; its next act is not its first."""
        self._acted[seat] = True

    def late(self, late: Late) -> None:
        """What follows from lateness has taken effect."""
        if self.plain:
            return
        self.missed(late.seat)
        if late.verdict not in OWN or self._conduct.stall is UNSET:
            self._bank[late.seat] = 0
