"""Bots for the soak: one process with any number of them, each on a stream of its own, that does what it is told.

    python -m tests.campaigns.soak_bots

The first line on standard input says where to play and as whom; each later one is an order. Standard output has a line
of numbers a few times a second. Everything is JSON (`Crowd`, `Order`, `Tick`). The process ends when its input does.
"""

import asyncio
import contextlib
import math
import random
import sys
import time
from pathlib import Path
from typing import Final

import grpc
import msgspec
from google.protobuf.message import Message
from grpc import aio
from msgspec import Struct, field

from referee.cards import bits
from referee.game.game import BIT, PASS_BIT
from referee.game.records import Blind, Challenge, Chance, Confess, Cut, Discard, Exchange, Fold, Peek, Stay, Toep
from referee.v1 import play_pb2

METHOD: Final = "/referee.v1.RefereeService/Play"
OPTIONS: Final = (
    ("grpc.max_receive_message_length", -1),
    ("grpc.enable_http_proxy", 0),
    ("grpc.enable_retries", 0),
    # A connection for each bot, or they would all share one.
    ("grpc.use_local_subchannel_pool", 1),
)
TICK_SECONDS: Final = 0.25
MOST: Final = 4000
"""Answers in one message; the referee takes a few more."""

WILD: Final = 0.04
"""How often an act is chosen that nobody has to do."""

GONE_SECONDS: Final = 0.3
"""How long a bot is away whose stream was cut."""

NAPS: Final = (0.0, 0.0, 0.5, 2.5)
"""Seconds that a slow reader takes before a message, one of these."""

EXPECTED: Final = (grpc.StatusCode.OK, grpc.StatusCode.ALREADY_EXISTS, grpc.StatusCode.UNAVAILABLE)
"""How a stream may end: its last one may not be over yet for the referee, which may also be gone for good."""

STEP: Final = math.log(1.05)
"""Times are counted in bins, each five hundredths wider than the one before."""

FLAGS: Final = {
    BIT[Toep]: "toep",
    BIT[Stay]: "stay",
    BIT[Fold]: "fold",
    BIT[Exchange]: "exchange",
    BIT[Challenge]: "challenge",
    BIT[Blind]: "blind",
    BIT[Peek]: "peek",
    BIT[Chance]: "chance",
    BIT[Confess]: "confess",
}
"""Acts without fields of their own."""

DONE: Final = sum(FLAGS) | BIT[Cut] | BIT[Discard]
"""Acts that these bots do, besides playing cards."""


class Crowd(Struct):
    """Where to play, and as whom."""

    address: str
    folder: str
    """Where resume tokens are kept for the next process under the same names."""
    bots: list[str]
    slow: bool = False
    timed: bool = True
    """It measures how long things take: for tables where nobody else has to act first."""
    parallel: int = 8192


class Order(Struct):
    """What a bot is to do: "cut" its stream and come back, or "rest": leave when it has no match, and come back."""

    do: str
    bot: str


class Tick(Struct):
    """What has happened since the last one."""

    over: dict[str, str] = field(default_factory=dict)
    """Matches that are over, and how."""
    here: list[str] = field(default_factory=list)
    """Bots that were let in."""
    left: list[str] = field(default_factory=list)
    """Bots that have said goodbye, and come back by themselves."""
    asks: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    """Refused answers, by code."""
    bins: dict[int, int] = field(default_factory=dict)
    """How often the next ask of a table came so long after an answer: `bin_of` of milliseconds."""
    worst_ms: float = 0.0
    errors: list[str] = field(default_factory=list)
    """What must not happen to a bot."""


def bin_of(ms: float) -> int:
    """The bin of a time; its upper end is `end_of`."""
    return max(0, math.ceil(math.log(max(ms, 0.01) * 100) / STEP))


def end_of(number: int) -> float:
    """The longest time of a bin, in milliseconds."""
    return math.exp(number * STEP) / 100


def choose(ask: play_pb2.Ask, reply: play_pb2.Answer) -> None:
    """Any act that is legal, the wild ones seldom."""
    may, draw = ask.may, random.random()
    if (draw < WILD or not (ask.legal or may & PASS_BIT)) and may & DONE:
        flag = random.choice([1 << number for number in bits(may & DONE)])
        if name := FLAGS.get(flag):
            getattr(reply, name).SetInParent()
            return
        if flag == BIT[Cut]:
            reply.cut.at = random.randrange(1, 32)
            return
        if flag == BIT[Discard]:
            reply.discard.cards.extend(card + 1 for card in random.sample(list(bits(ask.hand)), 3))  # type: ignore[misc]
            return
    if ask.legal:
        reply.play.card = random.choice(list(bits(ask.legal))) + 1  # type: ignore[assignment]
    elif may & PASS_BIT:
        reply.decline.until = int(draw * 3) if draw > 1 - WILD else 0  # type: ignore[assignment]
    else:
        raise AssertionError(f"nothing to do: kind {ask.kind}, may {may:b}")


class Player:
    """One bot: dials in, plays, and comes back until the referee closes down."""

    def __init__(self, name: str, crowd: Crowd, tick: Tick) -> None:
        self.name: Final = name
        self.resting = False
        self.tick = tick
        self._crowd = crowd
        self._token = Path(crowd.folder) / f"{name}.token"
        self._playing: dict[int, str] = {}
        """Tables where it sits, and their matches."""
        self._answered: dict[int, float] = {}
        """By table, when it gave its last answer."""
        self._draining = False
        self._cutting = False
        self.ending = False
        """Its process ends."""
        self._call: aio.StreamStreamCall[Message, play_pb2.PlayResponse] | None = None

    async def live(self) -> None:
        """Until the referee closes down."""
        while not self._draining:
            try:
                await self._stream()
            except aio.AioRpcError:
                pass
            except asyncio.CancelledError:
                # A stream that is cut says so to whoever reads it or writes to it, and perhaps again later.
                if self.ending:
                    raise
            except asyncio.InvalidStateError:
                pass  # It was written to after its end.
            except Exception as error:
                self.tick.errors.append(f"{self.name}: {error!r}")
            # What a failed write says is not why the stream ended.
            if self._call is not None and not self._cutting and (code := await self._call.code()) not in EXPECTED:
                self.tick.errors.append(f"{self.name}: {code.name}: {await self._call.details()}")
            self._call, self._cutting = None, False
            await asyncio.sleep(GONE_SECONDS)

    def cut(self) -> None:
        """Break the stream off, without a word."""
        if self._call is not None:
            self._cutting = True
            self._call.cancel()

    async def _stream(self) -> None:
        self._playing.clear()
        self._answered.clear()
        async with aio.insecure_channel(self._crowd.address, options=OPTIONS) as channel:
            call: aio.StreamStreamCall[Message, play_pb2.PlayResponse] = channel.stream_stream(
                METHOD, play_pb2.PlayRequest.SerializeToString, play_pb2.PlayResponse.FromString
            )()
            self._call = call
            token = self._token.read_bytes() if self._token.exists() else b""
            hello = play_pb2.Hello(protocol=1, bot=self.name, parallel=self._crowd.parallel, resume_token=token)
            await call.write(play_pb2.PlayRequest(hello=hello))
            while isinstance(response := await call.read(), play_pb2.PlayResponse):
                if self._crowd.slow:
                    await asyncio.sleep(random.choice(NAPS))
                await self._take(call, response)
                if (self.resting or self._draining) and not self._playing:
                    await self._leave(call)
                    return
            await call.code()  # The stream is over only then.

    async def _take(
        self, call: "aio.StreamStreamCall[Message, play_pb2.PlayResponse]", response: play_pb2.PlayResponse
    ) -> None:
        tick = self.tick
        if response.HasField("welcome"):
            tick.here.append(self.name)
            self._token.write_bytes(response.welcome.resume_token)
        for seated in response.seated:
            self._playing[seated.table] = seated.match_id
        for over in response.over:
            tick.over[over.match_id] = play_pb2.MatchStatus.Name(over.status)
            self._playing.pop(over.table, None)
            self._answered.pop(over.table, None)
        for refusal in response.refusals:
            code = play_pb2.RefusalCode.Name(refusal.code).removeprefix("REFUSAL_CODE_")
            tick.refused[code] = tick.refused.get(code, 0) + 1
        if response.HasField("draining"):
            self._draining = True
        if not response.asks:
            return
        tick.asks += len(response.asks)
        now, answered = time.perf_counter(), self._answered
        tables = {ask.table for ask in response.asks} if self._crowd.timed else set()
        for since in [answered.pop(table) for table in tables if table in answered]:
            ms = 1000 * (now - since)
            number = bin_of(ms)
            tick.bins[number] = tick.bins.get(number, 0) + 1
            tick.worst_ms = max(tick.worst_ms, ms)
        for start in range(0, len(response.asks), MOST):
            request = play_pb2.PlayRequest()
            for ask in response.asks[start : start + MOST]:
                choose(ask, request.answers.add(table=ask.table, ask=ask.ask))
            await call.write(request)
        answered.update(dict.fromkeys(tables, time.perf_counter()))

    async def _leave(self, call: "aio.StreamStreamCall[Message, play_pb2.PlayResponse]") -> None:
        await call.write(play_pb2.PlayRequest(leave=play_pb2.Leave(reason="enough for now")))
        await call.done_writing()
        with contextlib.suppress(aio.AioRpcError):
            while await call.read() is not aio.EOF:
                pass
        self._token.unlink(missing_ok=True)
        self.resting = False
        self.tick.left.append(self.name)


class House:
    """All bots of this process."""

    def __init__(self, crowd: Crowd) -> None:
        self.players: Final = {name: Player(name, crowd, Tick()) for name in crowd.bots}
        self._tick()

    def _tick(self) -> Tick:
        """A new, empty one for everybody; returns the last."""
        last, now = next(iter(self.players.values())).tick, Tick()
        for player in self.players.values():
            player.tick = now
        return last

    async def tell(self) -> None:
        """Say what happens, until cancelled."""
        while True:
            await asyncio.sleep(TICK_SECONDS)
            sys.stdout.write(msgspec.json.encode(self._tick()).decode() + "\n")
            sys.stdout.flush()

    async def obey(self, orders: asyncio.StreamReader) -> None:
        """Do what is told, until the input ends."""
        while line := await orders.readline():
            order = msgspec.json.decode(line, type=Order)
            player = self.players[order.bot]
            if order.do == "cut":
                player.cut()
            else:
                player.resting = True


async def main() -> None:
    orders = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders), sys.stdin)
    house = House(msgspec.json.decode(await orders.readline(), type=Crowd))
    lives = [asyncio.create_task(player.live()) for player in house.players.values()]
    telling = asyncio.create_task(house.tell())
    obeying = asyncio.create_task(house.obey(orders))
    everybody = asyncio.gather(*lives)
    await asyncio.wait((everybody, obeying), return_when=asyncio.FIRST_COMPLETED)
    await asyncio.sleep(2 * TICK_SECONDS)  # The last words.
    for player in house.players.values():
        player.ending = True
    for task in (*lives, telling, obeying):
        task.cancel()
    await asyncio.gather(everybody, telling, obeying, return_exceptions=True)


if __name__ == "__main__":
    asyncio.run(main())
