"""Giving up: resignation, forfeit, and a round that counts for nothing."""

from referee.game import answers, ending
from referee.game.records import Forfeit, Record, Resign, Void
from referee.game.refusal import Refusal
from referee.game.state import Phase, State


def check_give_up(state: State, act: Resign | Forfeit) -> Refusal | None:
    """A player may give up at any time of a round, also while others must answer."""
    if state.phase is Phase.OVER:
        return Refusal("R-TURN-01", "the game is over")
    if not 0 <= act.seat < state.seats or not state.in_game >> act.seat & 1:
        return Refusal("R-OUT-01", "this seat is not in the game")
    if state.phase is Phase.DEAL:
        return Refusal("R-TURN-01", "no round is being played: the cards are not dealt")
    return None


def apply_give_up(state: State, act: Resign | Forfeit) -> list[Record]:
    """Points to the limit, the hand is dead, the seat is out; the others play on where the rules let them."""
    events: list[Record] = [act]
    seat = act.seat
    state.raw[seat] = max(state.raw[seat], state.rules.limit)
    if type(act) is Forfeit:
        state.status = "forfeited"
    ending.die(state, seat, "forfeit" if type(act) is Forfeit else "resign", events)
    if state.phase not in (Phase.DEAL, Phase.OVER):
        answers.finish(state, events)
    return events


def check_void(state: State, _: Void) -> Refusal | None:
    if state.phase in (Phase.DEAL, Phase.OVER):
        return Refusal("R-TURN-01", "no round is being played")
    return None


def apply_void(state: State, act: Void) -> list[Record]:
    """The round counts for nothing, and the same dealer deals again."""
    events: list[Record] = [act]
    ending.void(state, events)
    return events
