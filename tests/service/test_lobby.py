"""Matches that wait for their bots, and matches that no longer do."""

from pathlib import Path

import grpc
import pytest
import structlog

from referee.log.records import Rounds
from referee.ruleset import resolve
from referee.service import options
from referee.service.clock import monotonic_ms
from referee.service.hall import Hall
from referee.service.seating import Seating
from referee.service.store import Store
from referee.table.head import MatchPlan
from referee.v1 import play_pb2
from tests.support.wire import NAMES, SEED, house, refusal

pytestmark = pytest.mark.asyncio
WAITING, ABANDONED = play_pb2.MATCH_STATUS_WAITING, play_pb2.MATCH_STATUS_ABANDONED


class Waiting:
    """A hall whose clock is a number."""

    def __init__(self, folder: Path, lobby_seconds: int = 0) -> None:
        self.now = 1_000
        self.folder = folder
        self.hall = Hall(Store(folder), lambda: self.now, lobby_seconds=lobby_seconds)

    def create(self, match: str, lobby_seconds: int | None = None) -> Seating:
        plan = MatchPlan(rules=resolve("short"), bots=list(NAMES[:2]), length=Rounds(rounds=1), match=match)
        return self.hall.create(plan, SEED, declared=False, lobby_seconds=lobby_seconds)

    def at(self, milliseconds: int) -> None:
        """So long after the beginning."""
        self.now = 1_000 + milliseconds
        self.hall.tick()

    def files(self) -> list[str]:
        return sorted(path.name for path in self.folder.iterdir())


async def test_who_is_awaited_and_since_when(tmp_path: Path) -> None:
    async with house(tmp_path, lobby_seconds=7) as home:
        info = await home.create(match_id="m-1")
        assert (info.status, info.connected, info.awaited) == (WAITING, 0b0000, 0b1111)
        assert info.lobby_seconds == 7
        lines = [await home.line(bot) for bot in ("bob", "dee")]
        info = await home.get("m-1")
        assert (info.status, info.connected, info.awaited) == (WAITING, 0b1010, 0b0101)
        await lines[0].hang_up()
        info = await home.get("m-1")
        assert (info.connected, info.awaited) == (0b1000, 0b0111)
        home.hall._clock = lambda: monotonic_ms() + 5_000
        assert 5_000 <= (await home.get("m-1")).waited_ms <= 7_000
        for bot in ("ann", "bob", "cor"):
            await home.line(bot)
        info = await home.get("m-1")
        assert (info.status, info.connected, info.awaited) == (play_pb2.MATCH_STATUS_PLAYING, 0b1111, 0)
        waited = info.waited_ms
        home.hall._clock = lambda: monotonic_ms() + 6_000
        assert (await home.get("m-1")).waited_ms == waited


async def test_a_match_waits_for_ever_unless_it_is_told_otherwise(tmp_path: Path) -> None:
    waiting = Waiting(tmp_path)
    seating = waiting.create("m-1")
    waiting.at(10**12)
    assert seating.status == "waiting"
    assert waiting.files() == ["m-1.toep", "m-1.toep.seed"]
    waiting.hall.abandon_all()


@pytest.mark.parametrize(("of_the_hall", "of_the_match"), [(30, None), (0, 30), (5, 30), (100, 30)])
async def test_a_match_is_cancelled_when_its_time_is_over(
    tmp_path: Path, of_the_hall: int, of_the_match: int | None
) -> None:
    """It leaves no log and no seed; the bot that came is told, and the next match can be played."""
    waiting = Waiting(tmp_path, of_the_hall)
    seating = waiting.create("m-1", of_the_match)
    session = waiting.hall.connect("ann", 1)
    session.take_batch()
    waiting.at(29_999)
    assert seating.status == "waiting"
    with structlog.testing.capture_logs() as logs:
        waiting.at(30_000)
    assert seating.status == "abandoned"
    assert seating.done.is_set()
    assert waiting.files() == []
    (over,) = play_pb2.PlayResponse.FromString(session.take_batch()).over
    assert (over.match_id, over.status) == ("m-1", ABANDONED)
    (entry,) = logs
    assert entry["event"] == "match cancelled"
    assert (entry["match"], entry["awaited"], entry["waited_ms"]) == ("m-1", ["bob"], 30_000)
    waiting.hall.disconnect(session)
    waiting.at(90_000)
    assert (seating.awaited(), seating.waited(waiting.now)) == ([1], 30_000)


async def test_a_match_that_never_waits_too_long_among_others(tmp_path: Path) -> None:
    """Times may differ from match to match, and 0 is for ever also where the referee says otherwise."""
    waiting = Waiting(tmp_path, 10)
    seatings = {name: waiting.create(name, seconds) for name, seconds in (("m-1", None), ("m-2", 3), ("m-3", 0))}
    statuses = []
    for moment in (2_999, 3_000, 10_000, 10**9):
        waiting.at(moment)
        statuses.append([seating.status for seating in seatings.values()])
    assert statuses == [
        ["waiting", "waiting", "waiting"],
        ["waiting", "abandoned", "waiting"],
        ["abandoned", "abandoned", "waiting"],
        ["abandoned", "abandoned", "waiting"],
    ]
    waiting.hall.abandon_all()


async def test_a_match_that_has_begun_is_not_cancelled(tmp_path: Path) -> None:
    waiting = Waiting(tmp_path, 30)
    seating = waiting.create("m-1")
    sessions = [waiting.hall.connect(bot, 1) for bot in NAMES[:2]]
    waiting.hall.disconnect(sessions[0])
    waiting.at(31_000)
    assert seating.status == "playing"
    assert seating.awaited() == []
    waiting.hall.abandon_all()


async def test_a_cancelled_match_as_an_organiser_sees_it(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        await home.create(match_id="m-1", lobby_seconds=60)
        line = await home.line("bob")
        home.hall._clock = lambda: monotonic_ms() + 60_000
        await line.until(lambda: line.over)
        info = await home.get("m-1")
        assert (info.status, info.awaited, info.revealed) == (ABANDONED, 0b1101, False)
        assert (await refusal(home.download("m-1")))[0] is grpc.StatusCode.FAILED_PRECONDITION
        assert (await refusal(home.create(match_id="m-1")))[0] is grpc.StatusCode.ALREADY_EXISTS
        assert home.files() == []


async def test_a_lobby_of_more_than_a_year(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        code, text = await refusal(home.create(lobby_seconds=options.MAX_LOBBY_SECONDS + 1))
        assert code is grpc.StatusCode.INVALID_ARGUMENT
        assert "lobby_seconds" in text
        await home.create(lobby_seconds=options.MAX_LOBBY_SECONDS)


async def test_a_full_referee_says_when_to_come_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.service.hall.MAX_BOTS", 1)
    async with house(tmp_path) as home:
        await home.line("ann")
        line = await home.hello("bob")
        code, _ = await line.status()
        assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert dict(await line.call.trailing_metadata() or ())["retry-after-ms"] == str(options.RETRY_AFTER_MS)
        # Where it is of no use to come again, nothing is said.
        line = await home.hello("ann")
        assert (await line.status())[0] is grpc.StatusCode.ALREADY_EXISTS
        assert "retry-after-ms" not in dict(await line.call.trailing_metadata() or ())
