"""Whistling, singing and standing (R-FLUIT-01 to R-FLUIT-04, H-28)."""

from referee.cards import RANKS
from referee.game import ending, phases
from referee.game.common import is_finale, no_such_act, not_taking_part, something_is_due
from referee.game.records import Record, Signal
from referee.game.refusal import Refusal
from referee.game.state import Phase, State

WHISTLED = 1
STOOD = 2
MEANS = {"whistle": WHISTLED, "sing": WHISTLED, "stand": STOOD}
JACK, TEN = RANKS.index("J"), RANKS.index("T")


def check_signal(state: State, act: Signal) -> Refusal | None:
    if state.rules.signals == "off":
        return no_such_act("R-FLUIT-01", "signals")
    if refusal := not_taking_part(state, act.seat) or something_is_due(state):
        return refusal
    if is_finale(state):
        return Refusal("H-37", "there are no signals in a finale")
    if refusal := phases.shows_first(state):
        return refusal
    if state.played >> act.seat & 1:
        return Refusal("H-28", "signals are given before one's own first card")
    return None


def apply_signal(state: State, act: Signal) -> list[Record]:
    events: list[Record] = []
    phases.enter(state, Phase.PICKUP, events)
    state.signalled |= 1 << act.seat
    state.signs[act.seat] |= MEANS[act.sign]
    events.append(act)
    return events


def owed(state: State, hand: int) -> int:
    """The sign that a hand of four obliges to, `WHISTLED` or `STOOD`; 0 for none."""
    rules = state.rules
    for rank in (JACK, TEN):
        alike = (hand & phases.RANK_MASK[rank]).bit_count()
        if rank == JACK and rules.jacks_signal == "may":
            continue
        if alike == 3:
            return WHISTLED
        if alike == 4 and rules.four_alike == "stand":
            return STOOD
    return 0


def first_card(state: State, seat: int, hand: int, events: list[Record]) -> None:
    """A seat has played its first card from ``hand``: forgetting a sign may cost a point (R-FLUIT-04)."""
    if state.rules.signals != "penalty" or is_finale(state):
        return
    sign = owed(state, hand)
    if sign and not state.signs[seat] & sign:
        ending.penalise(state, seat, "R-FLUIT-04", events)
