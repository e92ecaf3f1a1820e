"""The steps of a round: who is asked at once, and which of their answers takes effect.

A step is a set of asks, some required and some windows, whose answers are collected and turned into at most one
effective act by one total function. So the order in which packets arrive never matters, and one log follows from one
set of answers.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from referee.game.game import BIT, PASS_BIT, Game
from referee.game.records import Act, AnyAct, Challenge, Exchange, Fold, Play, Resign, Stay, Toep
from referee.game.state import Phase
from referee.table.messages import AskKind


class Pass(Struct, frozen=True, gc=False):
    """A window that is not used. ``until`` declines ahead: 0 this one, 1 till the trick is closed, 2 the round."""

    until: int = 0


PASS: Final = Pass()
Answer = AnyAct | Pass

STEP_ACTS: Final[dict[AskKind, tuple[type[Act], ...]]] = {
    AskKind.CARD: (Play, Toep),
    AskKind.WINDOW: (Toep,),
    AskKind.ANSWER: (Stay, Fold),
    AskKind.EXCHANGE: (Exchange,),
    AskKind.CHECK: (Challenge,),
}
"""The acts that each kind of ask takes; resigning is an answer to any ask."""

STEP_FLAGS: Final = {kind: sum(BIT[act] for act in acts if act is not Play) for kind, acts in STEP_ACTS.items()}


class StepAsk(Struct, gc=False):
    """One ask of a step."""

    seat: int
    kind: AskKind
    required: bool
    legal: int
    may: int


class Step(Struct):
    """What is asked at once. ``first`` is the seat whose act comes first where several could take effect."""

    kind: AskKind
    asks: list[StepAsk]
    first: int


def next_step(game: Game, quiet: int, checked: bool, exchanges_done: bool) -> Step:
    """The step that is due in the running round.

    ``quiet`` is the mask of seats that declined ahead; ``checked``: the latest exchange has had its check window;
    ``exchanges_done``: nobody wanted to exchange (any more).
    """
    if game.answer_queue:
        seat = game.answer_queue[0]
        return Step(AskKind.ANSWER, [StepAsk(seat, AskKind.ANSWER, True, 0, game.may(seat))], seat)
    if game.phase is Phase.EXCHANGE:
        if game.claim is not None and not checked:
            return _windows(game, AskKind.CHECK, quiet, game.next_seat(game.claim.seat, game.in_round))
        if not exchanges_done:
            return _windows(game, AskKind.EXCHANGE, quiet, game.next_seat(game.dealer, game.in_round))
    return _card(game, quiet)


def _windows(game: Game, kind: AskKind, quiet: int, first: int) -> Step:
    flags = STEP_FLAGS[kind]
    asks = [
        StepAsk(seat, kind, False, 0, may | PASS_BIT)
        for seat in range(game.seats)
        if not quiet >> seat & 1 and (may := game.may(seat) & flags)
    ]
    return Step(kind, asks, first)


def _card(game: Game, quiet: int) -> Step:
    turn = game.turn
    flags = STEP_FLAGS[AskKind.WINDOW]
    asks = []
    for seat in range(game.seats):
        if seat == turn:
            asks.append(StepAsk(seat, AskKind.CARD, True, game.playable(seat), game.may(seat) & flags))
        elif not quiet >> seat & 1 and (may := game.may(seat) & flags):
            asks.append(StepAsk(seat, AskKind.WINDOW, False, 0, may | PASS_BIT))
    return Step(AskKind.CARD, asks, turn)


def effective(game: Game, step: Step, answers: Mapping[int, Answer]) -> AnyAct | None:
    """The one act that takes effect, or None when every window was declined.

    Giving up comes first, then a toep (or whatever a window is for), the first clockwise from ``step.first``; a card
    falls only when nobody did anything else (H-01).
    """
    order = [step.first, *(seat for seat in game.clockwise(step.first, (1 << game.seats) - 1) if seat != step.first)]
    acts = [act for seat in order if isinstance(act := answers.get(seat, PASS), Act)]
    for act in acts:
        if type(act) is Resign:
            return act
    for act in acts:
        if type(act) is not Play:
            return act
    return acts[0] if acts else None
