"""The steps of a round: who is asked at once, and which of their answers takes effect.

A step is a set of asks, some required and some windows, whose answers are collected and turned into at most one
effective act by one total function. So the order in which packets arrive never matters, and one log follows from one
set of answers.
"""

from collections.abc import Container, Mapping
from typing import Final, Protocol, TypeVar

from msgspec import Struct

from referee.game.game import BIT, PASS_BIT, Game
from referee.game.records import (
    Act,
    AnyAct,
    Blind,
    Challenge,
    Chance,
    Confess,
    Cut,
    Discard,
    Exchange,
    Fold,
    Peek,
    Play,
    Resign,
    Signal,
    Stay,
    Toep,
)
from referee.game.state import Phase
from referee.game.toep import who_may
from referee.table.messages import ANSWER, BLIND, CARD, CHANCE, CHECK, CUT, DISCARD, EXCHANGE, WINDOW, AskKind


class Pass(Struct, frozen=True, gc=False):
    """A window that is not used. ``until`` declines ahead: 0 this one, 1 till the trick is closed, 2 the round."""

    until: int = 0


PASS: Final = Pass()
Answer = AnyAct | Pass

STEP_ACTS: Final[dict[AskKind, tuple[type[Act], ...]]] = {
    CUT: (Cut,),
    BLIND: (Blind, Peek),
    CHANCE: (Chance,),
    EXCHANGE: (Exchange,),
    CHECK: (Challenge,),
    ANSWER: (Stay, Fold, Toep),
    DISCARD: (Discard,),
    CARD: (Play, Toep, Signal, Confess),
    WINDOW: (Toep, Signal, Confess),
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


def next_step(game: Game, quiet: int, done: Container[AskKind]) -> Step | Phase:
    """The step that is due; or the phase to close, because nobody uses its windows (any more).

    ``quiet`` is the mask of seats that declined ahead; ``done`` has the windows of this round that nobody used.
    """
    rules = game.rules
    if game.answer_queue:
        return _answers(game)
    if game.cut_open:
        return _windows(game, CUT, quiet, game.dealer)
    phase = game.phase
    if phase is Phase.BLIND:
        return phase if BLIND in done else _windows(game, BLIND, quiet, game.dealer)
    if game.discards_due:
        due = [seat for seat in range(game.seats) if game.discards_due >> seat & 1]
        return Step(DISCARD, [(seat, DISCARD, True, 0, BIT[Discard]) for seat in due], due[0])
    if phase < Phase.ARMOEDE:
        if rules.chance and CHANCE not in done:
            return _windows(game, CHANCE, quiet, game.dealer)
        if game.claim is not None and CHECK not in done:
            return _windows(game, CHECK, quiet, game.claim.seat)
        if rules.exchange != "off" and EXCHANGE not in done:
            return _windows(game, EXCHANGE, quiet, game.dealer)
        return Phase.EXCHANGE
    return _card(game, quiet)


def _answers(game: Game) -> Step:
    """One seat at a time clockwise, or all at once where answers are sealed."""
    kind = ANSWER
    sealed = game.rules.answers == "simultaneous"
    seats = sorted(game.answer_queue) if sealed else game.answer_queue[:1]
    return Step(kind, [(seat, kind, True, 0, game.may(seat)) for seat in seats], seats[0])


def _windows(game: Game, kind: AskKind, quiet: int, before: int) -> Step:
    """Windows for everybody who may; the first seat clockwise after ``before`` comes first."""
    flags = STEP_FLAGS[kind]
    asks: list[StepAsk] = [
        (seat, kind, False, 0, may | PASS_BIT)
        for seat in range(game.seats)
        if not quiet >> seat & 1 and (may := game.may(seat) & flags)
    ]
    return Step(kind, asks, (before + 1) % game.seats)


def _card(game: Game, quiet: int) -> Step:
    """The card that is due, and everybody else's window. A sign is given once, or the step would never end."""
    turn = game.turn
    asks: list[StepAsk] = []
    only_toeps = game.phase is Phase.PLAY and game.rules.signals == "off" and game.rules.revoke == "reject"
    toepers = who_may(game) if only_toeps else 0
    for seat in range(game.seats):
        if seat != turn and quiet >> seat & 1:
            continue
        if only_toeps:
            may = TOEP_FLAG if toepers >> seat & 1 else 0
        else:
            may = game.may(seat) & CARD_FLAGS
            if game.signalled >> seat & 1:
                may &= ~BIT[Signal]
        if seat == turn:
            asks.append((seat, CARD, True, game.playable(seat), may))
        elif may:
            asks.append((seat, WINDOW, False, 0, may | PASS_BIT))
    return Step(CARD, asks, turn)


TOEP_FLAG: Final = BIT[Toep]
CARD_FLAGS: Final = STEP_FLAGS[WINDOW]
ALL_COUNT: Final = (ANSWER, DISCARD, CHANCE)
"""Steps in which every act counts."""


def effective(game: Game, step: Step, bids: Mapping[int, B]) -> list[B]:
    """The acts that take effect, in that order; none when every window was declined. ``bids`` are by seat.

    Giving up comes first. Sealed answers and discards all count, in seat order; so do chance draws and early looks,
    clockwise. Otherwise one act counts, the first clockwise from ``step.first``: a confession, else a toep (or whatever
    the window is for, H-01), else every sign that was given, in seat order, else the card.
    """
    if len(bids) <= 1:
        return list(bids.values())
    seats = game.seats
    order = [bids[seat] for seat in sorted(bids, key=lambda seat: (seat - step.first) % seats)]
    for bid in order:
        if type(bid.act) is Resign:
            return [bid]
    if step.kind is CHANCE:
        return order
    if step.kind in ALL_COUNT:
        return [bids[seat] for seat in sorted(bids)]
    for first in FIRST_COMES:
        for bid in order:
            if type(bid.act) in first:
                return [bid]
    if signs := [bids[seat] for seat in sorted(bids) if type(bids[seat].act) is Signal]:
        return signs
    return order if step.kind is BLIND else order[:1]


FIRST_COMES: Final[tuple[tuple[type[Act], ...], ...]] = ((Confess,), (Cut, Blind, Exchange, Challenge, Toep))
"""Acts of which only the first in a step counts: the former before the latter."""
