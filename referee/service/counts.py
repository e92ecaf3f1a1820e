"""What a referee has done since its process began, as plain numbers.

They are counted where things happen, in the loop, with an addition each; `referee.service.metrics` reads them when
somebody asks. None of them says anything about a single match or bot.
"""

from typing import Final, get_args

from referee.game.records import Forfeit, Record
from referee.log.records import Late, Verdict
from referee.table.messages import RefusalCode

BINS: Final = 64
"""Bins of a histogram of milliseconds: number ``n`` has the values of ``n`` binary digits, those below ``2 ** n``."""


class Counts:
    """Counts of one referee. They only ever grow."""

    __slots__ = (
        "answers",
        "asks",
        "created",
        "faults",
        "forfeits",
        "late",
        "latency",
        "latency_ms",
        "records",
        "refusals",
        "rejected",
        "stall",
        "stall_ms",
        "streams",
        "woken",
        "worst_stall_ms",
    )

    def __init__(self) -> None:
        self.asks = 0
        """Asks that left."""
        self.answers = 0
        """Answers that came, of any kind."""
        self.latency: Final = [0] * BINS
        """Answers to open asks, by milliseconds since the ask left."""
        self.latency_ms = 0
        """The sum of these milliseconds."""
        self.refusals: Final = dict.fromkeys(RefusalCode, 0)
        self.rejected: Final[dict[str, int]] = {}
        """Calls and streams that this referee ended with an error, by the name of the status code."""
        self.records: Final[dict[type[Record], int]] = {}
        """Public records by kind."""
        self.late: Final = dict.fromkeys(get_args(Verdict), 0)
        """Required acts that were late, by verdict."""
        self.forfeits: Final = {"faults": 0, "left": 0}
        self.faults = 0
        """Internal errors."""
        self.created = 0
        """Matches that were set up."""
        self.streams = 0
        """Bots that were let in."""
        self.stall: Final = [0] * BINS
        """Wake-ups of the loop, by how many milliseconds too late they were."""
        self.stall_ms = 0.0
        self.worst_stall_ms = 0.0
        self.woken = 0.0
        """When the loop last woke by itself, in seconds of the monotonic clock; 0: it has not begun."""

    def told(self, records: list[Record]) -> None:
        """A table told everybody of these."""
        kinds = self.records
        for record in records:
            kind = type(record)
            kinds[kind] = kinds.get(kind, 0) + 1
            if kind is Late:
                self.late[record.verdict] += 1  # type: ignore[attr-defined]
            elif kind is Forfeit:
                self.forfeits[record.why] += 1  # type: ignore[attr-defined]

    def reject(self, code: str) -> None:
        """A call ended with this status."""
        self.rejected[code] = self.rejected.get(code, 0) + 1

    def woke(self, late: float, now: float) -> None:
        """The loop woke so many seconds too late."""
        late_ms = max(0.0, late) * 1000
        self.stall[int(late_ms).bit_length()] += 1
        self.stall_ms += late_ms
        self.worst_stall_ms = max(self.worst_stall_ms, late_ms)
        self.woken = now
