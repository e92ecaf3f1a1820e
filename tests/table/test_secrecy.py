"""Nothing that a seat is told depends on cards that it may not see."""

import random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.cards import NAMES, bits, mask_of
from referee.game.game import Game
from referee.game.records import AnyAct, Challenge, Exchange, Fold, Play, Stay, Toep
from referee.log.records import Rounds
from referee.ruleset import Ruleset
from referee.table.messages import Ask, Message
from tests.support.tables import Sim, meek, public_state, said, tables, told


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
    """Give other cards, of those that this seat has not seen, to the other hands and the stock."""
    others = [other for other in range(game.seats) if other != seat]
    stock = [card for card in game.stock if card is not None]
    unseen = [card for other in others for card in bits(game.hands[other])] + stock
    random.Random(key).shuffle(unseen)
    for other in others:
        size = game.hands[other].bit_count()
        game.hands[other] = mask_of(unseen[:size])
        del unseen[:size]
    game.stock = list(unseen)


def acts_of(seat: int) -> list[AnyAct]:
    """Everything that a seat could say."""
    others: list[AnyAct] = [kind(seat=seat) for kind in (Toep, Stay, Fold, Exchange, Challenge)]
    return [*(Play(card=card, seat=seat) for card in NAMES), *others]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
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
    for act in acts_of(seat):
        refusal, its_twin = game.check(act), twin.check(act)
        assert refusal == its_twin
    assert (game.playable(seat), game.may(seat), game.asks()) == (twin.playable(seat), twin.may(seat), twin.asks())
    if seat not in true.open:
        return
    wrong = next(act for act in acts_of(seat) if game.check(act) is not None)
    said_here, said_there = true.act(seat, wrong), other.act(seat, wrong)
    # Then its act, and everybody else declines. A card that somebody else means to play is another one in the other
    # game; but when this seat toeps it is withdrawn, and not even then may it show.
    safe = [act for act in game.legal(seat) if isinstance(act, Toep | Stay | Fold | Play)]
    if safe and true.open[seat].kind.name in ("CARD", "ANSWER", "WINDOW"):
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


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(table=tables(), key=st.integers(0, 10**9), seat=st.integers(0, 7))
def test_a_round_looks_the_same_as_long_as_the_same_cards_fall(table: tuple[Ruleset, int], key: int, seat: int) -> None:
    """From the deal on: a seat that only sees passes and the same plays hears the same, whatever else others hold."""
    rules, seats = table
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
