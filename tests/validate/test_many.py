"""`toep verify` over many files: several at a time, in order, with nothing skipped and nothing kept."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from referee.cli import progress as progress_line
from referee.cli import verify, workers
from referee.cli.main import run
from referee.cli.progress import Progress, progress_text
from referee.cli.verify import Checker, Outcome, summary
from referee.cli.workers import outcomes
from referee.validate.report import Verdict


class Fragile(Checker, frozen=True, kw_only=True):
    """Dies, or waits, when a file's name says so."""

    def check(self, file: str) -> Outcome:
        if file.startswith("kill"):
            os.kill(os.getpid(), signal.SIGKILL)
        if file.startswith("exit"):
            os._exit(7)
        if file.startswith("slow"):
            time.sleep(0.3)
        return Outcome("VALID", file, "")


@pytest.fixture
def logs(tmp_path: Path, short_log: bytes) -> Path:
    for number in range(40):
        (tmp_path / f"{number:02}.toep").write_bytes(short_log)
    (tmp_path / "07.toep").write_bytes(short_log.replace(b"bot 0", b"bot X"))
    (tmp_path / "11.toep").write_bytes(short_log[:-40])
    (tmp_path / "23.toep.zst").write_bytes(b"not zstd")
    return tmp_path


@pytest.mark.parametrize("words", [[], ["--quiet"], ["--json"], ["--level", "L1"]])
def test_many_processes_say_what_one_says(logs: Path, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(logs), str(logs / "none.toep")]
    said = []
    for jobs in ("1", "3", "0"):
        code = run(["verify", "-j", jobs, *words, *paths])
        said.append((code, *capsys.readouterr()))
    assert said[0] == said[1] == said[2]
    code, out, err = said[0]
    assert code == (4 if words == ["--level", "L1"] else 1)
    assert err.count("is needed") == 2
    if words == ["--json"]:
        files = [json.loads(line)["file"] for line in out.splitlines()]
        assert files == [*sorted(map(str, logs.iterdir())), str(logs / "none.toep")]
    elif words != ["--level", "L1"]:
        assert out.splitlines()[-1] == "42 files: 38 VALID, 1 INVALID, 1 INCOMPLETE, 2 UNREADABLE"


def test_a_worker_that_dies_is_named_and_the_rest_is_checked() -> None:
    files = [f"{number}" for number in range(60)]
    files[0], files[1], files[17], files[59] = "slow", "kill", "exit", "kill at the end"
    found = list(outcomes(files, 3, Fragile()))
    assert [outcome.verdict for outcome in found] == [
        "UNREADABLE" if file[:4] in ("kill", "exit") else "VALID" for file in files
    ]
    assert [outcome.out for outcome in found if outcome.verdict == "VALID"] == [
        file for file in files if file[:4] not in ("kill", "exit")
    ]
    assert (
        found[1].err == "toep verify: kill: a check that comes to its end: its process was killed by signal 9 is needed"
    )
    assert "ended with exit code 7" in found[17].err


def test_what_waits_for_an_earlier_file_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    given = []
    give = workers._Worker.give

    def noted(worker: workers._Worker, position: int, file: str) -> None:
        given.append(position)
        give(worker, position, file)

    monkeypatch.setattr(workers._Worker, "give", noted)
    found = outcomes(["slow", *map(str, range(500))], 2, Fragile())
    next(found)
    assert max(given) < 2 * workers.WINDOW
    found.close()


def test_a_fault_of_the_validator_is_no_verdict(
    tmp_path: Path, short_log: bytes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.toep").write_bytes(short_log)

    def broken(*_: object, **__: object) -> None:
        raise KeyError("oops")

    monkeypatch.setattr(verify, "validate_path", broken)
    assert run(["verify", str(tmp_path / "a.toep")]) == 2
    assert "a.toep: a check that comes to its end: KeyError: 'oops'" in capsys.readouterr().err


def test_standard_input_among_others(logs: Path, short_log: bytes) -> None:
    command = [sys.executable, "-m", "referee", "verify", "--quiet", "-j", "2", str(logs / "00.toep"), "-"]
    done = subprocess.run(command, input=short_log, capture_output=True, check=True)
    assert done.stdout.decode().splitlines()[1:] == ["-: VALID", "2 files: 2 VALID"]


def test_a_negative_number_of_processes(logs: Path) -> None:
    assert run(["verify", "-j", "-1", str(logs)]) == 2


def test_interrupted_it_leaves_nothing_behind(logs: Path) -> None:
    os.mkfifo(logs / "hangs")
    command = [sys.executable, "-um", "referee", "verify", "--quiet", "-j", "2", str(logs / "00.toep")]
    with subprocess.Popen(
        [*command, str(logs / "hangs"), str(logs / "01.toep")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline().endswith(b"00.toep: VALID\n")
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, b"", b"")
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.02)
    pytest.fail("a worker goes on")


# -- progress ----------------------------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("words", [[], ["--quiet"]])
def test_progress_on_a_terminal(logs: Path, words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_line, "REDRAW", 0)
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    assert run(["verify", *words, str(logs)]) == 1
    states = [state for state in terminal.getvalue().split("\r") if "left" in state]
    assert len(states) == 41
    assert re.fullmatch(r" 41/41 files, 1 invalid, [0-9,]+ files/s, 0:00 left", states[-1].rstrip())
    assert terminal.getvalue().endswith(" \r")


@pytest.mark.parametrize("words", [["--json"], []])
def test_no_progress_for_programs_and_single_files(
    logs: Path, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress_line, "REDRAW", 0)
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    run(["verify", *words, str(logs / "00.toep"), *([str(logs / "01.toep")] if words else [])])
    assert terminal.getvalue() == ""


def test_no_progress_without_a_terminal(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_line, "REDRAW", 0)
    monkeypatch.setattr(sys, "stderr", plain := io.StringIO())
    (logs / "23.toep.zst").unlink()
    run(["verify", str(logs)])
    assert plain.getvalue() == ""


def test_progress_is_redrawn_at_most_ten_times_a_second() -> None:
    progress = Progress(10**6, terminal := Terminal(), shown=True)
    start = time.monotonic()
    for number in range(1, 2000):
        progress.show(number)
        time.sleep(0.0002)
    assert terminal.getvalue().count("\r") <= (time.monotonic() - start) * 10 + 1


def test_what_progress_and_the_summary_say() -> None:
    assert progress_text(2468, 10000, 3, 2.0) == " 2468/10000 files, 3 invalid, 1,234 files/s, 0:06 left"
    assert progress_text(1, 3601, 0, 2.0) == " 1/3601 files, 0 invalid, 0 files/s, 120:00 left"
    counts: Counter[Verdict] = Counter({"INCOMPLETE": 1, "INVALID": 1, "VALID": 9998})
    assert summary(counts) == "10,000 files: 9,998 VALID, 1 INVALID, 1 INCOMPLETE"
