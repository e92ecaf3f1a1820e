"""``make coverage``: do intervals and tests keep what they promise, on events resampled from real blocks?

    python -m tests.campaigns.coverage --events 2000

The pool is the world: an event draws blocks from it with replacement, so the truth about a bot is the pool's own ratio.
Prints how often 95 % intervals hold it, how often the sequential test errs when an effect of exactly ``low`` or
``high`` is imposed, what the luck adjustment moves on average, and what duplicates bring; then a verdict.
"""

import argparse
import itertools
import math
import random
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from referee.tournament.spec_types import SequentialStop
from referee.tournament.statistics import intervals, sequential
from referee.tournament.statistics.blocks import Block, Summary, summarise
from referee.tournament.statistics.intervals import Interval, Measure, ratio_interval, ratios
from referee.tournament.statistics.pairwise import difference
from referee.tournament.statistics.reduction import variances
from tests.support.pool import Pool, load

CONFIDENCE: Final = 0.95
TOLERANCE: Final = 0.015
"""At `EVENTS` events; wider by the square root for fewer."""

EVENTS: Final = 2000
MOST_BLOCKS: Final = 5000
"""A sequential test that has not ended by then counts as one that errs."""

TESTS: Final = (SequentialStop(low=0.0, high=0.2), SequentialStop(low=0.0, high=0.5, alpha=0.05, beta=0.1))
MEASURES: Final[dict[str, Measure]] = {
    "points per round": intervals.per_round,
    "luck-adjusted": intervals.adjusted_per_round,
    "mean place": intervals.mean_place,
}
Tables = list[list[Summary]]


class Design(NamedTuple):
    """How an event draws its blocks."""

    name: str
    tables: Tables
    each: int
    """Blocks of each table."""

    one_table: bool = False
    """Only one table plays, another one from event to event."""


@dataclass
class Count:
    """How often intervals held the truth, by what they are about."""

    held: dict[str, int] = field(default_factory=dict)
    made: dict[str, int] = field(default_factory=dict)

    def add(self, about: str, interval: Interval | None, truth: float) -> None:
        """Note whether an interval holds the truth; one that could not be made does not."""
        self.made[about] = self.made.get(about, 0) + 1
        if interval and interval.low is not None and interval.high is not None:
            self.held[about] = self.held.get(about, 0) + (interval.low <= truth <= interval.high)

    @property
    def share(self) -> float:
        """Over everything."""
        return sum(self.held.values()) / sum(self.made.values())

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest share of any one bot or pair."""
        shares = [self.held.get(about, 0) / made for about, made in self.made.items()]
        return min(shares), max(shares)


def designs(pool: Pool) -> list[Design]:
    """Round robins with duplicates over all tables, matches at one table, and matches with deals of their own."""
    same = [[summarise(block) for block in table] for table in pool.same]
    own = [[summarise(one) for block in table for one in split(block)] for table in pool.own]
    return [
        Design("Williams, 15 tables x 3 blocks", same, 3),
        Design("Williams, 1 table x 24 blocks", same, 24, one_table=True),
        Design("own deals, 15 tables x 12 matches", own, 12),
    ]


def split(block: Block) -> list[Block]:
    """The matches of a block as blocks of their own."""
    return [Block(index=4 * block.index + match.number, matches=[match]) for match in block.matches]


Numbers = dict[tuple[str, str], Interval | None]
"""By measure or ``"difference"``, then by bot or pair."""


def numbers(blocks: Sequence[Summary]) -> Numbers:
    """Every interval of an event."""
    names = sorted({bot for block in blocks for bot in block.bots})
    found: Numbers = {
        (what, bot): ratio_interval(ratios(blocks, bot, measure), CONFIDENCE)
        for what, measure in MEASURES.items()
        for bot in names
    }
    for bot, other in itertools.combinations(names, 2):
        found["difference", f"{bot} - {other}"] = difference(blocks, bot, other, CONFIDENCE)
    return found


def coverage(design: Design, events: int, seed: int = 1) -> dict[str, Count]:
    """How often the intervals of resampled events hold the pool's truth, by what they measure."""
    rng = random.Random(f"{design.name}/{seed}")
    everything = [numbers([block for table in design.tables for block in table])]
    if design.one_table:
        everything = [numbers(table) for table in design.tables]
    counts: dict[str, Count] = {}
    for event in range(events):
        tables, truth = design.tables, everything[0]
        if design.one_table:
            chosen = event % len(tables)
            tables, truth = [tables[chosen]], everything[chosen]
        drawn = [block for table in tables for block in rng.choices(table, k=design.each)]
        for (what, about), interval in numbers(drawn).items():
            true = truth[what, about]
            assert true is not None
            counts.setdefault(what, Count()).add(about, interval, true.estimate)
    return counts


class Errors(NamedTuple):
    """How a sequential test did: how often it erred at each end, and how many blocks it took on average."""

    alpha: float
    beta: float
    blocks_low: float
    blocks_high: float


def standard(pool: Pool, bot: str, other: str) -> list[float]:
    """The differences of two bots in all blocks with both, moved and scaled to mean 0 and deviation 1, table by table
    moved, since which table plays is no chance."""
    values = []
    for table in pool.same:
        points = [value for _, value in sequential.improvements(table, bot, other)]
        mean = statistics.fmean(points) if points else 0.0
        values += [value - mean for value in points]
    deviation = statistics.pstdev(values)
    return [value / deviation for value in values]


def errors(test: SequentialStop, values: Sequence[float], events: int, seed: str) -> Errors:
    """Run a test on events whose effect is exactly ``low``, and exactly ``high``."""
    rng = random.Random(seed)
    found = []
    for effect, right in ((test.low, "low"), (test.high, "high")):
        wrong = blocks = 0
        for _ in range(events):
            draws = ((number, rng.choice(values) + effect) for number in range(MOST_BLOCKS))
            state = sequential.run(test, draws)
            wrong += state.decision != right
            blocks += state.n
        found.append((wrong / events, blocks / events))
    return Errors(found[0][0], found[1][0], found[0][1], found[1][1])


def luck_moves(pool: Pool) -> dict[str, tuple[float, float]]:
    """By bot, over the matches with deals of their own: adjusted less plain points per round, and its standard error.
    The expectation is zero."""
    moved: dict[str, list[float]] = {bot: [] for bot in pool.bots}
    for block in (one for table in pool.own for whole in table for one in split(whole)):
        for bot, share in summarise(block).bots.items():
            moved[bot].append((share.adjusted - share.points) / share.rounds)
    return {bot: (statistics.fmean(all_), statistics.stdev(all_) / math.sqrt(len(all_))) for bot, all_ in moved.items()}


class Gain(NamedTuple):
    """Variance with duplicates over variance without, at the same number of rounds."""

    measured: float
    """Beside blocks in the same seats with deals of their own."""

    estimated: float
    """From the blocks with duplicates alone, as standings do."""


def gains(pool: Pool) -> dict[str, Gain]:
    """What duplicates bring for points per round and for differences, summed over bots or pairs; and what the luck
    adjustment brings where there are none."""
    same = [summarise(block) for table in pool.same for block in table]
    own = [summarise(block) for table in pool.own for block in table]
    singles: list[dict[str, int]] = [{bot: 1} for bot in pool.bots]
    pairs = [{bot: 1, other: -1} for bot, other in itertools.combinations(pool.bots, 2)]
    found = {}
    for name, wanted in (("points per round", singles), ("difference of two", pairs)):
        together = apart = independent = 0.0
        for signs in wanted:
            with_, estimated = variances([block for block in same if signs.keys() <= block.bots.keys()], signs)
            without, _ = variances([block for block in own if signs.keys() <= block.bots.keys()], signs)
            assert with_ is not None
            assert estimated is not None
            assert without is not None
            together, apart, independent = together + with_, apart + estimated, independent + without
        found[name] = Gain(together / independent, together / apart)
    return found


def adjustment_gain(pool: Pool) -> float:
    """Variance of luck-adjusted points over that of plain ones, in matches with deals of their own, within tables."""
    adjusted = plain = 0.0
    for table in pool.own:
        shares = [summarise(one).bots for block in table for one in split(block)]
        for bot in shares[0]:
            adjusted += statistics.variance(share[bot].adjusted for share in shares)
            plain += statistics.variance(share[bot].points for share in shares)
    return adjusted / plain


def allowed(probability: float, events: int) -> float:
    """How far above its probability a rate may be found: three standard errors."""
    return probability + 3 * math.sqrt(probability * (1 - probability) / events)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--events", type=int, default=EVENTS)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    began = time.monotonic()
    pool = load()
    failures = 0
    tolerance = TOLERANCE * max(1.0, math.sqrt(EVENTS / args.events))
    print(f"pool: {sum(map(len, pool.same))} blocks of {len(pool.same)} tables, bots {', '.join(pool.bots)}")
    print(f"\n95 % intervals, {args.events} events each{'':<12}{'held':>9}{'lowest':>9}{'highest':>9}")
    for design in designs(pool):
        for what, count in coverage(design, args.events, args.seed).items():
            bad = abs(count.share - CONFIDENCE) > tolerance
            failures += bad
            low, high = count.ends
            print(f"{design.name:<35}{what:<18}{count.share:>8.2%}{low:>9.2%}{high:>9.2%}{'  WRONG' if bad else ''}")
    print(f"\nsequential test, {args.events} events{'':<24}{'alpha':>15}{'beta':>15}{'blocks':>14}")
    for (bot, other), test in itertools.product((("careful", "caller"), ("caller", "random")), TESTS):
        name = f"{bot} against {other}, {test.low:g} or {test.high:g}"
        got = errors(test, standard(pool, bot, other), args.events, f"{name}/{args.seed}")
        bad = got.alpha > allowed(test.alpha, args.events) or got.beta > allowed(test.beta, args.events)
        failures += bad
        print(
            f"{name:<50}{got.alpha:>7.2%} of {test.alpha:.0%}{got.beta:>8.2%} of {test.beta:.0%}"
            f"{got.blocks_low:>8.0f},{got.blocks_high:>5.0f}{'  WRONG' if bad else ''}"
        )
    print("\nluck adjustment, matches with deals of their own: points per round that it moves a bot on average")
    for bot, (mean, error) in luck_moves(pool).items():
        bad = abs(mean) > 3.5 * error
        failures += bad
        print(f"{bot:<35}{mean:>+8.4f} +/- {error:.4f}{'  WRONG' if bad else ''}")
    print(f"variance of a match with the adjustment over that without: {adjustment_gain(pool):.3f}")
    print("\nvariance with Williams duplicates over that without, same rounds")
    for name, gain in gains(pool).items():
        print(f"{name:<35}measured {gain.measured:.3f}   estimated from the blocks alone {gain.estimated:.3f}")
    print(f"\ncoverage: {'failed' if failures else 'passed'}, {failures} wrong, {time.monotonic() - began:.0f} s")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
