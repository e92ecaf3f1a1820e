"""What the seatings of a block balance, and what is left evens out over blocks."""

from collections import Counter
from itertools import combinations, islice, pairwise, permutations, product

import pytest

from referee.tournament.formats.subsets import Subsets
from referee.tournament.seatings import Arranger, repeats, rotation, rows, surplus, williams

SEATS = range(2, 9)


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("duplicates", ["rotation", "williams"])
def test_each_slot_is_in_each_seat_equally_often(duplicates: str, seats: int) -> None:
    made = rows(duplicates, seats)
    assert all(sorted(row) == list(range(seats)) for row in made)
    counts = Counter((slot, seat) for row in made for seat, slot in enumerate(row))
    assert set(counts.values()) == {len(made) // seats}
    assert len(counts) == seats * seats


@pytest.mark.parametrize("seats", SEATS)
def test_a_rotation_has_as_many_seatings_as_seats(seats: int) -> None:
    assert len(rotation(seats)) == len(set(rotation(seats))) == seats == repeats("rotation", seats)


@pytest.mark.parametrize("seats", SEATS)
def test_williams_balances_every_ordered_pair_of_neighbours(seats: int) -> None:
    """On seats s and s + 1: once with an even number of seats, twice with an odd one."""
    made = williams(seats)
    times = 1 if seats % 2 == 0 else 2
    assert len(made) == len(set(made)) == times * seats == repeats("williams", seats)
    pairs = Counter(pair for row in made for pair in pairwise(row))
    assert pairs == dict.fromkeys(permutations(range(seats), 2), times)


@pytest.mark.parametrize("seats", SEATS)
def test_around_the_end_of_the_table_no_pair_gets_more_than_one_extra(seats: int) -> None:
    made = williams(seats)
    around = Counter((row[seat], row[(seat + 1) % seats]) for row in made for seat in range(seats))
    assert set(around) == set(permutations(range(seats), 2))
    assert max(around.values()) - min(around.values()) <= 1


@pytest.mark.parametrize("duplicates", ["none", "fixed-field"])
def test_without_a_change_of_seats_there_is_one_seating(duplicates: str) -> None:
    assert rows(duplicates, 4) == ((0, 1, 2, 3),)
    assert repeats(duplicates, 4) == 1


@pytest.mark.parametrize(("bots", "seats", "blocks"), [(2, 2, 40), (3, 3, 60), (5, 4, 100), (12, 4, 300), (9, 8, 90)])
@pytest.mark.parametrize("duplicates", ["none", "rotation", "williams"])
def test_what_is_left_evens_out_over_blocks(duplicates: str, bots: int, seats: int, blocks: int) -> None:
    """After any number of blocks no bot was in one seat much more often than in another; measured: by 2 at most."""
    arranger, made = Arranger(duplicates, bots, seats), rows(duplicates, seats)
    sat = [[0] * seats for _ in range(bots)]
    for members in islice(Subsets(bots, seats), blocks):
        order = arranger.arrange(members)
        assert sorted(order) == list(members)
        for row, seat in product(made, range(seats)):
            sat[order[row[seat]]][seat] += 1
        assert max(max(line) - min(line) for line in sat) <= (2 if duplicates == "none" else 0)


@pytest.mark.parametrize("duplicates", ["none", "rotation", "williams"])
def test_neighbours_even_out_at_one_table(duplicates: str) -> None:
    """The same four at every table: who sits behind whom ends up even, give or take one block."""
    arranger, made = Arranger(duplicates, 4, 4), rows(duplicates, 4)
    behind: Counter[tuple[int, int]] = Counter()
    for _ in range(60):
        order = arranger.arrange((0, 1, 2, 3))
        behind.update((order[row[seat]], order[row[(seat + 1) % 4]]) for row in made for seat in range(4))
    assert max(behind.values()) - min(behind.values()) <= len(made)
    assert len(behind) == 12


def test_a_balanced_block_leaves_nothing() -> None:
    assert surplus("rotation", 2) == surplus("williams", 3) == ((), ())


# -- subsets -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "k"), [(n, k) for n in range(1, 9) for k in range(1, n + 1)] + [(12, 4), (16, 3)])
def test_every_subset_comes_once_before_any_comes_again(n: int, k: int) -> None:
    subsets = Subsets(n, k)
    source = iter(subsets)
    for _ in range(2):
        assert set(islice(source, subsets.count)) == set(combinations(range(n), k))


@pytest.mark.parametrize(
    ("n", "k", "blocks", "turns_apart", "met_apart"),
    [(5, 2, 20, 2, 1), (12, 2, 132, 2, 1), (7, 3, 70, 2, 2), (8, 4, 140, 1, 3), (9, 4, 252, 2, 3), (12, 4, 990, 3, 4),
     (12, 8, 495, 3, 5), (20, 4, 1500, 3, 5), (40, 4, 1000, 2, 4), (40, 8, 400, 1, 6)],
)  # fmt: skip
def test_every_prefix_is_fair(n: int, k: int, blocks: int, turns_apart: int, met_apart: int) -> None:
    """The numbers are those measured when it was written; C(40, 8) is 76,904,685."""
    turns, met = [0] * n, dict.fromkeys(combinations(range(n), 2), 0)
    seen = set()
    for picked in islice(Subsets(n, k), blocks):
        seen.add(picked)
        for element in picked:
            turns[element] += 1
        for pair in combinations(picked, 2):
            met[pair] += 1
        assert max(turns) - min(turns) <= turns_apart
        assert max(met.values()) - min(met.values()) <= met_apart
    assert len(seen) == min(blocks, Subsets(n, k).count)


def test_what_cannot_be_picked_is_an_error() -> None:
    assert list(islice(Subsets(0, 0), 2)) == [(), ()]
    with pytest.raises(ValueError, match="4 of 3"):
        Subsets(3, 4)
