"""A referee's polite bots, and the matches that are played between them and a hostile one."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import grpc
from google.protobuf.message import Message

from referee.service.edge import rule_option
from referee.v1 import play_pb2, referee_service_pb2, rules_pb2, table_pb2
from tests.support.hostile.bots import (
    OPPONENTS,
    ORGANISER,
    PATIENCE,
    Hostile,
    Problem,
    Verdict,
)
from tests.support.hostile.judge import verdict_on
from tests.support.wire import SEED, SERVICE, meek


def follow_suit(ask: play_pb2.Ask, state: table_pb2.TableState) -> play_pb2.Ask:
    """The ask, but of the cards that are legal only those that follow suit, where revoking is legal too."""
    trick = [play for play in state.plays if play >> 8 == state.trick]
    if trick:
        suit = 0xFF << (trick[0] & 31) // 8 * 8
        ask.legal = ask.legal & suit or ask.legal
    return ask


class Floor:
    """A referee at some address, and its polite bots: `OPPONENTS`, who sit at every table."""

    def __init__(self, address: str, token_of: Callable[[str], str]) -> None:
        self.address: Final = address
        self.token_of: Final = token_of
        self.over: Final[dict[str, asyncio.Event]] = {}
        """By match id, set when its opponents have heard that it is over."""
        self.waiting: Final[set[str]] = set()
        """Matches that did not begin."""
        options = (("grpc.enable_http_proxy", 0), ("grpc.use_local_subchannel_pool", 1))
        self._channel = grpc.aio.insecure_channel(address, options=options)
        self._playing: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Let the polite bots in."""
        for name in OPPONENTS:
            here = asyncio.Event()
            self._playing.append(asyncio.create_task(self._play(name, here)))
            await asyncio.wait_for(here.wait(), PATIENCE)

    async def close(self) -> None:
        """The polite bots leave."""
        for task in self._playing:
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)
        await self._channel.close()

    async def _play(self, name: str, here: asyncio.Event) -> None:
        call: grpc.aio.StreamStreamCall[Message, play_pb2.PlayResponse] = self._channel.stream_stream(
            SERVICE + "Play",
            request_serializer=play_pb2.PlayRequest.SerializeToString,
            response_deserializer=play_pb2.PlayResponse.FromString,
        )(metadata=self._bearer(name))
        await call.write(play_pb2.PlayRequest(hello=play_pb2.Hello(protocol=1, bot=name, parallel=1024)))
        states: dict[int, table_pb2.TableState] = {}
        while isinstance(batch := await call.read(), play_pb2.PlayResponse):
            here.set()
            states.update((update.table, update.state) for update in batch.updates)
            if batch.asks:
                answers = [meek(follow_suit(ask, states[ask.table])) for ask in batch.asks]
                await call.write(play_pb2.PlayRequest(answers=answers))
            for over in batch.over:
                self.over[over.match_id].set()
        here.set()

    async def create(self, bot: Hostile, match: str, deals: str) -> None:
        """Set up a match of this bot between the polite ones."""
        setting = bot.match
        self.over[match] = asyncio.Event()
        await self._call(
            "CreateMatch",
            referee_service_pb2.CreateMatchRequest(
                bots=[OPPONENTS[0], bot.name, OPPONENTS[1]],
                preset=setting.rules,
                overrides=[rule_option(name, value) for name, value in setting.options.items()],
                rounds=setting.rounds,
                clock=referee_service_pb2.CLOCK_MS if bot.runs == "clock" else referee_service_pb2.CLOCK_NONE,
                conduct=rules_pb2.Conduct(act_ms=setting.act_ms, window_ms=setting.window_ms, faults=setting.faults),
                match_id=match,
                open_seed=b"" if setting.secret or setting.matches > 1 else SEED,
                deals=deals,
            ),
            referee_service_pb2.CreateMatchResponse,
        )

    async def begun(self, match: str) -> bool:
        """Whether a match has begun."""
        request = referee_service_pb2.GetMatchRequest(match_id=match)
        response = await self._call("GetMatch", request, referee_service_pb2.GetMatchResponse)
        return bool(response.info.status != play_pb2.MATCH_STATUS_WAITING)

    async def close_deals(self, deals: str) -> None:
        """No more matches of this deal set will come."""
        request = referee_service_pb2.CloseDealsRequest(deals=deals)
        await self._call("CloseDeals", request, referee_service_pb2.CloseDealsResponse)

    async def revealed(self, match: str) -> None:
        """Wait until the log of a match is whole."""
        request = referee_service_pb2.GetMatchRequest(match_id=match)
        async with asyncio.timeout(PATIENCE):
            while not (  # noqa: ASYNC110 - the service has no call that waits
                await self._call("GetMatch", request, referee_service_pb2.GetMatchResponse)
            ).info.revealed:
                await asyncio.sleep(0.01)

    async def _call(self, method: str, request: Message, kind: Any) -> Any:
        call: Any = self._channel.unary_unary(
            SERVICE + method,
            request_serializer=lambda one: one.SerializeToString(),
            response_deserializer=kind.FromString,
        )
        return await call(request, timeout=PATIENCE, metadata=self._bearer(ORGANISER))

    def _bearer(self, name: str) -> tuple[tuple[str, str], ...]:
        token = self.token_of(name)
        return (("authorization", f"Bearer {token}"),) if token else ()


async def matches_of(bot: Hostile, floor: Floor, logs: Path, begin: Callable[[], "Bot"]) -> Verdict:
    """Let a bot play its matches, one after the other, and say what came of the last."""
    told: list[str] = []
    deals = f"deals-{bot.name}" if bot.match.matches > 1 else "deals"
    for number in range(bot.match.matches):
        match = f"{bot.name}-{number + 1}"
        await floor.create(bot, match, deals)
        running = begin()
        try:
            await running.start()
            ended = asyncio.create_task(running.ended())
            over = asyncio.create_task(floor.over[match].wait())
            await asyncio.wait((ended, over), timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
            if not over.done() and ended.done() and await floor.begun(match):
                await asyncio.wait((over,), timeout=PATIENCE)
            began = over.done() or await floor.begun(match)
            await asyncio.wait((ended,), timeout=PATIENCE)
            hung = [what for what, task in (("the match", over), ("the bot", ended)) if not task.done()]
            for task in (ended, over):
                task.cancel()
            await asyncio.gather(ended, over, return_exceptions=True)
        finally:
            await running.end()
        told += running.told()
        if not began:
            floor.waiting.add(match)
            return Verdict("waiting", "no match", told=told)
        if hung:
            raise Problem(f"{' and '.join(hung)} did not end in {PATIENCE:.0f} s; told: {told}")
    if bot.match.matches > 1:
        await floor.close_deals(deals)
    await floor.revealed(match)
    return verdict_on(logs / f"{match}.toep", told)


class Bot:
    """A bot that is running somehow."""

    async def start(self) -> None:
        """Begin."""
        raise NotImplementedError

    async def ended(self) -> None:
        """Wait for its end."""
        raise NotImplementedError

    async def end(self) -> None:
        """Make it end, unless it has."""
        raise NotImplementedError

    def told(self) -> list[str]:
        """What its author has read so far."""
        raise NotImplementedError
