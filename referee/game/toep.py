"""P7: the toep (R-TOEP-01 to R-TOEP-08, H-01 to H-03, R-ARM-09)."""

from referee.game import answers, phases
from referee.game.common import not_taking_part
from referee.game.records import Record, Toep
from referee.game.refusal import Refusal
from referee.game.state import DEAL, NOBODY, PLAY, Question, State

WHY = {
    "H-02": "a toep is being answered; toep again when the answers are in",
    "R-ARM-09": "a player in armoede may not toep in this round",
    "R-TOEP-02": "under these rules only the player on turn may toep",
    "R-TOEP-04": "the last toep was yours; another player must toep first",
    "R-TOEP-08": "the raised stake would be more than you have left",
    **phases.NOT_YET,
}


def barred(state: State, seat: int) -> str:
    """The rule that keeps a seat of the running round from toeping now; empty when it may."""
    rules = state.rules
    if state.answer_queue:
        if not (rules.overtoep_as_answer and state.question is Question.TOEP and answers.may_answer(state, seat)):
            return "H-02"
    elif state.phase < PLAY and (rule := phases.not_yet(state)):
        return rule
    if rules.toep_who == "on_turn" and seat != phases.on_turn(state) and not state.answer_queue:
        return "R-TOEP-02"
    if state.toeper == seat:
        return "R-TOEP-04"
    if state.poor >> seat & 1:
        return "R-ARM-09"
    if state.raw[seat] + state.stake >= rules.limit:
        return "R-TOEP-08"
    return ""


def who_may(state: State) -> int:
    """The mask of seats that may toep now: `barred` for all at once, while cards are played and nobody must answer."""
    if state.phase is not PLAY or state.answer_queue:
        raise ValueError("only while cards are played")
    rules = state.rules
    open_to = state.in_round & ~state.poor
    if rules.toep_who == "on_turn":
        open_to &= 1 << state.turn
    if state.toeper != NOBODY:
        open_to &= ~(1 << state.toeper)
    room = rules.limit - state.stake
    for seat, raw in enumerate(state.raw):
        if raw >= room:
            open_to &= ~(1 << seat)
    return open_to


def check_toep(state: State, act: Toep) -> Refusal | None:
    between = state.phase is DEAL and state.deals and not state.cut_open
    if between and 0 <= act.seat < state.seats and state.in_game >> act.seat & 1:
        return Refusal("H-03", "the round is over: the last card has fallen or everybody else has folded")
    if refusal := not_taking_part(state, act.seat):
        return refusal
    if rule := barred(state, act.seat):
        return Refusal(rule, WHY[rule])
    return None


def apply_toep(state: State, act: Toep) -> list[Record]:
    events: list[Record] = []
    if state.phase is not PLAY:
        phases.enter(state, PLAY, events)
    seat = act.seat
    state.stake += 1
    if state.answer_queue:
        state.folds[seat] = 0
    events.append(Toep(by=act.by, ms=act.ms, seat=seat, stake=state.stake))
    answers.ask_others(state, seat, Question.TOEP)
    answers.finish(state, events)
    return events
