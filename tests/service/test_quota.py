"""How many matches may be open at once."""

from pathlib import Path

import grpc
import pytest
from toep_client.samples.caller import Caller

from referee.cli.main import run
from referee.service import options
from referee.v1 import play_pb2, referee_service_pb2
from tests.support.wire import NAMES, PATIENCE, SERVICE, House, house, refusal

Code = grpc.StatusCode


async def hint(home: House, match: str) -> str | bytes | None:
    """The hint with which a match is refused."""
    request = referee_service_pb2.CreateMatchRequest(match_id=match, bots=NAMES, preset="short", rounds=1)
    call = home.channel.unary_unary(
        SERVICE + "CreateMatch",
        request_serializer=referee_service_pb2.CreateMatchRequest.SerializeToString,
        response_deserializer=referee_service_pb2.CreateMatchResponse.FromString,
    )(request, timeout=PATIENCE)
    assert await call.code() is Code.RESOURCE_EXHAUSTED
    return dict(await call.trailing_metadata() or ()).get(options.RETRY_KEY)


@pytest.mark.asyncio
async def test_matches_that_wait_or_are_played_count(tmp_path: Path) -> None:
    async with house(tmp_path, max_matches=2) as home:
        await home.create(match_id="m-1")
        await home.create(match_id="m-2", bots=("eve", "fox"))
        code, text = await refusal(home.create(match_id="m-3"))
        assert code is Code.RESOURCE_EXHAUSTED
        assert "2 matches wait or are played, and --max-matches is 2" in text
        assert await hint(home, "m-3") == str(options.RETRY_AFTER_MS)
        # Whoever asks about matches, or plays in them, does not notice; and of the refused one nothing is left.
        assert (await home.get("m-1")).status == play_pb2.MATCH_STATUS_WAITING
        assert not [name for name in home.files() if "m-3" in name]
        assert (await refusal(home.get("m-3")))[0] is Code.NOT_FOUND
        await home.played({name: Caller() for name in NAMES})
        await home.create(match_id="m-3")
        assert (await refusal(home.create(match_id="m-4")))[0] is Code.RESOURCE_EXHAUSTED


@pytest.mark.asyncio
async def test_cancelled_matches_do_not_count(tmp_path: Path) -> None:
    async with house(tmp_path, max_matches=1) as home:
        await home.create(match_id="m-1", lobby_seconds=1)
        home.hall._clock = lambda clock=home.hall._clock: clock() + 2_000  # type: ignore[misc]
        home.hall.tick()
        await home.create(match_id="m-2")


@pytest.mark.asyncio
async def test_matches_of_an_earlier_referee_are_taken_up_all(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        for number in range(3):
            await home.create(match_id=f"m-{number}", bots=NAMES[:2])
        for line in await home.lines(NAMES[:2]):
            await line.ask()
        home.hall.let_go()
    async with house(tmp_path, max_matches=1) as home:
        assert len(home.hall.take_up()) == 3
        assert (await refusal(home.create(match_id="m-3")))[0] is Code.RESOURCE_EXHAUSTED


@pytest.mark.asyncio
async def test_without_a_limit(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        for number in range(20):
            await home.create(match_id=f"m-{number}")


def test_the_command_names_the_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = (
        "--rules",
        "short",
        "--address",
        "127.0.0.1:0",
        "--max-matches",
        "1",
        "--match",
        "ann,bob",
        "--match",
        "bob,ann",
    )
    assert run(["serve", *words]) == 2
    assert "--max-matches is 1" in capsys.readouterr().err.splitlines()[-1]
