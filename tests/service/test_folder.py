"""Processes on one folder: one referee at a time, and each goes on where the last one was stopped."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from referee.service.store import LOCK, RESUME_KEY, Store
from tests.campaigns import crash
from tests.service.test_killed import line_of, process

SERVE = ("-m", "referee", "serve", "--address", "127.0.0.1:0", "--logs", "logs")


def test_a_folder_has_one_referee(tmp_path: Path) -> None:
    with process(*SERVE, cwd=tmp_path) as first:
        assert line_of(first).startswith("listening on ")
        second = subprocess.run(
            [sys.executable, *SERVE], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
        )
        assert second.returncode == 2
        assert f"another referee works in this folder (process {first.pid})" in second.stderr
        assert second.stdout == ""
    # The first was killed: its lock is stale, and taken over.
    assert (tmp_path / "logs" / LOCK).read_text() == f"{first.pid}\n"
    with process(*SERVE, cwd=tmp_path) as third:
        assert line_of(third).startswith("listening on ")


def test_a_store_gives_its_lock_back(tmp_path: Path) -> None:
    first, second = Store(tmp_path), Store(tmp_path)
    first.lock()
    with pytest.raises(OSError, match=f"process {os.getpid()}"):
        second.lock()
    first.close()
    second.lock()
    second.close()


def test_a_wrong_option_costs_no_match(tmp_path: Path) -> None:
    """The referee that is told nonsense ends at once; the matches in its folder wait for the next."""
    crash.prepare(tmp_path / "logs", 2, 1)
    left = {path.name: path.read_bytes() for path in (tmp_path / "logs").iterdir()}
    failed = subprocess.run(
        [sys.executable, *SERVE, "--match", "ann"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert failed.returncode == 2
    for name in (LOCK, RESUME_KEY):
        (tmp_path / "logs" / name).unlink()
    assert {path.name: path.read_bytes() for path in (tmp_path / "logs").iterdir()} == left


def test_a_small_campaign(tmp_path: Path) -> None:
    assert crash.campaign(tmp_path, matches=3, rounds=1, kills=2, seed=1, say=False) == []
