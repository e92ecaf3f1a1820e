"""Revokes that are played and punished, instead of refused (R-VERZ-01 to R-VERZ-04, H-39, H-40).

Nobody accuses: a revoke shows itself when its seat later plays a card of the suit that it had denied. So nothing that a
seat sees or may do depends on cards it cannot see.
"""

from typing import Final

from referee.cards import NAMES, SUIT_MASK
from referee.game import ending, flow
from referee.game.common import leave_round, no_such_act, not_taking_part, something_is_due
from referee.game.records import Confess, Record, Void
from referee.game.refusal import Refusal
from referee.game.state import Denial, State

PRICE: Final = 3
"""What a revoke costs that comes out too late (R-VERZ-04)."""


def note(state: State, seat: int, card: int) -> None:
    """Remember a card that is about to be played off the led suit."""
    if state.trick and card >> 3 != (suit := state.trick[0][1] >> 3):
        held = bool(state.hands[seat] & SUIT_MASK[suit])
        state.denials.append(Denial(seat, suit, len(state.plays), held))


def is_proven(state: State, seat: int, card: int) -> bool:
    """Whether the card just played is of a suit that its seat has denied in this round."""
    return any(denial.seat == seat and denial.suit == card >> 3 for denial in state.denials)


def stop_round(state: State, seat: int, events: list[Record]) -> None:
    """The round counts for nothing, and the revoker pays (R-VERZ-04)."""
    state.penalties[seat] += PRICE
    events.append(Void(why="revoke"))
    ending.void(state, events)


def latest(state: State, seat: int) -> Denial | None:
    """A seat's latest revoke of this round."""
    for denial in reversed(state.denials):
        if denial.seat == seat and denial.revoke:
            return denial
    return None


def check_confess(state: State, act: Confess) -> Refusal | None:
    if state.rules.revoke == "reject":
        return no_such_act("R-VERZ-01", "revoke")
    if refusal := not_taking_part(state, act.seat) or something_is_due(state):
        return refusal
    if latest(state, act.seat) is None:
        return Refusal("R-VERZ-02", "you have not revoked in this round")
    return None


def apply_confess(state: State, act: Confess) -> list[Record]:
    """In time the card comes back; one card later it costs a fold and one more; later still, the round is stopped."""
    seat = act.seat
    denial = latest(state, seat)
    assert denial is not None
    _, _, card = state.plays[denial.play]
    later = len(state.plays) - denial.play - 1
    if later == 0:
        _take_back(state, denial, card)
        return [Confess(by=act.by, card=NAMES[card], ms=act.ms, seat=seat)]
    if later == 1:
        price = state.stake + 1
        state.raw[seat] += price
        state.struck |= 1 << card
        leave_round(state, seat)
        events: list[Record] = [Confess(by=act.by, ms=act.ms, pay=price, seat=seat)]
        flow.settle(state, events)
        return events
    events = [Confess(by=act.by, ms=act.ms, pay=PRICE, seat=seat)]
    stop_round(state, seat, events)
    return events


def _take_back(state: State, denial: Denial, card: int) -> None:
    """Undo the card; a trick that it closed is open again. What was answered in between stands (R-VERZ-02)."""
    seat = denial.seat
    state.plays.pop()
    state.denials.remove(denial)
    if not state.trick:
        closed = state.closed
        assert closed is not None
        state.trick_number, state.lead, state.trick = closed.number, closed.lead, list(closed.plays)
    state.trick.pop()
    state.hands[seat] |= 1 << card
    # Its hand is whole again, so it was the first one; of a round that began late the first ones had fallen before.
    if state.hands[seat].bit_count() == state.hand_size:
        state.played &= ~(1 << seat)
    state.turn = seat
    state.must_follow |= 1 << seat
