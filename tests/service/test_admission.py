"""Who is let in: Hello, names and tokens."""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

import grpc
import pytest
import structlog
from toep_client import Settings, Trouble
from toep_client import play as play_bot
from toep_client.samples.caller import Caller

from referee.service import options, rpc
from referee.v1 import play_pb2, referee_service_pb2
from tests.support.wire import SERVICE, House, Line, eventually, house, refusal

pytestmark = pytest.mark.asyncio
Code = grpc.StatusCode


async def test_the_first_message_must_have_a_hello(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        line = await home.dial(play_pb2.PlayRequest(answers=[play_pb2.Answer(table=1, ask=1)]))
        code, text = await line.status()
        assert code is Code.INVALID_ARGUMENT
        assert "Hello" in text


NOT_MESSAGES = {
    "noise": b"\xff" * 100,
    "cut short": play_pb2.PlayRequest(hello=play_pb2.Hello(protocol=1, bot="ann")).SerializeToString()[:-1],
    "a name that is no UTF-8": b"\x12\x06\x08\x01\x12\x02\xff\xfe",
}


@pytest.mark.parametrize("name", NOT_MESSAGES)
@pytest.mark.parametrize("after_hello", [False, True])
async def test_bytes_that_are_no_message(tmp_path: Path, name: str, after_hello: bool) -> None:
    """The bot's author is told so; whoever runs the referee is not troubled with a fault that is not the referee's."""
    async with house(tmp_path) as home:
        with structlog.testing.capture_logs() as logs:
            call: Any = home.channel.stream_stream(
                SERVICE + "Play", request_serializer=bytes, response_deserializer=play_pb2.PlayResponse.FromString
            )()
            line = Line(call)
            if after_hello:
                await call.write(play_pb2.PlayRequest(hello=play_pb2.Hello(protocol=1, bot="ann")).SerializeToString())
                await line.until(lambda: line.welcome.protocol)
            await call.write(NOT_MESSAGES[name])
            code, text = await line.status()
        assert code is Code.INVALID_ARGUMENT
        assert "PlayRequest" in text
        assert [entry for entry in logs if entry["log_level"] not in ("info", "warning")] == []
        await home.line("ann")


async def test_a_stream_without_any_message(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        line = await home.dial(None)
        await line.call.done_writing()
        assert (await line.status())[0] is Code.INVALID_ARGUMENT


async def test_a_stream_that_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rpc, "HELLO_SECONDS", 0.05)
    async with house(tmp_path) as home:
        line = await home.dial(None)
        assert (await line.status())[0] is Code.DEADLINE_EXCEEDED


@pytest.mark.parametrize("protocol", [0, 2, 99])
async def test_another_protocol(tmp_path: Path, protocol: int) -> None:
    async with house(tmp_path) as home:
        line = await home.hello("ann", protocol=protocol)
        code, text = await line.status()
        assert code is Code.FAILED_PRECONDITION
        assert "protocol 1" in text
        assert str(protocol) in text


async def test_a_second_hello(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        line = await home.line("ann")
        await line.call.write(play_pb2.PlayRequest(hello=play_pb2.Hello(protocol=1, bot="bob")))
        code, text = await line.status()
        assert code is Code.FAILED_PRECONDITION
        assert "once" in text


async def test_a_name_that_is_taken(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        first = await home.line("ann")
        second = await home.hello("ann")
        code, text = await second.status()
        assert code is Code.ALREADY_EXISTS
        assert "'ann'" in text
        await first.leave()
        await home.line("ann")


@pytest.mark.parametrize("name", ["", "x" * 65, "a\nb", "käthe", "\x7f"])
async def test_a_name_that_is_none(tmp_path: Path, name: str) -> None:
    async with house(tmp_path) as home:
        line = await home.hello(name)
        assert (await line.status())[0] is Code.INVALID_ARGUMENT


async def test_names_at_the_edge(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        for name in ("x" * 64, "a b", "ann/2=~"):
            await home.line(name)


async def test_more_bots_than_there_is_room_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.service.hall.MAX_BOTS", 1)
    async with house(tmp_path) as home:
        await home.line("ann")
        line = await home.hello("bob")
        assert (await line.status())[0] is Code.RESOURCE_EXHAUSTED


@pytest.mark.parametrize(("wanted", "given"), [(0, 1), (1, 1), (7, 7), (10**6, options.MAX_PARALLEL)])
async def test_how_many_asks_at_once(tmp_path: Path, wanted: int, given: int) -> None:
    async with house(tmp_path) as home:
        line = await home.line("ann", parallel=wanted)
        assert line.welcome.parallel == given
        assert line.welcome.protocol == options.PROTOCOL
        assert line.welcome.referee.startswith("toep")


TOKENS = {"ann": "secret-a", "bob": "secret-b"}


@pytest.mark.parametrize(
    ("bot", "token"),
    [("ann", ""), ("ann", "wrong"), ("ann", "secret-b"), ("ann", "secret-"), ("eve", "secret-a"), ("eve", "")],
)
async def test_a_token_that_is_missing_or_wrong(tmp_path: Path, bot: str, token: str) -> None:
    async with house(tmp_path, tokens=TOKENS) as home:
        line = await home.hello(bot, token=token)
        code, text = await line.status()
        assert code is Code.UNAUTHENTICATED
        assert not any(secret in text for secret in TOKENS.values())
        assert home.hall.sessions == {}


async def test_the_right_token(tmp_path: Path) -> None:
    async with house(tmp_path, tokens=TOKENS) as home:
        await home.line("ann", token="secret-a")
        await home.line("bob", token="secret-b")


async def test_an_unknown_bot_and_a_wrong_token_look_the_same(tmp_path: Path) -> None:
    async with house(tmp_path, tokens=TOKENS) as home:
        known, unknown = [await home.hello(bot, token="wrong") for bot in ("ann", "eve")]
        assert await known.status() == await unknown.status()


async def test_creating_matches_is_for_the_organiser(tmp_path: Path) -> None:
    async with house(tmp_path, tokens=TOKENS, organiser="secret-o") as home:
        for token in ("", "secret-a", "wrong"):
            assert (await refusal(home.create(token)))[0] is Code.UNAUTHENTICATED
        assert home.files() == []
        await home.create("secret-o")


async def trouble(home: House, bot: str, token: str | None) -> str:
    """What the client's library says when it is not let in."""
    with pytest.raises(Trouble) as caught:
        await play_bot(Caller(), Settings(address=home.server.address, bot=bot, token=token))
    return str(caught.value)


async def test_what_a_bots_author_is_told(tmp_path: Path) -> None:
    async with house(tmp_path, tokens=TOKENS) as home:
        assert "TOEP_TOKEN" in await trouble(home, "ann", "wrong")
        assert "wrong" not in (await trouble(home, "ann", "wrong-secret")).replace("wrong or missing", "")
        await home.line("ann", token="secret-a")
        assert "another name" in await trouble(home, "ann", "secret-a")


async def test_asking_about_matches_takes_a_token_of_this_referee(tmp_path: Path) -> None:
    """Anybody's: a bot's or the organiser's."""
    async with house(tmp_path, tokens=TOKENS, organiser="secret-o") as home:
        await home.create("secret-o", match_id="m-1", bots=["ann", "bob"])
        for asked in (home.get("m-1"), home.matches(), home.download("m-1")):
            assert (await refusal(asked))[0] is Code.UNAUTHENTICATED
        for token, code in (("wrong", Code.UNAUTHENTICATED), ("secret-b", Code.OK), ("secret-o", Code.OK)):
            request = referee_service_pb2.GetMatchRequest(match_id="m-1")
            call = home.channel.unary_unary(
                SERVICE + "GetMatch",
                request_serializer=request.__class__.SerializeToString,
                response_deserializer=referee_service_pb2.GetMatchResponse.FromString,
            )(request, metadata=(("authorization", f"Bearer {token}"),))
            assert await call.code() is code


async def test_a_name_is_free_again_when_its_peer_answers_no_ping(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that is stopped is like a machine whose cable was pulled: nothing comes any more, not even an end."""
    hurried = {"grpc.keepalive_time_ms": 200, "grpc.keepalive_timeout_ms": 200, "grpc.http2.ping_timeout_ms": 200}
    monkeypatch.setattr(
        "referee.service.server.SERVER_OPTIONS", tuple({**dict(options.SERVER_OPTIONS), **hurried}.items())
    )
    async with house(tmp_path) as home:
        bot = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "toep_client", "caller",
            env={**os.environ, "TOEP_ADDRESS": home.server.address, "TOEP_BOT": "ann"},
        )  # fmt: skip
        try:
            await eventually(lambda: "ann" in home.hall.sessions)
            bot.send_signal(signal.SIGSTOP)
            await home.gone("ann")
            await home.line("ann")
        finally:
            bot.kill()
            await bot.wait()
