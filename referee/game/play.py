"""P7: playing a card (R-TURN-01, R-CARD-01, R-SUIT-01, R-TOEP-07)."""

from referee.cards import INDEX
from referee.game import flow, phases, revoke, signals
from referee.game.common import not_taking_part
from referee.game.records import Play, Record
from referee.game.refusal import Refusal
from referee.game.state import PLAY, State
from referee.game.tricks import playable


def waits(state: State) -> str:
    """The rule by which no card at all may be played now; empty when one may."""
    if state.answer_queue:
        return "R-TOEP-07"
    return phases.not_yet(state) if state.phase < PLAY else ""


WHY = {
    "R-TOEP-07": "no card is played while a toep is being answered",
    **phases.NOT_YET,
}


def check_play(state: State, act: Play) -> Refusal | None:
    seat = act.seat
    on_turn = state.phase is PLAY and seat == state.turn and not state.answer_queue
    if on_turn and playable(state, seat) >> INDEX[act.card] & 1:
        return None  # So it is nearly always; a seat that is not in the round has no cards.
    if refusal := not_taking_part(state, seat):
        return refusal
    if rule := waits(state):
        return Refusal(rule, WHY[rule])
    if seat != phases.on_turn(state):
        return Refusal("R-TURN-01", f"it is seat {phases.on_turn(state)}'s turn")
    card = 1 << INDEX[act.card]
    if not state.hands[seat] & card:
        return Refusal("R-CARD-01", f"{act.card} is not in your hand")
    if not playable(state, seat) & card:
        return Refusal("R-SUIT-01", f"{act.card} does not follow suit, and you have a card that does")
    return None


def apply_play(state: State, act: Play) -> list[Record]:
    events: list[Record] = []
    if state.phase is not PLAY:
        phases.enter(state, PLAY, events)
    seat, card = act.seat, INDEX[act.card]
    hand = state.hands[seat]
    if state.rules.revoke == "penalise":
        revoke.note(state, seat, card)
    state.hands[seat] = hand & ~(1 << card)
    state.trick.append((seat, card))
    state.plays.append((state.trick_number, seat, card))
    state.must_follow &= ~(1 << seat)
    events.append(act)
    if not state.played >> seat & 1:
        state.played |= 1 << seat
        signals.first_card(state, seat, hand, events)
    if state.rules.revoke == "penalise" and revoke.is_proven(state, seat, card):
        revoke.stop_round(state, seat, events)
    else:
        flow.settle(state, events)
    return events
