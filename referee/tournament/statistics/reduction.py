"""What duplicates bring: the variance of a block beside that of as many matches with deals of their own.

What a block says about a bot (its points per round), or about two (the difference), is a sum over the block's matches.
With deals of their own the matches would be independent, and the variance of the sum would be the sum of the variances
of its parts; those are seen in the same data, match by match over the blocks. So

    ratio = variance of the sum over the blocks / sum over matches of the variance of their part

is the design effect (Kish 1965): below 1, the bad cards of one match are made good in another. The effective number of
rounds is rounds / ratio: how many rounds with deals of their own would have said as much. Parts are compared with those
of the same table, and of the same seat (of two bots: the seat of the first), which other deals would have left as it
is.
"""

import itertools
import math
from collections.abc import Hashable, Sequence

from msgspec import Struct

from referee.tournament.statistics.blocks import Summary
from referee.tournament.statistics.intervals import grouped


class Reduction(Struct, frozen=True, kw_only=True):
    """What duplicates bring for one number."""

    ratio: float | None
    """Variance with duplicates over variance without; None where there are too few blocks to tell."""

    rounds: int
    """Rounds that the number rests on."""

    effective_rounds: float | None
    """Rounds with deals of their own that would have said as much."""


def of_bot(blocks: Sequence[Summary], bot: str) -> Reduction:
    """For the points per round of a bot."""
    return reduction([block for block in blocks if bot in block.bots], {bot: 1})


def of_pair(blocks: Sequence[Summary], bot: str, other: str) -> Reduction:
    """For the difference of two bots."""
    return reduction([block for block in blocks if bot in block.bots and other in block.bots], {bot: 1, other: -1})


def of_all(blocks: Sequence[Summary], names: Sequence[str]) -> Reduction:
    """For the differences of all pairs that meet: the sum of their variances with duplicates over that without."""
    with_, without = 0.0, 0.0
    for bot, other in itertools.combinations(names, 2):
        both = [block for block in blocks if bot in block.bots and other in block.bots]
        together, apart = variances(both, {bot: 1, other: -1})
        if together is not None and apart is not None:
            with_, without = with_ + together, without + apart
    rounds = sum(next(iter(match.values())).rounds for block in blocks for match in block.matches)
    return _made(with_, without, rounds)


def reduction(blocks: Sequence[Summary], signs: dict[str, int]) -> Reduction:
    """For a sum of points per round with these signs, over blocks in which all of these bots sit."""
    together, apart = variances(blocks, signs)
    rounds = sum(share.rounds for block in blocks for bot, share in block.bots.items() if bot in signs)
    rounds //= max(1, len(signs))
    return _made(together, apart, rounds)


def _made(together: float | None, apart: float | None, rounds: int) -> Reduction:
    if not together or not apart:
        return Reduction(ratio=None, rounds=rounds, effective_rounds=None)
    ratio = together / apart
    return Reduction(ratio=ratio, rounds=rounds, effective_rounds=rounds / ratio)


def variances(blocks: Sequence[Summary], signs: dict[str, int]) -> tuple[float | None, float | None]:
    """Variance of a block with its deals shared, and what it would be with deals of their own."""
    sums: list[float] = []
    parts: dict[Hashable, list[tuple[Hashable, float]]] = {}
    for block in blocks:
        whole = {bot: block.bots[bot].rounds or 1 for bot in signs}
        values = []
        for match, seats in zip(block.matches, block.seats, strict=True):
            there = [bot for bot in signs if bot in match]
            value = math.fsum(signs[bot] * match[bot].points / whole[bot] for bot in there)
            if there:
                values.append(value)
                parts.setdefault((*there, seats[there[0]]), []).append((block.stratum, value))
        sums.append(math.fsum(values))
    return together_and_apart([block.stratum for block in blocks], sums, parts)


def together_and_apart(
    strata: Sequence[Hashable], sums: Sequence[float], parts: dict[Hashable, list[tuple[Hashable, float]]]
) -> tuple[float | None, float | None]:
    """Mean variance of the sums within strata, and sum of those of the parts, each counted as often as it occurs."""
    together = within(strata, sums)
    apart = 0.0
    for values in parts.values():
        spread = within([stratum for stratum, _ in values], [value for _, value in values])
        if spread is None:
            return together, None
        apart += spread * len(values) / len(sums)
    return together, apart


def within(strata: Sequence[Hashable], values: Sequence[float]) -> float | None:
    """The pooled variance within strata; None without two values in one."""
    squares, freedom = 0.0, 0
    for group in grouped(strata, values):
        mean = math.fsum(group) / len(group)
        squares += math.fsum((value - mean) ** 2 for value in group)
        freedom += len(group) - 1
    return squares / freedom if freedom else None
