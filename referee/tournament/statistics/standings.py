"""The standings of an event: every number that a report shows, from the blocks that count.

A pure function of the results: the order of blocks and matches, and where and when they were played, change nothing,
and neither do the bots' names but for the order of those that are level. `Standings.digest` says so in 64 characters.
"""

import hashlib
from collections.abc import Sequence
from typing import Final, Literal

import msgspec
from msgspec import Struct

from referee.log.canonical import Json, encode_value
from referee.tournament.results import FaultKinds, MatchResult
from referee.tournament.statistics import intervals, reduction
from referee.tournament.statistics.blocks import Block, Summary, summarise
from referee.tournament.statistics.intervals import Interval
from referee.tournament.statistics.pairwise import Matrix, matrix
from referee.tournament.statistics.ratings import Rating, ratings
from referee.tournament.statistics.reduction import Reduction

MILLIONTHS: Final = 1_000_000
"""A digest is over numbers to six decimals: what is behind them depends on the machine's mathematics library."""

Order = Literal["points", "places"]
"""What comes first: few points per round (matches of so many rounds), or a low mean place (games to the end)."""


class BotStanding(Struct, frozen=True, kw_only=True):
    """A row of the standings. Numbers are None for a bot that has played nothing that counts."""

    rank: int
    """Place in the standings, from 1; bots that are level share it."""

    bot: str
    points_per_round: Interval | None
    adjusted: Interval | None
    """Luck-adjusted points per round."""

    place: Interval | None
    """Mean place in a match; a place that several share is the middle of those they take up."""

    rating: Rating
    blocks: int
    matches: int
    rounds: int
    faults: FaultKinds
    reduction: Reduction
    """What duplicates brought for its points per round."""


class Standings(Struct, frozen=True, kw_only=True):
    """Everything. Low is good."""

    confidence: float
    order: Order
    bots: list[BotStanding]
    """The best first."""

    pairwise: Matrix
    """Differences in points per round, in the order of `bots`."""

    pairwise_adjusted: Matrix
    """The same, luck-adjusted."""

    reduction: Reduction
    """What duplicates brought for the difference of two bots, over all pairs."""

    blocks: int
    faulted_blocks: int
    matches: int
    rounds: int
    without_faulted: list[BotStanding]
    """The rows as they are without the faulted blocks."""

    digest: str
    """SHA-256, hex, of all of the above."""


def standings(
    blocks: Sequence[Block], names: Sequence[str], confidence: float = 0.95, order: Order = "points"
) -> Standings:
    """The standings of all bots in ``names``; ``confidence`` (between 0 and 1) is that of every interval.

    Raises `ValueError` for a confidence that is none, and for a bot that is not in ``names``.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence {confidence}: must be between 0 and 1, such as 0.95")
    known = set(names)
    ordered = sorted(blocks, key=lambda block: block.index)
    for block in ordered:
        for match in block.matches:
            if strangers := set(match.bots) - known:
                raise ValueError(f"match {match.match}: bot {min(strangers)} does not belong to this event")
    summaries = [summarise(block) for block in ordered]
    rows = _rows(ordered, summaries, names, confidence, order)
    first = [row.bot for row in rows]
    clean = [block for block in ordered if not block.faulted]
    unfaulted = rows
    if len(clean) < len(ordered):
        unfaulted = _rows(clean, [summarise(block) for block in clean], names, confidence, order)
    matches = [match for block in ordered for match in block.matches]
    found = Standings(
        confidence=confidence,
        order=order,
        bots=rows,
        pairwise=matrix(summaries, first, confidence),
        pairwise_adjusted=matrix(summaries, first, confidence, intervals.adjusted_per_round),
        reduction=reduction.of_all(summaries, first),
        blocks=len(ordered),
        faulted_blocks=len(ordered) - len(clean),
        matches=len(matches),
        rounds=sum(match.rounds for match in matches),
        without_faulted=unfaulted,
        digest="",
    )
    return msgspec.structs.replace(found, digest=hashlib.sha256(canonical(found)).hexdigest())


def canonical(found: Standings) -> bytes:
    """The standings in their one spelling, numbers in millionths, without the digest."""
    fields = msgspec.to_builtins(found)
    del fields["digest"]
    return encode_value(_whole(fields))


def _whole(value: object) -> Json:
    """A JSON value in which every float is a whole number of millionths."""
    if isinstance(value, float):
        return round(value * MILLIONTHS)
    if isinstance(value, dict):
        return {key: _whole(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_whole(inner) for inner in value]
    assert value is None or isinstance(value, int | str)
    return value


def _rows(
    blocks: Sequence[Block], summaries: Sequence[Summary], names: Sequence[str], confidence: float, order: Order
) -> list[BotStanding]:
    matches = [match for block in blocks for match in block.matches]
    rated = ratings(matches, names)
    rows = [_row(matches, summaries, name, rated[name], confidence) for name in names]
    keys = {row.bot: _key(row, order) for row in rows}
    rows.sort(key=lambda row: (keys[row.bot], row.bot))
    return [msgspec.structs.replace(row, rank=1 + sum(key < keys[row.bot] for key in keys.values())) for row in rows]


def _key(row: BotStanding, order: Order) -> float:
    """What rows are sorted by, to six decimals; bots that have not played come last."""
    interval = row.points_per_round if order == "points" else row.place
    return float("inf") if interval is None else round(interval.estimate * MILLIONTHS)


def _row(
    matches: Sequence[MatchResult], summaries: Sequence[Summary], bot: str, rating: Rating, confidence: float
) -> BotStanding:
    own = [summary for summary in summaries if bot in summary.bots]
    seats = [(match, seat) for match in matches for seat, name in enumerate(match.bots) if name == bot]
    kinds = [match.fault_kinds[seat] for match, seat in seats]
    numbers = {
        name: intervals.ratio_interval(intervals.ratios(own, bot, measure), confidence)
        for name, measure in (
            ("points_per_round", intervals.per_round),
            ("adjusted", intervals.adjusted_per_round),
            ("place", intervals.mean_place),
        )
    }
    return BotStanding(
        rank=0,
        bot=bot,
        **numbers,
        rating=rating,
        blocks=len(own),
        matches=len({match.index for match, _ in seats}),
        rounds=sum(match.rounds for match, _ in seats),
        faults=FaultKinds(
            **{field: sum(getattr(kind, field) for kind in kinds) for field in FaultKinds.__struct_fields__}
        ),
        reduction=reduction.of_bot(summaries, bot),
    )
