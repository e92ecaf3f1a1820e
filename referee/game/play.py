"""P7: playing a card (R-TURN-01, R-CARD-01, R-SUIT-01, R-TOEP-07)."""

from referee.cards import INDEX
from referee.game import flow
from referee.game.common import not_taking_part
from referee.game.records import Play, Record
from referee.game.refusal import Refusal
from referee.game.state import State
from referee.game.tricks import playable


def check_play(state: State, act: Play) -> Refusal | None:
    if refusal := not_taking_part(state, act.seat):
        return refusal
    if state.answer_queue:
        return Refusal("R-TOEP-07", "no card is played while a toep is being answered")
    if act.seat != state.turn:
        return Refusal("R-TURN-01", f"it is seat {state.turn}'s turn")
    card = 1 << INDEX[act.card]
    if not state.hands[act.seat] & card:
        return Refusal("R-CARD-01", f"{act.card} is not in your hand")
    if not playable(state, act.seat) & card:
        return Refusal("R-SUIT-01", f"{act.card} does not follow suit, and you have a card that does")
    return None


def apply_play(state: State, act: Play) -> list[Record]:
    flow.open_play(state)
    seat, card = act.seat, INDEX[act.card]
    state.hands[seat] &= ~(1 << card)
    state.trick.append((seat, card))
    state.plays.append((state.trick_number, seat, card))
    events: list[Record] = [act]
    flow.settle(state, events)
    return events
