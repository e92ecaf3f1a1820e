"""The report as data: CSV for spreadsheets, JSON for programs."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from referee.tournament.report.collect import Report
from referee.tournament.statistics import luck
from referee.tournament.statistics.intervals import Interval
from referee.tournament.statistics.pairwise import Matrix

Row = Sequence[object]


def files(report: Report) -> dict[str, str]:
    """The texts of all of them, by name."""
    return {
        "standings.csv": _csv(_standings(report)),
        "results.csv": _csv(_results(report)),
        "pairwise.csv": _csv(_pairwise(report)),
        "report.json": msgspec.json.format(msgspec.json.encode(as_data(report)), indent=1).decode() + "\n",
    }


def as_data(report: Report) -> dict[str, Any]:
    """The report as plain data."""
    ledger = report.event.ledger
    return {
        "event": report.event.spec.name,
        "state": report.status.state,
        "blocks": {
            "decided": report.status.decided, "counted": report.status.counted, "dropped": report.status.dropped,
            "replaced": report.status.replaced,
        },
        "commit": ledger.event.commit if ledger.event else "",
        "seed": ledger.seed,
        "isolation": ledger.event.isolation if ledger.event else "",
        "results_digest": report.status.results_digest,
        "standings": msgspec.to_builtins(report.standings),
        "stop": msgspec.to_builtins(ledger.stop),
        "faults": [fault._asdict() for fault in report.faults],
        "rulings": msgspec.to_builtins(report.rulings),
        "times": [one._asdict() for one in report.times],
        "results": [{**msgspec.to_builtins(one), "counts": one.match in report.counting} for one in report.results],
    }  # fmt: skip


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
