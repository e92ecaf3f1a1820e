"""The report as data: CSV for spreadsheets, JSON for programs."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Final, Literal

import msgspec
from msgspec import Struct, structs

from referee.tournament.journal import Ruling, Stop
from referee.tournament.report.collect import Curve, Fault, FaultCount, Report, Times
from referee.tournament.results import MatchResult
from referee.tournament.statistics import luck
from referee.tournament.statistics.intervals import Interval
from referee.tournament.statistics.pairwise import Matrix
from referee.tournament.statistics.standings import Standings

Row = Sequence[object]

JSON: Final = "report.json"
"""The name of the whole report as JSON; `schema/event-report.schema.json` describes it."""


class Blocks(Struct, frozen=True, kw_only=True):
    """How many blocks there are of each kind."""

    scheduled: int
    """Up to where the event stops."""
    decided: int
    counted: int
    dropped: int
    replaced: int
    """How often one was."""


class Played(MatchResult, frozen=True, kw_only=True):
    """A match with a result."""

    counts: bool
    """It is in a block that counts."""


class Document(Struct, frozen=True, kw_only=True):
    """A report of an event as data: what `report.json` holds."""

    event: str
    state: Literal["running", "paused", "draining", "stopped", "done", "unknown"]
    """``unknown``: there is no journal."""
    journal: bool
    """Whether there is a journal. Without one, the spec and the logs say what counts."""
    blocks: Blocks
    bots: list[str]
    """In the order of the spec."""
    out: dict[str, str]
    """Bots that play no more, and why."""
    commit: str
    """The commitment to the event's seed; empty: not known."""
    seed: str
    """The event's seed, hex; empty: it is not known yet."""
    isolation: str
    """What kept local bots apart."""
    results_digest: str
    """SHA-256, hex, over the results that count, in schedule order."""
    standings: Standings | None
    """None: nothing counts yet."""
    stop: Stop | None
    """Where the sequential test stopped, if it did."""
    faults: list[Fault]
    fault_counts: list[FaultCount]
    rulings: list[Ruling]
    times: list[Times]
    """Empty where the logs have no times."""
    curves: list[Curve]
    results: list[Played]
    """In schedule order, those of blocks that do not count too."""


def files(report: Report) -> dict[str, str]:
    """The texts of all of them, by name."""
    return {
        "standings.csv": _csv(_standings(report)),
        "results.csv": _csv(_results(report)),
        "pairwise.csv": _csv(_pairwise(report)),
        JSON: msgspec.json.format(msgspec.json.encode(as_data(report)), indent=1).decode() + "\n",
    }


def as_data(report: Report) -> Document:
    """The report as one value."""
    ledger = report.event.ledger
    return Document(
        event=report.event.spec.name,
        state=report.status.state if report.journaled else "unknown",
        journal=report.journaled,
        blocks=Blocks(
            scheduled=report.status.blocks,
            decided=report.status.decided,
            counted=report.status.counted,
            dropped=report.status.dropped,
            replaced=report.status.replaced,
        ),
        bots=list(report.event.schedule.bots),
        out={bot: ledger.disqualified.get(bot, why) for bot, why in ledger.withdrawn.items()},
        commit=ledger.event.commit if ledger.event else "",
        seed=ledger.seed,
        isolation=ledger.event.isolation if ledger.event else report.results[0].isolation if report.results else "",
        results_digest=report.status.results_digest,
        standings=report.standings,
        stop=ledger.stop,
        faults=report.faults,
        fault_counts=report.fault_counts,
        rulings=report.rulings,
        times=report.times,
        curves=report.curves,
        results=[Played(**structs.asdict(one), counts=one.match in report.counting) for one in report.results],
    )


def _csv(rows: Iterable[Row]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _numbers(found: Interval | None) -> list[object]:
    return ["", "", "", ""] if found is None else [found.estimate, found.low, found.high, found.se]


def _standings(report: Report) -> Iterable[Row]:
    yield (
        "rank", "bot", "points_per_round", "low", "high", "se", "adjusted", "adjusted_low", "adjusted_high",
        "adjusted_se", "place", "place_low", "place_high", "place_se", "rating", "rating_sigma", "blocks", "matches",
        "rounds", "late", "left", "refused",
    )  # fmt: skip
    for row in report.standings.bots if report.standings else ():
        yield [
            row.rank, row.bot, *_numbers(row.points_per_round), *_numbers(row.adjusted), *_numbers(row.place),
            row.rating.mu, row.rating.sigma, row.blocks, row.matches, row.rounds, row.faults.late, row.faults.left,
            row.faults.refused,
        ]  # fmt: skip


def _results(report: Report) -> Iterable[Row]:
    """One row a match and seat."""
    yield (
        "block", "match", "seat", "bot", "status", "counts", "rounds", "points", "place", "luck", "late", "left",
        "refused", "root",
    )  # fmt: skip
    for result in report.results:
        for seat, bot in enumerate(result.bots):
            kinds = result.fault_kinds[seat]
            yield (
                result.block, result.match, seat, bot, result.status, int(result.match in report.counting),
                result.rounds, result.total[seat], result.rank[seat], result.luck[seat] / luck.UNIT, kinds.late,
                kinds.left, kinds.refused, result.root,
            )  # fmt: skip


def _pairwise(report: Report) -> Iterable[Row]:
    """One row for each two bots that met."""
    yield ("bot", "other", "difference", "low", "high", "se", "blocks")
    if report.standings is None:
        return
    names = [row.bot for row in report.standings.bots]
    for bot, other, cell in cells(report.standings.pairwise, names):
        yield (bot, other, *_numbers(cell), cell.n)


def cells(matrix: Matrix, names: Sequence[str]) -> Iterable[tuple[str, str, Interval]]:
    """Every difference that there is."""
    for row, bot in enumerate(names):
        for column, other in enumerate(names):
            if (cell := matrix[row][column]) is not None:
                yield bot, other, cell
