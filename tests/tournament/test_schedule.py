"""The schedule is a function of the spec, every prefix of it is fair, and ids and seeds are fixed for ever."""

import hashlib
import hmac
from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from msgspec.structs import replace

from referee.service.store import DEAL_SET, SAFE_ID
from referee.tournament.errors import ScheduleError
from referee.tournament.schedule import Schedule, ScheduledMatch, block_seed, digest, format_of, make_schedule
from referee.tournament.spec_types import Bot, Gauntlet, Pair, RoundRobin, Spec

NAMES = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN"


def spec(bots: int, seats: int, **more: Any) -> Spec:
    return Spec(
        name="x", bots=[Bot(name=name, command=["random"]) for name in NAMES[:bots]], seats=seats, trust="own", **more
    )


def matches(schedule: Schedule) -> list[ScheduledMatch]:
    return [match for block in schedule.blocks for match in block.matches]


GAUNTLET = Gauntlet(candidates=["a", "b"])
PAIR = Pair(candidates=["a", "b"])

SPECS = {
    "round robin": spec(5, 4),
    "rotation": spec(5, 3, duplicates="rotation", blocks=17),
    "williams": spec(7, 5, duplicates="williams"),
    "gauntlet": spec(6, 3, format=GAUNTLET, duplicates="williams", blocks=20),
    "fixed field": spec(6, 3, format=GAUNTLET, duplicates="fixed-field", blocks=20),
    "pair": spec(2, 2, format=PAIR, duplicates="rotation", blocks=9),
    "pair and references": spec(6, 4, format=PAIR, blocks=13),
    "pair in a field": spec(6, 4, format=PAIR, duplicates="fixed-field", blocks=13),
}
each = pytest.mark.parametrize("kind", SPECS)


@each
def test_numbers_and_names_fit_together(kind: str) -> None:
    schedule = make_schedule(SPECS[kind])
    every = matches(schedule)
    assert [match.index for match in every] == list(range(len(every)))
    assert schedule.matches == len(every)
    assert len({match.match for match in every}) == len(every)
    for place, block in enumerate(schedule.blocks):
        assert block.index == place
        assert block.replacement == 0
        assert set(block.table) == {bot for match in block.matches for bot in match.seats}
        for number, match in enumerate(block.matches):
            assert (match.block, match.number) == (place, number)
            assert match.deals == f"x-b{place:04d}"
            assert match.match == f"{match.deals}-{number}"
            assert len(set(match.seats)) == SPECS[kind].seats


@each
def test_it_is_a_function_of_the_spec(kind: str) -> None:
    one, other = make_schedule(SPECS[kind]), make_schedule(SPECS[kind])
    assert list(one.blocks) == list(other.blocks)
    assert digest(one) == digest(other)
    longer = make_schedule(replace(SPECS[kind], blocks=len(one.blocks) + 5))
    assert list(longer.blocks[: len(one.blocks)]) == list(one.blocks)
    assert digest(longer) != digest(one)
    assert list(one.blocks[-1:]) == [one.blocks[-1]]


def test_the_digest_is_fixed_for_ever() -> None:
    """Another one means that the event of a spec has changed: journals of running events would not fit any more."""
    lines = ['["a","b","c"]', '[0,["x-b0000-0","x-b0000",[0,1,2]],["x-b0000-1","x-b0000",[1,2,0]],'
             '["x-b0000-2","x-b0000",[2,0,1]]]']  # fmt: skip
    whole = "".join(line + "\n" for line in lines)
    schedule = make_schedule(spec(3, 3, duplicates="rotation"))
    assert digest(schedule) == hashlib.sha256(whole.encode()).hexdigest()
    assert digest(make_schedule(SPECS["williams"])).startswith(WILLIAMS)
    assert digest(make_schedule(spec(12, 4, duplicates="williams"))).startswith(TWELVE)


WILLIAMS = "be42f2425ec3c548"
TWELVE = "be3907e8ab73a433"


def test_round_robin_once_through_is_every_table_once() -> None:
    schedule = make_schedule(SPECS["round robin"])
    assert {block.table for block in schedule.blocks} == set(combinations(range(5), 4))
    assert len(schedule.blocks) == 5


def test_twelve_bots_are_never_far_apart() -> None:
    """After any number of blocks of the event of four at a table and twelve bots."""
    turns, met, sat = Counter[int](), Counter[tuple[int, ...]](), Counter[tuple[int, int]]()
    for block in make_schedule(spec(12, 4)).blocks:
        turns.update(block.table)
        met.update(combinations(block.table, 2))
        sat.update((bot, seat) for match in block.matches for seat, bot in enumerate(match.seats))
        if block.index >= 40:
            assert max(turns.values()) - min(turns[bot] for bot in range(12)) <= 3
            assert max(met.values()) - min(met[pair] for pair in combinations(range(12), 2)) <= 4
    assert max(sat.values()) - min(sat.values()) <= 2
    assert set(turns.values()) == {165}
    assert set(met.values()) == {45}


def test_byes_are_fair() -> None:
    """Five bots at tables of two: whoever is not there waits, and nobody waits much longer than another."""
    played: Counter[int] = Counter()
    for block in make_schedule(spec(5, 2, blocks=37)).blocks:
        played.update(block.table)
        waits = [block.index + 1 - played[bot] for bot in range(5)]
        assert max(waits) - min(waits) <= 2


def test_candidates_of_a_gauntlet_meet_the_same_fields_and_not_each_other() -> None:
    schedule = make_schedule(SPECS["gauntlet"])
    fields: dict[int, list[tuple[int, ...]]] = {0: [], 1: []}
    for block in schedule.blocks:
        (candidate,) = {0, 1} & set(block.table)
        fields[candidate].append(tuple(bot for bot in block.table if bot != candidate))
    assert fields[0] == fields[1]
    assert Counter(fields[0][:6]) == dict.fromkeys(combinations(range(2, 6), 2), 1)


@pytest.mark.parametrize("kind", ["fixed field", "pair in a field"])
def test_candidates_take_the_same_seat_of_the_same_field(kind: str) -> None:
    seats = Counter[int]()
    for block in make_schedule(SPECS[kind]).blocks:
        first, second = block.matches
        (seat,) = [seat for seat, pair in enumerate(zip(first.seats, second.seats, strict=True)) if len(set(pair)) == 2]
        assert (first.seats[seat], second.seats[seat]) == (0, 1)
        seats[seat] += 1
    assert max(seats.values()) - min(seats.values()) <= 1
    assert set(seats) == set(range(SPECS[kind].seats))


def test_a_pair_is_at_every_table() -> None:
    schedule = make_schedule(SPECS["pair and references"])
    assert all({0, 1} < set(block.table) for block in schedule.blocks)
    filled = Counter(bot for block in schedule.blocks for bot in block.table if bot > 1)
    assert max(filled.values()) - min(filled.values()) <= 1
    assert format_of(SPECS["pair"]).once_through == 1
    assert format_of(SPECS["pair and references"]).once_through == 6
    assert format_of(SPECS["gauntlet"]).once_through == 12
    assert format_of(SPECS["fixed field"]).once_through == 6


def test_a_pair_without_duplicates_changes_seats() -> None:
    seats = Counter(match.seats for match in matches(make_schedule(spec(2, 2, format=PAIR, blocks=10))))
    assert seats == {(0, 1): 5, (1, 0): 5}


@each
def test_a_format_goes_on_where_results_end(kind: str) -> None:
    """The place for formats that need results: these give the next tables, whatever the results are."""
    source = format_of(SPECS[kind])
    tables = source.blocks()
    first = [next(tables) for _ in range(7)]
    assert next(source.blocks(played=first[:6])) == first[6]  # type: ignore[arg-type]


# -- replacements and withdrawals --------------------------------------------------------------------------------------


def test_a_replacement_has_fresh_deals_and_the_same_seats() -> None:
    schedule = make_schedule(SPECS["williams"])
    block = schedule.blocks[3]
    once = schedule.replacement(block)
    twice = schedule.replacement(once)
    assert [one.matches[1].match for one in (block, once, twice)] == ["x-b0003-1", "x-b0003r1-1", "x-b0003r2-1"]
    assert [one.matches[1].deals for one in (block, once, twice)] == ["x-b0003", "x-b0003r1", "x-b0003r2"]
    assert [match.seats for match in twice.matches] == [match.seats for match in block.matches]
    assert [match.index for match in twice.matches] == [match.index for match in block.matches]
    assert (twice.index, twice.replacement) == (3, 2)


def test_who_withdraws_takes_its_tables_along() -> None:
    schedule = make_schedule(spec(6, 3, duplicates="rotation"))
    left = schedule.without(2, first=4)
    kept = [block for block in schedule.blocks if block.index < 4 or 2 not in block.table]
    assert list(left.blocks) == kept
    assert sorted({*left.cancelled, *(block.index for block in kept)}) == list(range(20))
    assert left.matches == 3 * len(kept)
    whole = schedule.without(2)
    assert {block.table for block in whole.blocks} == set(combinations((0, 1, 3, 4, 5), 3))
    assert list(left.without(5).blocks) == [block for block in kept if 5 not in block.table]
    assert list(schedule.blocks) == list(make_schedule(spec(6, 3, duplicates="rotation")).blocks)


def test_a_candidate_that_withdraws_leaves_the_block_to_the_others() -> None:
    schedule = make_schedule(SPECS["fixed field"])
    left = schedule.without(0, first=2)
    assert len(left.blocks) == 20
    assert [match.seats for match in left.blocks[5].matches] == [schedule.blocks[5].matches[1].seats]
    assert left.blocks[5].matches[0] == schedule.blocks[5].matches[1]
    assert left.blocks[1] == schedule.blocks[1]
    assert len(left.without(1, first=2).blocks) == 2
    field = schedule.without(3)
    assert {block.index for block in field.blocks} == {b.index for b in schedule.blocks if 3 not in b.table}


def test_with_too_few_left_nothing_is_left() -> None:
    assert len(make_schedule(spec(3, 3, blocks=5)).without(1).blocks) == 0
    assert len(make_schedule(SPECS["pair"]).without(0).blocks) == 0


def test_what_a_schedule_does_not_have_is_an_error() -> None:
    schedule = make_schedule(SPECS["round robin"])
    with pytest.raises(ScheduleError, match="blocks 0 to 4"):
        schedule.block(5)
    with pytest.raises(ScheduleError, match="bots 0 to 4"):
        schedule.without(5)


# -- names and seeds ---------------------------------------------------------------------------------------------------


def test_the_longest_names_can_be_hosted() -> None:
    """A match id names a file, and is the origin of a seal."""
    many = [Bot(name=str(number), command=["x"]) for number in range(256)]
    longest = Spec(name="n" * 40, bots=many, seats=2, format=RoundRobin(), blocks=1)
    match = make_schedule(longest).block(0, 100).matches[0]
    assert SAFE_ID.match(match.match.replace("b0000", "b99999") + "00")
    assert DEAL_SET.match(match.deals)


def test_the_seed_of_a_block_is_hkdf() -> None:
    """Against RFC 5869 written out: extract with the label as salt, one step of expand with the deal set as info."""
    secret = bytes(range(32))
    prk = hmac.digest(b"toep/1 tournament deals\n", secret, "sha256")
    for deals in ("x-b0000", "x-b0007r1"):
        assert block_seed(secret, deals) == hmac.digest(prk, deals.encode() + b"\x01", "sha256")
    assert block_seed(secret, "x-b0000").hex() == SEED_0
    assert len({block_seed(secret, f"x-b{number:04d}") for number in range(1000)}) == 1000
    with pytest.raises(ValueError, match="32 bytes"):
        block_seed(secret[:31], "x")


SEED_0 = "c127c6a9b16bdfded4c1f3c0a7bde4940a95cba2e5e89fa4f31e64fc6782caf4"


def test_large_events_are_made_in_no_time() -> None:
    """Five hundred blocks of eight from forty: nobody is ahead by more than one."""
    turns = Counter(bot for block in make_schedule(spec(40, 8, blocks=500)).blocks for bot in block.table)
    assert max(turns.values()) - min(turns.values()) <= 1
