"""The sequential test: against scipy's noncentral t, and only ever in schedule order."""

import math
import random
import statistics

import pytest
from scipy import stats

from referee.tournament.spec_types import SequentialStop
from referee.tournament.statistics.blocks import Block
from referee.tournament.statistics.sequential import bounds, improvements, log_ratio, prefix, run, sequential
from tests.support.pool import result

TEST = SequentialStop(low=0.0, high=0.5, alpha=0.05, beta=0.1)


@pytest.mark.parametrize("n", [3, 10, 50, 120])
@pytest.mark.parametrize("effect", [-0.4, 0.0, 0.1, 0.5, 1.0])
@pytest.mark.parametrize("ends", [(0.0, 0.2), (-0.3, 0.4)])
def test_the_ratio_is_that_of_noncentral_t(n: int, effect: float, ends: tuple[float, float]) -> None:
    test = SequentialStop(low=ends[0], high=ends[1])
    t = math.sqrt(n) * effect
    low, high = (stats.nct.logpdf(t, n - 1, math.sqrt(n) * end) for end in ends)
    assert log_ratio(test, n, effect * 3, 3.0) == pytest.approx(high - low, abs=2e-5)


def test_far_out_it_stays_finite() -> None:
    assert log_ratio(TEST, 10, 1e6, 1.0) > 0
    assert log_ratio(TEST, 10_000, -3.0, 1.0) < -1000


def test_bounds_are_walds() -> None:
    assert bounds(TEST) == pytest.approx((math.log(0.1 / 0.95), math.log(0.9 / 0.05)))


def test_it_decides_and_names_the_block() -> None:
    rng = random.Random(1)
    values = [(3 * number, rng.gauss(1, 1)) for number in range(200)]
    state = run(TEST, values)
    assert state.decision == "high"
    assert state.decided_by == 3 * (state.n - 1)
    assert state.n >= TEST.minimum
    read = [value for _, value in values[: state.n]]
    assert state.mean == pytest.approx(statistics.fmean(read))
    assert state.sd == pytest.approx(statistics.stdev(read))
    assert run(TEST, [(index, -value) for index, value in values]).decision == "low"
    assert run(TEST, values[: state.n - 1]).decision == ""


def test_later_blocks_never_change_a_decision() -> None:
    rng = random.Random(2)
    values = [(number, rng.gauss(0.5, 1)) for number in range(300)]
    state = run(TEST, values)
    assert state.decision
    for more in range(state.n, 300, 17):
        assert run(TEST, values[:more]) == state


def test_nothing_is_decided_without_variation() -> None:
    assert run(TEST, [(number, 1.0) for number in range(50)]).decision == ""
    assert run(TEST, []).n == 0


def blocks(numbers: range) -> list[Block]:
    rng = random.Random(3)
    points = {number: (rng.randrange(4), 8 + rng.randrange(4)) for number in range(100)}
    return [Block(index=number, matches=[result(number, 0, ("a", "b"), points[number])]) for number in numbers]


def test_only_the_unbroken_beginning_is_read() -> None:
    everything = blocks(range(40))
    held_up = [block for block in everything if block.index != 5]
    assert [block.index for block in prefix(held_up, {*range(5), *range(6, 40)})] == [0, 1, 2, 3, 4]
    assert sequential(TEST, held_up, {*range(5), *range(6, 40)}, "a", "b").decision == ""
    assert sequential(TEST, held_up, range(40), "a", "b").decision == "high", "a dropped block is settled"


def test_order_of_arrival_does_not_matter() -> None:
    everything = blocks(range(40))
    state = sequential(TEST, everything, range(40), "a", "b")
    assert sequential(TEST, everything[::-1], reversed(range(40)), "a", "b") == state
    assert sequential(TEST, everything, range(40), "b", "a").decision == "low"


def test_few_points_are_an_improvement() -> None:
    assert improvements([Block(index=7, matches=[result(7, 0, ("a", "b"), (8, 24), rounds=8)])], "a", "b") == [(7, 2.0)]


def test_error_rates_on_normal_blocks() -> None:
    """Loosely: `make coverage` measures them on real ones."""
    rng = random.Random(5)
    for effect, wrong, rate in ((TEST.low, "high", TEST.alpha), (TEST.high, "low", TEST.beta)):
        runs = [run(TEST, ((n, rng.gauss(effect, 1)) for n in range(1000))) for _ in range(300)]
        errors = sum(state.decision == wrong for state in runs)
        assert errors <= 300 * rate + 3 * math.sqrt(300 * rate * (1 - rate))
        assert all(state.decision for state in runs)
