"""Points per round and mean places, each with a t-interval whose unit is the deal block.

An estimate is a ratio of sums over blocks: all points over all rounds, all places over all seats. So each round weighs
the same, and a block in which fewer rounds were played weighs less. What a block adds to the error of the ratio is its
residual (points - estimate * rounds) / (mean rounds of a block), and

    variance of the estimate = sum over strata of  n_h / (n_h - 1) * sum of (residual - mean of stratum)^2,  / n^2

which is the linearised ("sandwich", or cluster-robust) variance with the block as the cluster (Cochran 1977, chapters
5 and 6; Liang and Zeger 1986). Rounds and matches of one block share their cards and may depend on each other in any
way; only blocks have to be independent. With one stratum and equal blocks it is the ordinary standard error of the mean
of n block means, and the interval is Student's.

Strata are the tables, blocks of the same bots. Who meets whom is fixed by the schedule and no chance, so differences
between tables are no error, and must not widen an interval. Tables with a single block are put together into one
stratum, which can only make an interval wider. The degrees of freedom are Welch's (1947), with v_h the part of a
stratum: (sum of v_h)^2 / sum of (v_h^2 / (n_h + 1)) - 2. That is n - 1 for one stratum. Satterthwaite's better known
formula divides by n_h - 1 and subtracts nothing; it takes the estimates v_h for the truth, and with strata of two or
three blocks gives about half the degrees, so that intervals of 95 % held the truth in 96.7 % of events.

Few blocks give wide intervals, since t has few degrees of freedom. There is none at all (low and high are None) when no
stratum has two blocks, or when no block differs from another: that says nothing about how they could.
"""

import math
from collections.abc import Callable, Hashable, Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from referee.tournament.statistics.blocks import Share, Summary

TINY: Final = 1e-12
"""Residuals that are only rounding, relative to the numbers they come from."""


class Interval(Struct, frozen=True, kw_only=True):
    """An estimate with its standard error and interval; all three are None where the blocks do not give any."""

    estimate: float
    low: float | None
    high: float | None
    se: float | None
    n: int
    """Blocks it rests on."""

    df: float | None
    """Degrees of freedom of its t."""


class Ratio(NamedTuple):
    """What a block adds to a ratio: ``over`` is 0 where it adds nothing."""

    stratum: Hashable
    value: float
    over: float


Measure = Callable[[Share], tuple[float, float]]
"""Numerator and denominator of a ratio, of one bot in one block."""


def per_round(share: Share) -> tuple[float, float]:
    """Points per round."""
    return share.points, share.rounds


def adjusted_per_round(share: Share) -> tuple[float, float]:
    """Luck-adjusted points per round."""
    return share.adjusted, share.rounds


def mean_place(share: Share) -> tuple[float, float]:
    """Mean place."""
    return share.places, share.seats


def ratios(blocks: Sequence[Summary], bot: str, measure: Measure) -> list[Ratio]:
    """What each block that the bot sat in adds to its ratio."""
    return [Ratio(block.stratum, *measure(block.bots[bot])) for block in blocks if bot in block.bots]


def ratio_interval(parts: Sequence[Ratio], confidence: float) -> Interval | None:
    """The ratio of the sums, with its interval; None when there is nothing to divide by."""
    linear = linearise(parts)
    if linear is None:
        return None
    estimate, residuals = linear
    return interval(estimate, [part.stratum for part in parts], residuals, confidence)


def linearise(parts: Sequence[Ratio]) -> tuple[float, list[float]] | None:
    """The ratio of the sums, and what each block adds to its error."""
    over = math.fsum(part.over for part in parts)
    if over <= 0:
        return None
    estimate = math.fsum(part.value for part in parts) / over
    mean = over / len(parts)
    return estimate, [_settled((part.value - estimate * part.over) / mean, part.value / mean) for part in parts]


def _settled(residual: float, size: float) -> float:
    return 0.0 if abs(residual) <= TINY * max(1.0, abs(size)) else residual


def interval(estimate: float, strata: Sequence[Hashable], residuals: Sequence[float], confidence: float) -> Interval:
    """The t-interval of an estimate from what each block adds to its error; ``confidence`` is between 0 and 1."""
    n = len(residuals)
    spread = variance(strata, residuals)
    if spread is None:
        return Interval(estimate=estimate, low=None, high=None, se=None, n=n, df=None)
    se, df = math.sqrt(spread[0]), spread[1]
    half = se * t_quantile(0.5 + confidence / 2, df)
    return Interval(estimate=estimate, low=estimate - half, high=estimate + half, se=se, n=n, df=df)


def variance(strata: Sequence[Hashable], residuals: Sequence[float]) -> tuple[float, float] | None:
    """Variance of the mean of the residuals, and its degrees of freedom; None when it cannot be told."""
    n = len(residuals)
    total = lost = 0.0
    for group in grouped(strata, residuals):
        size = len(group)
        mean = math.fsum(group) / size
        part = size / (size - 1) * math.fsum((value - mean) ** 2 for value in group) / n**2
        total += part
        lost += part**2 / (size + 1)
    if total <= 0:
        return None
    return total, total**2 / lost - 2


def grouped(strata: Sequence[Hashable], residuals: Sequence[float]) -> list[list[float]]:
    """The residuals by stratum, in order of first appearance; strata of one block are put together, and a last single
    one is put to the smallest of the others. Empty when there are not two blocks."""
    groups: dict[Hashable, list[float]] = {}
    for stratum, residual in zip(strata, residuals, strict=True):
        groups.setdefault(stratum, []).append(residual)
    whole = [group for group in groups.values() if len(group) > 1]
    single = [group[0] for group in groups.values() if len(group) == 1]
    if len(single) > 1:
        whole.append(single)
    elif single and whole:
        min(whole, key=len).extend(single)
    return whole


def t_quantile(p: float, df: float) -> float:
    """The quantile of Student's t. Needs scipy, which is imported when it is first used."""
    from scipy import special  # noqa: PLC0415 - standings are the only part of an event that needs it

    return float(special.stdtrit(df, p))
