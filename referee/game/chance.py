"""P4, "kans op toep": one card from the stock for three alike (R-KANS-03 to R-KANS-05, H-24, H-29)."""

from referee.cards import NAMES, bits, names
from referee.game import phases
from referee.game.common import is_finale, no_such_act, not_taking_part, something_is_due
from referee.game.records import NO_SALT, Cards, Chance, Discard, Record, Show
from referee.game.refusal import Refusal
from referee.game.state import Phase, State


def odd_card(hand: int) -> int:
    """The one card that does not belong to three alike; -1 when the hand has no three alike."""
    for mask in phases.RANK_MASK:
        if (hand & mask).bit_count() == 3:
            return next(bits(hand & ~mask))
    return -1


def check_chance(state: State, act: Chance) -> Refusal | None:
    if not state.rules.chance:
        return no_such_act("R-KANS-03", "chance")
    if refusal := not_taking_part(state, act.seat) or something_is_due(state):
        return refusal
    if is_finale(state):
        return Refusal("H-37", "there is no chance draw in a finale")
    if state.phase > Phase.CHANCE:
        return Refusal("R-KANS-03", "a card is drawn to three alike before hands are changed and before play")
    if refusal := phases.shows_first(state):
        return refusal
    if state.chanced >> act.seat & 1:
        return Refusal("R-KANS-03", "you have drawn your card")
    if odd_card(state.hands[act.seat]) < 0:
        return Refusal("R-KANS-05", "you have no three alike")
    if not state.stock:
        return Refusal("R-KANS-03", "the stock is empty")
    return None


def apply_chance(state: State, act: Chance) -> list[Record]:
    events: list[Record] = []
    phases.enter(state, Phase.CHANCE, events)
    seat = act.seat
    card = state.stock[0]
    if card is None:
        raise ValueError("the top of the stock has not been seen")
    del state.stock[0]
    odd = odd_card(state.hands[seat])
    state.chanced |= 1 << seat
    state.hands[seat] = state.hands[seat] & ~(1 << odd) | 1 << card
    events += [
        act,
        Cards(cards=[NAMES[card]], salt=NO_SALT, seat=seat, why="chance"),
        Discard(cards=[NAMES[odd]], salt=NO_SALT, seat=seat),
    ]
    if state.hands[seat] in phases.RANK_MASK:
        events.append(Show(cards=names(state.hands[seat]), seat=seat))
        phases.win_by_four_alike(state, seat, events)
    return events
