"""P3 in a finale: laying three cards away, everybody hidden and at once (R-GRAF-01, R-GRAF-02, H-37)."""

from referee.cards import INDEX, NAMES, mask_of
from referee.game import phases
from referee.game.common import not_taking_part
from referee.game.records import NO_SALT, Discard, Record
from referee.game.refusal import Refusal
from referee.game.sizes import DISCARDS, has_discards
from referee.game.state import Phase, State


def check_discard(state: State, act: Discard) -> Refusal | None:
    seat = act.seat
    if not has_discards(state):
        return Refusal("R-GRAF-01", "cards are laid away only in a finale with eleven cards")
    if refusal := not_taking_part(state, seat):
        return refusal
    if state.answer_queue:
        return Refusal("R-TURN-01", "a toep is being answered")
    if state.phase > Phase.BLIND and not state.discards_due >> seat & 1:
        return Refusal("R-GRAF-01", "you have laid your cards away")
    cards = [INDEX[card] for card in act.cards]
    if mask_of(cards) & ~state.hands[seat]:
        return Refusal("R-CARD-01", "a card is not in your hand")
    if len(cards) != DISCARDS or len(set(cards)) != DISCARDS:
        return Refusal("R-GRAF-01", f"exactly {DISCARDS} different cards are laid away")
    return None


def apply_discard(state: State, act: Discard) -> list[Record]:
    events: list[Record] = []
    phases.enter(state, Phase.PICKUP, events)
    seat = act.seat
    cards = sorted(INDEX[card] for card in act.cards)
    state.hands[seat] &= ~mask_of(cards)
    state.discards_due &= ~(1 << seat)
    names = [NAMES[card] for card in cards]
    events.append(Discard(by=act.by, cards=names, ms=act.ms, salt=NO_SALT, seat=seat))
    return events
