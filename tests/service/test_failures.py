"""What goes wrong on the referee's side: unexpected errors, full disks, taken ports, and closing down."""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path

import grpc
import pytest
import structlog

from referee.game.records import Void
from referee.log.records import End
from referee.log.writer import FileSink, LogWriteError
from referee.service import rpc
from referee.service.hall import Hall
from referee.service.server import BindError, Server
from referee.service.store import Store
from referee.table.table import Table
from referee.v1 import play_pb2, rules_pb2
from tests.support.tables import only, verified
from tests.support.wire import NAMES, SEED, House, house, refusal

pytestmark = pytest.mark.asyncio
Code = grpc.StatusCode
SECRET = f"seed {SEED.hex()}"
PATIENT = rules_pb2.Conduct(act_ms=60_000, window_ms=60_000)


def broken(*_: object, **__: object) -> object:
    raise RuntimeError(SECRET)


def assert_internal(code: grpc.StatusCode, text: str, logs: list[structlog.typing.EventDict]) -> None:
    """The client got a number and nothing else; whoever runs the referee finds the error under it."""
    assert code is Code.INTERNAL
    found = re.fullmatch(r"internal error, id=([0-9a-f]{12})", text)
    assert found
    (entry,) = [entry for entry in logs if entry["event"] == "internal error"]
    assert entry["id"] == found[1]
    assert entry["log_level"] == "error"
    assert entry["exc_info"]


CALLS: dict[str, tuple[str, Callable[[House], object]]] = {
    "CreateMatch": ("create", lambda home: home.create()),
    "GetMatch": ("find", lambda home: home.get("m-1")),
    "DownloadLog": ("find", lambda home: home.download("m-1")),
}


@pytest.mark.parametrize("call", CALLS)
async def test_an_unexpected_error_stays_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    method, request = CALLS[call]
    async with house(tmp_path) as home:
        monkeypatch.setattr(Hall, method, broken)
        with structlog.testing.capture_logs() as logs:
            code, text = await refusal(request(home))
        assert_internal(code, text, logs)


@pytest.mark.parametrize("method", ["connect", "receive", "leave"])
async def test_an_unexpected_error_in_a_stream_stays_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    async with house(tmp_path) as home:
        monkeypatch.setattr(Hall, method, broken)
        with structlog.testing.capture_logs() as logs:
            line = await home.hello("ann")
            if method != "connect":
                await line.until(lambda: line.welcome.protocol)
                request = play_pb2.PlayRequest(answers=[play_pb2.Answer()])
                if method == "leave":
                    request = play_pb2.PlayRequest(leave=play_pb2.Leave())
                await line.call.write(request)
            code, text = await line.status()
        assert_internal(code, text, logs)
        assert home.hall.sessions == {}


async def test_an_error_while_a_bot_is_let_in_does_not_keep_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(tmp_path) as home:
        await home.create(match_id="m-1")
        await home.lines(NAMES[:3])
        with monkeypatch.context() as patch:
            patch.setattr(Table, "start", broken)
            assert (await (await home.hello("dee")).status())[0] is Code.INTERNAL
        assert sorted(home.hall.sessions) == sorted(NAMES[:3])
        await home.line("dee")


async def test_a_bot_that_goes_is_no_error(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        with structlog.testing.capture_logs() as logs:
            for end in ("hang up", "leave", "cancel"):
                line = await home.line("ann")
                if end == "hang up":
                    await line.hang_up()
                elif end == "leave":
                    await line.leave()
                else:
                    line.call.cancel()
                    await home.gone("ann")
        assert [entry for entry in logs if entry["log_level"] == "error"] == []


async def test_a_table_that_breaks_does_not_stop_the_clocks_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Table.on_time

    def on_time(self: Table, now: int) -> object:
        return broken() if self.head.match == "m-1" else real(self, now)

    monkeypatch.setattr(Table, "on_time", on_time)
    async with house(tmp_path) as home:
        for match in ("m-1", "m-2"):
            await home.create(match_id=match, conduct=rules_pb2.Conduct(act_ms=20, window_ms=20, faults=0))
        lines = await home.lines()
        with structlog.testing.capture_logs() as logs:
            await lines[0].until(lambda: any(over.match_id == "m-2" for over in lines[0].over))
        assert any(entry["log_level"] == "error" for entry in logs)
        verified(home.log("m-2"))


# -- disks -------------------------------------------------------------------------------------------------------------


def fill_up(monkeypatch: pytest.MonkeyPatch, match: str, writes: int) -> None:
    """Let the log of one match fail after so many writes."""
    real = FileSink.write
    left = [writes]

    def write(self: FileSink, data: bytes) -> None:
        if self.path.name == f"{match}.toep":
            left[0] -= 1
            if left[0] < 0:
                raise LogWriteError(28, "cannot write the log: No space left on device")
        real(self, data)

    monkeypatch.setattr(FileSink, "write", write)


@pytest.mark.parametrize("writes", [0, 1, 3])
async def test_a_log_that_cannot_be_written_stops_its_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    fill_up(monkeypatch, "m-1", writes)
    async with house(tmp_path) as home:
        for match in ("m-1", "m-2"):
            await home.create(match_id=match, open_seed=b"", rounds=2)
        with structlog.testing.capture_logs() as logs:
            lines = await home.lines()
            await asyncio.gather(*(line.play(2) for line in lines))
        for line in lines:
            statuses = {over.match_id: over.status for over in line.over}
            assert statuses == {"m-1": play_pb2.MATCH_STATUS_ABANDONED, "m-2": play_pb2.MATCH_STATUS_COMPLETE}
        stopped = await home.get("m-1")
        assert stopped.status == play_pb2.MATCH_STATUS_ABANDONED
        assert (await refusal(home.download("m-1")))[0] is Code.FAILED_PRECONDITION
        # What is there is the beginning of a log, and its seed is not lost.
        assert home.log("m-1").count(b"\n") == home.log("m-1").count(b'{"_":')
        assert (tmp_path / "m-1.toep.seed").exists()
        verified(home.log("m-2"))
        (entry,) = [entry for entry in logs if entry["log_level"] == "error"]
        assert entry["match"] == "m-1"
        assert "No space left" in entry["error"]


async def test_a_stopped_match_is_stopped_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers that were on their way when the disk filled up change nothing, and nobody is told a second time."""
    fill_up(monkeypatch, "m-1", 1)
    async with house(tmp_path) as home:
        await home.create(match_id="m-1", conduct=PATIENT)
        lines = await home.lines()
        asks = [await line.ask() for line in lines]
        for line, ask in zip(lines, asks, strict=True):
            await line.reply(ask)
        for line, ask in zip(lines, asks, strict=True):
            await line.until(lambda: line.over)  # noqa: B023 - called at once
            await line.reply(ask)
            # Ids can be guessed: this one is of the ask that would have come next.
            await line.say(play_pb2.Answer(table=1, ask=1 << 9 | ask.seat << 6 | 1))
            # An answer to a table where nobody sits comes back, so everything before it has been dealt with.
            await line.say(play_pb2.Answer(table=99, ask=1))
            await line.until(lambda: any(one.table == 99 for one in line.refusals))  # noqa: B023 - called at once
        for line in lines:
            assert len(line.over) == 1
            await line.leave()
            assert len(line.over) == 1


async def test_a_stopped_match_gives_its_file_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill_up(monkeypatch, "m-1", 1)
    closed: list[str] = []
    real = FileSink.close

    def close(self: FileSink) -> None:
        closed.append(self.path.name)
        real(self)

    monkeypatch.setattr(FileSink, "close", close)
    async with house(tmp_path) as home:
        await home.create(match_id="m-1")
        lines = await home.lines()
        await asyncio.gather(*(line.play() for line in lines))
        assert closed == ["m-1.toep"]


# -- closing down ------------------------------------------------------------------------------------------------------


async def test_draining_finishes_what_runs_and_takes_nothing_new(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        await home.create(match_id="m-1", conduct=PATIENT)
        lines = await home.lines()
        await lines[1].ask()
        draining = asyncio.create_task(home.server.drain("new version", 10))
        for line in lines:
            await line.until(lambda: line.batches[-1].HasField("draining"))  # noqa: B023 - called at once
            assert line.batches[-1].draining.reason == "new version"
        code, text = await refusal(home.create(match_id="m-2"))
        assert code is Code.UNAVAILABLE
        assert "new version" in text
        assert not draining.done()
        await asyncio.gather(*(line.play() for line in lines))
        await draining
        verified(home.log("m-1"))


async def test_draining_waits_only_so_long(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        await home.create(match_id="m-1", conduct=PATIENT)
        lines = await home.lines()
        await lines[1].ask()
        await home.server.drain("now", 0.01)
        assert home.hall.find("m-1").status == "playing"


async def test_draining_an_idle_referee_is_done_at_once(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        await home.create(match_id="m-1")
        await home.server.drain("now", 60)


async def test_stopping_abandons_what_runs_and_leaves_no_trace_of_what_waits(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        await home.create(match_id="m-1", open_seed=b"", rounds=0, conduct=PATIENT)
        await home.create(match_id="m-2", bots=["ann", "eve"], open_seed=b"")
        lines = await home.lines()
        await lines[1].ask()
        await home.server.stop()
        await lines[0].until(lambda: lines[0].over)
        assert lines[0].over[0].status == play_pb2.MATCH_STATUS_ABANDONED
    assert home.files() == ["m-1.toep"]
    records = verified((tmp_path / "m-1.toep").read_bytes())
    assert only(Void, records) == [Void(why="cancelled")]
    assert only(End, records)[0].status == "abandoned"


async def test_a_port_is_listened_on_once(tmp_path: Path) -> None:
    async with house(tmp_path / "a") as home:
        second = Server(Store(tmp_path / "b"), address=home.server.address)
        with pytest.raises(BindError, match=home.server.address):
            await second.start()
        await second.stop()
        # The first one does not mind.
        await home.create()


@pytest.mark.parametrize("address", ["256.0.0.1:1", "nowhere.invalid:1", "127.0.0.1:notaport"])
async def test_an_address_that_is_none(tmp_path: Path, address: str) -> None:
    server = Server(Store(tmp_path), address=address)
    with pytest.raises(BindError):
        await server.start()
    await server.stop()


async def test_a_unix_socket(tmp_path: Path) -> None:
    server = Server(Store(tmp_path / "logs"), address=f"unix:{tmp_path}/s")
    assert await server.start() == f"unix:{tmp_path}/s"
    await server.stop()


async def test_a_bot_that_does_not_read_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.service.session.MAX_BACKLOG_BYTES", 0)
    async with house(tmp_path) as home:
        line = await home.line("ann")
        await home.create(match_id="m-1")
        code, text = await line.status()
        assert code is Code.FAILED_PRECONDITION
        assert "does not read" in text


async def test_a_bot_that_reads_nothing_at_all_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More waits for it than any buffer takes, so that not even the last batch can leave."""
    monkeypatch.setattr(rpc, "FAREWELL_SECONDS", 0.05)
    async with house(tmp_path) as home:
        await home.line("ann")
        session = home.hall.sessions["ann"]
        news = play_pb2.PlayResponse(draining=play_pb2.Draining(reason="x" * 1_000_000)).SerializeToString()
        for _ in range(20):
            session.push(news)
        await home.gone("ann")
        session.push(news)
        assert session.take_batch() == b""
