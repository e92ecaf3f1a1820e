"""A referee that is started again on the folder of one that is gone."""

import asyncio
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
import structlog
from toep_client.samples.caller import Caller
from toep_client.samples.random import Random

from referee.log.reader import decode_bytes
from referee.log.records import Head
from referee.log.writer import FileSink, LogWriteError
from referee.service.memo import Memo
from referee.service.rpc import version_text
from referee.service.store import Store
from referee.v1 import play_pb2, referee_service_pb2, rules_pb2
from tests.support.tables import verified
from tests.support.wire import SEED, House, house, playing, refusal, replying

Code = grpc.StatusCode
PATIENT = rules_pb2.Conduct(act_ms=60_000, window_ms=60_000)
BOTS = {"ann": Random(), "bob": Caller(), "cor": Random(), "dee": Caller()}


def abandon_ship(home: House) -> None:
    """The process is gone: whatever its hall does from here on, it says nothing to its logs any more."""
    home.hall.let_go()


@asynccontextmanager
async def broken_off(folder: Path, steps: int = 3, **fields: Any) -> AsyncIterator[list[play_pb2.Ask]]:
    """A match m-1 of which some steps were played, by a referee that is gone; gives the asks that were open."""
    async with house(folder) as home:
        await home.create(match_id="m-1", **{"conduct": PATIENT, "open_seed": b"", **fields})
        lines = await home.lines()
        for _ in range(steps):
            for line in lines:
                while line.asks:
                    await line.reply(await line.ask())
            for line in lines:
                # An answer to a table where nobody sits comes back, so everything before it has been dealt with.
                before = len(line.refusals)
                await line.say(play_pb2.Answer(table=99, ask=1))
                await line.until(lambda: len(line.refusals) > before)  # noqa: B023 - called at once
        asks = [ask for line in lines for ask in line.asks.values()]
        abandon_ship(home)
    yield asks


pytestmark = pytest.mark.asyncio


async def test_a_match_that_was_stopped_does_not_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its bots were told that it is over: a referee that is started again does not say otherwise."""
    real = FileSink.write

    def write(self: FileSink, data: bytes) -> None:
        if b'"_":"trick"' in data:
            raise LogWriteError(28, "cannot write the log: No space left on device")
        real(self, data)

    monkeypatch.setattr(FileSink, "write", write)
    async with house(tmp_path) as home:
        await home.create(match_id="m-1", open_seed=b"", conduct=PATIENT)
        lines = await home.lines()
        await asyncio.gather(*(line.play() for line in lines))
        assert lines[0].over[0].status == play_pb2.MATCH_STATUS_ABANDONED
    monkeypatch.undo()
    left = (tmp_path / "m-1.toep").read_bytes()
    async with house(tmp_path) as home:
        with structlog.testing.capture_logs() as logs:
            assert home.hall.take_up() == []
        assert "told that it was stopped" in logs[0]["error"]
        assert (await home.get("m-1")).status == play_pb2.MATCH_STATUS_ABANDONED
    assert (tmp_path / "m-1.toep").read_bytes() == left


async def test_a_match_goes_on_where_it_was(tmp_path: Path) -> None:
    async with broken_off(tmp_path) as asks:
        left = (tmp_path / "m-1.toep").read_bytes()
        async with house(tmp_path) as home:
            with structlog.testing.capture_logs() as logs:
                (seating,) = home.hall.take_up()
            assert [entry["event"] for entry in logs] == ["match taken up"]
            assert (await home.get("m-1")).status == play_pb2.MATCH_STATUS_PLAYING
            assert (await home.get("m-1")).connected == 0
            lines = await home.lines()
            for seat, line in enumerate(lines):
                await line.until(lambda: line.seated)  # noqa: B023 - called at once
                assert [(one.match_id, one.seat) for one in line.seated] == [("m-1", seat)]
            again = []
            for seat, line in enumerate(lines):
                if any(ask.seat == seat for ask in asks):
                    again.append(await line.ask())
            assert [(ask.ask, ask.kind, ask.hand, ask.legal, ask.may) for ask in again] == [
                (ask.ask, ask.kind, ask.hand, ask.legal, ask.may) for ask in asks
            ]
            await asyncio.gather(*(line.play() for line in lines))
            data = home.log("m-1")
            assert data.startswith(left)
            verified(data)
            assert seating.done.is_set()
            assert home.files() == ["m-1.toep"]


async def test_bots_are_not_taken_for_late_at_once(tmp_path: Path) -> None:
    """Whoever is asked has the time of a required act to come back, also for a window."""
    async with (
        broken_off(tmp_path, steps=0, conduct=rules_pb2.Conduct(act_ms=60_000, window_ms=1)),
        house(tmp_path) as home,
    ):
        home.hall.take_up()
        home.hall.tick()
        line = await home.line("bob")
        ask = await line.ask()
        assert 50_000 < ask.budget_ms <= 60_000


async def test_bots_that_stay_away_are_late(tmp_path: Path) -> None:
    async with (
        broken_off(tmp_path, steps=1, conduct=rules_pb2.Conduct(act_ms=20, window_ms=20, faults=0)),
        house(tmp_path) as home,
    ):
        (seating,) = home.hall.take_up()
        await asyncio.wait_for(seating.done.wait(), 10)
        verified(home.log("m-1"))


async def test_a_torn_line_is_dropped_and_nothing_else(tmp_path: Path) -> None:
    async with broken_off(tmp_path):
        path = tmp_path / "m-1.toep"
        left = path.read_bytes()
        path.write_bytes(left + b'{"_":"play","card":"')
        async with house(tmp_path) as home:
            home.hall.take_up()
            assert path.read_bytes() == left
            await home.played(BOTS)
            assert path.read_bytes().startswith(left)
            verified(home.log("m-1"))


async def test_lines_that_follow_are_written_at_once(tmp_path: Path) -> None:
    """The deal that a crash has cut off; and the file is open for its owner only, as before."""
    async with broken_off(tmp_path, steps=0):
        path = tmp_path / "m-1.toep"
        left = path.read_bytes()
        path.write_bytes(b"".join(left.splitlines(keepends=True)[:4]))
        async with house(tmp_path) as home:
            home.hall.take_up()
            assert path.read_bytes() == left
            assert stat.S_IMODE(path.stat().st_mode) == 0o600


def spoil(path: Path, what: str) -> str:
    lines = path.read_bytes().splitlines(keepends=True)
    if what == "no seed":
        path.with_name(path.name + ".seed").unlink()
    elif what == "wrong seed":
        path.with_name(path.name + ".seed").write_text(bytes(32).hex())
    elif what == "damaged":
        path.write_bytes(b"".join([*lines[:3], b"{}\n", *lines[4:]]))
    elif what == "another name":
        path.rename(path.with_name("m-2.toep"))
        return "m-2"
    elif what == "another version":
        head = decode_bytes(lines[0].strip())
        assert isinstance(head, Head)
        path.write_bytes(lines[0].replace(b'"engine":"toep ', b'"engine":"toep 9') + b"".join(lines[1:]))
    return "m-1"


@pytest.mark.parametrize("what", ["no seed", "wrong seed", "damaged", "another name", "another version"])
async def test_a_match_that_cannot_be_taken_up_stays_as_it_is(tmp_path: Path, what: str) -> None:
    async with broken_off(tmp_path, clock=referee_service_pb2.CLOCK_MS):
        name = spoil(tmp_path / "m-1.toep", what)
        left = contents(tmp_path)
        async with house(tmp_path) as home:
            with structlog.testing.capture_logs() as logs:
                assert home.hall.take_up(version_text()) == []
            (entry,) = [entry for entry in logs if entry["event"] == "match not taken up"]
            assert entry["match"] == name
            assert entry["error"]
            if what != "another name":
                assert (await home.get("m-1")).status == play_pb2.MATCH_STATUS_ABANDONED
                assert [info.status for info in (await home.matches()).infos] == [play_pb2.MATCH_STATUS_ABANDONED]
                assert (await refusal(home.download("m-1")))[0] is Code.FAILED_PRECONDITION
                assert (await refusal(home.create(match_id="m-1")))[0] is Code.ALREADY_EXISTS
            await home.lines()
            assert home.hall.idle.is_set()
        assert contents(tmp_path) == left


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


async def test_what_had_not_begun_is_gone(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for match, data in (("m-1", b""), ("m-2", b'{"_":"head","clock"')):
        sink = store.create(match)
        sink.write(data)
        sink.close()
        store.keep_seed(match, SEED)
    (tmp_path / "notes.toep").write_bytes(b"something else")
    async with house(tmp_path) as home:
        assert home.hall.take_up() == []
        assert home.files() == ["notes.toep"]
    store.close()


async def test_a_match_of_a_set_waits_for_the_others(tmp_path: Path) -> None:
    async with broken_off(tmp_path, deals="night-1"), house(tmp_path) as home:
        home.hall.take_up()
        await home.create(match_id="m-2", deals="night-1", open_seed=b"")
        deals = home.hall.close_deals("night-1")
        assert deals.playing == {"m-1", "m-2"}
        await home.played(BOTS, matches=2)
        await home.hall.sets.wait()
        for match in ("m-1", "m-2"):
            verified(home.log(match))
        assert home.files() == ["m-1.toep", "m-2.toep"]


async def test_an_end_that_was_being_written_is_finished(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        await home.create(match_id="m-1")
        await home.played(BOTS)
        data = home.log("m-1")
    lines = data.splitlines(keepends=True)
    for number in (1, 2, 3, 4):
        path = tmp_path / "m-1.toep"
        path.write_bytes(b"".join(lines[:-number]))
        path.chmod(0o600)
        async with house(tmp_path) as home:
            home.hall.take_up()
            assert home.log("m-1") == data
            assert (await home.get("m-1")).status == play_pb2.MATCH_STATUS_COMPLETE
            assert await home.download("m-1") == data


async def test_refused_answers_outlive_the_referee(tmp_path: Path) -> None:
    """Three refusals, the referee's act that rests on them, and a crash before the score that shows them."""
    async with house(tmp_path) as home:
        await home.create(match_id="m-1", conduct=PATIENT, open_seed=b"")
        lines = await home.lines()
        for line in lines:
            await line.ask()
        while True:
            for line in lines:
                await line.until(lambda: line.asks or home.seating("m-1").table._pending)  # noqa: B023
            asks = [(line, ask) for line in lines for ask in line.asks.values()]
            cards = [(line, ask) for line, ask in asks if ask.kind == play_pb2.ASK_KIND_CARD]
            if cards:
                line, ask = cards[0]
                break
            for line, ask in asks:
                await line.reply(ask)
            for line in lines:
                await line.until(lambda: line.asks)  # noqa: B023
        foreign = next(card for card in range(32) if not ask.hand >> card & 1)
        for _ in range(3):
            ask = await line.ask()
            line.asks.clear()
            await line.refused(replying(ask, playing(foreign + 1)))
        for other in lines:
            if other is not line and other.asks:
                await other.reply(await other.ask())
        await line.until(lambda: b'"by":"ref"' in home.log("m-1"))
        abandon_ship(home)
    memo = tmp_path / "m-1.toep.refused"
    assert stat.S_IMODE(memo.stat().st_mode) == 0o600
    async with house(tmp_path) as home:
        home.hall.take_up()
        await home.played(BOTS)
        assert home.log("m-1").count(b'{"_":"refused"') == 3
        verified(home.log("m-1"))
        assert home.files() == ["m-1.toep"]


async def test_a_memo_is_read_as_it_was_written(tmp_path: Path) -> None:
    memo = Memo(tmp_path / "m.refused")
    assert memo.read() == []
    memo.replace([])
    assert not memo.path.exists()


# -- disks -------------------------------------------------------------------------------------------------------------


async def test_a_deleted_log_stops_its_match(tmp_path: Path) -> None:
    """Nothing that nobody can read is written on: neither a match in the middle nor one that has just ended."""
    async with house(tmp_path) as home:
        for match in ("m-1", "m-2"):
            await home.create(match_id=match)
        lines = await home.lines()
        (tmp_path / "m-1.toep").unlink()
        with structlog.testing.capture_logs() as logs:
            await asyncio.gather(*(line.play(2) for line in lines))
        statuses = {over.match_id: over.status for over in lines[0].over}
        assert statuses == {"m-1": play_pb2.MATCH_STATUS_ABANDONED, "m-2": play_pb2.MATCH_STATUS_COMPLETE}
        (entry,) = [entry for entry in logs if entry["log_level"] == "error"]
        assert "deleted" in entry["error"]
        assert home.files() == ["m-1.toep.stopped", "m-2.toep"]


async def test_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with broken_off(tmp_path):
        left = (tmp_path / "m-1.toep").read_bytes()

        def reopen(path: object) -> FileSink:
            raise LogWriteError(30, "cannot open the log: Read-only file system", str(path))

        monkeypatch.setattr(FileSink, "reopen", reopen)
        async with house(tmp_path) as home:
            with structlog.testing.capture_logs() as logs:
                assert home.hall.take_up() == []
            assert "Read-only" in logs[0]["error"]
            assert (await home.get("m-1")).status == play_pb2.MATCH_STATUS_ABANDONED
        assert (tmp_path / "m-1.toep").read_bytes() == left


async def test_a_durable_referee_tells_nothing_that_is_not_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: dict[str, int] = {}
    synced: dict[str, int] = {}
    write, sync = FileSink.write, FileSink.sync

    def counted(self: FileSink, data: bytes) -> None:
        write(self, data)
        written[self.path.name] = written.get(self.path.name, 0) + len(data)

    def noted(self: FileSink) -> None:
        before = written[self.path.name]
        sync(self)
        synced[self.path.name] = max(before, synced.get(self.path.name, 0))

    monkeypatch.setattr(FileSink, "write", counted)
    monkeypatch.setattr(FileSink, "sync", noted)
    async with house(tmp_path) as home:
        store = Store(tmp_path / "durable", durable=True)
        home.hall.store.close()
        home.hall.store = store  # type: ignore[misc]
        for match in ("m-1", "m-2"):
            await home.create(match_id=match)
        lines = await home.lines()
        for line in lines:
            await line.until(lambda: line.asks or line.batches[1:])  # noqa: B023 - called at once
        assert synced["m-1.toep"] == written["m-1.toep"]
        for _ in range(6):
            for line in lines:
                for ask in list(line.asks.values()):
                    await line.reply(ask)
            await home.matches()
            assert synced == written
        await asyncio.gather(*(line.play(2) for line in lines))
        for match in ("m-1", "m-2"):
            verified((tmp_path / "durable" / f"{match}.toep").read_bytes())


async def test_a_durable_store_reports_a_disk_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path, durable=True)
    sink = store.create("m-1")
    await store.settle()
    sink.write(b"a\n")

    def broken(self: FileSink) -> None:
        raise LogWriteError(5, "cannot sync the log: Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(FileSink, "sync", broken)
        waiting = [asyncio.create_task(store.settle()) for _ in range(3)]
        for task in waiting:
            with pytest.raises(LogWriteError, match="Input/output"):
                await task
    with pytest.raises(LogWriteError, match="Input/output"):
        sink.write(b"b\n")
    with pytest.raises(LogWriteError):
        sink.close()
    store.close()
