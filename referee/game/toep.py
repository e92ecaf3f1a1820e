"""The toep, the answers to it, and playing for dood (R-TOEP-01 to R-DOOD-04, H-01, H-02)."""

from referee.game import flow
from referee.game.common import leave_round, not_taking_part
from referee.game.records import Auto, Fold, Record, Stay, Toep
from referee.game.refusal import Refusal
from referee.game.state import NOBODY, Phase, State

WHY = {
    "H-02": "a toep is being answered; toep again when the answers are in",
    "R-TOEP-02": "under these rules only the player on turn may toep",
    "R-TOEP-04": "the last toep was yours; another player must toep first",
    "R-TOEP-08": "the raised stake would be more than you have left",
}


def barred(state: State, seat: int) -> str:
    """The rule that keeps a seat of the running round from toeping now; empty when it may."""
    if state.answer_queue:
        return "H-02"
    rules = state.rules
    if rules.toep_who == "on_turn" and seat != state.turn:
        return "R-TOEP-02"
    if state.toeper == seat:
        return "R-TOEP-04"
    if state.raw[seat] + state.stake >= rules.limit:
        return "R-TOEP-08"
    return ""


def check_toep(state: State, act: Toep) -> Refusal | None:
    if state.phase is Phase.DEAL and state.deals and state.in_game >> act.seat & 1:
        return Refusal("H-03", "the round is over: the last card has fallen or everybody else has folded")
    if refusal := not_taking_part(state, act.seat):
        return refusal
    if rule := barred(state, act.seat):
        return Refusal(rule, WHY[rule])
    return None


def apply_toep(state: State, act: Toep) -> list[Record]:
    flow.open_play(state)
    seat = act.seat
    others = [other for other in state.clockwise(seat, state.in_round) if other != seat]
    state.dood_queue = sorted(other for other in others if is_dood(state, other)) if state.rules.dood == "auto" else []
    state.answer_queue = [other for other in others if other not in state.dood_queue]
    state.stake += 1
    state.toeper = seat
    state.accepted[seat] = state.stake
    events: list[Record] = [Toep(by=act.by, ms=act.ms, seat=seat, stake=state.stake)]
    finish_answers(state, events)
    return events


def is_dood(state: State, seat: int) -> bool:
    """Whether a seat has accepted a stake that takes it to the limit (R-DOOD-01)."""
    return state.raw[seat] + state.accepted[seat] >= state.rules.limit


def check_answer(state: State, act: Stay | Fold) -> Refusal | None:
    if refusal := not_taking_part(state, act.seat):
        return refusal
    if not state.answer_queue:
        if type(act) is Fold:
            return Refusal("R-FOLD-06", "there is no toep to answer; one folds only as an answer")
        return Refusal("R-TURN-01", "there is no toep to answer")
    if act.seat == state.toeper and type(act) is Fold:
        return Refusal("R-FOLD-05", "you cannot fold on your own toep")
    if act.seat != state.answer_queue[0]:
        return Refusal("R-ANS-01", f"seat {state.answer_queue[0]} answers first; answers go clockwise from the toeper")
    return None


def apply_stay(state: State, act: Stay) -> list[Record]:
    state.answer_queue.pop(0)
    state.accepted[act.seat] = state.stake
    events: list[Record] = [act]
    finish_answers(state, events)
    return events


def apply_fold(state: State, act: Fold) -> list[Record]:
    seat = act.seat
    state.answer_queue.pop(0)
    pay = state.accepted[seat]
    state.raw[seat] += pay
    leave_round(state, seat)
    events: list[Record] = [Fold(by=act.by, ms=act.ms, pay=pay, seat=seat)]
    finish_answers(state, events)
    return events


def finish_answers(state: State, events: list[Record]) -> None:
    """When nobody is left to ask: settle the automatic seats, then go on where play stopped (R-ANS-03).

    A sole dood opponent of the toeper is asked like anybody else (R-DOOD-04).
    """
    if state.answer_queue and state.in_round.bit_count() > 1:
        return
    automatic, state.dood_queue = state.dood_queue, []
    if automatic and state.in_round.bit_count() > 1:
        opponents = state.in_round & ~(1 << state.toeper) if state.toeper != NOBODY else state.in_round
        if opponents.bit_count() == 1:
            state.answer_queue = automatic
            return
        for seat in automatic:
            state.accepted[seat] = state.stake
        events.append(Auto(seats=automatic))
    flow.settle(state, events)
