"""What the hostile bots share: a raw stream to the referee, without any of the care that a client takes.

A bot is a module with ``main(world)``, and a few lines that hand it the real world when it is run as a program. The
world says where the referee is and makes time pass; a test may give another one, in which nobody waits. Whatever the
referee tells a bot goes to ``world.say``: to standard error, when the bot is a program.
"""

import os
import queue
import re
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, Protocol

import grpc

from referee.v1 import acts_pb2, play_pb2

METHOD: Final = "/referee.v1.RefereeService/Play"
OPTIONS: Final = (
    ("grpc.max_receive_message_length", -1),
    ("grpc.max_send_message_length", -1),
    ("grpc.enable_retries", 0),
    ("grpc.enable_http_proxy", 0),
    # Two lines of one bot are two connections.
    ("grpc.use_local_subchannel_pool", 1),
)
ALL_ASKS: Final = 1024
"""More asks than a bot at one table gets at once."""


class World(Protocol):
    """Where a bot is, and how time passes there."""

    address: str
    bot: str
    token: str

    def wait(self, ms: int) -> None:
        """Do nothing for so long."""

    def hang(self) -> None:
        """Do nothing until the match is over; a program hangs until it is ended."""

    def broken(self) -> None:
        """A connection was broken: do nothing until the referee knows, where there is a way to tell."""

    def say(self, text: str) -> None:
        """One line for the bot's author."""


class Here:
    """The real world of a program: its environment, the clock on the wall, standard error."""

    def __init__(self) -> None:
        self.address = os.environ["TOEP_ADDRESS"]
        self.bot = os.environ["TOEP_BOT"]
        self.token = os.environ.get("TOEP_TOKEN", "")

    def wait(self, ms: int) -> None:
        time.sleep(ms / 1000)

    def hang(self) -> None:
        threading.Event().wait()

    def broken(self) -> None:
        """There is none."""

    def say(self, text: str) -> None:
        print(f"{self.bot}: {text}", file=sys.stderr, flush=True)


def run(main: Callable[[World], None]) -> None:
    """Run a bot as a program."""
    main(Here())


class Line:
    """A stream to the referee, by hand. What is sent is sent as it is."""

    def __init__(
        self, world: World, *, hello: bytes | play_pb2.Hello | None = None, silent: bool = False, token: str = ""
    ) -> None:
        """Dial in. ``hello``: other than a proper one; ``silent``: say nothing at all; ``token``: another one."""
        self.world: Final = world
        self.asks: Final[list[play_pb2.Ask]] = []
        """Asks that were read and not taken yet."""
        self.seated: Final[list[play_pb2.Seated]] = []
        self.over: play_pb2.MatchOver | None = None
        self.ended = ""
        """How the stream ended; empty while it goes on."""
        self._said: Final[set[str]] = set()
        self._requests: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        if not silent:
            self.send_bytes(hello if isinstance(hello, bytes) else greeting(hello or hello_of(world)))
        self.channel: Final = grpc.insecure_channel(world.address, options=OPTIONS)
        secret = token or world.token
        self._metadata = (("authorization", f"Bearer {secret}"),) if secret else ()
        self._call: Final = self._open(self._requests)

    def _open(self, requests: "queue.SimpleQueue[bytes | None]") -> Any:
        method = self.channel.stream_stream(
            METHOD, request_serializer=bytes, response_deserializer=play_pb2.PlayResponse.FromString
        )
        return method(iter(requests.get, None), metadata=self._metadata)

    def another(self) -> grpc.Call:
        """One more stream on the same connection, on which nothing is said."""
        requests: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        call: grpc.Call = self._open(requests)
        call.add_callback(lambda: requests.put(None))
        return call

    # -- out -------------------------------------------------------------------------------------------------------

    def send(self, *answers: play_pb2.Answer) -> None:
        """Answers, in one message."""
        self.send_bytes(play_pb2.PlayRequest(answers=answers).SerializeToString())

    def send_bytes(self, message: bytes) -> None:
        """Anything at all, as one message."""
        self._requests.put(message)

    def waiting(self) -> int:
        """Messages that have not left yet."""
        return self._requests.qsize()

    def close_half(self) -> None:
        """Say that nothing more will come."""
        self._requests.put(None)

    def leave(self) -> None:
        """Say goodbye, and read what is still on its way."""
        self.send_bytes(play_pb2.PlayRequest(leave=play_pb2.Leave(reason="done")).SerializeToString())
        self.close_half()
        self.drain()

    def drop(self) -> None:
        """Break the connection without a word."""
        self._call.cancel()
        self.channel.close()
        self.close_half()
        self.world.broken()

    # -- in --------------------------------------------------------------------------------------------------------

    def read(self) -> play_pb2.PlayResponse | None:
        """The next message; None when the stream has ended."""
        try:
            response: play_pb2.PlayResponse | None = next(self._call, None)
        except grpc.RpcError:
            response = None
        if response is None:
            code, details = self._call.code(), self._call.details()
            self.ended = code.name.lower() + (f": {details}" if details else "")
            self.say(f"the stream ended: {self.ended}")
            self.close_half()
            self.channel.close()
            return None
        self._take(response)
        return response

    def drain(self) -> None:
        """Read to the end of the stream."""
        while self.read() is not None:
            pass

    def until(self, condition: Callable[[], object]) -> bool:
        """Read until something is so; False when the stream has ended before."""
        while not condition():
            if self.read() is None:
                return False
        return True

    def next_asks(self) -> Iterator[play_pb2.Ask]:
        """One ask after the other, until the match is over or the stream has ended."""
        while self.until(lambda: self.asks or self.over):
            if not self.asks:
                return
            yield self.asks.pop(0)

    def _take(self, response: play_pb2.PlayResponse) -> None:
        self.seated.extend(response.seated)
        self.asks.extend(response.asks)
        mine = {(seated.table, seated.seat) for seated in self.seated}
        for update in response.updates:
            for event in update.events:
                kind = event.WhichOneof("event")
                if (update.table, event.seat) in mine and kind in ("late", "forfeit"):
                    more = event.forfeit.reason if kind == "forfeit" else f"{event.late.budget_ms} ms"
                    self.say(f"news of this seat: {kind}, {more}")
        for refusal in response.refusals:
            code = play_pb2.RefusalCode.Name(refusal.code).removeprefix("REFUSAL_CODE_").lower()
            why = f"{code}, {refusal.rule}" if refusal.rule else code
            self.say(f"refused: {why}: {refusal.message} [tries left: {refusal.tries_left}]")
        for over in response.over:
            self.over = over
            status = play_pb2.MatchStatus.Name(over.status).removeprefix("MATCH_STATUS_").lower()
            self.say(f"the match is over: {status}")

    def say(self, text: str) -> None:
        """Tell the author, but nothing that differs only in numbers or cards from what was told before."""
        plain = re.sub(r"\b(\d+|[JQKA789T][cdsh])\b", "N", text)
        if plain not in self._said:
            self._said.add(plain)
            self.world.say(text)


def hello_of(world: World, *, protocol: int = 1, parallel: int = ALL_ASKS) -> play_pb2.Hello:
    """A proper Hello, but for what is changed."""
    return play_pb2.Hello(protocol=protocol, bot=world.bot, version="hostile", parallel=parallel)


def greeting(hello: play_pb2.Hello) -> bytes:
    """The first message of a stream."""
    return play_pb2.PlayRequest(hello=hello).SerializeToString()


# -- answers -----------------------------------------------------------------------------------------------------------


def answer(ask: play_pb2.Ask, act: play_pb2.Answer) -> play_pb2.Answer:
    """An act as the answer to an ask."""
    made = play_pb2.Answer(table=ask.table, ask=ask.ask)
    made.MergeFrom(act)
    return made


def may(ask: play_pb2.Ask, kind: int) -> bool:
    """Whether an act that is no card is legal."""
    return bool(ask.may >> kind & 1)


def required(ask: play_pb2.Ask) -> bool:
    """Whether the ask wants an act, so that silence has a price."""
    return not may(ask, acts_pb2.ACT_KIND_PASS)


def cards(mask: int) -> list[int]:
    """The cards of a mask, by their numbers on the wire."""
    return [bit + 1 for bit in range(32) if mask >> bit & 1]


def playing(card: int) -> play_pb2.Answer:
    """A card, by its number on the wire; any number will do."""
    return play_pb2.Answer(play=acts_pb2.Play(card=card))  # type: ignore[arg-type]


TOEP: Final = play_pb2.Answer(toep=acts_pb2.Toep())
STAY: Final = play_pb2.Answer(stay=acts_pb2.Stay())
PASS: Final = play_pb2.Answer(decline=acts_pb2.Pass())


def meek(ask: play_pb2.Ask) -> play_pb2.Answer:
    """What a polite bot answers: it uses no window, goes along, and plays the first card that is legal."""
    if not required(ask):
        return answer(ask, PASS)
    if may(ask, acts_pb2.ACT_KIND_STAY):
        return answer(ask, STAY)
    if may(ask, acts_pb2.ACT_KIND_DISCARD):
        return answer(ask, play_pb2.Answer(discard=acts_pb2.Discard(cards=cards(ask.hand)[:3])))  # type: ignore[arg-type]
    return answer(ask, playing(cards(ask.legal)[0]))


Reply = Callable[[play_pb2.Ask], Iterable[play_pb2.Answer]]


def play(world: World, reply: Reply, line: Line | None = None) -> None:
    """Answer each ask with one message, until the match is over, and leave. After a stream that ended: nothing."""
    line = line or Line(world)
    for ask in line.next_asks():
        line.send(*reply(ask))
    if not line.ended:
        line.leave()
