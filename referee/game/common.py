"""What every chapter needs: may this seat act at all (R-TURN-01, R-OUT-01), and putting a hand away."""

from referee.game.refusal import Refusal
from referee.game.state import DEAL, OVER, Question, State


def not_taking_part(state: State, seat: int) -> Refusal | None:
    """The refusal of any act by this seat now, whatever it is; None when the seat is in a running round."""
    if state.phase is OVER:
        return Refusal("R-TURN-01", "the game is over")
    if not 0 <= seat < state.seats or not state.in_game >> seat & 1:
        return Refusal("R-OUT-01", "this seat is not in the game")
    if state.phase is DEAL:
        return Refusal("R-TURN-01", "no round is being played: the cards are not dealt")
    if not state.in_round >> seat & 1:
        return Refusal("R-OUT-01", "this seat is not in the round any more")
    return None


def something_is_due(state: State) -> Refusal | None:
    """The refusal of a voluntary act while somebody must answer a toep or lay cards away."""
    if state.answer_queue:
        return Refusal("R-TURN-01", "a toep is being answered")
    if state.discards_due:
        return Refusal("R-TURN-01", "cards must be laid away first")
    return None


def no_such_act(rule: str, option: str) -> Refusal:
    """The refusal of an act that this rule set does not have."""
    return Refusal(rule, f"these rules do not have it (option {option})")


def is_finale(state: State) -> bool:
    """Whether the running round is a finale, with more cards and without exchange, chance and signals (H-37)."""
    return state.dealt != 4


def leave_round(state: State, seat: int) -> None:
    """Put a hand away: the seat takes no further part in the round (R-FOLD-01)."""
    state.in_round &= ~(1 << seat)
    state.hands[seat] = 0
    state.discards_due &= ~(1 << seat)
    if state.claim is not None and state.claim.seat == seat:
        state.claim = None
    if seat in state.answer_queue:
        state.answer_queue.remove(seat)
    if seat in state.dood_queue:
        state.dood_queue.remove(seat)
    state.sealed_folds = [entry for entry in state.sealed_folds if entry[0] != seat]


def answers_blind(state: State) -> bool:
    """Whether a blind toep is being answered."""
    return bool(state.answer_queue) and state.question is Question.BLIND
