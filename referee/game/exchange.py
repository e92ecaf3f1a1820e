"""P5, "vuile was": laying down a bad hand for a new one, and checking who did (R-WAS-01 to R-WAS-13)."""

from referee.cards import NAMES, PICTURES, SEVENS, mask_of, names
from referee.game import ending, flow, phases
from referee.game.common import is_finale, no_such_act, not_taking_part, something_is_due
from referee.game.records import NO_SALT, Cards, Challenge, Exchange, Record
from referee.game.refusal import Refusal
from referee.game.state import Claim, Phase, State

HAND = 4


def genuine(hand: int, with_seven: bool) -> bool:
    """Whether a hand is a dirty wash: four pictures (R-WAS-02), or three and a seven where that counts (R-WAS-03)."""
    pictures = (hand & PICTURES).bit_count()
    return pictures == HAND or (with_seven and pictures == 3 and (hand & SEVENS).bit_count() == 1)


def check_exchange(state: State, act: Exchange) -> Refusal | None:
    rules = state.rules
    if rules.exchange == "off":
        return no_such_act("R-WAS-01", "exchange")
    if refusal := not_taking_part(state, act.seat) or something_is_due(state):
        return refusal
    if is_finale(state):
        return Refusal("H-37", "hands are not changed in a finale")
    if state.phase > Phase.EXCHANGE:
        return Refusal("R-WAS-10", "hands may be changed only before the first card, the first toep and armoede")
    if refusal := phases.shows_first(state):
        return refusal
    if rules.exchange == "once" and state.exchanged >> act.seat & 1:
        return Refusal("R-WAS-11", "you have changed your hand in this round")
    if len(state.stock) < HAND:
        return Refusal("R-WAS-12", f"the stock has fewer than {HAND} cards")
    return None


def apply_exchange(state: State, act: Exchange) -> list[Record]:
    events: list[Record] = []
    phases.enter(state, Phase.EXCHANGE, events)
    drawn: list[int] = []
    for card in state.stock[:HAND]:
        if card is None:
            raise ValueError("the top of the stock has not been seen")
        drawn.append(card)
    del state.stock[:HAND]
    state.claim = Claim(act.seat, state.hands[act.seat], tuple(drawn))
    state.exchanged |= 1 << act.seat
    state.hands[act.seat] = mask_of(drawn)
    cards = [NAMES[card] for card in drawn]
    return [*events, act, Cards(cards=cards, salt=NO_SALT, seat=act.seat, why="exchange")]


def check_challenge(state: State, act: Challenge) -> Refusal | None:
    if state.rules.exchange == "off":
        return no_such_act("R-WAS-01", "exchange")
    if refusal := not_taking_part(state, act.seat) or something_is_due(state):
        return refusal
    if state.phase > Phase.EXCHANGE:
        return Refusal("R-WAS-10", "an exchange may be checked only before the first card and the first toep")
    if state.claim is None:
        if state.exchanged:
            return Refusal("H-22", "the last exchange has been checked already")
        return Refusal("R-WAS-06", "nobody has changed his hand")
    if state.claim.seat == act.seat:
        return Refusal("R-WAS-06", "you cannot check your own exchange")
    return None


def apply_challenge(state: State, act: Challenge) -> list[Record]:
    claim = state.claim
    assert claim is not None
    rules = state.rules
    state.claim = None
    honest = genuine(claim.old_hand, rules.exchange_seven)
    loser, rule = (act.seat, "R-WAS-07") if honest else (claim.seat, "R-WAS-08")
    if not honest and rules.exchange_caught == "old_hand":
        state.hands[claim.seat] = claim.old_hand
        state.stock.extend(claim.drawn)
    events: list[Record] = [Challenge(by=act.by, genuine=honest, ms=act.ms, seat=act.seat, shown=names(claim.old_hand))]
    ending.penalise(state, loser, rule, events)
    if ending.reached_limit(state, loser):
        ending.die(state, loser, "penalty", events)
        flow.settle(state, events)
    return events
