"""A test of two candidates that may stop early: is one better than the other by enough?

Its data are one number a block: the points per round that the candidate saved against the other on the same cards. The
effect is normalized, the mean of that number in units of its standard deviation, as computer chess does with its
normalized Elo; so what is asked does not depend on how much chance a game has. H0: the effect is ``low``; H1: it is
``high`` (see `SequentialStop`, where an event's spec says what it asks).

The deviation is not known, so the ratio of likelihoods is that of Student's t: after n blocks, t = sqrt(n) * mean / sd
has a noncentral t distribution with n - 1 degrees of freedom and the noncentrality sqrt(n) * effect, and

    llr = log density of t under high - log density of t under low

(the sequential t-test: Rushton 1950; Hall, Wijsman and Ghosh 1965). The test ends at the first block at which llr
leaves the bounds log(beta / (1 - alpha)) and log((1 - beta) / alpha) (Wald 1945). For normal block means the error
rates are at most alpha / (1 - beta) and beta / (1 - alpha), for whatever number of blocks; for others that is about so
once there are some blocks, which is why nothing is decided before ``minimum`` of them. ``make coverage`` measures the
rates.

The test reads blocks in schedule order only, and only up to the first that is missing: which blocks happen to be
finished early may depend on who is playing, and must not decide.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Final, Literal

from msgspec import Struct

from referee.tournament.spec_types import SequentialStop
from referee.tournament.statistics.blocks import Block, summarise

Decision = Literal["", "low", "high"]
_STEPS: Final = 48
_REACH: Final = 9.0
"""The integral is taken so many standard deviations around its peak; what is left out is below 1e-17 of it."""


class State(Struct, frozen=True, kw_only=True):
    """How far a test has come."""

    llr: float
    low: float
    """The bound below which ``low`` is accepted."""

    high: float
    decision: Decision
    """Empty: not yet."""

    decided_by: int | None
    """Index of the block that decided."""

    n: int
    """Blocks that were read: up to the deciding one."""

    mean: float
    sd: float


def bounds(test: SequentialStop) -> tuple[float, float]:
    """Where ``low`` and where ``high`` is accepted."""
    return math.log(test.beta / (1 - test.alpha)), math.log((1 - test.beta) / test.alpha)


def run(test: SequentialStop, values: Iterable[tuple[int, float]]) -> State:
    """Go through (index of block, points per round saved) in schedule order until the test is decided, if it is."""
    low, high = bounds(test)
    n, mean, squares, llr = 0, 0.0, 0.0, 0.0
    decision: Decision = ""
    decided_by: int | None = None
    for index, value in values:
        n += 1
        step = value - mean
        mean += step / n
        squares += step * (value - mean)
        if n < test.minimum or squares <= 0:
            continue
        llr = log_ratio(test, n, mean, math.sqrt(squares / (n - 1)))
        if llr <= low or llr >= high:
            decision, decided_by = "low" if llr <= low else "high", index
            break
    sd = math.sqrt(squares / (n - 1)) if n > 1 else 0.0
    return State(llr=llr, low=low, high=high, decision=decision, decided_by=decided_by, n=n, mean=mean, sd=sd)


def log_ratio(test: SequentialStop, n: int, mean: float, sd: float) -> float:
    """The log likelihood ratio after n blocks of this mean and standard deviation (with n - 1)."""
    t = math.sqrt(n) * mean / sd
    lean = math.sqrt(n) * t / math.sqrt(n - 1 + t * t)
    peaks = _log_integral(n, test.high * lean) - _log_integral(n, test.low * lean)
    return peaks - n * (test.high**2 - test.low**2) / 2


def _log_integral(n: int, y: float) -> float:
    """log of the integral over z > 0 of z^(n - 1) * exp(y * z - z^2 / 2): all of the density of a noncentral t that
    depends on its noncentrality. The integrand is log-concave and goes to zero at both ends, so that equal steps around
    its peak are as good as exact."""
    peak = (y + math.sqrt(y * y + 4 * (n - 1))) / 2
    width = 1 / math.sqrt(1 + (n - 1) / peak**2)
    start = max(0.0, peak - _REACH * width)
    step = (peak + _REACH * width - start) / _STEPS
    top = (n - 1) * math.log(peak) + y * peak - peak * peak / 2
    total = math.fsum(
        math.exp((n - 1) * math.log(z) + y * z - z * z / 2 - top)
        for z in (start + step * number for number in range(1, _STEPS + 1))
    )
    return top + math.log(total * step)


def improvements(blocks: Sequence[Block], candidate: str, other: str) -> list[tuple[int, float]]:
    """What the test reads: for each block with both, in schedule order, the points per round that the candidate took
    less than the other. ``blocks``: all that count, from the first one on without a gap; see `prefix`."""
    found = []
    for block in sorted(blocks, key=lambda one: one.index):
        bots = summarise(block).bots
        if candidate in bots and other in bots and bots[candidate].rounds and bots[other].rounds:
            mine, theirs = bots[candidate], bots[other]
            found.append((block.index, theirs.points / theirs.rounds - mine.points / mine.rounds))
    return found


def prefix(blocks: Iterable[Block], settled: Iterable[int]) -> list[Block]:
    """The blocks in schedule order up to the first index that is not in ``settled``: those that are over, counted or
    dropped by rule. Only these may be tested."""
    done = set(settled)
    end = next(index for index in range(len(done) + 1) if index not in done)
    return sorted((block for block in blocks if block.index < end), key=lambda block: block.index)


def sequential(
    test: SequentialStop, blocks: Sequence[Block], settled: Iterable[int], candidate: str, other: str
) -> State:
    """The state of a test after the blocks that are finished: `run` on the `improvements` of their `prefix`."""
    return run(test, improvements(prefix(blocks, settled), candidate, other))
