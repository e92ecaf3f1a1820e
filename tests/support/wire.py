"""A referee that listens on loopback, and bots on it: by hand, message by message, or with the client's library."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import grpc
from google.protobuf.message import Message
from toep_client import Bot, Settings
from toep_client import play as play_bot

from referee.cards import bits
from referee.game.game import BIT, PASS_BIT
from referee.game.records import Stay
from referee.log.note import Signer
from referee.service.names import Names
from referee.service.seating import Seating
from referee.service.server import Server
from referee.service.store import Store
from referee.v1 import acts_pb2, play_pb2, referee_service_pb2

SERVICE: Final = "/referee.v1.RefereeService/"
SEED: Final = bytes(range(32))
NAMES: Final = ("ann", "bob", "cor", "dee")
PATIENCE: Final = 10.0
"""Seconds after which a test that waits for a message fails."""

PASSES: Final = play_pb2.Answer(decline=acts_pb2.Pass())


def replying(ask: play_pb2.Ask, act: play_pb2.Answer) -> play_pb2.Answer:
    """An act as the answer to an ask."""
    answer = play_pb2.Answer(table=ask.table, ask=ask.ask)
    answer.MergeFrom(act)
    return answer


def meek(ask: play_pb2.Ask) -> play_pb2.Answer:
    """Uses no window, goes along, and plays the first card that is legal."""
    if ask.may & PASS_BIT:
        return replying(ask, PASSES)
    if ask.may & BIT[Stay]:
        return replying(ask, play_pb2.Answer(stay=acts_pb2.Stay()))
    return replying(ask, playing(next(bits(ask.legal)) + 1))


def playing(card: int) -> play_pb2.Answer:
    """A card, by its number on the wire."""
    return play_pb2.Answer(play=acts_pb2.Play(card=card))  # type: ignore[arg-type]


class Line:
    """One bot's stream, by hand."""

    def __init__(self, call: "grpc.aio.StreamStreamCall[Message, play_pb2.PlayResponse]") -> None:
        self.call: Final = call
        self.welcome = play_pb2.Welcome()
        self.asks: Final[dict[tuple[int, int], play_pb2.Ask]] = {}
        """Asks that were not answered, by table and seat."""
        self.batches: Final[list[play_pb2.PlayResponse]] = []
        self.seated: Final[list[play_pb2.Seated]] = []
        self.refusals: Final[list[play_pb2.Refusal]] = []
        self.superseded: Final[list[play_pb2.Superseded]] = []
        self.over: Final[list[play_pb2.MatchOver]] = []

    async def read(self) -> bool:
        """Take in the next message; False when the stream has ended."""
        async with asyncio.timeout(PATIENCE):
            try:
                batch = await self.call.read()
            except grpc.aio.AioRpcError:
                return False
        if not isinstance(batch, play_pb2.PlayResponse):
            return False
        self.batches.append(batch)
        if batch.HasField("welcome"):
            self.welcome = batch.welcome
        self.asks.update(((ask.table, ask.seat), ask) for ask in batch.asks)
        self.seated.extend(batch.seated)
        self.refusals.extend(batch.refusals)
        self.superseded.extend(batch.superseded)
        self.over.extend(batch.over)
        return True

    async def until(self, condition: Callable[[], object]) -> None:
        """Read until something is so."""
        while not condition():
            assert await self.read(), "the stream has ended"

    async def ask(self) -> play_pb2.Ask:
        """Some open ask; waits for one."""
        await self.until(lambda: self.asks)
        return next(iter(self.asks.values()))

    async def say(self, *answers: play_pb2.Answer) -> None:
        """Send answers in one message."""
        await self.call.write(play_pb2.PlayRequest(answers=answers))

    async def reply(self, ask: play_pb2.Ask, act: play_pb2.Answer | None = None) -> None:
        """Answer an ask, meekly unless an act is given."""
        self.asks.pop((ask.table, ask.seat), None)
        await self.say(meek(ask) if act is None else replying(ask, act))

    async def refused(self, *answers: play_pb2.Answer) -> list[play_pb2.Refusal]:
        """Send answers of which each is refused, and give the refusals."""
        before = len(self.refusals)
        await self.say(*answers)
        await self.until(lambda: len(self.refusals) >= before + len(answers))
        return self.refusals[before:]

    async def play(self, matches: int = 1) -> None:
        """Answer everything meekly until so many matches are over."""
        while len(self.over) < matches:
            answers = [meek(ask) for ask in self.asks.values()]
            self.asks.clear()
            if answers:
                await self.say(*answers)
            assert await self.read(), "the stream has ended"

    async def hang_up(self) -> None:
        """Close this side without a goodbye; when this returns the referee knows that the link is down."""
        await self.call.done_writing()
        await self.rest()

    async def leave(self) -> None:
        """Say goodbye, and read to the end of the stream."""
        await self.call.write(play_pb2.PlayRequest(leave=play_pb2.Leave(reason="enough")))
        await self.rest()

    async def rest(self) -> None:
        """Read to the end of the stream."""
        while await self.read():
            pass

    async def status(self) -> tuple[grpc.StatusCode, str]:
        """How the stream ended."""
        await self.rest()
        return await self.call.code(), await self.call.details() or ""


class House:
    """A listening referee, and the means to call it."""

    def __init__(self, server: Server, folder: Path, channel: grpc.aio.Channel) -> None:
        self.server: Final = server
        self.hall: Final = server.hall
        self.folder: Final = folder
        self.channel: Final = channel
        pb = referee_service_pb2
        self._create = channel.unary_unary(
            SERVICE + "CreateMatch",
            request_serializer=pb.CreateMatchRequest.SerializeToString,
            response_deserializer=pb.CreateMatchResponse.FromString,
        )
        self._get = channel.unary_unary(
            SERVICE + "GetMatch",
            request_serializer=pb.GetMatchRequest.SerializeToString,
            response_deserializer=pb.GetMatchResponse.FromString,
        )
        self._list = channel.unary_unary(
            SERVICE + "ListMatches",
            request_serializer=pb.ListMatchesRequest.SerializeToString,
            response_deserializer=pb.ListMatchesResponse.FromString,
        )
        self._download = channel.unary_stream(
            SERVICE + "DownloadLog",
            request_serializer=pb.DownloadLogRequest.SerializeToString,
            response_deserializer=pb.DownloadLogResponse.FromString,
        )

    async def create(self, token: str = "", **fields: Any) -> referee_service_pb2.MatchInfo:
        """Set up a match: by default one round between ann, bob, cor and dee, with an open seed and no clock."""
        values: dict[str, Any] = {
            "bots": NAMES,
            "preset": "short",
            "rounds": 1,
            "clock": referee_service_pb2.CLOCK_NONE,
            "open_seed": SEED,
        }
        request = referee_service_pb2.CreateMatchRequest(**{**values, **fields})
        response = await self._create(request, timeout=PATIENCE, metadata=_bearer(token))
        assert isinstance(response, referee_service_pb2.CreateMatchResponse)
        return response.info

    def seating(self, match: str) -> Seating:
        """A match that is not over, from inside."""
        one = self.hall.find(match)
        assert isinstance(one, Seating)
        return one

    async def get(self, match: str) -> referee_service_pb2.MatchInfo:
        response = await self._get(referee_service_pb2.GetMatchRequest(match_id=match), timeout=PATIENCE)
        assert isinstance(response, referee_service_pb2.GetMatchResponse)
        return response.info

    async def matches(self, size: int = 0, token: str = "") -> referee_service_pb2.ListMatchesResponse:
        request = referee_service_pb2.ListMatchesRequest(page_size=size, page_token=token)
        response = await self._list(request, timeout=PATIENCE)
        assert isinstance(response, referee_service_pb2.ListMatchesResponse)
        return response

    async def download(self, match: str) -> bytes:
        chunks = []
        async for response in self._download(referee_service_pb2.DownloadLogRequest(match_id=match), timeout=PATIENCE):
            assert isinstance(response, referee_service_pb2.DownloadLogResponse)
            chunks.append(response.chunk)
        return b"".join(chunks)

    def log(self, match: str) -> bytes:
        """The log on disk."""
        return (self.folder / f"{match}.toep").read_bytes()

    async def dial(self, first: play_pb2.PlayRequest | None, token: str = "") -> Line:
        """Open a stream with this first message, or with none."""
        call: grpc.aio.StreamStreamCall[Message, play_pb2.PlayResponse] = self.channel.stream_stream(
            SERVICE + "Play",
            request_serializer=play_pb2.PlayRequest.SerializeToString,
            response_deserializer=play_pb2.PlayResponse.FromString,
        )(metadata=_bearer(token))
        if first is not None:
            await call.write(first)
        return Line(call)

    async def hello(
        self, bot: str, *, parallel: int = 1024, protocol: int = 1, token: str = "", resume_token: bytes = b""
    ) -> Line:
        """Open a stream with a Hello."""
        hello = play_pb2.Hello(protocol=protocol, bot=bot, version="1", parallel=parallel, resume_token=resume_token)
        return await self.dial(play_pb2.PlayRequest(hello=hello), token)

    async def line(self, bot: str, *, parallel: int = 1024, token: str = "", resume_token: bytes = b"") -> Line:
        """A bot that was let in."""
        line = await self.hello(bot, parallel=parallel, token=token, resume_token=resume_token)
        await line.until(lambda: line.welcome.protocol)
        return line

    async def lines(self, bots: Iterable[str] = NAMES) -> list[Line]:
        """Bots that were let in."""
        return [await self.line(bot) for bot in bots]

    async def gone(self, bot: str) -> None:
        """Wait until the referee has noticed that a bot's stream is over."""
        await eventually(lambda: bot not in self.hall.sessions)

    def files(self) -> list[str]:
        """The names of the files in the referee's folder."""
        return sorted(path.name for path in self.folder.iterdir())

    async def played(self, bots: Mapping[str, Bot], matches: int = 1) -> None:
        """Bots of the client's library play so many matches and leave."""
        async with asyncio.timeout(60), asyncio.TaskGroup() as group:
            for name, bot in bots.items():
                settings = Settings(address=self.server.address, bot=name, matches=matches)
                group.create_task(play_bot(bot, settings))


async def eventually(condition: Callable[[], object], pause: float = 0.002) -> None:
    """Wait for something that no event or message tells of."""
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - there is no event
            await asyncio.sleep(pause)


def _bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),) if token else ()


@asynccontextmanager
async def house(
    folder: Path,
    *,
    tokens: Mapping[str, str] | None = None,
    organiser: str = "",
    signer: Signer | None = None,
    lobby_seconds: int = 0,
    metrics: str = "",
    names: Names | None = None,
    grace_seconds: int = 0,
    max_matches: int = 0,
) -> AsyncIterator[House]:
    """``async with house(tmp_path) as house``: a referee that keeps its logs there."""
    server = Server(
        Store(folder),
        tokens=tokens,
        organiser=organiser,
        signer=signer,
        lobby_seconds=lobby_seconds,
        metrics=metrics,
        names=names,
        grace_seconds=grace_seconds,
        max_matches=max_matches,
    )
    address = await server.start()
    channel = grpc.aio.insecure_channel(
        address, options=(("grpc.enable_http_proxy", 0), ("grpc.use_local_subchannel_pool", 1))
    )
    try:
        yield House(server, folder, channel)
    finally:
        await channel.close()
        await server.stop(0)


async def refusal(call: object) -> tuple[grpc.StatusCode, str]:
    """The status that a call which must fail ends with."""
    try:
        await call  # type: ignore[misc]
    except grpc.aio.AioRpcError as error:
        return error.code(), error.details() or ""
    raise AssertionError("the call went well")
