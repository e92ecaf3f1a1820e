"""What must hold in every state of every game, whatever is played."""

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.cards import INDEX, NAMES, PACK_SIZE, bits, mask_of
from referee.game.game import BIT, Game
from referee.game.records import (
    ACTS,
    COMPLETE,
    AnyAct,
    Blind,
    Challenge,
    Chance,
    Confess,
    Cut,
    Discard,
    Exchange,
    Fold,
    Out,
    Peek,
    Penalty,
    Play,
    Record,
    Resign,
    Round,
    Score,
    Signal,
    Stay,
    Toep,
)
from referee.game.refusal import IllegalAct, Refusal
from referee.game.state import State
from referee.ruleset import resolve

EVERYTHING = (1 << PACK_SIZE) - 1
RULES: list[dict[str, Any]] = [
    {"preset": "cafe", "min_players": 2},
    {"preset": "short", "dood": "auto"},
    {"preset": "short", "dood": "auto", "game_end": "last_standing", "limit": 5, "toep_who": "on_turn"},
    {"preset": "cafe", "min_players": 2, "game_end": "last_standing", "exchange_caught": "old_hand", "dood": "auto"},
    {"preset": "short", "game_end": "last_standing", "overshoot": "record", "limit": 15, "next_dealer": "left"},
    {"preset": "short", "exchange": "once", "exchange_seven": True, "no_follower": "suit_then_rank", "limit": 4},
    {"preset": "short", "folded_cards": "win", "game_end": "last_standing", "limit": 7, "deal_pattern": "two_two"},
]


def acts_of(seats: int) -> list[AnyAct]:
    """Every act that any seat can spell (one of each that no rule set here has), and a seat that does not exist."""
    return [act for seat in range(min(seats + 1, 8)) for act in acts_of_seat(seat)]


def acts_of_seat(seat: int) -> Iterator[AnyAct]:
    yield from (Cut(at=7, seat=seat), Blind(seat=seat), Peek(seat=seat), Chance(seat=seat), Exchange(seat=seat))
    yield from (Challenge(seat=seat), Signal(seat=seat, sign="sing"), Toep(seat=seat), Stay(seat=seat))
    yield from (Fold(seat=seat), Confess(seat=seat), Discard(cards=["Jc", "Qc", "Kc"], seat=seat))
    yield from (Play(card=card, seat=seat) for card in NAMES)


def snapshot(game: Game) -> list[Any]:
    """Everything a game knows, as an independent copy."""
    values = [getattr(game, name) for name in State.__slots__]
    return [value.copy() if isinstance(value, list) else value for value in values]


class Book:
    """An account of a game kept from its records alone."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.raw = [0] * game.seats
        self.alive = set(range(game.seats))
        self.inside: set[int] = set()
        self.stake = 1
        self.away = 0
        self.stopped = False

    def read(self, records: list[Record]) -> None:
        for record in records:
            match record:
                case Round():
                    self.inside, self.stake, self.away = set(self.alive), 1, 0
                case Toep(stake=int(stake)):
                    assert stake == self.stake + 1
                    self.stake = stake
                case Fold(seat=seat, pay=int(pay)):
                    assert 1 <= pay < self.stake
                    self.raw[seat] += pay
                    self.inside.discard(seat)
                case Penalty(seat=seat, points=points):
                    self.raw[seat] += points
                case Resign(seat=seat):
                    self.raw[seat] = max(self.raw[seat], self.game.rules.limit)
                case Out(seat=seat, why=why):
                    self.alive.discard(seat)
                    self.inside.discard(seat)
                    self.stopped |= why in ("resign", "penalty") and self.game.rules.game_end == "first_out"
                case Score(total=total, points=points):
                    self.score(total, points)

    def score(self, total: list[int], points: list[int]) -> None:
        if not self.stopped:
            for seat in self.inside - {self.game.winner}:
                self.raw[seat] += self.stake
        rules = self.game.rules
        shown = self.raw if rules.overshoot == "record" else [min(raw, rules.limit) for raw in self.raw]
        assert total == shown
        assert points == self.game.last_points
        assert all(point >= 0 for point in points)


def check_cards(game: Game, away: int) -> None:
    """Hands, stock, plays and what was put away are the pack: every card once."""
    piles = [*game.hands, mask_of(card for card in game.stock if card is not None)]
    piles += [1 << card for _, _, card in game.plays]
    together = away
    for pile in piles:
        assert together & pile == 0
        together |= pile
    assert together == EVERYTHING
    playing = {seat for seat in range(game.seats) if game.in_round >> seat & 1}
    for seat in range(game.seats):
        played = sum(1 for _, who, _ in game.plays if who == seat)
        assert game.hands[seat].bit_count() == (4 - played if seat in playing else 0)


def put_away(game: Game, before: list[int], act: AnyAct) -> int:
    """The cards that an act laid down, from the hands before it."""
    if isinstance(act, Exchange):
        return before[act.seat]
    gone = 0
    for seat in range(game.seats):
        if before[seat] and not game.in_round >> seat & 1 and not isinstance(act, Play):
            gone |= before[seat]
    return gone


def hidden_swapped(game: Game, seat: int, away: int, rng: random.Random) -> Game:
    """The same game with the cards that this seat cannot see dealt out in another way."""
    twin = game.clone()
    stock = [card for card in game.stock if card is not None]
    pool = [card for other, hand in enumerate(game.hands) if other != seat for card in bits(hand)]
    pool += [*stock, *bits(away)]
    rng.shuffle(pool)
    for other, hand in enumerate(game.hands):
        if other != seat:
            twin.hands[other] = mask_of(pool.pop() for _ in range(hand.bit_count()))
    twin.stock = [pool.pop() for _ in stock]
    return twin


Judged = list[tuple[AnyAct, Refusal | None]]


def check_legal(game: Game, every: list[AnyAct]) -> Judged:
    """`check` and `legal` agree about every act there is; returns what `check` says."""
    judged = [(act, game.check(act)) for act in every]
    legal = [act for seat in range(game.seats) for act in game.legal(seat)]
    allowed = [act for act, refusal in judged if refusal is None]
    assert len(allowed) == len(legal)
    assert all(act in legal for act in allowed)
    return judged


def check_state(game: Game, judged: Judged, away: int, rng: random.Random) -> None:
    before = snapshot(game)
    legal = [act for seat in range(game.seats) for act in game.legal(seat)]

    must, may = game.asks()
    assert must, "a running round always waits for somebody"
    assert not set(must) & set(may)
    assert {act.seat for act in legal} == set(must) | set(may)
    for seat in range(game.seats):
        kinds = {BIT[type(act)] for act in game.legal(seat) if not isinstance(act, Play)}
        assert game.may(seat) == sum(kinds)
        assert game.playable(seat) == mask_of(INDEX[act.card] for act in game.legal(seat) if isinstance(act, Play))

    refused, why = rng.choice([pair for pair in judged if pair[1]])
    with pytest.raises(IllegalAct) as error:
        game.apply(refused)
    assert error.value.refusal == why

    twin = game.clone()
    twin.apply(rng.choice(legal))
    assert snapshot(game) == before

    for seat in range(game.seats):
        other = hidden_swapped(game, seat, away, rng)
        assert other.legal(seat) == game.legal(seat)
        assert (other.may(seat), other.playable(seat)) == (game.may(seat), game.playable(seat))
        for act, refusal in judged:
            if act.seat == seat:
                assert other.check(act) == refusal


def check_records(act: AnyAct, records: list[Record]) -> None:
    done = records[0]
    assert type(done) is type(act)
    for name in type(act).__struct_fields__:
        value = getattr(done, name)
        if name in COMPLETE.get(type(act), ()):
            assert value is not msgspec.UNSET
        else:
            assert value == getattr(act, name)


def check_ranks(game: Game) -> None:
    ranks = game.ranks()
    assert sorted(ranks) == [1 + sum(other < rank for other in ranks) for rank in sorted(ranks)]
    out = [seat for seat in range(game.seats) if not game.in_game >> seat & 1]
    inside = [seat for seat in range(game.seats) if game.in_game >> seat & 1]
    assert out, "a game ends because somebody is out"
    for survivor in inside:
        assert all(ranks[survivor] < ranks[seat] for seat in out)
    if game.rules.game_end == "last_standing":
        assert len(inside) <= 1
    else:
        totals = game.totals()
        assert [totals[a] < totals[b] for a in inside for b in out].count(False) == 0
        assert ranks[min(range(game.seats), key=totals.__getitem__)] == 1


@settings(max_examples=70, deadline=None)
@given(rules=st.sampled_from(RULES), seats=st.integers(2, 8), seed=st.integers(0, 2**32))
def test_every_state_of_every_game(rules: dict[str, Any], seats: int, seed: int) -> None:
    rng = random.Random(seed)
    game = Game(resolve(rules), seats)
    book, every = Book(game), acts_of(seats)
    deals = 0
    while not game.over:
        if game.needs_deal:
            deals += 1
            assert deals < 200, "the game does not end"
            book.read(game.deal(rng.sample(range(PACK_SIZE), PACK_SIZE)))
        check_cards(game, book.away)
        judged = check_legal(game, every)
        if rng.random() < 0.15:
            check_state(game, judged, book.away, rng)
        legal: list[AnyAct] = [act for seat in range(seats) for act in game.legal(seat)]
        act: AnyAct = Resign(seat=rng.randrange(seats)) if rng.random() < 0.03 else rng.choice(legal)
        if game.check(act):
            continue
        hands, claim = game.hands.copy(), game.claim
        records = game.apply(act)
        check_records(act, records)
        book.away |= put_away(game, hands, act)
        caught = isinstance(act, Challenge) and claim is not None and game.hands[claim.seat] == claim.old_hand
        if caught and claim is not None:
            book.away &= ~claim.old_hand
        elif isinstance(act, Challenge) and claim is not None and game.rules.exchange_caught == "old_hand":
            back = set(claim.drawn) <= {card for card in game.stock if card is not None}
            if back:  # caught, took the old hand back, and died of the penalty with it
                book.away = (book.away | claim.old_hand) & ~mask_of(claim.drawn)
        book.read(records)
    check_ranks(game)
    assert all(game.check(act) is not None for act in every)


@settings(max_examples=40, deadline=None)
@given(rules=st.sampled_from(RULES), seats=st.integers(2, 6), rounds=st.integers(1, 4), seed=st.integers(0, 2**32))
def test_rounds_matches_are_independent_rounds(rules: dict[str, Any], seats: int, rounds: int, seed: int) -> None:
    """Every round starts from nothing with the next dealer, and the totals are the sums of the rounds."""
    rng = random.Random(seed)
    game = Game(resolve(rules), seats, length=rounds)
    sums, played = [0] * seats, 0
    while not game.over:
        if game.needs_deal:
            assert game.next_deal() == (played + 1, 1)
            game.deal(rng.sample(range(PACK_SIZE), PACK_SIZE))
            assert game.dealer == played % seats
            assert game.raw == [0] * seats
            played += 1
        legal = [act for seat in range(seats) for act in game.legal(seat) if not isinstance(act, Challenge)]
        for record in game.apply(rng.choice(legal)):
            if isinstance(record, Score):
                sums = [a + b for a, b in zip(sums, record.points, strict=True)]
                assert record.total == sums
    assert played == rounds
    assert game.in_game == (1 << seats) - 1
    assert game.ranks() == [1 + sum(other < mine for other in sums) for mine in sums]


def test_every_kind_of_act_has_a_chapter_and_a_flag() -> None:
    assert set(BIT) == set(ACTS)
    assert len(set(BIT.values())) == len(ACTS)
    assert min(BIT.values()) == 4, "bit 0 is free and bit 1 is a pass"
