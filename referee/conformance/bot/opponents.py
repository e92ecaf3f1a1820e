"""Whoever else sits at the kit's tables: scripts that answer at once, in this process, as bots of the real hall."""

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from referee.cards import INDEX, NAMES, bits, by_rank_then_suit
from referee.game.game import BIT, PASS_BIT, Game
from referee.game.records import Challenge, Chance, Cut, Discard, Exchange, Fold, Play, Signal, Stay, Toep
from referee.game.sizes import DISCARDS
from referee.game.tricks import following
from referee.service.edge import SIGN_NUMBERS
from referee.service.hall import Hall
from referee.service.seating import Seating
from referee.table.messages import CARD, WINDOW
from referee.table.steps import PASS, Answer, Pass
from referee.v1 import play_pb2

PARALLEL: Final = 8192
TOEPING: Final = (int(CARD), int(WINDOW))
NAMED: Final = ("ann", "bob", "cor", "dee", "eve", "fay", "gus")

Script = Callable[[Game, play_pb2.Ask], Answer]
"""What a seat answers. It may look at the whole game: these are the referee's own players."""


def meek(game: Game, ask: play_pb2.Ask) -> Answer:
    """Passes whatever it can, goes along, and plays the lowest card that follows suit."""
    if ask.may & PASS_BIT:
        return PASS
    if ask.may & BIT[Stay]:
        return Stay(seat=ask.seat)
    if ask.may & BIT[Discard]:
        lowest = sorted(bits(ask.hand), key=by_rank_then_suit)[:DISCARDS]
        return Discard(cards=[NAMES[card] for card in sorted(lowest)], seat=ask.seat)
    card = min(bits(following(game, ask.seat) & ask.legal or ask.legal), key=by_rank_then_suit)
    return Play(card=NAMES[card], seat=ask.seat)


def loud(game: Game, ask: play_pb2.Ask) -> Answer:
    """Toeps whenever it may, unless it is asked to answer a toep."""
    if ask.may & BIT[Toep] and int(ask.kind) in TOEPING:
        return Toep(seat=ask.seat)
    return meek(game, ask)


def swapping(game: Game, ask: play_pb2.Ask) -> Answer:
    """Changes its hand once in a round."""
    if ask.may & BIT[Exchange] and not game.exchanged >> ask.seat & 1:
        return Exchange(seat=ask.seat)
    return meek(game, ask)


@dataclass(frozen=True)
class OneOf:
    """One seat plays a script, the others are meek."""

    seat: int
    script: Script

    def __call__(self, game: Game, ask: play_pb2.Ask) -> Answer:
        return self.script(game, ask) if ask.seat == self.seat else meek(game, ask)


WILD: Final = ((Exchange, 0.25), (Challenge, 0.3), (Chance, 0.7), (Toep, 0.12), (Fold, 0.3))
"""How likely a wild player does each of these when it may."""


def wild(game: Game, ask: play_pb2.Ask) -> Answer:
    """Draws from a generator that depends on the round and the ask alone, so that a table goes the same way again."""
    draw = random.Random(f"{game.round}/{ask.seat}/{ask.ask}")
    for kind, odds in WILD:
        if ask.may & BIT[kind] and draw.random() < odds:
            return kind(seat=ask.seat)
    if ask.may & BIT[Cut]:
        return Cut(at=draw.randint(1, 31), seat=ask.seat)
    return meek(game, ask)


def as_answer(act: Answer, table: int, ask: int) -> play_pb2.Answer:
    """An act as the message that a bot sends."""
    answer = play_pb2.Answer(table=table, ask=ask)
    if isinstance(act, Pass):
        answer.decline.until = act.until  # type: ignore[assignment]
        answer.decline.SetInParent()
        return answer
    part = getattr(answer, str(act.__struct_config__.tag))
    part.SetInParent()
    match act:
        case Play():
            part.card = INDEX[act.card] + 1
        case Discard():
            part.cards.extend(INDEX[card] + 1 for card in act.cards)
        case Cut():
            part.at = act.at
        case Signal():
            part.sign = SIGN_NUMBERS[act.sign]
    return answer


class Opponents:
    """The kit's players in one hall. To be used in ``async with``."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._seatings: dict[int, tuple[Seating, Script]] = {}
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> "Opponents":
        for name in NAMED:
            session = self._hall.connect(name, PARALLEL)
            self._tasks.append(asyncio.create_task(self._play(name, session.wake)))
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def names(self, bot: str, seat: int, seats: int) -> Sequence[str]:
        """Who sits where when the bot has this seat."""
        others = iter(NAMED)
        return [bot if place == seat else next(others) for place in range(seats)]

    def take(self, seating: Seating, script: Script) -> None:
        """Play a script at a table, on every seat but the bot's."""
        self._seatings[seating.number] = (seating, script)

    async def _play(self, name: str, wake: asyncio.Event) -> None:
        session = self._hall.sessions[name]
        while True:
            await wake.wait()
            batch = session.take_batch()
            asks = play_pb2.PlayResponse.FromString(batch).asks
            if answers := [self._answer(ask) for ask in asks]:
                self._hall.receive(session, answers)
            await asyncio.sleep(0)

    def _answer(self, ask: play_pb2.Ask) -> play_pb2.Answer:
        seating, script = self._seatings[ask.table]
        return as_answer(script(seating.table.game, ask), ask.table, ask.ask)
