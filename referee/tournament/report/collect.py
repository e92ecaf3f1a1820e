"""What a report shows: everything of an event that can be worked out from its logs, in one value.

The event is checked first, so each result has been computed again from its log; the journal only says which blocks
count, and what was ruled. Without a journal, `from_logs` says what counts by the spec.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from referee.log.canonical import LineError
from referee.log.reader import decode_bytes
from referee.tournament.event import Event
from referee.tournament.journal import Ruling
from referee.tournament.ledger import fault_text
from referee.tournament.outcome import standings_of
from referee.tournament.results import MatchResult
from referee.tournament.statistics.standings import Standings
from referee.tournament.status import Status, status_of

POINTS: Final = 120
"""Points of a curve at most."""


KINDS: Final = ("did not come", "gone", "late", "refused")
"""What a bot is charged with, in the order of `FaultCount.by_kind`."""


class Fault(Struct, frozen=True, kw_only=True):
    """One bot's faults in one match."""

    match: str
    bot: str
    what: str
    counts: bool
    """The match is in a block that counts."""


class FaultCount(Struct, frozen=True, kw_only=True):
    """All faults of a bot, also in blocks that do not count."""

    bot: str
    absent: int = 0
    """Matches that never began for want of it."""
    left: int = 0
    late: int = 0
    refused: int = 0
    matches: int = 0
    """Matches in which it has one."""
    counting: int = 0
    """Those of them that count."""

    @property
    def by_kind(self) -> tuple[int, int, int, int]:
        """In the order of `KINDS`."""
        return self.absent, self.left, self.late, self.refused

    @property
    def total(self) -> int:
        """All of them."""
        return sum(self.by_kind)


class Curve(Struct, frozen=True, kw_only=True):
    """How a bot's points per round went."""

    bot: str
    points: list[tuple[int, float]]
    """After so many blocks that count, the mean so far."""


class Times(Struct, frozen=True, kw_only=True):
    """Milliseconds that a bot took for its acts."""

    bot: str
    acts: int
    median: int
    """Half of its acts took this or less."""
    nine_of_ten: int
    """Nine of ten took this or less."""
    longest: int


class Report(Struct, frozen=True):
    """Everything that the files of a report are made of."""

    event: Event
    status: Status
    standings: Standings | None
    """None: nothing counts yet."""
    results: list[MatchResult]
    """In schedule order, those of blocks that do not count too."""
    counting: frozenset[str]
    """The matches that count."""
    faults: list[Fault]
    fault_counts: list[FaultCount]
    """Of all bots, in the order of the spec."""
    curves: list[Curve]
    times: list[Times]
    """Empty where the logs have no times."""

    @property
    def journaled(self) -> bool:
        """Whether there is a journal, or only logs."""
        return bool(self.event.entries)

    @property
    def rulings(self) -> list[Ruling]:
        """Decisions of the organiser and of the director."""
        return self.event.ledger.rulings


def collect(event: Event) -> Report:
    """Work it all out."""
    ledger = event.ledger
    blocks = list(ledger.counted())
    counting = frozenset(result.match for block in blocks for result in block.matches)
    results = sorted(ledger.results.values(), key=lambda result: (result.index, result.match))
    faults = []
    for result in results:
        for bot, count, kinds in zip(result.bots, result.faults, result.fault_kinds, strict=True):
            if count:
                what = fault_text(result, kinds.late, kinds.left, kinds.refused)
                faults.append(Fault(match=result.match, bot=bot, what=what, counts=result.match in counting))
    return Report(
        event=event,
        status=status_of(event),
        standings=standings_of(ledger, event.spec),
        results=results,
        counting=counting,
        faults=faults,
        fault_counts=_fault_counts(event.schedule.bots, results, counting),
        curves=_curves(event),
        times=_times(event, results) if event.spec.clock == "ms" else [],
    )


def _fault_counts(names: Sequence[str], results: list[MatchResult], counting: frozenset[str]) -> list[FaultCount]:
    counts: dict[str, Counter[str]] = {name: Counter() for name in names}
    for result in results:
        for bot, kinds in zip(result.bots, result.fault_kinds, strict=True):
            if kinds.total():
                found = counts[bot]
                found["absent" if result.status == "absent" else "left"] += kinds.left
                found["late"] += kinds.late
                found["refused"] += kinds.refused
                found["matches"] += 1
                found["counting"] += result.match in counting
    return [FaultCount(bot=bot, **found) for bot, found in counts.items()]


def _curves(event: Event) -> list[Curve]:
    points: dict[str, int] = defaultdict(int)
    rounds: dict[str, int] = defaultdict(int)
    curves: dict[str, list[tuple[int, float]]] = {bot: [] for bot in event.schedule.bots}
    for number, block in enumerate(event.ledger.counted(), 1):
        met = set()
        for result in block.matches:
            for bot, total in zip(result.bots, result.total, strict=True):
                points[bot] += total
                rounds[bot] += result.rounds
                met.add(bot)
        for bot in met:
            if rounds[bot]:
                curves[bot].append((number, points[bot] / rounds[bot]))
    return [Curve(bot=bot, points=_thinned(curve)) for bot, curve in curves.items() if curve]


def _thinned(curve: list[tuple[int, float]]) -> list[tuple[int, float]]:
    step = -(-len(curve) // POINTS)
    return [*curve[:-1:step], curve[-1]]


def _times(event: Event, results: list[MatchResult]) -> list[Times]:
    taken: dict[str, list[int]] = {bot: [] for bot in event.schedule.bots}
    for result in results:
        for seat, ms in _acts(event.folder.log(result.match)):
            taken[result.bots[seat]].append(ms)
    found = []
    for bot, all_of_it in taken.items():
        if times := sorted(all_of_it):
            last = len(times) - 1
            found.append(
                Times(
                    bot=bot,
                    acts=len(times),
                    median=times[last // 2],
                    nine_of_ten=times[last * 9 // 10],
                    longest=times[last],
                )
            )
    return found


def _acts(log: Path) -> list[tuple[int, int]]:
    """(seat, milliseconds) of every act of a player that carries its time."""
    if not log.exists():
        return []
    found = []
    for line in log.read_bytes().splitlines():
        try:
            record = decode_bytes(line)
        except LineError:
            continue  # What is wrong with it has been said.
        ms, seat = getattr(record, "ms", None), getattr(record, "seat", None)
        if isinstance(ms, int) and isinstance(seat, int):
            found.append((seat, ms))
    return found
