"""Whose turn it is, when a trick is closed, and when a round is decided (R-TRICK-02, R-TRICK-03, H-08, H-09)."""

from msgspec import UNSET

from referee.cards import RANKS
from referee.game import ending, tricks
from referee.game.records import Record, Trick
from referee.game.state import DEAL, NOBODY, OVER, Closed, State

JACK = RANKS.index("J")


def settle(state: State, events: list[Record]) -> None:
    """Follow up an act that may have changed who is in or who has played: close the trick, end the round, or give
    the turn on. Does nothing while answers are outstanding or when no round is running."""
    if state.phase in (DEAL, OVER):
        return
    if state.in_round.bit_count() <= 1:
        # The last one in wins at once, also before all have answered (R-FOLD-04).
        ending.finish_round(state, events, winner=state.in_round.bit_length() - 1)
        return
    if state.answer_queue or state.dood_queue:
        return
    if not state.trick:
        if not state.in_round >> state.lead & 1:
            state.lead = state.next_seat(state.lead, state.in_round)
        state.turn = state.lead
        return
    to_play = state.in_round
    for seat, _ in state.trick:
        to_play &= ~(1 << seat)
    if to_play:
        state.turn = state.next_seat(state.trick[-1][0], to_play)
    else:
        close_trick(state, events)


def close_trick(state: State, events: list[Record]) -> None:
    """Every player still in has played: who wins, and who leads next."""
    winner = tricks.trick_winner(state)
    stays = bool(state.in_round >> winner & 1)
    trick, state.trick = state.trick, []
    if state.rules.revoke == "penalise":
        state.closed = Closed(state.trick_number, trick[0][0], tuple(trick))
    if state.trick_number < state.hand_size:
        state.trick_number += 1
        state.lead = state.turn = winner if stays else state.next_seat(winner, state.in_round)
        events.append(Trick(lead=state.lead, win=winner))
        return
    state.turn = NOBODY
    events.append(Trick(lead=UNSET, win=winner))
    # A folded card that wins the last trick makes a round without a winner; its player still deals (R-FOLD-03, H-05).
    if stays:
        ending.finish_round(state, events, winner, with_jack=dict(trick)[winner] % 8 == JACK)
    else:
        ending.finish_round(state, events, NOBODY, deals_next=winner)
