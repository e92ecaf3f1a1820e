"""Bots: each knows what its stream brought it, as bytes, and nothing else. Some are good, some rude, some are gone."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from referee.cards import PACK_SIZE, bits
from referee.v1 import acts_pb2 as acts
from referee.v1 import play_pb2 as wire
from tests.simulation.network import Stream

PLAIN: Final = {
    acts.ACT_KIND_BLIND: "blind",
    acts.ACT_KIND_PEEK: "peek",
    acts.ACT_KIND_CHANCE: "chance",
    acts.ACT_KIND_EXCHANGE: "exchange",
    acts.ACT_KIND_CHALLENGE: "challenge",
    acts.ACT_KIND_TOEP: "toep",
    acts.ACT_KIND_STAY: "stay",
    acts.ACT_KIND_FOLD: "fold",
    acts.ACT_KIND_CONFESS: "confess",
}
"""The acts that have no fields, and how an answer calls them."""

PASS: Final = 1 << acts.ACT_KIND_PASS
TOO_MANY: Final = 4097


@dataclass
class Manners:
    """What a bot is like. Rates are for each ask or message, times in milliseconds."""

    eager: float = 0.1
    """Uses a window, or another act than a card."""
    ahead: float = 0.0
    """Declines ahead."""
    think: int = 20
    edge: float = 0.0
    """Thinks until just about its budget, before or after."""
    silent: float = 0.0
    illegal: float = 0.0
    malformed: float = 0.0
    double: float = 0.0
    """Answers twice."""
    stale: float = 0.0
    """Answers an old ask again."""
    astray: float = 0.0
    """Answers for another seat or table."""
    shuffles: float = 0.0
    """Keeps answers back, and sends them together in another order."""
    resigns: float = 0.0
    leaves: float = 0.0
    abuses: float = 0.0
    """Breaks the protocol of the stream itself."""
    parallel: int = 1
    returns: float = 1.0
    """Dials in again after its link was lost."""
    pause: int = 500
    """How long that takes it, at most."""
    forgets: float = 0.0
    """It was the process that died: it knows nothing any more."""


@dataclass
class Memory:
    """What a bot has heard."""

    seats: dict[tuple[int, int], Any] = field(default_factory=dict)
    states: dict[int, Any] = field(default_factory=dict)
    asks: dict[tuple[int, int], wire.Ask] = field(default_factory=dict)
    """The latest ask by table and seat."""
    over: set[int] = field(default_factory=set)
    answered: list[wire.Answer] = field(default_factory=list)


class Bot:
    """One bot, through all of its streams."""

    def __init__(
        self,
        name: str,
        manners: Manners,
        rng: random.Random,
        dial: Callable[["Bot"], Stream],
        fault: Callable[[str, str], None],
    ) -> None:
        self.name: Final = name
        self.manners: Final = manners
        self.memory = Memory()
        self.stream: Stream | None = None
        self.gone = False
        """It does not come back."""
        self.left = False
        """It has said goodbye in mid-match."""
        self._rng = rng
        self._dial = dial
        self._fault = fault
        self._kept: list[wire.Answer] = []
        self._vain = 0
        """How often it dialled since it was last told something of a table."""
        self._loop = asyncio.get_running_loop()

    # -- coming and going ------------------------------------------------------------------------------------------

    def connect(self) -> None:
        if self.gone or (self.stream is not None and self.stream.open):
            return
        self.stream = self._dial(self)
        protocol = 1
        if self._rng.random() < self.manners.abuses:
            self._fault("wrong protocol in Hello", self.name)
            protocol = 7
        self.stream.send(
            wire.PlayRequest(hello=wire.Hello(protocol=protocol, bot=self.name, parallel=self.manners.parallel))
        )

    def ended(self, stream: Stream, code: str) -> None:
        if stream is not self.stream:
            return
        if self._rng.random() < self.manners.forgets:
            self._fault("bot restarted", self.name)
            self.memory = Memory()
            self._kept.clear()
        if code == "OK" or self._rng.random() >= self.manners.returns:
            self.gone = code != "OK"
            if self.gone:
                self._fault("bot never returns", self.name)
            return
        self._vain = min(self._vain + 1, 10)
        self._loop.call_later(self._vain * self._rng.randint(1, self.manners.pause) / 1000, self.connect)

    def leave(self) -> None:
        """Say goodbye for good."""
        if self.stream is not None and self.stream.open:
            self.left = True
            self.gone = True
            self.stream.send(wire.PlayRequest(leave=wire.Leave(reason="done")))

    # -- what it hears ---------------------------------------------------------------------------------------------

    def arrived(self, stream: Stream, batch: wire.PlayResponse) -> None:
        memory, manners, draw = self.memory, self.manners, self._rng.random
        for seated in batch.seated:
            memory.seats[seated.table, seated.seat] = seated
        for update in batch.updates:
            memory.states[update.table] = update.state
        for over in batch.over:
            memory.over.add(over.table)
        if batch.updates:
            self._vain = 0
        for ask in batch.asks:
            memory.asks[ask.table, ask.seat] = ask
            if draw() < manners.leaves:
                self._fault("bot leaves", self.name)
                self.leave()
                return
            if draw() < manners.silent:
                self._fault("bot silent", self.name)
                continue
            self._loop.call_later(self._think(ask) / 1000, self._answer, ask)
        if manners.abuses and draw() < manners.abuses:
            self._abuse(stream)

    def _think(self, ask: wire.Ask) -> int:
        if self._rng.random() < self.manners.edge:
            self._fault("bot thinks to the edge of its budget", self.name)
            return max(0, ask.budget_ms + self._rng.randint(-12, 12))
        return self._rng.randint(0, self.manners.think)

    def _abuse(self, stream: Stream) -> None:
        if self._rng.random() < 0.5:
            self._fault("second Hello", self.name)
            stream.send(wire.PlayRequest(hello=wire.Hello(protocol=1, bot=self.name)))
        else:
            self._fault("too many answers", self.name)
            stream.send(wire.PlayRequest(answers=[wire.Answer(table=1)] * TOO_MANY))

    # -- what it says ----------------------------------------------------------------------------------------------

    def _answer(self, ask: wire.Ask) -> None:
        """Answer an ask, over whatever stream there is now; without one the answer is lost."""
        if self.stream is None or not self.stream.open:
            return
        manners, rng = self.manners, self._rng
        answers = [self._act(ask)]
        if rng.random() < manners.double:
            self._fault("answer twice", self.name)
            answers.append(answers[0] if rng.random() < 0.5 else self._act(ask))
        if self.memory.answered and rng.random() < manners.stale:
            self._fault("stale answer", self.name)
            answers.insert(rng.randint(0, len(answers)), rng.choice(self.memory.answered[-40:]))
        if rng.random() < manners.astray:
            self._fault("answer for another seat or table", self.name)
            answers.append(self._stray(answers[0]))
        self.memory.answered.append(answers[0])
        self._kept.extend(answers)
        if rng.random() < manners.shuffles:
            self._fault("answers reordered", self.name)
            rng.shuffle(self._kept)
            self._loop.call_later(rng.randint(1, 30) / 1000, self._flush)
        else:
            self._flush()

    def _flush(self) -> None:
        kept, self._kept = self._kept, []
        if not kept or self.stream is None:
            return
        parts = [kept]
        if len(kept) > 1 and self._rng.random() < 0.3:
            at = self._rng.randint(1, len(kept) - 1)
            parts = [kept[:at], kept[at:]]
        for part in parts:
            self.stream.send(wire.PlayRequest(answers=part))

    def _stray(self, answer: wire.Answer) -> wire.Answer:
        stray = wire.Answer()
        stray.CopyFrom(answer)
        if self._rng.random() < 0.5:
            stray.table = self._rng.choice((answer.table + 1, 0, 99, answer.table))
        stray.ask ^= self._rng.randint(1, 7) << 6
        return stray

    def _act(self, ask: wire.Ask) -> wire.Answer:
        answer = wire.Answer(table=ask.table, ask=ask.ask)
        rng, manners = self._rng, self.manners
        if rng.random() < manners.malformed:
            self._fault("malformed answer", self.name)
            self._malformed(answer)
        elif rng.random() < manners.illegal:
            self._fault("illegal answer", self.name)
            self._any(answer)
        elif rng.random() < manners.resigns:
            self._fault("bot resigns", self.name)
            answer.resign.SetInParent()
        else:
            self._proper(answer, ask)
        return answer

    def _malformed(self, answer: wire.Answer) -> None:
        match self._rng.randrange(6):
            case 0:
                answer.play.card = self._rng.choice((0, 33, 99))  # type: ignore[assignment]
            case 1:
                answer.decline.until = 7  # type: ignore[assignment]
            case 2:
                answer.cut.at = self._rng.choice((0, 32, 1 << 31))
            case 3:
                answer.signal.sign = self._rng.choice((0, 9))  # type: ignore[assignment]
            case 4:
                answer.discard.cards.extend([1, 1, 40])  # type: ignore[list-item]
            case _:
                pass  # No act at all.

    def _any(self, answer: wire.Answer) -> None:
        """Some act or other; most often it is not allowed."""
        rng = self._rng
        match rng.randrange(6):
            case 0 | 1:
                answer.play.card = rng.randint(1, PACK_SIZE)  # type: ignore[assignment]
            case 2:
                answer.discard.cards.extend(rng.sample(range(1, PACK_SIZE + 1), 3))  # type: ignore[arg-type]
            case 3:
                answer.decline.SetInParent()
            case 4:
                answer.cut.at = rng.randint(1, 31)
            case _:
                getattr(answer, rng.choice(list(PLAIN.values()))).SetInParent()

    def _proper(self, answer: wire.Answer, ask: wire.Ask) -> None:
        rng = self._rng
        eager = rng.random() < self.manners.eager
        if ask.may & PASS and not eager:
            answer.decline.SetInParent()
            if rng.random() < self.manners.ahead:
                answer.decline.until = rng.choice((1, 2))  # type: ignore[assignment]
            return
        cards = list(bits(ask.legal))
        kinds = [kind for kind in bits(ask.may) if kind != acts.ACT_KIND_PASS]
        if not eager:
            kinds = [kind for kind in kinds if kind in (acts.ACT_KIND_STAY, acts.ACT_KIND_FOLD, acts.ACT_KIND_DISCARD)]
        if cards and (not kinds or rng.random() < 0.5):
            answer.play.card = rng.choice(cards) + 1  # type: ignore[assignment]
        elif kinds:
            self._kind(answer, rng.choice(kinds), ask)
        else:
            answer.decline.SetInParent()

    def _kind(self, answer: wire.Answer, kind: int, ask: wire.Ask) -> None:
        rng = self._rng
        if kind == acts.ACT_KIND_DISCARD:
            answer.discard.cards.extend([card + 1 for card in rng.sample(list(bits(ask.hand)), 3)])  # type: ignore[misc]
        elif kind == acts.ACT_KIND_SIGNAL:
            answer.signal.sign = rng.randint(1, 3)  # type: ignore[assignment]
        elif kind == acts.ACT_KIND_CUT:
            answer.cut.at = rng.randint(1, 31)
        else:
            getattr(answer, PLAIN[kind]).SetInParent()  # type: ignore[index]
