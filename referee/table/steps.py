"""The steps of a round: who is asked at once, and which of their answers takes effect.

A step is a set of asks, some required and some windows, whose answers are collected and turned into at most one
effective act by one total function. So the order in which packets arrive never matters, and one log follows from one
set of answers.
"""

from collections.abc import Mapping
from typing import Final, Protocol, TypeVar

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


StepAsk = tuple[int, AskKind, bool, int, int]
"""One ask of a step: seat, kind, whether an act is required, mask of legal cards, flags of other acts."""


class Bid(Protocol):
    """A seat's act in a step."""

    @property
    def act(self) -> AnyAct: ...


B = TypeVar("B", bound=Bid)


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
        return Step(AskKind.ANSWER, [(seat, AskKind.ANSWER, True, 0, game.may(seat))], seat)
    if game.phase is Phase.EXCHANGE:
        if game.claim is not None and not checked:
            return _windows(game, AskKind.CHECK, quiet, game.next_seat(game.claim.seat, game.in_round))
        if not exchanges_done:
            return _windows(game, AskKind.EXCHANGE, quiet, game.next_seat(game.dealer, game.in_round))
    return _card(game, quiet)


def _windows(game: Game, kind: AskKind, quiet: int, first: int) -> Step:
    flags = STEP_FLAGS[kind]
    asks: list[StepAsk] = [
        (seat, kind, False, 0, may | PASS_BIT)
        for seat in range(game.seats)
        if not quiet >> seat & 1 and (may := game.may(seat) & flags)
    ]
    return Step(kind, asks, first)


def _card(game: Game, quiet: int) -> Step:
    turn = game.turn
    flags = STEP_FLAGS[AskKind.WINDOW]
    asks: list[StepAsk] = []
    for seat in range(game.seats):
        if seat == turn:
            asks.append((seat, AskKind.CARD, True, game.playable(seat), game.may(seat) & flags))
        elif not quiet >> seat & 1 and (may := game.may(seat) & flags):
            asks.append((seat, AskKind.WINDOW, False, 0, may | PASS_BIT))
    return Step(AskKind.CARD, asks, turn)


def effective(game: Game, step: Step, bids: Mapping[int, B]) -> B | None:
    """The one act that takes effect, or None when every window was declined; ``bids`` are by seat.

    Giving up comes first, then a toep (or whatever a window is for), the first clockwise from ``step.first``; a card
    falls only when nobody did anything else (H-01).
    """
    if len(bids) <= 1:
        return next(iter(bids.values()), None)
    seats = game.seats
    order = [bids[seat] for seat in sorted(bids, key=lambda seat: (seat - step.first) % seats)]
    for bid in order:
        if type(bid.act) is Resign:
            return bid
    for bid in order:
        if type(bid.act) is not Play:
            return bid
    return order[0]
