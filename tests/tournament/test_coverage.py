"""A small `make coverage`: intervals hold the truth about as often as they say, as far as few events can tell."""

import math

import pytest

from referee.tournament.spec_types import SequentialStop
from tests.campaigns.coverage import CONFIDENCE, adjustment_gain, allowed, coverage, designs, errors, gains, standard
from tests.support.pool import PATH, load

POOL = load()
EVENTS = 40


def test_the_pool_is_real_and_small() -> None:
    assert PATH.stat().st_size < 1_000_000
    assert sum(map(len, POOL.same)) >= 300
    for table in POOL.same:
        for block in table:
            seatings = {match.bots for match in block.matches}
            assert len(seatings) == 4
            assert all(len({bots[seat] for bots in seatings}) == 4 for seat in range(4)), "each bot once in each seat"


@pytest.mark.parametrize("design", designs(POOL), ids=lambda design: design.name)
def test_intervals_hold_the_truth(design: object) -> None:
    chosen = next(one for one in designs(POOL) if one == design)
    for what, count in coverage(chosen, EVENTS).items():
        # As if the bots of one event said nothing more than one of them does.
        assert abs(count.share - CONFIDENCE) < 3.5 * math.sqrt(CONFIDENCE * (1 - CONFIDENCE) / EVENTS), what


def test_sequential_tests_seldom_err() -> None:
    test = SequentialStop(low=0.0, high=0.5, alpha=0.05, beta=0.1)
    found = errors(test, standard(POOL, "careful", "caller"), 60, "small")
    assert found.alpha <= allowed(test.alpha, 60)
    assert found.beta <= allowed(test.beta, 60)
    assert 10 <= found.blocks_high < 100


def test_duplicates_and_the_adjustment_take_variance_away() -> None:
    assert gains(POOL)["difference of two"].measured < 1
    assert adjustment_gain(POOL) < 1
