"""Our intervals against those of scipy and statsmodels."""

import random
import warnings
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from referee.tournament.statistics import intervals
from referee.tournament.statistics.blocks import Block, Summary, summarise
from referee.tournament.statistics.intervals import Interval, Ratio, ratio_interval, ratios
from referee.tournament.statistics.pairwise import difference, matrix
from tests.support.pool import load, result

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import statsmodels.api as sm


def table(count: int, seed: int = 1, rounds: Sequence[int] = (8,)) -> list[Summary]:
    """Blocks of one table of three, two matches each; rounds of a block from the given ones in turn."""
    rng = random.Random(seed)
    return [
        summarise(
            Block(
                index=block,
                matches=[
                    result(block, number, ("a", "b", "c"), [rng.randrange(20) for _ in range(3)], rounds=length)
                    for number in range(2)
                ],
            )
        )
        for block in range(count)
        for length in [rounds[block % len(rounds)]]
    ]


def full(interval: Interval | None) -> tuple[float, float, float, float]:
    """An interval that is there: estimate, low, high, standard error."""
    assert interval is not None
    assert interval.low is not None
    assert interval.high is not None
    assert interval.se is not None
    return interval.estimate, interval.low, interval.high, interval.se


@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("count", [2, 3, 30])
def test_equal_blocks_of_one_table_give_students_interval(count: int, confidence: float) -> None:
    blocks = table(count)
    means = [block.bots["a"].points / block.bots["a"].rounds for block in blocks]
    expected = stats.ttest_1samp(means, 0).confidence_interval(confidence)
    estimate, low, high, se = full(ratio_interval(ratios(blocks, "a", intervals.per_round), confidence))
    assert estimate == pytest.approx(np.mean(means))
    assert (low, high) == pytest.approx((expected.low, expected.high))
    assert se == pytest.approx(stats.sem(means))


def test_the_difference_of_two_is_the_paired_t_test() -> None:
    blocks = table(25)
    one, two = ([block.bots[bot].points / block.bots[bot].rounds for block in blocks] for bot in "ab")
    expected = stats.ttest_rel(one, two).confidence_interval(0.9)
    _, low, high, _ = full(difference(blocks, "a", "b", 0.9))
    assert (low, high) == pytest.approx((expected.low, expected.high))


def test_unequal_blocks_are_a_cluster_robust_regression() -> None:
    """Weighted least squares on match means, with the block as the cluster; statsmodels corrects with G / (G - 1)."""
    blocks = table(40, rounds=(4, 8, 9))
    means, weights, clusters = [], [], []
    for block in blocks:
        for match in block.matches:
            means.append(match["a"].points / match["a"].rounds)
            weights.append(float(match["a"].rounds))
            clusters.append(block.number)
    model = sm.WLS(means, np.ones(len(means)), weights=weights)
    fit = model.fit(cov_type="cluster", cov_kwds={"groups": clusters, "df_correction": True}, use_t=True)
    count = len(means)
    small = (count - 1) / count  # statsmodels also multiplies by (N - 1) / (N - K), with K = 1
    estimate, low, high, se = full(ratio_interval(ratios(blocks, "a", intervals.per_round), 0.95))
    assert estimate == pytest.approx(fit.params[0])
    assert se == pytest.approx(fit.bse[0], rel=1e-9) or se == pytest.approx(fit.bse[0] * small**0.5, rel=1e-9)
    assert (low, high) == pytest.approx(tuple(fit.conf_int(0.05)[0]), rel=1e-9)


def test_rounds_of_one_block_are_not_independent() -> None:
    """Copies of a match in its block change nothing; taken as blocks they would seem to be evidence."""
    once = [Block(index=n, matches=[result(n, 0, ("a", "b"), (n % 5, 3))]) for n in range(10)]
    thrice = [Block(index=n, matches=[result(n, k, ("a", "b"), (n % 5, 3)) for k in range(3)]) for n in range(10)]
    assert full(ratio_interval(ratios([summarise(block) for block in once], "a", intervals.per_round), 0.95)) == (
        pytest.approx(
            full(ratio_interval(ratios([summarise(block) for block in thrice], "a", intervals.per_round), 0.95))
        )
    )


def test_differences_between_tables_are_no_error() -> None:
    near = [Ratio(stratum, level + noise, 1) for stratum, level in (("x", 0), ("y", 100)) for noise in (-1, 0, 1)]
    _, low, high, se = full(ratio_interval(near, 0.95))
    assert se == pytest.approx((2 * 3 / 2 * 2 / 36) ** 0.5)
    assert low - high == pytest.approx(2 * stats.t.ppf(0.025, 6) * se), "Welch 1947: 2 * 4 - 2 degrees of freedom"


def test_tables_with_one_block_are_put_together() -> None:
    lonely = [Ratio(number, float(number % 3), 1) for number in range(9)]
    alike = [part._replace(stratum=0) for part in lonely]
    assert ratio_interval(lonely, 0.95) == ratio_interval(alike, 0.95)
    last = [*(Ratio("x", float(n), 1) for n in range(3)), Ratio("y", 9.0, 1)]
    assert ratio_interval(last, 0.95) == ratio_interval([part._replace(stratum="x") for part in last], 0.95)


@pytest.mark.parametrize("values", [[3.0], [3.0, 3.0, 3.0]])
def test_what_cannot_be_known_has_no_interval(values: list[float]) -> None:
    found = ratio_interval([Ratio("x", value, 2) for value in values], 0.95)
    assert found == Interval(estimate=1.5, low=None, high=None, se=None, n=len(values), df=None)


def test_nothing_played_is_no_number() -> None:
    assert ratio_interval([], 0.95) is None
    assert ratio_interval([Ratio("x", 0, 0)], 0.95) is None
    assert difference(table(3), "a", "nobody", 0.95) is None


def test_two_blocks_give_a_wide_interval() -> None:
    _, low, high, se = full(ratio_interval([Ratio("x", 1, 1), Ratio("x", 2, 1)], 0.95))
    assert (high - low) / se == pytest.approx(2 * 12.7062, rel=1e-4)


def test_a_fixed_field_compares_two_that_never_meet() -> None:
    """Candidates take turns in one seat, on the same cards."""
    rng = random.Random(4)
    blocks, deltas = [], []
    for index in range(12):
        deal = rng.randrange(50)
        one, two = deal + rng.randrange(3), deal + rng.randrange(3)
        deltas.append((one - two) / 8)
        matches = [result(index, 0, ("a", "r"), (one, 3)), result(index, 1, ("b", "r"), (two, 3))]
        blocks.append(summarise(Block(index=index, matches=matches)))
    expected = stats.ttest_1samp(deltas, 0).confidence_interval()
    _, low, high, _ = full(difference(blocks, "a", "b", 0.95))
    assert (low, high) == pytest.approx((expected.low, expected.high))


def test_the_matrix_is_antisymmetric() -> None:
    cells = matrix(table(10), ["a", "b", "c"], 0.95)
    for row in range(3):
        assert cells[row][row] is None
        for column in range(row):
            one, two = full(cells[row][column]), full(cells[column][row])
            assert one == pytest.approx((-two[0], -two[2], -two[1], two[3]))


@given(st.permutations(range(12)), st.floats(0.01, 100))
def test_order_and_scale(order: list[int], scale: float) -> None:
    parts = [Ratio(number % 3, (number * 7) % 5, 1 + number % 2) for number in range(12)]
    plain = full(ratio_interval(parts, 0.95))
    assert full(ratio_interval([parts[place] for place in order], 0.95)) == pytest.approx(plain)
    scaled = [part._replace(value=part.value * scale) for part in parts]
    assert full(ratio_interval(scaled, 0.95)) == pytest.approx(tuple(scale * number for number in plain))


def test_shared_places_are_the_middle() -> None:
    block = summarise(Block(index=0, matches=[result(0, 0, "abcd", (5, 3, 5, 9))]))
    assert {bot: share.places for bot, share in block.bots.items()} == {"b": 1, "a": 2.5, "c": 2.5, "d": 4}


def test_real_blocks_are_a_regression_with_tables() -> None:
    """The stratified variance is that of a regression on one constant a table, combined with the tables' weights."""
    blocks = [summarise(block) for blocks in load().same[:4] for block in blocks[:6]]
    bot = "careful"
    own = [block for block in blocks if bot in block.bots]
    _, _, _, se = full(ratio_interval(ratios(own, bot, intervals.per_round), 0.95))
    by_table: dict[tuple[str, ...], list[float]] = {}
    for block in own:
        by_table.setdefault(block.stratum, []).append(block.bots[bot].points / block.bots[bot].rounds)
    expected = sum(stats.sem(values) ** 2 * len(values) ** 2 for values in by_table.values()) ** 0.5 / len(own)
    assert se == pytest.approx(expected)
