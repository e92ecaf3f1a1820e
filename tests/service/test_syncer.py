"""Logs are synced in another thread: what it promises, and what an error in it leads to."""

import errno
import os
from pathlib import Path

import pytest

from referee.log.writer import LogWriteError
from referee.service import syncer
from referee.service.syncer import SyncedFile, Syncer


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Descriptors that were synced, in order; syncing itself does nothing."""
    calls: list[int] = []
    monkeypatch.setattr(os, "fsync", calls.append)
    monkeypatch.setattr(syncer, "DELAY_SECONDS", 0)
    return calls


def test_closing_waits_for_the_disk(tmp_path: Path, synced: list[int]) -> None:
    file = Syncer().create(tmp_path / "a.toep")
    file.write(b"line\n")
    file.sync()
    file.close()
    assert synced
    assert (tmp_path / "a.toep").read_bytes() == b"line\n"


def test_one_sync_serves_every_seal_before_it(tmp_path: Path, synced: list[int]) -> None:
    file = Syncer().create(tmp_path / "a.toep")
    for _ in range(3):
        file.write(b"line\n")
        file.sync()
    file.sync_now()
    before = len(synced)
    file.sync_now()
    file.close()
    assert len(synced) == before


def test_nothing_is_synced_that_was_not_asked_for(tmp_path: Path, synced: list[int]) -> None:
    file = Syncer().create(tmp_path / "a.toep")
    file.write(b"line\n")
    file.close()
    assert synced == []


def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SyncedFile:
    def fail(_: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", fail)
    file = Syncer().create(tmp_path / "a.toep")
    file.write(b"line\n")
    file.sync()
    file.sync_now()
    return file


def test_an_error_stops_everything_that_comes_after(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = broken(tmp_path, monkeypatch)
    with pytest.raises(LogWriteError, match=r"a\.toep"):
        file.write(b"more\n")
    with pytest.raises(LogWriteError):
        file.sync()
    with pytest.raises(LogWriteError):
        file.close()
    assert (tmp_path / "a.toep").read_bytes() == b"line\n"


def test_the_thread_ends(tmp_path: Path, synced: list[int]) -> None:
    one = Syncer()
    file = one.create(tmp_path / "a.toep")
    file.write(b"line\n")
    file.sync()
    one.close()
    file.close()
    assert synced
