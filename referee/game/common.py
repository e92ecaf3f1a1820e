"""What every chapter needs: is this seat in a running round (R-TURN-01, R-OUT-01), and putting a hand away."""

from referee.game.refusal import Refusal
from referee.game.state import Phase, State


def not_taking_part(state: State, seat: int) -> Refusal | None:
    """The refusal of any act by this seat now, whatever it is; None when the seat is in a running round."""
    if state.phase is Phase.OVER:
        return Refusal("R-TURN-01", "the game is over")
    if not 0 <= seat < state.seats or not state.in_game >> seat & 1:
        return Refusal("R-OUT-01", "this seat is not in the game")
    if state.phase is Phase.DEAL:
        return Refusal("R-TURN-01", "no round is being played: the cards are not dealt")
    if not state.in_round >> seat & 1:
        return Refusal("R-OUT-01", "this seat is not in the round any more")
    return None


def no_such_act(rule: str, option: str) -> Refusal:
    """The refusal of an act that this rule set does not have."""
    return Refusal(rule, f"these rules do not have it (option {option})")


def leave_round(state: State, seat: int) -> None:
    """Put a hand away: the seat takes no further part in the round (R-FOLD-01)."""
    state.in_round &= ~(1 << seat)
    state.hands[seat] = 0
    if seat in state.answer_queue:
        state.answer_queue.remove(seat)
    if seat in state.dood_queue:
        state.dood_queue.remove(seat)
