"""Events on disks that are full or fail, with journals and logs that were changed, and in another's hands: the message
is clear, nothing counts that is not on the disk, and the same command goes on when it can."""

import contextlib
import errno
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from referee.cli.main import run
from referee.tournament import rulings
from referee.tournament.event import open_event
from referee.tournament.folder import Folder
from referee.tournament.journal import Journal, JournalError, Match, has_lines
from referee.tournament.ledger import Ledger
from referee.tournament.rulings import Request
from referee.tournament.status import status_of
from referee.tournament.verify import verify_event
from tests.support.events import BOTS, MINE, PATIENCE, ROOT, digests_of, go_on, toep
from tests.tournament.test_director import of_kind, relink, write
from tests.tournament.test_ruled import write_pair

JOURNAL: Final = "/journal.jsonl"
LOG: Final = ".toep"


class Disk:
    """A disk on which files whose names end in some way can be given no room, or fail."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.failed = 0
        self._patch: Final = monkeypatch

    def _about(self, fd: int, ending: str) -> bool:
        try:
            return os.readlink(f"/proc/self/fd/{fd}").endswith(ending)
        except OSError:
            return False

    def _fail(self, number: int) -> OSError:
        self.failed += 1
        return OSError(number, os.strerror(number))

    def fill(self, ending: str, room: int) -> None:
        """So many bytes can still be written to such files, in all."""
        real = os.write

        def scarce(fd: int, data: bytes) -> int:
            nonlocal room
            if not self._about(fd, ending):
                return real(fd, data)
            if not room:
                raise self._fail(errno.ENOSPC)
            written = real(fd, data[:room])
            room -= written
            return written

        self._patch.setattr(os, "write", scarce)

    def lose(self, ending: str, after: int) -> None:
        """After so many that went well, no such file can be synced."""
        real = os.fsync

        def broken(fd: int) -> None:
            nonlocal after
            if self._about(fd, ending):
                after -= 1
                if after < 0:
                    raise self._fail(errno.EIO)
            real(fd)

        self._patch.setattr(os, "fsync", broken)

    def refuse(self, ending: str) -> None:
        """No such file can be created."""
        real = os.open

        def closed(path: str | Path, flags: int, mode: int = 0o777, **more: int) -> int:
            if flags & os.O_CREAT and str(path).endswith(ending):
                raise self._fail(errno.EACCES)
            return real(path, flags, mode, **more)

        self._patch.setattr(os, "open", closed)

    def mend(self) -> None:
        """All is as it should be."""
        assert self.failed
        self._patch.undo()


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


def fails(home: Path, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """Play on; returns the message with which the director ends."""
    capsys.readouterr()
    assert toep("run", home / "e.toml", "--quiet", *options) == 2
    *warnings, said = capsys.readouterr().err.splitlines()
    assert not [line for line in warnings if "Traceback" in line]
    return said


def holds(home: Path) -> list[str]:
    """What there is of the event is right; returns what is missing."""
    report = verify_event(home / "e.event")
    assert (report.verdict, report.wrong) == ("INCOMPLETE", [])
    return report.missing


# -- the journal cannot be written -----------------------------------------------------------------------------------


@pytest.mark.parametrize("room", [0, 100, 900, 1500])
def test_a_journal_without_room_ends_the_director_and_nothing_else(
    home: Path, calm: Ledger, disk: Disk, capsys: pytest.CaptureFixture[str], room: int
) -> None:
    """Wherever in its lines it ends, a part of one may be left, and nothing stands behind that."""
    disk.fill(JOURNAL, room)
    said = fails(home, capsys, "--concurrency", "2")
    assert said == f"toep tournament: {home / 'e.event'}{JOURNAL}: cannot write the journal: No space left on device"
    disk.mend()
    torn = not (home / "e.event" / "journal.jsonl").read_bytes().endswith(b"\n")
    assert holds(home) == ["the end of the journal's last line"] * torn + ["the end of the event"]
    assert go_on(home).digests == digests_of(calm)


@pytest.mark.parametrize("after", [1, 3])
def test_a_journal_that_does_not_get_to_the_disk_ends_the_director(
    home: Path, calm: Ledger, disk: Disk, capsys: pytest.CaptureFixture[str], after: int
) -> None:
    disk.lose(JOURNAL, after)
    assert "cannot write the journal: Input/output error" in fails(home, capsys, "--concurrency", "2")
    disk.mend()
    holds(home)
    assert go_on(home).digests == digests_of(calm)


def test_nothing_is_appended_behind_what_could_not_be(tmp_path: Path, disk: Disk) -> None:
    journal = Journal.create(tmp_path / "journal.jsonl")
    line = Match(at="2026-01-31T09:00:00Z", block=0, match="m", number=0, replacement=0)
    disk.fill(JOURNAL, 20)
    with pytest.raises(JournalError, match="No space left"):
        journal.append(line)
    disk.mend()
    with pytest.raises(JournalError, match="No space left"):
        journal.append(line)
    journal.close()
    assert (tmp_path / "journal.jsonl").stat().st_size == 20


def test_an_event_whose_first_line_was_torn_begins_anew(
    tmp_path: Path, disk: Disk, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    write(tmp_path, BOTS, seats=2, duplicates="none", blocks=1)
    disk.fill(JOURNAL, 50)
    assert "No space left on device" in fails(tmp_path, capsys)
    disk.mend()
    assert not has_lines(tmp_path / "e.event" / "journal.jsonl")
    assert verify_event(tmp_path / "e.event").verdict == "UNREADABLE"
    assert go_on(tmp_path).over


# -- logs cannot be written ------------------------------------------------------------------------------------------


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """A folder with the same event, of which nothing was played yet, and two blocks only."""
    (tmp_path / "mine.py").write_text(MINE)
    write(tmp_path, BOTS, seats=2, duplicates="none", blocks=2)
    return tmp_path


@pytest.mark.parametrize("room", [0, 100, 2000])
def test_a_match_whose_log_has_no_room_is_played_again_with_fresh_deals(
    fresh: Path, disk: Disk, capsys: pytest.CaptureFixture[str], room: int
) -> None:
    """Its players were told that it was stopped; nobody is at fault."""
    disk.fill(LOG, room)
    said = fails(fresh, capsys)
    disk.mend()
    match = "e-b0000-0"
    assert said.startswith(f"toep tournament: match {match} was stopped: cannot write the log: No space left on device")
    holds(fresh)
    outcome = go_on(fresh)
    assert outcome.over
    assert outcome.blocks == {0: ("counted", 1), 1: ("counted", 0)}
    assert outcome.ledger.faults == {}
    assert outcome.script.blocks[0].why.startswith(("the log of e-b0000-0", "e-b0000-0 was stopped"))


def test_a_match_whose_log_does_not_get_to_the_disk_is_played_again_too(
    fresh: Path, disk: Disk, capsys: pytest.CaptureFixture[str]
) -> None:
    """It has its end, but whether that stays nobody knows."""
    disk.lose(LOG, 0)
    said = fails(fresh, capsys)
    disk.mend()
    assert "match e-b0000-0 was stopped: cannot sync the log: Input/output error" in said
    holds(fresh)
    assert go_on(fresh).blocks == {0: ("counted", 1), 1: ("counted", 0)}


def test_a_seed_that_could_not_be_revealed_is_revealed_later(
    fresh: Path, calm: Ledger, disk: Disk, capsys: pytest.CaptureFixture[str]
) -> None:
    disk.fill(LOG, 3650)
    said = fails(fresh, capsys)
    disk.mend()
    assert "the seed of e-b0000-0 was not revealed" in said
    assert "No space left on device" in said
    holds(fresh)
    outcome = go_on(fresh)
    assert outcome.blocks == {0: ("counted", 0), 1: ("counted", 0)}
    assert outcome.ledger.results["e-b0000-0"] == calm.results["e-b0000-0"]


def test_a_folder_for_logs_that_is_closed_ends_the_director(
    fresh: Path, disk: Disk, capsys: pytest.CaptureFixture[str]
) -> None:
    disk.refuse(LOG)
    said = fails(fresh, capsys)
    disk.mend()
    assert "cannot write the log of match e-b0000-0: cannot open the log: Permission denied" in said
    holds(fresh)
    assert go_on(fresh).blocks == {0: ("counted", 0), 1: ("counted", 0)}


# -- all of it is full -----------------------------------------------------------------------------------------------


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Callable[[int], Path]]:
    """A file system that has so many KiB; asked again, more of them."""
    path = tmp_path / "small"
    path.mkdir()
    mounted = False

    def sized(kib: int) -> Path:
        nonlocal mounted
        options = f"size={kib}k" + (",remount" if mounted else "")
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(path)], capture_output=True, check=False
        )
        if done.returncode:
            pytest.skip("this user cannot mount a small file system")
        mounted = True
        return path

    yield sized
    if mounted:
        subprocess.run(["umount", str(path)], check=True)


@pytest.mark.parametrize("kib", [4, 20])
def test_a_disk_that_is_full_is_said_and_with_more_room_it_goes_on(
    fresh: Path, calm: Ledger, small: Callable[[int], Path], kib: int
) -> None:
    """Before there is an event at all, and in the middle of it."""
    event = small(kib) / "e.event"
    words = [sys.executable, "-m", "referee", "tournament", "run", str(fresh / "e.toml"), "-o", str(event), "--quiet"]
    done = subprocess.run(words, cwd=ROOT, timeout=PATIENCE, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert "No space left on device" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
    if Folder(event).is_event():
        assert verify_event(event).verdict in ("INCOMPLETE", "UNREADABLE")
    small(4096)
    done = subprocess.run(words, cwd=ROOT, timeout=PATIENCE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert verify_event(event).verdict == "VALID"
    results = open_event(event).ledger.results
    assert {results[match] == calm.results[match] for match in results if match in calm.results} <= {True}


# -- journals and logs that were changed -----------------------------------------------------------------------------


def test_a_torn_last_line_is_cut(home: Path, calm: Ledger) -> None:
    with (home / "e.event" / "journal.jsonl").open("ab") as file:
        file.write(b'{"_":"match","at":"2026')
    assert toep("status", home / "e.event") == 4
    assert holds(home)[0] == "the end of the journal's last line"
    assert go_on(home).digests == digests_of(calm)


@pytest.mark.parametrize("kind", ["event", "match", "result"])
def test_a_line_that_was_changed_is_named_by_whoever_reads_it(
    home: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    """It is the line behind it of which the link does not hold any more."""
    journal = home / "e.event" / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    number = next(number for number, line in enumerate(lines) if line.startswith(b'{"_":"%s"' % kind.encode()))
    for old, new in ((b'"at":"20', b'"at":"21'), (b'"rounds":3', b'"rounds":4')):
        lines[number] = lines[number].replace(old, new, 1)
    journal.write_bytes(b"".join(lines))
    where = f"{journal}:{number + 2}: "
    assert where in fails(home, capsys)
    report = verify_event(home / "e.event")
    assert report.verdict == "INVALID"
    assert report.wrong[0].text().startswith(where)
    for words in (["status"], ["rule", "pause"], ["report"]):
        capsys.readouterr()
        assert toep(words[0], home / "e.event", *words[1:]) in (1, 2)
        assert where in "".join(capsys.readouterr())
    assert list((home / "e.event" / "rulings").iterdir()) == []


ODD: Final[tuple[object, ...]] = (-1, 0, 1, 7, 10**6, "", "x", "ann", "counted", "drop", [], [0], None)


def test_no_line_of_a_journal_is_so_odd_that_there_is_no_message(home: Path) -> None:
    """Somebody who knows how lines are linked changes one thing in one line."""
    assert go_on(home, ("block", 0, {"do": "rule", "kind": "drop", "bot": "ann"})).over
    journal = home / "e.event" / "journal.jsonl"
    data = journal.read_bytes()
    lines = [json.loads(line) for line in data.splitlines()]
    changes = [
        (number, key, odd)
        for number, line in enumerate(lines)
        for key in line
        if key not in ("prev", "at", "engine")
        for odd in ODD
    ]
    changes += [
        (number, ("result", key), odd)
        for number, line in enumerate(lines)
        if line["_"] == "result"
        for key in line["result"]
        for odd in ODD
    ]
    for number, key, odd in random.Random(7).sample(changes, 250):
        before = json.loads(data.splitlines()[number])

        def change(line: dict[str, object], before: object = before, key: object = key, odd: object = odd) -> None:
            if {**line, "prev": ""} == {**before, "prev": ""}:  # type: ignore[dict-item]
                if isinstance(key, tuple):
                    line["result"][key[1]] = odd  # type: ignore[index]
                else:
                    line[key] = odd  # type: ignore[index]

        journal.write_bytes(data)
        relink(home / "e.event", change)
        report = verify_event(home / "e.event")
        if report.verdict == "INVALID":
            assert all(one.file for one in report.wrong)
        with contextlib.suppress(JournalError):
            status_of(open_event(home / "e.event"))


@pytest.mark.parametrize("change", [{"block": 1}, {"why": "it is clear"}])
def test_a_stop_that_the_sequential_test_does_not_make_is_noticed(tmp_path: Path, change: dict[str, object]) -> None:
    write_pair(tmp_path)
    assert go_on(tmp_path).over
    relink(tmp_path / "e.event", of_kind("stop", lambda line: line.update(change)))
    report = verify_event(tmp_path / "e.event")
    assert report.verdict == "INVALID"
    assert report.wrong[0].why.startswith("the sequential test does not stop like this: behind block 2: the test")


def test_a_log_that_is_gone_is_asked_for(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = home / "e.event" / "logs" / "e-b0000-0.toep"
    kept = shutil.move(log, home / "kept.toep")
    report = verify_event(home / "e.event")
    assert report.verdict == "INVALID"
    assert report.wrong[0].file == str(log)
    said = fails(home, capsys)
    assert str(log) in said
    assert said.endswith("put it back")
    shutil.move(kept, log)
    assert go_on(home).over


def test_a_log_that_was_changed_is_named(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = home / "e.event" / "logs" / "e-b0000-0.toep"
    log.write_bytes(log.read_bytes().replace(b'"points":[', b'"points":[1', 1))
    assert toep("run", home / "e.toml", "--quiet") == 0
    capsys.readouterr()
    assert run(["verify", "--quiet", str(home / "e.event")]) == 1
    assert str(log) in capsys.readouterr().out
    assert toep("report", home / "e.event") == 1


# -- somebody else's hands -------------------------------------------------------------------------------------------


def test_another_spec_is_refused(home: Path, calm: Ledger, capsys: pytest.CaptureFixture[str]) -> None:
    spec = home / "e.toml"
    kept = spec.read_text()
    spec.write_text(kept + "# better\n")
    said = fails(home, capsys)
    assert f"this event was begun with another spec, which is {home / 'e.event' / 'event.toml'}" in said
    spec.write_text(kept)
    (home / "e.event" / "event.toml").write_text(kept + "# better\n")
    assert "another spec" in fails(home, capsys)
    assert verify_event(home / "e.event").wrong[0].file == str(home / "e.event" / "event.toml")
    shutil.copy(spec, home / "e.event" / "event.toml")
    assert go_on(home).digests == digests_of(calm)


def test_a_second_director_says_who_is_the_first(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rulings, "WAIT_SECONDS", 0.1)
    folder = Folder(home / "e.event").lock()
    try:
        assert f"a director works on this event (process {os.getpid()})" in fails(home, capsys)
        answer = rulings.rule(Folder(folder.path), Request(kind="pause"), open_event(folder.path).ledger)
        assert answer == "left for the director, which has not picked it up yet"
    finally:
        folder.unlock()
    resume = ("paused", 0, {"do": "rule", "kind": "resume"})
    assert [line.kind for line in go_on(home, resume).ledger.rulings] == ["pause", "resume"]
