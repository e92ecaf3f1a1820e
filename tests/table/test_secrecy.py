"""Nothing that a seat is told depends on cards that it may not see."""

import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.cards import NAMES, bits, mask_of
from referee.game.game import BIT, Game
from referee.game.records import (
    AnyAct,
    Blind,
    Challenge,
    Chance,
    Confess,
    Cut,
    Exchange,
    Fold,
    Peek,
    Play,
    Signal,
    Stay,
    Toep,
)
from referee.log.records import Rounds
from referee.ruleset import Ruleset, resolve
from referee.table.messages import TRY_BITS, Ask, AskKind, Message
from tests.support.tables import HEAVY, Sim, meek, public_state, said, tables, told


def position(rules: Ruleset, seats: int, key: int, steps: int) -> Sim:
    """A match after some steps of sensible play."""
    draw = random.Random(key)
    sim = Sim(rules, seats, length=Rounds(rounds=3))
    sim.start()
    for _ in range(steps):
        for seat, ask in sorted(sim.open.items()):
            if sim.table.is_open(seat, ask.id):
                used = [act for act in sim.table.game.legal(seat) if isinstance(act, Toep | Exchange | Stay)]
                sim.act(seat, draw.choice(used) if used and draw.random() < 0.2 else meek(ask))
        if sim.table.over:
            break
    return sim


def reshuffle(game: Game, seat: int, key: int) -> None:
    """Deal the cards that this seat has not seen anew: other hands, the stock, and its own before it looks."""
    hidden = [other for other in range(game.seats) if other != seat or not game.seen >> seat & 1]
    stock = [card for card in game.stock if card is not None]
    unseen = [card for other in hidden for card in bits(game.hands[other])] + stock
    random.Random(key).shuffle(unseen)
    for other in hidden:
        size = game.hands[other].bit_count()
        game.hands[other] = mask_of(unseen[:size])
        del unseen[:size]
    game.stock = list(unseen)


def suits(ask: Ask, act: AnyAct) -> bool:
    """Whether an act is one that the ask offers."""
    if isinstance(act, Play):
        return bool(ask.legal >> NAMES.index(act.card) & 1)
    return bool(ask.may & BIT[type(act)])


def acts_of(seat: int) -> list[AnyAct]:
    """Everything that a seat could say."""
    kinds = (Blind, Peek, Chance, Toep, Stay, Fold, Exchange, Challenge, Confess)
    others: list[AnyAct] = [*(kind(seat=seat) for kind in kinds), Signal(seat=seat, sign="sing"), Cut(at=3, seat=seat)]
    return [*(Play(card=card, seat=seat) for card in NAMES), *others]


@settings(HEAVY, max_examples=60)
@given(
    table=tables(),
    key=st.integers(0, 10**9),
    steps=st.integers(0, 25),
    seat=st.integers(0, 7),
)
def test_cards_that_a_seat_may_not_see_change_nothing_for_it(
    table: tuple[Ruleset, int], key: int, steps: int, seat: int
) -> None:
    rules, seats = table
    seat %= seats
    true, other = position(rules, seats, key, steps), position(rules, seats, key, steps)
    assert true.heard == other.heard
    game, twin = true.table.game, other.table.game
    reshuffle(twin, seat, key)
    assert public_state(game) == public_state(twin)
    if seat not in true.open:
        return
    ask = true.open[seat]
    assert ask.hand == (game.hands[seat] if game.seen >> seat & 1 else 0)
    said_here: list[Message] = []
    said_there: list[Message] = []
    wrong = [act for act in acts_of(seat) if not suits(ask, act)]
    for act in random.Random(key).sample(wrong, min(2, len(wrong))):
        if seat in true.open:  # With no try left it is not asked again, and the step may be over.
            said_here += true.act(seat, act)
            said_there += other.act(seat, act)
    assert told(said_here, seat) == told(said_there, seat)
    # Then its act, and everybody else declines. A card that somebody else means to play is another one in the other
    # game; but when this seat toeps it is withdrawn, and not even then may it show.
    safe = [act for act in acts_of(seat) if suits(ask, act) and isinstance(act, Toep | Stay | Fold | Play)]
    if ask.kind not in (AskKind.CARD, AskKind.ANSWER, AskKind.WINDOW):
        safe = []
    again = true.open.get(seat)
    if safe and again and again.id >> TRY_BITS == ask.id >> TRY_BITS and again.kind is ask.kind:
        said_here += act_and_see(true, seat, safe[0])
        said_there += act_and_see(other, seat, safe[0])
    assert told(said_here, seat) == told(said_there, seat)
    assert {ask.seat: ask.kind for ask in said(Ask, said_here)} == {ask.seat: ask.kind for ask in said(Ask, said_there)}


def act_and_see(sim: Sim, seat: int, act: AnyAct) -> list[Message]:
    """A seat acts, and the others use no window of this step; who owes a card plays one that he holds now."""
    waiting = sorted(sim.open.items())
    out = sim.act(seat, act)
    for other, ask in waiting:
        if sim.table.is_open(other, ask.id):
            out += sim.act(other, meek(replace(ask, legal=sim.table.game.playable(other))))
    return out


@settings(HEAVY, max_examples=30)
@given(table=tables(), key=st.integers(0, 10**9), seat=st.integers(0, 7))
def test_a_round_looks_the_same_as_long_as_the_same_cards_fall(table: tuple[Ruleset, int], key: int, seat: int) -> None:
    """From the deal on: a seat that only sees passes and the same plays hears the same, whatever else others hold."""
    rules, seats = table
    # Cards are laid away unseen before a finale; here others are dealt what they play.
    assume(rules.finale == "off" and not rules.blind and not rules.cut)
    seat %= seats
    true, other = (Sim(rules, seats, length=Rounds(rounds=1)) for _ in range(2))
    true.start()
    other.start()
    reshuffle(other.table.game, seat, key)
    heard_here: list[Message] = []
    heard_there: list[Message] = []
    while true.table.game.trick_number == 1 and other.table.game.trick_number == 1 and not true.table.over:
        turn = true.table.game.turn
        if all(ask.kind.name != "CARD" for ask in true.open.values()):
            heard_here += true.rest()
            heard_there += other.rest()
            continue
        if turn != seat:
            # Somebody else's card: both games see the same one fall, which in the other one has to be dealt to him.
            card = meek(true.open[turn])
            assert isinstance(card, Play)
            give(other.table.game, turn, NAMES.index(card.card))
            if other.table.game.check(card) is not None:
                break
            other.rest(turn)
            true.rest(turn)
            heard_here += true.act(turn, card)
            heard_there += other.act(turn, card)
        else:
            heard_here += true.rest()
            heard_there += other.rest()
    assert told(heard_here, seat) == told(heard_there, seat)


def give(game: Game, seat: int, card: int) -> None:
    """Let a seat hold a card, in exchange for one of its own."""
    mask = 1 << card
    if game.hands[seat] & mask:
        return
    mine = game.hands[seat] & -game.hands[seat]
    game.hands[seat] ^= mine | mask
    for other in range(game.seats):
        if other != seat and game.hands[other] & mask:
            game.hands[other] ^= mine | mask
            return
    game.stock[game.stock.index(card)] = mine.bit_length() - 1


BLIND_RULES = resolve(
    {"preset": "classic", "blind": True, "blind_who": "anyone", "armoede": False, "four_alike": "win"}
)


@pytest.mark.parametrize("kind", ["BLIND", "ANSWER"])
@pytest.mark.parametrize("act", acts_of(0), ids=lambda act: getattr(act, "card", type(act).__name__))
def test_before_hands_are_seen_a_refusal_tells_nothing_of_them(act: AnyAct, kind: str) -> None:
    """Neither whether a card is in one's own hand, nor that somebody will show four alike."""
    told_of = []
    for hands in (
        (("Jc", "Qd", "Ks", "Ah"), ("Jc", "Jd", "Js", "Jh")),
        (("7c", "8d", "Ks", "9h"), ("8c", "9d", "As", "Th")),
    ):
        sim = Sim(BLIND_RULES, 2)
        sim.start()
        for seat, hand in enumerate(hands):
            sim.table.game.hands[seat] = mask_of(map(NAMES.index, hand))
        if kind == "ANSWER":
            sim.rest(1)
            sim.act(1, Blind(seat=1))
        assert sim.open[0].kind.name == kind
        assert sim.open[0].hand == 0
        told_of.append([] if suits(sim.open[0], act) else sim.act(0, act))
    assert told_of[0] == told_of[1]
