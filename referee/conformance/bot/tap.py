"""The bot's stream, as the kit hears it: every ask that leaves, every answer that comes, and how long it took.

It stands between the real service and gRPC, so that what is heard is what is on the wire. A `Tamper` may change what
passes: messages from the future, a refusal that no rule asks for, a line that breaks.
"""

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import grpc
from grpc import aio

from referee.conformance.bot.words import answer_words, ask_words, code_name, kind_name
from referee.game.game import PASS_BIT
from referee.service.errors import HallError
from referee.service.hall import Hall
from referee.service.rpc import RefereeService
from referee.v1 import play_pb2

FREE: Final = (
    play_pb2.REFUSAL_CODE_STALE,
    play_pb2.REFUSAL_CODE_WRONG_SEAT,
    play_pb2.REFUSAL_CODE_WRONG_TABLE,
)
"""Refusals of answers that belong to no open ask of the bot's."""

Key = tuple[int, int]
"""An ask: table and id."""


class Put:
    """An ask that was put to the bot, and what came of it."""

    def __init__(self, ask: play_pb2.Ask, now: float) -> None:
        self.ask: Final = ask
        self.at: Final = now
        self.answer: play_pb2.Answer | None = None
        self.ms: float | None = None
        """From when it left until its answer was there."""
        self.refusal: play_pb2.Refusal | None = None
        self.superseded = False

    @property
    def key(self) -> Key:
        """Its table and id."""
        return self.ask.table, self.ask.ask

    @property
    def kind(self) -> str:
        """The name of its kind."""
        return kind_name(self.ask.kind)

    @property
    def required(self) -> bool:
        """Whether an act must come."""
        return not self.ask.may & PASS_BIT

    def words(self) -> str:
        """The ask and its answer, for people."""
        if self.answer is None:
            return f"{ask_words(self.ask)} -> no answer"
        text = f"{ask_words(self.ask)} -> {answer_words(self.answer)} after {self.ms or 0:.0f} ms"
        if self.refusal is not None:
            rule = f" {self.refusal.rule}" if self.refusal.rule else ""
            text += f": {code_name(self.refusal.code)}{rule}: {self.refusal.message}"
        return text + (": superseded" if self.superseded else "")


class Tamper:
    """What is done to the stream on its way. This one does nothing."""

    def outgoing(self, tap: "Tap", response: play_pb2.PlayResponse) -> None:
        """Change a message to the bot. May raise `Broken`."""

    def incoming(self, tap: "Tap", request: play_pb2.PlayRequest) -> play_pb2.PlayResponse | None:
        """Change a message from the bot; what is returned goes to the bot at once."""


class Broken(Exception):
    """The line is to break here."""


class Tap:
    """What was heard of one bot."""

    def __init__(self, tamper: Tamper | None = None) -> None:
        self.tamper: Final = tamper or Tamper()
        self.puts: Final[dict[Key, Put]] = {}
        """Every ask, in order."""
        self.hellos: Final[list[play_pb2.Hello]] = []
        self.turned_away = ""
        """The status with which the referee ended a stream, and why."""
        self.strays: Final[list[play_pb2.Answer]] = []
        """Answers to nothing that was asked."""
        self.doubles: Final[list[play_pb2.Answer]] = []
        """Answers to asks that had been answered."""
        self.welcomed = 0
        """How often it was let in."""
        self.refusals: Final[list[play_pb2.Refusal]] = []
        self.lates: Final[list[Key]] = []
        """Table and seat, each time that the referee acted because none came in time."""
        self.left = False
        """It said Leave."""
        self.left_early = False
        """It did so while a match was on."""
        self.running: Callable[[], bool] = lambda: False
        """Whether a match is on."""
        self.broken = 0
        """How often the kit broke the line."""
        self.batch = 0
        """The most asks that it had in one message."""
        self._seats: dict[int, set[int]] = {}

    # -- what passes -----------------------------------------------------------------------------------------------

    def outgoing(self, response: play_pb2.PlayResponse) -> None:
        """A message leaves for the bot."""
        self.welcomed += response.HasField("welcome")
        for seated in response.seated:
            self._seats.setdefault(seated.table, set()).add(seated.seat)
        for refusal in response.refusals:
            self._refused(refusal)
        for superseded in response.superseded:
            if put := self.puts.get((superseded.table, superseded.ask)):
                put.superseded = True
        for update in response.updates:
            seats = self._seats.get(update.table, ())
            for event in update.events:
                if event.seat in seats and event.WhichOneof("event") == "late":
                    self.lates.append((update.table, event.seat))
        self.batch = max(self.batch, len(response.asks))
        for ask in response.asks:
            self.put(ask)

    def put(self, ask: play_pb2.Ask) -> None:
        """An ask leaves for the bot; one that was put before is repeated after the line was down."""
        key = (ask.table, ask.ask)
        if key not in self.puts or self.puts[key].answer is None:
            self.puts[key] = Put(ask, time.monotonic())

    def _refused(self, refusal: play_pb2.Refusal) -> None:
        self.refusals.append(refusal)
        put = self.puts.get((refusal.table, refusal.ask))
        if put is not None and refusal.code not in FREE:
            put.refusal = refusal

    def incoming(self, request: play_pb2.PlayRequest) -> None:
        """A message came from the bot."""
        now = time.monotonic()
        if request.HasField("hello"):
            self.hellos.append(request.hello)
            self.left = False
        for answer in request.answers:
            put = self.puts.get((answer.table, answer.ask))
            if put is None:
                self.strays.append(answer)
            elif put.answer is not None:
                self.doubles.append(answer)
            else:
                put.answer, put.ms = answer, (now - put.at) * 1000
        if request.HasField("leave"):
            self.left = True
            self.left_early = self.running()

    # -- what came of it -------------------------------------------------------------------------------------------

    def answered(self) -> Iterator[Put]:
        """The asks that have an answer."""
        return (put for put in self.puts.values() if put.answer is not None)

    def last(self, count: int, table: int = 0) -> list[str]:
        """The last asks and what was answered, in words, with the answers that belong to none; 0 is any table."""
        puts = [put for put in self.puts.values() if table in (0, put.ask.table)]
        shown = [put.words() for put in puts[-count:]]
        return shown + [
            f"to table {answer.table}, ask {answer.ask}, which is not open -> {answer_words(answer)}"
            for answer in (*self.strays, *self.doubles)[-count:]
        ]


class TappedContext:
    """What the service gets in place of gRPC's context."""

    def __init__(self, context: Any, tap: Tap, hall: Hall) -> None:
        self._context = context
        self._tap = tap
        self._hall = hall
        self._writing = asyncio.Lock()
        self._bot = ""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    async def read(self) -> Any:
        """The bot's next message."""
        request = await self._context.read()
        tap = self._tap
        if request is aio.EOF:
            return request
        if request.HasField("hello"):
            self._bot = request.hello.bot
        tap.incoming(request)
        if response := tap.tamper.incoming(tap, request):
            await self._send(response)
        return request

    async def write(self, data: bytes) -> None:
        """A batch for the bot."""
        response = play_pb2.PlayResponse.FromString(data)
        try:
            self._tap.tamper.outgoing(self._tap, response)
        except Broken:
            self._tap.broken += 1
            # Before its end is known, or a bot that is quick would find its name taken.
            if session := self._hall.sessions.get(self._bot):
                self._hall.disconnect(session)
            await self._context.abort(grpc.StatusCode.UNAVAILABLE, "the kit breaks the line here")
        self._tap.outgoing(response)
        await self._send(response)

    async def _send(self, response: play_pb2.PlayResponse) -> None:
        async with self._writing:
            await self._context.write(response.SerializeToString())

    async def abort(self, code: grpc.StatusCode, details: str = "", *more: Any) -> None:
        """The referee ends the stream."""
        self._tap.turned_away = f"{code.name}: {details}"
        await self._context.abort(code, details, *more)


class TappedService(RefereeService):
    """The real service, and a tap on every stream."""

    def __init__(self, hall: Hall, tap: Tap, tokens: Mapping[str, str]) -> None:
        super().__init__(hall, tokens=tokens)
        self._tap = tap

    async def play(self, request: object, context: Any) -> None:
        """One bot, as in `RefereeService`."""
        try:
            await super().play(request, TappedContext(context, self._tap, self.hall))
        except HallError as error:
            self._tap.turned_away = f"{error.code}: {error}"
            raise
