"""Following a log: every position is the game's own, and whatever cannot be followed is named with its line."""

from base64 import b64encode
from collections.abc import Callable, Iterable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.game.game import Game
from referee.game.records import Cards, Exchange, Penalty, Play, Record, Round, Score, Toep, Trick
from referee.game.state import State
from referee.log.reader import decode_bytes
from referee.log.records import AnyRecord, Head, Length, Redacted, Rounds
from referee.log.tree import leaf_hash
from referee.log.writer import LogWriter, MemorySink
from referee.replay import Replay, ReplayError
from referee.ruleset import CAFE, Ruleset
from referee.table.head import MatchPlan, make_head
from referee.table.inprocess import random_player, run_to_end
from referee.table.table import Table
from tests.support.match import rulesets


def played(number: int, rules: Ruleset = CAFE, seats: int = 4, length: Length = "game") -> tuple[list[bytes], Game]:
    """The lines of a random match, and the game as its table left it."""
    seed = number.to_bytes(32, "big")
    bots = [f"bot-{seat}" for seat in range(seats)]
    head = make_head(MatchPlan(rules=rules, bots=bots, length=length, clock="none"), seed, declared=True)
    sink = MemorySink()
    table = Table(head, seed, LogWriter(sink, match=head.match))
    run_to_end(table, random_player(head.match, 0.2))
    return bytes(sink.data).splitlines(), table.game


def records_of(number: int = 1) -> list[AnyRecord]:
    return [decode_bytes(line) for line in played(number)[0]]


def follow(replay: Replay, records: Iterable[AnyRecord]) -> None:
    for record in records:
        replay.feed(record)


def position(game: State) -> dict[str, object]:
    """Everything that is known of a game from its log: not the stock, nor what windows that nobody used change."""
    return {name: getattr(game, name) for name in State.__slots__ if name not in ("claim", "seen", "stock")}


@settings(max_examples=60, deadline=None)
@given(
    number=st.integers(0, 2**32),
    rules=rulesets(),
    seats=st.integers(3, 8),
    length=st.sampled_from(["game", Rounds(rounds=3)]),
)
def test_a_log_leads_to_the_game_that_was_played(number: int, rules: Ruleset, seats: int, length: Length) -> None:
    lines, table_game = played(number, rules, seats, length)
    replay = Replay()
    for count, line in enumerate(lines, start=1):
        record = decode_bytes(line)
        replay.feed(record)
        assert replay.line == count
        if isinstance(record, Score):
            assert replay.game is not None
            assert record.total == replay.game.totals()
    assert replay.game is not None
    assert position(replay.game) == position(table_game)


def test_the_deal_counts_with_its_last_hand_and_an_exchange_with_its_cards() -> None:
    number = next(n for n in range(100) if any(isinstance(record, Exchange) for record in records_of(n)))
    replay = Replay()
    after: list[tuple[AnyRecord, list[int]]] = []
    for record in records_of(number):
        replay.feed(record)
        after.append((record, list(replay.game.hands) if replay.game else []))
    for (before, hands), (record, changed) in pairwise(after):
        if isinstance(record, Exchange):
            assert changed == hands
        elif isinstance(before, Exchange):
            assert isinstance(record, Cards)
            assert changed != hands
        elif isinstance(before, Round):
            assert not any(changed)


Change = Callable[[list[AnyRecord]], None]


def where(records: list[AnyRecord], *kinds: type[Record]) -> int:
    return next(index for index, record in enumerate(records) if isinstance(record, kinds))


def play_nothing_one_has(records: list[AnyRecord]) -> None:
    at = where(records, Play)
    first = records[at]
    hand = records[where(records, Cards)]
    assert isinstance(first, Play)
    assert isinstance(hand, Cards)
    other = next(
        card
        for record in records
        if isinstance(record, Cards) and record.seat != first.seat
        for card in record.cards
        if card != first.card
    )
    records[at] = replace(first, card=other)


def another_winner(records: list[AnyRecord]) -> None:
    at = where(records, Trick)
    trick = records[at]
    assert isinstance(trick, Trick)
    records[at] = replace(trick, win=(trick.win + 1) % 4)


def no_trick(records: list[AnyRecord]) -> None:
    del records[where(records, Trick)]


def no_score(records: list[AnyRecord]) -> None:
    del records[where(records, Score)]


def a_trick_too_many(records: list[AnyRecord]) -> None:
    records.insert(where(records, Play, Toep), Trick(lead=0, win=0))


def no_hand(records: list[AnyRecord]) -> None:
    del records[where(records, Cards)]


def hand_of_five(records: list[AnyRecord]) -> None:
    at = where(records, Cards)
    hand = records[at]
    assert isinstance(hand, Cards)
    records[at] = replace(hand, cards=[*hand.cards, "Th"])


def a_hand_twice(records: list[AnyRecord]) -> None:
    at = where(records, Cards)
    hand, after = records[at], records[at + 1]
    assert isinstance(hand, Cards)
    assert isinstance(after, Cards)
    records[at + 1] = replace(after, cards=hand.cards)


def another_dealer(records: list[AnyRecord]) -> None:
    at = where(records, Round)
    first = records[at]
    assert isinstance(first, Round)
    records[at] = replace(first, dealer=3)


def round_in_round(records: list[AnyRecord]) -> None:
    at = where(records, Play, Toep)
    records.insert(at, records[where(records, Round)])


def two_heads(records: list[AnyRecord]) -> None:
    records.insert(1, records[0])


def no_head(records: list[AnyRecord]) -> None:
    del records[0]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (play_nothing_one_has, "R-CARD-01"),
        (another_winner, "by the rules trick lead="),
        (no_trick, "by the rules trick lead="),
        (no_score, "by the rules score points="),
        (a_trick_too_many, "nothing leads to trick lead=0 win=0 here"),
        (no_hand, "seat 0 has no cards"),
        (hand_of_five, "seat 0 is not dealt 5 cards here"),
        (a_hand_twice, "32 different cards"),
        (another_dealer, "by the rules round dealer=0 round=1 try=1 follows, not round dealer=3"),
        (round_in_round, "the last round has no end"),
        (two_heads, "a second head"),
        (no_head, "a log begins with its head"),
    ],
)
def test_a_log_against_the_rules(change: Change, why: str) -> None:
    records = records_of()
    change(records)
    replay = Replay()
    with pytest.raises(ReplayError) as caught:
        follow(replay, records)
    assert why in caught.value.why
    assert caught.value.broken
    assert caught.value.line == replay.line
    assert str(caught.value) == f"line {replay.line}: {caught.value.why}"


def exchanged() -> tuple[list[AnyRecord], int]:
    """A match with an exchange, and where it stands."""
    for number in range(100):
        records = records_of(number)
        if any(isinstance(record, Exchange) for record in records):
            return records, where(records, Exchange)
    raise AssertionError


def test_new_cards_belong_to_the_seat_that_exchanged() -> None:
    records, at = exchanged()
    cards = records[at + 1]
    assert isinstance(cards, Cards)
    for changed, why in (
        ([replace(cards, seat=(cards.seat + 1) % 4)], "are due"),
        ([replace(cards, cards=cards.cards[:3])], "has not been seen"),
        ([Penalty(points=1, seat=0, why="R-WAS-08")], "nothing leads to penalty points=1 seat=0 why=R-WAS-08 here"),
        ([Toep(seat=0, stake=2)], "are missing"),
    ):
        with pytest.raises(ReplayError, match=why):
            follow(Replay(), [*records[: at + 1], *changed])


def test_hidden_cards_are_no_fault_of_the_log() -> None:
    lines, _ = played(1)
    view = [
        Redacted(hash=b64encode(leaf_hash(line)).decode()) if isinstance(record, Cards) and record.seat != 1 else record
        for line in lines
        for record in [decode_bytes(line)]
    ]
    with pytest.raises(ReplayError, match="hidden") as caught:
        follow(Replay(), view)
    assert not caught.value.broken


def test_a_head_whose_rules_do_not_take_so_many_seats() -> None:
    head = records_of()[0]
    assert isinstance(head, Head)
    with pytest.raises(ReplayError, match="seats: 2 is not allowed"):
        Replay().feed(replace(head, seats=head.seats[:2]))
