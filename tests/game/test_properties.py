"""What must hold in every state of every game under any rules, whatever is played."""

import random
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.cards import INDEX, NAMES, PACK_SIZE, RANKS, bits, mask_of
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
    Open,
    Out,
    Peek,
    Penalty,
    Play,
    Record,
    Resign,
    Round,
    Score,
    Show,
    Signal,
    Stay,
    Toep,
    Trick,
    Void,
)
from referee.game.refusal import IllegalAct, Refusal
from referee.game.state import NOBODY, Phase, State
from referee.ruleset import PRESETS, Ruleset, resolve
from tools import pairwise

EVERYTHING = (1 << PACK_SIZE) - 1
MAX_DEALS = 40
"""Two seats with a jack bonus could go on for ever."""

MAX_STATES = 250


def any_rules(rng: random.Random, seats: int) -> Ruleset:
    """A preset, or any rules that make sense for so many seats."""
    if rng.random() < 0.2:
        return msgspec.structs.replace(rng.choice(list(PRESETS.values())), min_players=2)
    while True:
        row = {option: rng.choice(values) for option, values in pairwise.VALUES.items()}
        row["seats"] = seats
        if pairwise.makes_sense(row):
            return pairwise.rules_of(row)


def acts_of(game: Game) -> list[AnyAct]:
    """Every act that any seat can spell, and a seat that does not exist; cuts and discards only where they matter."""
    return [act for seat in range(min(game.seats + 1, 8)) for act in acts_of_seat(game, seat)]


def acts_of_seat(game: Game, seat: int) -> Iterator[AnyAct]:
    yield from (Blind(seat=seat), Peek(seat=seat), Chance(seat=seat), Exchange(seat=seat), Challenge(seat=seat))
    yield from (Signal(seat=seat, sign="whistle"), Signal(seat=seat, sign="sing"), Signal(seat=seat, sign="stand"))
    yield from (Toep(seat=seat), Stay(seat=seat), Fold(seat=seat), Confess(seat=seat))
    yield from (Play(card=card, seat=seat) for card in NAMES)
    yield from (Cut(at=at, seat=seat) for at in (range(1, 32) if game.cut_open else (7,)))
    yield Discard(cards=["Jc", "Qc"], seat=seat)
    hand = [NAMES[card] for card in bits(game.hands[seat])] if seat < game.seats else []
    if len(hand) == 11:
        yield from (Discard(cards=list(cards), seat=seat) for cards in combinations(hand, 3))
        yield Discard(cards=[hand[0], hand[0], hand[1]], seat=seat)
    else:
        yield Discard(cards=["Jc", "Qc", "Kc"], seat=seat)


def snapshot(game: Game) -> list[Any]:
    """Everything a game knows, as an independent copy."""
    values = [getattr(game, name) for name in State.__slots__]
    return [value.copy() if isinstance(value, list) else value for value in values]


class Book:
    """An account of a game kept from its records alone."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.raw = [0] * game.seats
        self.before = [0] * game.seats
        self.penalties = [0] * game.seats
        self.alive = set(range(game.seats))
        self.inside: set[int] = set()
        self.sealed: dict[int, int] = {}
        self.stake = 1
        self.stopped = False

    def read(self, records: list[Record]) -> None:
        """The records of one input."""
        if records:
            self.actor = getattr(records[0], "seat", NOBODY)
        self.void = any(isinstance(record, Void) for record in records)
        self.shown = [record for record in records if isinstance(record, Show)]
        self.last_trick = [record for record in records if isinstance(record, Trick) and record.lead is msgspec.UNSET]
        for record in records:
            self.read_one(record)
        if not self.game.answer_queue:
            self.unseal()

    def unseal(self) -> None:
        for seat, pay in self.sealed.items():
            self.raw[seat] += pay
            self.inside.discard(seat)
        self.sealed = {}

    def read_one(self, record: Record) -> None:
        match record:
            case Round():
                self.inside, self.stake, self.stopped = set(self.alive), 1, False
                self.before, self.penalties = self.raw.copy(), [0] * self.game.seats
                assert not self.sealed
            case Toep(stake=int(stake)):
                assert stake == self.stake + 1
                self.stake = stake
            case Blind(stake=int(stake)):
                assert (self.stake, stake) == (1, self.game.rules.blind_stake)
                self.stake = stake
            case Open(stake=stake):
                assert (self.stake, stake) == (1, 2)
                self.stake = stake
            case Fold(seat=seat, pay=int(pay)):
                assert 1 <= pay < self.stake
                self.sealed[seat] = pay
                if self.game.rules.answers == "clockwise":
                    self.unseal()
            case Confess(seat=seat, pay=int(pay)) if not self.void:
                assert pay == self.stake + 1
                self.raw[seat] += pay
                self.inside.discard(seat)
            case Penalty(seat=seat, points=points):
                assert points == 1
                self.raw[seat] += points
                self.penalties[seat] += points
            case Resign(seat=seat):
                self.raw[seat] = max(self.raw[seat], self.game.rules.limit)
                self.sealed.pop(seat, None)
            case Out(seat=seat, why=why):
                self.alive.discard(seat)
                self.inside.discard(seat)
                self.stopped |= why in ("resign", "penalty") and self.game.rules.game_end == "first_out"
            case Score(total=total, points=points):
                self.score(total, points)

    def score(self, total: list[int], points: list[int]) -> None:
        game, winner = self.game, self.game.winner
        if self.stopped or self.inside == {winner}:
            self.sealed = {}  # never shown
        self.unseal()
        if self.void:
            self.penalties[self.actor] += 3
            for seat in self.alive:
                self.raw[seat] = self.before[seat] + self.penalties[seat]
        elif not self.stopped:
            for seat in self.inside - {winner}:
                self.raw[seat] += 3 if self.shown else self.stake
            if game.rules.jack_bonus and winner != NOBODY and self.with_jack():
                self.raw[winner] -= 1
        shown = self.raw if game.rules.overshoot == "record" else [min(raw, game.rules.limit) for raw in self.raw]
        assert total == shown
        assert points == game.last_points
        assert all(point >= -1 for point in points)
        if winner != NOBODY:
            assert points[winner] <= self.penalties[winner]

    def with_jack(self) -> bool:
        """Whether the round was won by the last trick's jack, or by four of them."""
        if self.shown:
            assert self.shown[0].seat == self.game.winner
            return self.shown[0].cards[0][0] == "J"
        if not self.last_trick or len(self.inside) < 2:
            return False
        assert self.last_trick[0].win == self.game.winner
        last = [card for trick, seat, card in self.game.plays if seat == self.game.winner]
        return RANKS[last[-1] % 8] == "J"


class Away:
    """The cards that nobody holds any more: laid down, laid away, folded."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.cards = 0

    def note(self, act: AnyAct, records: list[Record], hands: list[int], old_hand: int) -> None:
        """After an act: ``hands`` before it; ``old_hand``: what was laid down in the exchange that could be checked."""
        game = self.game
        if any(isinstance(record, Score) for record in records):
            self.cards = 0
            return
        if isinstance(act, Exchange):
            self.cards |= hands[act.seat]
        for record in records:
            if isinstance(record, Discard):
                self.cards |= mask_of(INDEX[card] for card in record.cards)
        caught = isinstance(act, Challenge) and isinstance(records[0], Challenge) and not records[0].genuine
        if caught and game.rules.exchange_caught == "old_hand":
            # If the claimer died of it his old hand stays where it was, and the drawn cards are in the stock.
            self.cards &= ~old_hand
            self.cards |= old_hand & ~mask_of(card for hand in game.hands for card in bits(hand))
            return
        for seat in range(game.seats):
            if hands[seat] and not game.in_round >> seat & 1:
                played = 1 << INDEX[act.card] if isinstance(act, Play) and act.seat == seat else 0
                self.cards |= hands[seat] & ~played

    def check(self) -> None:
        """Hands, stock, plays and what was put away are the pack: every card once."""
        game = self.game
        piles = [*game.hands, mask_of(card for card in game.stock if card is not None)]
        piles += [1 << card for _, _, card in game.plays]
        together = self.cards
        for pile in piles:
            assert together & pile == 0
            together |= pile
        assert together == EVERYTHING
        for seat in range(game.seats):
            size = 0
            if game.in_round >> seat & 1:
                due = game.phase is Phase.BLIND or game.discards_due >> seat & 1
                played = sum(1 for _, who, _ in game.plays if who == seat)
                size = game.dealt if due else game.hand_size - played
            assert game.hands[seat].bit_count() == size


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


def key(act: AnyAct) -> str:
    return msgspec.json.encode(act).decode()


def check_legal(game: Game) -> Judged:
    """`check` and `legal` agree about every act there is; returns what `check` says."""
    judged = [(act, game.check(act)) for act in acts_of(game)]
    legal = sorted(key(act) for seat in range(game.seats) for act in game.legal(seat))
    assert legal == sorted(key(act) for act, refusal in judged if refusal is None)
    return judged


def check_state(game: Game, judged: Judged, away: int, rng: random.Random) -> None:
    before = snapshot(game)
    legal = [act for seat in range(game.seats) for act in game.legal(seat)]

    must, may = game.asks()
    assert must, "a running round always waits for somebody, unless four alike are to be shown"
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
    assert snapshot(game) == before

    twin = game.clone()
    twin.apply(rng.choice(legal))
    assert snapshot(game) == before

    if game.phase is Phase.BLIND and game.rules.four_alike == "win":
        return  # four alike may be about to be shown: the only thing that waits for cards nobody has seen
    for seat in range(game.seats):
        other = hidden_swapped(game, seat, away, rng)
        assert other.legal(seat) == game.legal(seat)
        assert (other.may(seat), other.playable(seat)) == (game.may(seat), game.playable(seat))
        for act, refusal in judged:
            if act.seat == seat:
                assert other.check(act) == refusal


def check_records(act: AnyAct, records: list[Record]) -> None:
    """The first record of an act's own kind is the act, with what the game fills in."""
    done = next(record for record in records if type(record) is type(act))
    for name in type(act).__struct_fields__:
        value = getattr(done, name)
        if name in COMPLETE.get(type(act), ()):
            assert value is not msgspec.UNSET
        elif isinstance(act, Discard) and name == "cards":
            assert sorted(value) == sorted(act.cards)
        elif not (isinstance(act, Confess) and name in ("card", "pay")):
            assert value == getattr(act, name)


def check_ranks(game: Game) -> None:
    ranks = game.ranks()
    assert sorted(ranks) == [1 + sum(other < rank for other in ranks) for rank in sorted(ranks)]
    out = [seat for seat in range(game.seats) if not game.in_game >> seat & 1]
    inside = [seat for seat in range(game.seats) if game.in_game >> seat & 1]
    assert out, "a game ends because somebody is out"
    if game.rules.game_end == "last_standing":
        assert len(inside) <= 1
        for survivor in inside:
            assert all(ranks[survivor] < ranks[seat] for seat in out)
    else:
        totals = game.totals()
        assert all(totals[a] < totals[b] for a in inside for b in out)
        assert ranks[min(range(game.seats), key=totals.__getitem__)] == 1


class Tape:
    """The inputs of a game and the records that each brought."""

    def __init__(self) -> None:
        self.inputs: list[tuple[str, Any]] = []
        self.records: list[list[Record]] = []

    def do(self, game: Game, what: str, value: Any = None) -> list[Record]:
        """Give a game an input."""
        done = give(game, what, value)
        self.inputs.append((what, value))
        self.records.append(done)
        return done

    def check(self, game: Game) -> None:
        """A new game makes the same records of the same inputs."""
        assert [give(game, what, value) for what, value in self.inputs] == self.records


def give(game: Game, what: str, value: Any) -> list[Record]:
    done: list[Record]
    match what:
        case "draw":
            done = game.draw(value)
        case "open":
            done = game.open_deal()
        case "deal":
            done = game.deal(value)
        case "close":
            done = game.close(Phase.BLIND)
        case _:
            done = game.apply(value)
    return done


def pack_of(rng: random.Random) -> list[int]:
    return rng.sample(range(PACK_SIZE), PACK_SIZE)


def choose(game: Game, rng: random.Random) -> AnyAct:
    """A legal act, or giving up: first the kind, so that rare kinds are not drowned by cards."""
    legal = [act for seat in range(game.seats) for act in game.legal(seat)]
    if rng.random() < 0.02:
        seats = [seat for seat in range(game.seats) if game.check(Resign(seat=seat)) is None]
        return Resign(seat=rng.choice(seats))
    kinds = sorted({type(act).__name__ for act in legal})
    kind = rng.choices(kinds, [pairwise.WEIGHTS.get(kind, 1) for kind in kinds])[0]
    return rng.choice([act for act in legal if type(act).__name__ == kind])


def deal(game: Game, tape: Tape, book: Book, rng: random.Random) -> None:
    """The next deal, cut or not."""
    if game.needs_draw:
        tape.do(game, "draw", pack_of(rng))
    if game.rules.cut:
        book.read(tape.do(game, "open"))
        check_legal(game)
        cuts = [act for seat in range(game.seats) for act in game.legal(seat)]
        assert len(cuts) == 31
        if rng.random() < 0.5:
            book.read(tape.do(game, "act", rng.choice(cuts)))
            check_legal(game)
    book.read(tape.do(game, "deal", pack_of(rng)))


@settings(max_examples=60, deadline=None)
@given(seats=st.integers(2, 8), seed=st.integers(0, 2**32))
def test_every_state_of_every_game(seats: int, seed: int) -> None:
    rng = random.Random(seed)
    game = Game(any_rules(rng, seats), seats)
    book, away, tape = Book(game), Away(game), Tape()
    states = 0
    while not game.over and states < MAX_STATES and game.deals < MAX_DEALS:
        if game.needs_deal:
            away.cards = 0
            deal(game, tape, book, rng)
            continue
        states += 1
        away.check()
        judged = check_legal(game)
        legal = any(refusal is None for _, refusal in judged)
        if not legal or (game.phase is Phase.BLIND and not game.answer_queue and rng.random() < 0.2):
            assert game.phase is Phase.BLIND
            records = tape.do(game, "close")
            book.read(records)
            continue
        if rng.random() < 0.15 and any(game.asks()[0]):
            check_state(game, judged, away.cards, rng)
        act = choose(game, rng)
        hands, claim = game.hands.copy(), game.claim
        records = tape.do(game, "act", act)
        check_records(act, records)
        away.note(act, records, hands, claim.old_hand if claim else 0)
        book.read(records)
    tape.check(Game(game.rules, seats))
    if game.over:
        check_ranks(game)
        assert all(game.check(act) is not None for act in acts_of(game))


@settings(max_examples=40, deadline=None)
@given(seats=st.integers(2, 6), rounds=st.integers(1, 4), seed=st.integers(0, 2**32))
def test_rounds_matches_are_independent_rounds(seats: int, rounds: int, seed: int) -> None:
    """Every round starts from nothing with the next dealer, and the totals are the sums of the rounds."""
    rng = random.Random(seed)
    game = Game(any_rules(rng, seats), seats, length=rounds)
    sums, played = [0] * seats, 0
    if game.needs_draw:
        game.draw(pack_of(rng))
    first = game.dealer
    while not game.over and game.deals < MAX_DEALS:
        records: list[Record]
        if game.needs_deal:
            number, try_ = game.next_deal()
            records = game.deal(pack_of(rng))
            assert number == played + 1
            if not game.needs_deal and not game.over:
                assert game.dealer == (first + played) % seats
                assert (game.round, game.try_, game.raw) == (number, try_, [0] * seats)
        elif not any(game.legal(seat) for seat in range(seats)):
            records = game.close(Phase.BLIND)
        else:
            records = game.apply(rng.choice([act for seat in range(seats) for act in game.legal(seat)]))
        for record in records:
            if isinstance(record, Score):
                sums = [a + b for a, b in zip(sums, record.points, strict=True)]
                assert record.total == sums
                void = any(isinstance(other, Void) for other in records)
                sums, played = (sums, played) if void else (sums, played + 1)
    if game.over:
        assert played == rounds
        assert game.in_game == (1 << seats) - 1
        assert game.ranks() == [1 + sum(other < mine for other in sums) for mine in sums]


def test_every_kind_of_act_has_a_chapter_and_a_flag() -> None:
    assert set(BIT) == set(ACTS)
    assert len(set(BIT.values())) == len(ACTS)
    assert min(BIT.values()) == 4, "bit 0 is free and bit 1 is a pass"


def test_a_rule_set_by_chance_is_one() -> None:
    for seed in range(50):
        rules = any_rules(random.Random(seed), 5)
        assert resolve(msgspec.to_builtins(rules)) == rules
