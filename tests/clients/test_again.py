"""A bot that dials in again: because it was told to wait, or because it lost its referee."""

import asyncio
from collections.abc import Sequence

import grpc
import pytest
from toep_client import Bot, Match, Over, Settings, Trouble
from toep_client.again import MOST_HINTED, TURNED_AWAY, Again
from toep_client.connection import visit
from toep_client.samples.caller import Caller

from referee.v1 import play_pb2

from .conftest import Hosting, Line, Maker, Referee

FULL = grpc.StatusCode.RESOURCE_EXHAUSTED


class Waits:
    """Sleeps for no time, and writes down for how long it should have."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


class Script:
    """A referee that does something else on each stream; streams beyond the last step do the last step."""

    def __init__(self, make: Maker, *steps: str) -> None:
        self.make = make
        self.steps = list(steps)
        self.tokens: list[bytes] = []

    async def __call__(self, line: Line) -> None:
        hello = await line.hear()
        assert hello is not None
        self.tokens.append(hello.hello.resume_token)
        step = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
        if step.startswith("full "):
            await line.context.abort(FULL, "all places are taken", (("retry-after-ms", step.removeprefix("full ")),))
        if step == "full":
            await line.context.abort(FULL, "all places are taken")
        if step == "wrong token":
            await line.context.abort(grpc.StatusCode.UNAUTHENTICATED, "the resume token is not one of 'bob'")
        if step == "gone":
            await line.context.abort(grpc.StatusCode.UNAVAILABLE, "gone")
        welcome = play_pb2.Welcome(protocol=1, resume_token=f"token {len(self.tokens)}".encode())
        if step == "free":
            await line.say(welcome=welcome)
        else:
            await line.say(welcome=welcome, seated=[self.make.seated()])
            if step == "lost":
                await line.context.abort(grpc.StatusCode.UNAVAILABLE, "Socket closed")
            if step == "ended":
                await line.context.abort(grpc.StatusCode.FAILED_PRECONDITION, "this bot does not read its stream")
            await line.say(over=[self.make.over()])
        await line.goodbye()


class Counting(Caller):
    """Writes down which hooks are called."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def seated(self, match: Match) -> None:
        self.calls.append(f"seated {match.match_id} {match.seat}")

    def over(self, over: Over) -> None:
        self.calls.append(f"over {over.match_id}")


async def visiting(referee: Referee, reconnect: int = 0, bot: Bot | None = None) -> list[float]:
    waits = Waits()
    settings = Settings(address=referee.address, bot="bob", matches=1)
    async with asyncio.timeout(20):
        await visit(bot or Caller(), settings, Again(reconnect, lambda: 0.0), waits)
    return waits.seconds


@pytest.mark.asyncio
async def test_a_bot_waits_as_long_as_the_referee_says(
    hosting: Hosting, make: Maker, capsys: pytest.CaptureFixture[str]
) -> None:
    script = Script(make, "full 2000", "full 3500", "full 1", "played")
    async with hosting(script) as referee:
        assert await visiting(referee) == [2.0, 3.5, 0.4]
    assert script.tokens == [b""] * 4
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 3
    assert said[0].endswith("resource_exhausted: all places are taken: trying again in 2.0 s")


@pytest.mark.asyncio
@pytest.mark.parametrize(("step", "waits"), [("full", 0), ("full soon", 0), ("full -5", 0), ("full 30000", 2)])
async def test_it_gives_up(hosting: Hosting, make: Maker, step: str, waits: int) -> None:
    """Without a hint at once, with one after a minute; and the exit code is that of a bot that never played."""
    script = Script(make, step)
    async with hosting(script) as referee:
        with pytest.raises(Trouble, match="all places are taken") as caught:
            await visiting(referee)
    assert caught.value.code == 2
    assert len(script.tokens) == waits + 1


def pauses(again: Again, hints: Sequence[str]) -> list[float | None]:
    return [again.turned_away(hint) for hint in hints]


def test_what_is_waited_for() -> None:
    assert pauses(Again(spread=lambda: 0.0), ["999999999"]) == [MOST_HINTED]
    assert pauses(Again(spread=lambda: 0.0), ["0"] * 4) == [0.1, 0.2, 0.4, 0.8]
    assert pauses(Again(spread=lambda: 1.0), ["2000"]) == [2.5]
    assert sum(filter(None, pauses(Again(), ["1500"] * 100))) <= TURNED_AWAY
    assert pauses(Again(), ["", "1.5", "x", "9" * 10, "²"]) == [None] * 5
    assert Again().turned_away(None) is None
    assert Again(spread=lambda: 0.0).turned_away(b"1000") == 1.0
    assert Again().lost() is None
    assert Again(5).unreachable() is None


@pytest.mark.asyncio
async def test_a_bot_that_was_lost_comes_back_with_its_token(hosting: Hosting, make: Maker) -> None:
    script = Script(make, "lost", "gone", "full 2000", "played")
    async with hosting(script) as referee:
        assert await visiting(referee, reconnect=30) == [0.1, 0.2, 2.0]
    assert script.tokens == [b"", b"token 1", b"token 1", b"token 1"]


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("steps", "seated", "over"), [(("played",), 1, 1), (("lost", "played"), 2, 1), (("lost", "free"), 1, 0)]
)
async def test_a_bot_is_told_of_its_seat_once_a_stream(
    hosting: Hosting, make: Maker, steps: Sequence[str], seated: int, over: int
) -> None:
    """So a bot that was lost hears of one match twice, and of the end of one that it missed never."""
    bot = Counting()
    async with hosting(Script(make, *steps)) as referee:
        await visiting(referee, 30, bot)
    assert len(set(bot.calls)) == 1 + over
    assert [call.split()[0] for call in bot.calls] == ["seated"] * seated + ["over"] * over


@pytest.mark.asyncio
async def test_a_token_that_is_not_good_any_more_is_dropped(hosting: Hosting, make: Maker) -> None:
    script = Script(make, "lost", "wrong token", "played")
    async with hosting(script) as referee:
        assert await visiting(referee, reconnect=30) == [0.1, 0.0]
    assert script.tokens == [b"", b"token 1", b""]


@pytest.mark.asyncio
async def test_a_match_that_was_over_meanwhile_counts(hosting: Hosting, make: Maker) -> None:
    """It is not seated in it any more, and leaves after its one match."""
    script = Script(make, "lost", "free")
    async with hosting(script) as referee:
        await visiting(referee, reconnect=30)
        assert referee.heard[-1].HasField("leave")


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("steps", "reconnect", "streams"),
    [
        (("lost", "played"), 0, 1),
        (("ended", "played"), 30, 1),
        (("lost", "gone"), 2, 5),
    ],
)
async def test_a_bot_that_stays_lost(
    hosting: Hosting, make: Maker, steps: Sequence[str], reconnect: int, streams: int
) -> None:
    script = Script(make, *steps)
    async with hosting(script) as referee:
        with pytest.raises(Trouble) as caught:
            await visiting(referee, reconnect)
    assert caught.value.code == 1
    assert len(script.tokens) == streams
