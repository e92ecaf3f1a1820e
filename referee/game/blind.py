"""P2: toeps before anybody has seen a card, and looking too early (R-BLIND-01 to R-BLIND-07, R-DEAL-04)."""

from referee.game import answers, ending, flow
from referee.game.common import answers_blind, no_such_act, not_taking_part, something_is_due
from referee.game.records import Blind, Peek, Record
from referee.game.refusal import Refusal
from referee.game.state import Phase, Question, State


def check_blind(state: State, act: Blind) -> Refusal | None:
    rules, seat = state.rules, act.seat
    if not rules.blind:
        return no_such_act("R-BLIND-01", "blind")
    if refusal := not_taking_part(state, seat):
        return refusal
    if answers_blind(state):
        return Refusal("H-02", "a blind toep is being answered")
    if refusal := something_is_due(state):
        return refusal
    if state.phase > Phase.BLIND or state.question is Question.BLIND:
        return Refusal("R-BLIND-01", "a blind toep comes before hands are picked up, and once in a round")
    if state.peeked:
        return Refusal("R-BLIND-06", "somebody has looked at his cards")
    points = [state.points(other) for other in range(state.seats) if state.in_game >> other & 1]
    if rules.limit - 1 in points:
        return Refusal("R-BLIND-06", "somebody is one point before the limit")
    if rules.blind_who == "most_points" and state.points(seat) < max(points):
        return Refusal("R-BLIND-05", "only who has the most points may toep blind")
    if state.raw[seat] + rules.blind_stake > rules.limit:
        return Refusal("R-TOEP-08", "the stake would be more than you have left")
    return None


def apply_blind(state: State, act: Blind) -> list[Record]:
    seat = act.seat
    state.stake = state.rules.blind_stake
    state.lead = seat
    events: list[Record] = [Blind(by=act.by, ms=act.ms, seat=seat, stake=state.stake)]
    answers.ask_others(state, seat, Question.BLIND)
    answers.finish(state, events)
    return events


def check_peek(state: State, act: Peek) -> Refusal | None:
    seat = act.seat
    if not state.rules.blind:
        return no_such_act("R-DEAL-04", "blind")
    decliner = state.phase not in (Phase.DEAL, Phase.OVER) and state.declined & state.in_game & (1 << seat)
    if not decliner and (refusal := not_taking_part(state, seat)):
        return refusal
    if refusal := something_is_due(state):
        return refusal
    if decliner:
        if state.peeked >> seat & 1:
            return Refusal("R-BLIND-04", "you have looked already")
        return None
    if state.phase > Phase.BLIND or state.question is Question.BLIND:
        return Refusal("R-DEAL-04", "it is not too early to look any more")
    if state.peeked >> seat & 1:
        return Refusal("R-DEAL-04", "you have looked already")
    return None


def apply_peek(state: State, act: Peek) -> list[Record]:
    seat = act.seat
    state.peeked |= 1 << seat
    state.seen |= 1 << seat
    events: list[Record] = [act]
    ending.penalise(state, seat, "R-BLIND-04" if state.declined >> seat & 1 else "R-DEAL-04", events)
    if not state.plays and ending.reached_limit(state, seat):
        ending.die(state, seat, "penalty", events)
        flow.settle(state, events)
    return events
