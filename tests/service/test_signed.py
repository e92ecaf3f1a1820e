"""A referee with a key: what CreateMatch makes is signed, and no seal is shown before it is on disk."""

import asyncio
import os
import time
from pathlib import Path

import grpc
import pytest
import structlog

from referee.log.note import Signer, Verifier, check_seal
from referee.log.records import Head, Seal
from referee.log.writer import FileSink, LogWriteError
from referee.v1 import play_pb2
from tests.support.tables import only, verified
from tests.support.wire import House, house, refusal

pytestmark = pytest.mark.asyncio
SIGNER = Signer("club.example/referee", bytes(range(32)))


async def played(home: House) -> list[play_pb2.MatchOver]:
    """Play the match that is set up, and return what the first bot was told of its end."""
    lines = await home.lines()
    await asyncio.gather(*(line.play() for line in lines))
    return lines[0].over


async def test_the_servers_key_signs_every_match(tmp_path: Path) -> None:
    async with house(tmp_path, signer=SIGNER) as home:
        await home.create(match_id="m-1", rounds=2)
        await played(home)
        records = verified(await home.download("m-1"))
    (head,) = only(Head, records)
    assert head.key == SIGNER.vkey
    seals = only(Seal, records)
    assert len(seals) == 5
    for seal in seals:
        check_seal(seal, "m-1", Verifier(SIGNER.vkey))


async def test_the_same_seed_key_and_bots_give_the_same_bytes(tmp_path: Path) -> None:
    logs = []
    for run in ("a", "b"):
        async with house(tmp_path / run, signer=SIGNER) as home:
            await home.create(match_id="m-1", rounds=2)
            await played(home)
            logs.append(home.log("m-1"))
    assert logs[0] == logs[1]


async def test_the_end_is_told_when_everything_is_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a slow disk: the last sync has come back, and covers the whole file, before anybody hears of the end."""
    on_disk = [0]
    real = FileSink.sync

    def slow(self: FileSink) -> None:
        size = self.path.stat().st_size
        time.sleep(0.05)
        real(self)
        on_disk[0] = size

    monkeypatch.setattr(FileSink, "sync", slow)
    async with house(tmp_path, signer=SIGNER) as home:
        await home.create(match_id="m-1", rounds=3)
        lines = await home.lines()

        async def watch() -> None:
            await lines[0].play()
            assert on_disk[0] == len(home.log("m-1"))
            assert await home.download("m-1") == home.log("m-1")

        await asyncio.gather(watch(), *(line.play() for line in lines[1:]))


async def test_no_log_is_shown_while_its_match_runs(tmp_path: Path) -> None:
    async with house(tmp_path, signer=SIGNER) as home:
        await home.create(match_id="m-1")
        assert (await refusal(home.download("m-1")))[0] is grpc.StatusCode.FAILED_PRECONDITION
        lines = await home.lines()
        await lines[1].ask()
        code, text = await refusal(home.download("m-1"))
        assert code is grpc.StatusCode.FAILED_PRECONDITION
        assert "not over" in text


async def test_a_log_that_may_not_be_on_disk_is_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk fails at the very last moment: the match has ended, and still its last seals are nobody's to see."""
    sync, close = FileSink.sync, FileSink.close
    ended: list[str] = []

    def broken(self: FileSink) -> None:
        if b'{"_":"reveal"' in self.path.read_bytes():
            raise LogWriteError(5, "cannot sync the log: Input/output error", str(self.path))
        sync(self)

    def closing(self: FileSink) -> None:
        ended.append(self.path.name)
        close(self)

    monkeypatch.setattr(FileSink, "sync", broken)
    monkeypatch.setattr(FileSink, "close", closing)
    async with house(tmp_path, signer=SIGNER) as home:
        await home.create(match_id="m-1", open_seed=b"")
        with structlog.testing.capture_logs() as logs:
            over = await played(home)
        assert [one.status for one in over] == [play_pb2.MATCH_STATUS_ABANDONED]
        assert "m-1.toep" in ended
        code, text = await refusal(home.download("m-1"))
        assert code is grpc.StatusCode.FAILED_PRECONDITION
        assert "no whole log" in text
        assert (tmp_path / "m-1.toep.seed").exists()
        assert os.stat(tmp_path / "m-1.toep").st_mode & 0o077 == 0
        assert [entry["match"] for entry in logs if entry["log_level"] == "error"] == ["m-1"]
