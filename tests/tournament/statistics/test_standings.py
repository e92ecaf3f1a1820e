"""Standings as a whole: what changes them, and what must not."""

import random
import subprocess
import sys
from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.tournament.results import MatchResult, digest, encode
from referee.tournament.statistics.blocks import Block, summarise
from referee.tournament.statistics.ratings import ratings
from referee.tournament.statistics.reduction import of_all, of_bot, of_pair
from referee.tournament.statistics.standings import Standings, canonical, standings
from tests.campaigns.coverage import gains
from tests.support.pool import load, result

POOL = load()
BLOCKS = [block for table in POOL.same for block in table[:2]]


def renamed(blocks: Sequence[Block], names: dict[str, str]) -> list[Block]:
    """The same blocks between bots of other names."""

    def rename(match: MatchResult) -> MatchResult:
        return msgspec.structs.replace(match, bots=tuple(names[bot] for bot in match.bots))

    return [msgspec.structs.replace(block, matches=[rename(match) for match in block.matches]) for block in blocks]


def test_the_best_has_the_fewest_points() -> None:
    found = standings(BLOCKS, POOL.bots)
    estimates = [row.points_per_round.estimate for row in found.bots if row.points_per_round]
    assert estimates == sorted(estimates)
    assert [row.rank for row in found.bots] == [1, 2, 3, 4, 5, 6]
    assert found.blocks == 30
    assert found.matches == 120
    assert found.rounds == 960
    assert all(row.blocks == 20 and row.matches == 80 and row.rounds == 640 for row in found.bots)
    assert found.without_faulted == found.bots
    assert len(found.digest) == 64


def test_a_game_is_ordered_by_places() -> None:
    found = standings(BLOCKS, POOL.bots, order="places")
    places = [row.place.estimate for row in found.bots if row.place]
    assert places == sorted(places)
    assert sum(places) / 6 == pytest.approx(2.5)


@settings(max_examples=15, deadline=None)
@given(st.permutations(POOL.bots))
def test_names_change_nothing_but_names(others: list[str]) -> None:
    names = dict(zip(POOL.bots, others, strict=True))
    plain, changed = standings(BLOCKS, POOL.bots), standings(renamed(BLOCKS, names), POOL.bots)
    for one, two in zip(plain.bots, changed.bots, strict=True):
        assert names[one.bot] == two.bot
        assert one.points_per_round == two.points_per_round
        assert one.rating == two.rating
    assert plain.pairwise == changed.pairwise


@settings(max_examples=10, deadline=None)
@given(st.randoms(use_true_random=False))
def test_order_changes_nothing(rng: random.Random) -> None:
    shuffled = [
        msgspec.structs.replace(block, matches=rng.sample(list(block.matches), len(block.matches)))
        for block in rng.sample(BLOCKS, len(BLOCKS))
    ]
    assert standings(shuffled, POOL.bots).digest == standings(BLOCKS, POOL.bots).digest


def test_the_digest_covers_every_number() -> None:
    plain = standings(BLOCKS, POOL.bots)
    assert plain.digest == standings(BLOCKS, POOL.bots).digest
    first = BLOCKS[0].matches[0]
    for changes in ({"total": (9, 9, 9, 9)}, {"rank": (1, 1, 1, 1)}, {"luck": (10**9, 0, 0, 0)}, {"rounds": 9}):
        match = msgspec.structs.replace(first, **changes)
        changed = [msgspec.structs.replace(BLOCKS[0], matches=[match, *BLOCKS[0].matches[1:]]), *BLOCKS[1:]]
        assert standings(changed, POOL.bots).digest != plain.digest, changes
    assert b"." not in canonical(plain), "a canonical text has no floats"


def test_with_and_without_faulted_blocks() -> None:
    bad = [Block(index=40 + n, matches=[result(40 + n, 0, "abcd", (90, 1, 2, 3), faults=(2, 0, 0, 1))]) for n in (0, 1)]
    good = [Block(index=n, matches=[result(n, 0, "abcd", (n, n + 1, 9, 7))]) for n in range(6)]
    blocks = [*good, *(msgspec.structs.replace(block, faulted=True) for block in bad)]
    found = standings(blocks, "abcd")
    assert found.faulted_blocks == 2
    faults = {row.bot: row.faults.total() for row in found.bots}
    assert faults == {"a": 4, "b": 0, "c": 0, "d": 2}
    assert found.bots[-1].bot == "a"
    assert found.without_faulted[0].bot == "a"
    assert found.without_faulted == standings(good, "abcd").bots


def test_bots_that_are_level_share_a_rank() -> None:
    blocks = [Block(index=0, matches=[result(0, 0, "abc", (3, 1, 1))])]
    assert [(row.rank, row.bot) for row in standings(blocks, "abc").bots] == [(1, "b"), (1, "c"), (3, "a")]


def test_nothing_played_yet() -> None:
    found = standings([], ["b", "a"])
    assert [(row.rank, row.bot, row.points_per_round) for row in found.bots] == [(1, "a", None), (1, "b", None)]
    assert found.pairwise == [[None, None], [None, None]]
    assert found.reduction.ratio is None


def test_strangers_and_odd_confidences_are_refused() -> None:
    with pytest.raises(ValueError, match="random does not belong"):
        standings(BLOCKS, [bot for bot in POOL.bots if bot != "random"])
    with pytest.raises(ValueError, match="confidence 1"):
        standings(BLOCKS, POOL.bots, 1)


def test_they_survive_json() -> None:
    found = standings(BLOCKS[:3], POOL.bots)
    assert msgspec.json.decode(msgspec.json.encode(found), type=Standings) == found


def test_ratings_follow_the_schedule_and_ties_share() -> None:
    matches = [match for block in BLOCKS for match in block.matches]
    found = ratings(matches, POOL.bots)
    assert found == ratings(matches[::-1], POOL.bots)
    assert found["careful"].mu > found["random"].mu
    assert all(rating.sigma < 25 / 3 for rating in found.values())
    tied = ratings([result(0, 0, "ab", (4, 4))], "ab")
    assert tied["a"].mu == pytest.approx(tied["b"].mu)
    alone = ratings([result(0, 0, "aab", (1, 2, 3))], "ab")
    assert alone["a"].mu == 25


def test_duplicates_are_worth_what_the_deals_share() -> None:
    """Points are luck of the deal (shared, opposite in the two matches) and luck of the play (not shared)."""
    rng = random.Random(6)
    blocks = []
    for index in range(400):
        deal = rng.randrange(100)
        sits = [("a", "b"), ("b", "a")]
        points = [(100 + deal + rng.randrange(30), 200 - deal + rng.randrange(30)) for _ in sits]
        matches = [result(index, n, bots, score) for n, (bots, score) in enumerate(zip(sits, points, strict=True))]
        blocks.append(summarise(Block(index=index, matches=matches)))
    play, cards = (30**2 - 1) / 12, (100**2 - 1) / 12
    expected = play / (play + cards)
    for found in (of_bot(blocks, "a"), of_pair(blocks, "a", "b")):
        assert found.ratio is not None
        assert found.ratio < 0.3
        assert found.effective_rounds == pytest.approx(400 * 2 * 8 / found.ratio)
    assert of_bot(blocks, "a").ratio == pytest.approx(expected, rel=0.35)


def test_without_duplicates_there_is_nothing_to_gain() -> None:
    blocks = [summarise(Block(index=n, matches=[result(n, 0, "ab", (n % 7, n % 5))])) for n in range(30)]
    assert of_pair(blocks, "a", "b").ratio == pytest.approx(1)
    assert of_all(blocks[:1], "ab").ratio is None


def test_the_gain_that_is_estimated_is_the_gain_that_is_measured() -> None:
    for name, gain in gains(POOL).items():
        assert gain.estimated == pytest.approx(gain.measured, rel=0.15), name


def test_results_have_one_spelling_and_one_digest() -> None:
    matches = list(BLOCKS[0].matches)
    assert digest(matches) == digest(matches[::-1])
    assert msgspec.json.decode(encode(matches[0]), type=MatchResult) == matches[0]
    assert b'"late":0' in encode(matches[0])


def test_scipy_comes_only_when_it_is_needed() -> None:
    """The director's parts load fast, and without what only standings need; none of this needs gRPC."""
    text = (
        "import sys; import referee.tournament.results, referee.tournament.statistics.standings, "
        "referee.tournament.statistics.sequential; "
        "print(sorted({'scipy', 'numpy', 'openskill', 'grpc', 'google'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "[]\n"
