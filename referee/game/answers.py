"""Answers to a toep, a blind toep or the opening of the poor (R-ANS-01 to R-ANS-03, R-DOOD-01 to R-DOOD-04)."""

from referee.game import flow, phases
from referee.game.common import leave_round, not_taking_part
from referee.game.records import Auto, Fold, Record, Stay
from referee.game.refusal import Refusal
from referee.game.state import Phase, Question, State


def ask_others(state: State, seat: int, question: Question) -> None:
    """A seat has raised the stake (set already): note it, and ask the others clockwise from its left.

    Automatic dood seats are left for the end (R-DOOD-03, H-19).
    """
    others = state.clockwise(seat, state.in_round & ~(1 << seat))
    state.answer_queue, state.dood_queue = others, []
    if state.rules.dood == "auto":
        state.dood_queue = sorted(other for other in others if is_dood(state, other))
        state.answer_queue = [other for other in others if other not in state.dood_queue]
    state.toeper = seat
    state.question = question
    state.accepted[seat] = state.stake


def is_dood(state: State, seat: int) -> bool:
    """Whether a seat has accepted a stake that takes it to the limit (R-DOOD-01)."""
    return state.raw[seat] + state.accepted[seat] >= state.rules.limit


def may_answer(state: State, seat: int) -> bool:
    """Whether it is this seat's turn to answer; sealed answers have no order (R-ANS-01, R-ANS-02)."""
    if not state.answer_queue:
        return False
    if state.rules.answers == "simultaneous":
        return seat in state.answer_queue
    return state.answer_queue[0] == seat


def must_stay(state: State, seat: int) -> bool:
    """Whether a seat has folded so often in a row that it has to go along now (R-LIJN-01)."""
    return 0 < state.rules.folds_in_row <= state.folds[seat]


def opening_answers(state: State) -> list[int]:
    """Who would be asked if the poor opened now: before P6 is open its first answer opens it (R-ARM-04)."""
    if state.answer_queue or phases.discards_come_first(state) or phases.shows_first(state):
        return []
    return phases.armoede(state)[1]


def check_answer(state: State, act: Stay | Fold) -> Refusal | None:
    seat = act.seat
    if refusal := not_taking_part(state, seat):
        return refusal
    waiting = state.answer_queue or opening_answers(state)
    if not waiting:
        if type(act) is Fold:
            return Refusal("R-FOLD-06", "there is no toep to answer; one folds only as an answer")
        return Refusal("R-TURN-01", "there is no toep to answer")
    if not state.answer_queue:
        sealed = state.rules.answers == "simultaneous"
        if seat not in waiting or (not sealed and seat != waiting[0]):
            return Refusal("R-ANS-01", f"seat {waiting[0]} answers first, clockwise from the player in armoede")
    elif seat == state.toeper and type(act) is Fold:
        return Refusal("R-FOLD-05", "you cannot fold on your own toep")
    elif not may_answer(state, seat):
        return Refusal("R-ANS-01", f"seat {waiting[0]} answers first; answers go clockwise from the toeper")
    if type(act) is Fold and must_stay(state, seat):
        times = state.rules.folds_in_row
        return Refusal("R-LIJN-01", f"you have folded {times} times in a row and must go along")
    return None


def apply_stay(state: State, act: Stay) -> list[Record]:
    events: list[Record] = []
    _open(state, events)
    seat = act.seat
    state.answer_queue.remove(seat)
    state.accepted[seat] = state.stake
    state.folds[seat] = 0
    events.append(act)
    finish(state, events)
    return events


def apply_fold(state: State, act: Fold) -> list[Record]:
    events: list[Record] = []
    _open(state, events)
    seat = act.seat
    state.answer_queue.remove(seat)
    pay = state.accepted[seat]
    state.folds[seat] += 1
    events.append(Fold(by=act.by, ms=act.ms, pay=pay, seat=seat))
    if state.rules.answers == "simultaneous":
        state.sealed_folds.append((seat, pay))
    else:
        _fold(state, seat, pay)
    finish(state, events)
    return events


def _open(state: State, events: list[Record]) -> None:
    """The first answer to the poor opens P6."""
    if not state.answer_queue:
        phases.enter(state, Phase.ARMOEDE, events)


def _fold(state: State, seat: int, pay: int) -> None:
    state.raw[seat] += pay
    if state.question is Question.BLIND:
        state.declined |= 1 << seat
    leave_round(state, seat)


def finish(state: State, events: list[Record]) -> None:
    """When nobody is left to ask: sealed folds show, automatic seats are settled, and play goes on where it stopped.

    A sole dood opponent of the toeper is asked like anybody else (R-DOOD-04). Whoever is left alone because the others
    gave up has won at once, also if his own answer is a sealed fold (R-FOLD-04).
    """
    if state.in_round.bit_count() > 1:
        if state.answer_queue:
            return
        for seat, pay in list(state.sealed_folds):
            _fold(state, seat, pay)
    automatic, state.dood_queue = state.dood_queue, []
    if automatic and state.in_round.bit_count() > 1:
        if (state.in_round & ~(1 << state.toeper)).bit_count() == 1:
            state.answer_queue = automatic
            return
        for seat in automatic:
            state.accepted[seat] = state.stake
            state.folds[seat] = 0
        events.append(Auto(seats=automatic))
    flow.settle(state, events)
