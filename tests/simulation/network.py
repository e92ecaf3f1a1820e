"""The network between bots and the referee: one `Stream` a call, with delay, stalls, loss and late news of loss.

A stream is what gRPC gives the servicer as its context. Each direction keeps its order, as HTTP/2 does; what is on its
way when the link breaks arrives in part.
"""

import asyncio
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol

from grpc import aio

from referee.v1.play_pb2 import PlayRequest, PlayResponse


@dataclass
class Weather:
    """How good a bot's link is. Times in milliseconds."""

    delay: tuple[int, int] = (0, 5)
    breaks: float = 0.0
    """How likely a message is the last."""
    notice: int = 0
    """How long the referee may take to see that a link is gone."""
    stalls: float = 0.0
    """How likely the bot stops reading after a message."""
    stall: int = 0
    """How long it reads nothing then."""
    slow_writes: int = 0
    """How long the referee may wait until a message is taken."""


class Client(Protocol):
    """The bot's end."""

    def arrived(self, stream: "Stream", batch: PlayResponse) -> None: ...
    def ended(self, stream: "Stream", code: str) -> None: ...


class Stream:
    """One call of ``Play``, seen from both ends."""

    def __init__(
        self,
        number: int,
        bot: str,
        client: Client,
        *,
        weather: Weather,
        rng: random.Random,
        written: Callable[["Stream", bytes], None],
        fault: Callable[[str, str], None],
    ) -> None:
        """``written`` sees each message as the referee sends it."""
        self.number: Final = number
        self.bot: Final = bot
        self.open = True
        """The bot may still send and hear."""
        self.broken = False
        """The link is gone: what the referee sends is lost."""
        self.blocked = False
        """Nothing more is taken until the bot reads again."""
        self.clean = False
        """The referee has ended the call in good order."""
        self.code = ""
        self.task: asyncio.Task[None] | None = None
        self._client = client
        self._weather = weather
        self._rng = rng
        self._written = written
        self._fault = fault
        self._loop = asyncio.get_running_loop()
        self._inbox: deque[bytes | None] = deque()
        self._reader: asyncio.Future[None] | None = None
        self._reading: asyncio.Future[None] | None = None
        self._up = self._down = 0.0
        """When the last message of each direction arrives."""
        self._cut_up = self._cut_down = float("inf")

    def __repr__(self) -> str:
        return f"{self.bot}#{self.number}"

    # -- the referee's end: a gRPC context -------------------------------------------------------------------------

    def invocation_metadata(self) -> tuple[()]:
        return ()

    def peer(self) -> str:
        return f"sim:{self.bot}"

    async def read(self) -> Any:
        while not self._inbox:
            self._reader = self._loop.create_future()
            await self._reader
        data = self._inbox.popleft()
        return aio.EOF if data is None else PlayRequest.FromString(data)

    async def write(self, data: bytes) -> None:
        self._written(self, data)
        if self._rng.random() < self._weather.breaks:
            self.cut("link broken")
        if not self.broken:
            self._down = max(self._down, self._loop.time() + self._delay())
            self._loop.call_at(self._down, self._deliver, data)
            if self._rng.random() < self._weather.stalls:
                self._stall()
        if self.blocked:
            self._reading = self._loop.create_future()
            await self._reading
        elif self._weather.slow_writes and self._rng.random() < 0.1:
            await asyncio.sleep(self._rng.randint(0, self._weather.slow_writes) / 1000)

    async def abort(self, code: Any, details: str = "", trailing: Any = ()) -> None:
        self.code = code.name
        raise aio.AbortError(f"{code.name}: {details}")

    def _stall(self) -> None:
        self._fault("bot stops reading", self.bot)
        self.blocked = True
        self._loop.call_later(self._rng.randint(1, self._weather.stall) / 1000, self.resume)

    def resume(self) -> None:
        self.blocked = False
        if self._reading is not None and not self._reading.done():
            self._reading.set_result(None)

    def finished(self) -> None:
        """The referee's handler is done."""
        self.clean = not self.broken
        if not self.broken:
            self._down = max(self._down, self._loop.time() + self._delay())
            self._loop.call_at(self._down, self._end, self.code or "OK")

    # -- the bot's end ---------------------------------------------------------------------------------------------

    def send(self, request: PlayRequest) -> None:
        """Send a message; it may be the last."""
        if not self.open:
            return
        self._post(request.SerializeToString())
        if self._rng.random() < self._weather.breaks:
            self.cut("link broken")

    def half_close(self) -> None:
        """The bot sends nothing more."""
        self._post(None)

    def _post(self, data: bytes | None) -> None:
        self._up = max(self._up, self._loop.time() + self._delay())
        self._loop.call_at(self._up, self._take, data)

    def cut(self, kind: str) -> None:
        """The link breaks: a part of what is on its way arrives, both ends hear of it sooner or later."""
        if self.broken or not self.open:
            return
        self._fault(kind, self.bot)
        self.broken = True
        now = self._loop.time()
        self._cut_up = now + self._rng.random() * max(0.0, self._up - now)
        self._cut_down = now + self._rng.random() * max(0.0, self._down - now)
        if kind == "link broken" and max(self._up, self._down) > now:
            self._fault("batch lost on its way", self.bot)
        self._loop.call_later(self._rng.randint(0, 50) / 1000, self._end, "UNAVAILABLE")
        self._loop.call_later(self._rng.randint(0, self._weather.notice) / 1000, self.kill)

    def kill(self) -> None:
        """The referee's end is told: gRPC cancels the call."""
        self.resume()
        if self.task is not None and not self.task.done():
            self.task.cancel()

    # -- on its way ------------------------------------------------------------------------------------------------

    def _delay(self) -> float:
        low, high = self._weather.delay
        return self._rng.randint(low, high) / 1000

    def _take(self, data: bytes | None) -> None:
        if self._loop.time() > self._cut_up:
            return
        self._inbox.append(data)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    def _deliver(self, data: bytes) -> None:
        if self._loop.time() <= self._cut_down and self.open:
            self._client.arrived(self, PlayResponse.FromString(data))

    def _end(self, code: str) -> None:
        if self.open:
            self.open = False
            self._client.ended(self, code)
