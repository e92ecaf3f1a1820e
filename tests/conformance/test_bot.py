"""`toep conform bot`: a good bot passes, and each bad one is found out by the right step, with the right sentence."""

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from referee.cli.main import run
from referee.conformance.bot import run as kit
from referee.conformance.bot import stage
from referee.conformance.bot.run import Result
from referee.conformance.bot.stage import Patience
from referee.conformance.bot.steps import NAMES, STEPS, kinds, seed_where, three_alike
from referee.conformance.bot.tampers import NEW_FIELDS
from referee.table.messages import AskKind
from referee.v1 import play_pb2

RAW = Path(__file__).parent / "bots" / "raw.py"
BUDGET = 2.0
"""Seconds for an act where a bot is too slow: more than a busy machine takes for a good one."""

IMPATIENT = Patience(act_seconds=BUDGET, goodbye_seconds=1.0)


def bot(name: str) -> list[str]:
    """The command of a bot of ``raw.py``."""
    return [sys.executable, str(RAW), name]


def put(name: str, *steps: str, patience: Patience | None = None) -> list[Result]:
    """What comes of some steps."""
    chosen = [step for step in STEPS if step.name in steps]
    assert len(chosen) == len(steps)
    return asyncio.run(kit.run(bot(name), name, chosen, patience)).steps


def conform(*words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = run(["conform", "bot", *words])
    out, err = capsys.readouterr()
    return code, out, err


# -- good ones ---------------------------------------------------------------------------------------------------------


def test_a_good_bot_passes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    junit = tmp_path / "report.xml"
    code, out, _ = conform("--json", "--junit", str(junit), "--", *bot("Good"), capsys=capsys)
    report = json.loads(out)
    assert (code, report["verdict"], report["summary"]) == (
        0, "PASS", {"ok": len(STEPS), "warning": 0, "failed": 0, "skipped": 0},
    ), out  # fmt: skip
    assert tuple(step["step"] for step in report["steps"]) == NAMES
    assert set(report["times"]) == {kind.name.lower() for kind in AskKind}
    for row in report["times"].values():
        assert 0 < row["p50"] <= row["p99"] <= row["max"] < row["budget"]
    assert report["batch"] > 8
    (suite,) = ElementTree.parse(junit).getroot()
    assert (suite.get("tests"), suite.get("failures")) == (str(len(STEPS)), "0")


@pytest.mark.parametrize("name", ["random", "careful", "caller"])
def test_the_sample_bots_pass(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = conform("--", name, capsys=capsys)
    assert code == 0, out
    assert out.splitlines()[-1] == f"PASS: {len(STEPS)} ok, 0 failed", out


@pytest.mark.parametrize("script", ["sh clients/bridge/first.sh", f"{sys.executable} clients/bridge/lowest.py"])
def test_bridged_scripts_pass(script: str, capsys: pytest.CaptureFixture[str]) -> None:
    root = Path(__file__).parents[2]
    words = script.replace("clients/", f"{root}/clients/").split()
    code, out, _ = conform("--", sys.executable, "-m", "referee", "bridge", "--", *words, capsys=capsys)
    assert code == 0, out


# -- bad ones ----------------------------------------------------------------------------------------------------------

BAD: list[tuple[str, str, str, str]] = [
    ("Silent", "presets", r"at table \d+ it did not answer ask \d+ \(\w+\), within 2000 ms: the referee ", stage.LATE),
    ("Slow", "many", r"it did not answer ask \d+ \(card\), within 2000 ms", stage.LATE),
    ("Cheat", "legal", r"its tries were used up: .*illegal, R-CARD-01: .* is not in your hand", "Play only cards of"),
    ("Empty", "presets", r"its tries were used up: .*malformed: the answer has no act", "Set one act in every answer"),
    (
        "Coward",
        "presets",
        r"its tries were used up: .*not_asked: an act is required",
        "Answer with an act that the ask",
    ),
    ("Strict", "unknown", r"it ended with exit code 1 in the middle of a match", "Skip fields, events and enum values"),
    ("Lost", "many", r"it answered table 10\d\d, ask \d+, which was not open", "Copy `table` and `ask` from the ask"),
    ("Early", "presets", r"it ended with exit code 0 in the middle of a match", "Play on until MatchOver has come"),
    ("Crash", "legal", r"it ended with exit code 3 in the middle of a match", "Mend what its last lines on standard"),
    ("Quitter", "superseded", r"it said Leave while a match was on", "Play on until MatchOver has come"),
    ("Hanger", "superseded", r"it hung up in the middle of a match", "Play on until MatchOver has come"),
    ("Stubborn", "draining", r"it was still there 1 s after its last match", "Say Leave and end once TOEP_MATCHES"),
    ("Cut", "draining", r"it said Leave while a match was on", "Play on until MatchOver has come"),
    ("Stayer", "goodbye", r"it was still there 1 s after its last match", "Say Leave and end once TOEP_MATCHES"),
    (
        "Sore",
        "goodbye",
        r"it ended with exit code 9 after its last match",
        "End with exit code 0 when the work is done",
    ),
    ("Proud", "refused", r"it did not answer ask \d+ \(\w+\)", "Answer the new ask that comes with a refusal"),
    ("Content", "lost", r"it ended with exit code 0 though its match was on", "When the stream is lost, dial in again"),
    ("Nobody", "hello", r"the referee turned it away: UNAUTHENTICATED", "Send the metadata `authorization: Bearer"),
    ("Mute", "hello", r"it did not say hello within 2 s", "Dial TOEP_ADDRESS, and send a Hello"),
]


@pytest.mark.parametrize(("name", "step", "why", "advice"), BAD, ids=[f"{one[0]}-{one[1]}" for one in BAD])
def test_a_bad_bot_is_found_out(name: str, step: str, why: str, advice: str) -> None:
    patience = Patience(connect_seconds=2.0) if name == "Mute" else IMPATIENT
    (result,) = put(name, step, patience=patience)
    assert result.status == "failed", result
    assert re.search(why, result.why[0]), result.why
    (sentence,) = result.advice
    assert sentence.startswith(advice)
    assert sentence.endswith(".")


WARNED: list[tuple[str, str, str, str]] = [
    ("Hasty", "many", r"\d+ answers were refused at first: .*illegal, R-CARD-01", "Play only cards of the ask's"),
    ("Chatty", "goodbye", r"it wrote \d+ MB to standard error", "Write less to standard error"),
    ("Lazy", "time", r"of kind card one in a hundred took \d+ ms or more, of 3000", "Answer every ask"),
    ("Twice", "superseded", r"it answered what was not open for it", "Copy `table` and `ask` from the ask"),
    ("Deaf", "time", r"\d+ asks that may be passed were left until their time was over", "Answer them with a pass"),
]


@pytest.mark.parametrize(("name", "step", "why", "advice"), WARNED, ids=[f"{one[0]}-{one[1]}" for one in WARNED])
def test_a_bot_that_could_be_better_is_warned(name: str, step: str, why: str, advice: str) -> None:
    seconds = {"Lazy": 3.0, "Deaf": 0.5}.get(name, 10.0)
    (result,) = put(name, step, patience=Patience(act_seconds=seconds))
    assert result.status == "warning", result
    assert any(re.search(why, line) for line in result.why), result.why
    assert any(line.startswith(advice) for line in result.advice)


def test_a_bot_may_dial_in_again_by_itself() -> None:
    (result,) = put("Phoenix", "lost")
    assert result.status == "ok", result


def test_a_bot_that_may_leave_new_kinds_of_ask_alone() -> None:
    (result,) = put("Deaf", "unknown", patience=Patience(act_seconds=2.0))
    assert result.status == "ok", result


def test_what_a_failure_shows(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Its last answers with the asks, its last lines on standard error, and one sentence."""
    junit = tmp_path / "report.xml"
    words = ("--step", "legal", "--junit", str(junit), "--", *bot("Crash"))
    code, out, _ = conform(*words, capsys=capsys)
    lines = out.splitlines()
    assert code == 1
    assert lines[0] == "FAILED   legal      does only what is legal"
    assert re.search(r"table \d+, ask \d+ \(\w+\) to seat \d, hand .*: may .*; \d+ ms -> \w+", out)
    assert "           something is broken here" in lines
    assert sum(line.startswith("         -> ") for line in lines) == 1
    assert lines[-1] == "FAIL: 1 failed"
    failure = ElementTree.parse(junit).getroot().find("testsuite/testcase/failure")
    assert failure is not None
    assert failure.get("message") == "it ended with exit code 3 in the middle of a match"
    assert "something is broken here" in (failure.text or "")


def test_without_a_hello_nothing_else_is_tried() -> None:
    results = put("Nobody", "hello", "presets", "time", patience=IMPATIENT)
    assert [result.status for result in results] == ["failed", "skipped", "skipped"]


def test_without_deadlines_a_slow_bot_is_waited_for() -> None:
    """It takes longer than any budget but the one that it is given, which is a day."""
    patience = Patience(act_seconds=0.001, connect_seconds=0.001, goodbye_seconds=0.001, deadline=False)
    (result,) = put("Good", "goodbye", patience=patience)
    assert result.status == "ok", result
    (result,) = put("Good", "goodbye", patience=Patience(act_seconds=0.001, connect_seconds=30))
    assert result.status == "failed", result


# -- nothing is left ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", ["goodbye", "lost", "many"])
def test_nothing_is_left_behind(step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No process, no child of one, no port, no task, no folder, no open file."""
    pids = tmp_path / "pids"
    monkeypatch.setenv("PIDS", str(pids))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)

    async def look() -> int:
        await kit.run(bot("Parent"), "parent", [one for one in STEPS if one.name == step])
        return len(asyncio.all_tasks())

    asyncio.run(look())
    before = len(os.listdir("/proc/self/fd"))
    assert asyncio.run(look()) == 1
    assert len(os.listdir("/proc/self/fd")) <= before
    for line in pids.read_text().splitlines():
        *processes, address = line.split()
        for process in map(int, processes):
            deadline = time.monotonic() + 5
            while alive(process) and time.monotonic() < deadline:
                pass
            assert not alive(process)
        host, port = address.split(":")
        with socket.socket() as probe:
            assert probe.connect_ex((host, int(port))) != 0
    assert [path.name for path in tmp_path.iterdir()] == ["pids"]


def alive(process: int) -> bool:
    stat = Path(f"/proc/{process}/stat")
    try:
        return stat.read_text().split(") ")[1][0] != "Z"
    except OSError:
        return False


# -- the kit itself ----------------------------------------------------------------------------------------------------


def test_every_step_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "bot-author.md").read_text()
    table = page[page.index("## Test your bot") : page.index("## Put the same match")]
    assert tuple(re.findall(r"^\| `([a-z]+)` \|", table, re.MULTILINE)) == NAMES


def test_engines_are_tested_without_grpc_and_bots_are_not(tmp_path: Path) -> None:
    """What needs more than the base install says so."""
    code = "import sys; sys.modules['grpc'] = None; from referee.cli.main import run; sys.exit(run(sys.argv[1:]))"
    bare = [sys.executable, "-c", code, "conform"]
    done = subprocess.run([*bare, "export", str(tmp_path / "kit")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    done = subprocess.run([*bare, "bot", "--", "true"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "toep conform: grpc is missing: pip install 'toep[service]'\n")


def test_every_kind_of_ask_has_a_table() -> None:
    tables = kinds()
    assert set(tables) == set(AskKind)
    rules, seats, *_ = tables[AskKind.CHANCE]
    assert seed_where(rules, seats, three_alike) == seed_where(rules, seats, three_alike)


def test_what_is_unknown_survives_the_wire() -> None:
    ask = play_pb2.Ask(table=1)
    ask.MergeFromString(NEW_FIELDS)
    again = play_pb2.Ask.FromString(ask.SerializeToString())
    assert (again.table, again.ByteSize()) == (1, len(NEW_FIELDS) + 2)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "write the program behind --"),
        (["--step", "poker", "--", "true"], "no such step; there are hello presets"),
        (["--seconds", "0", "--", "true"], "more than 0"),
        (["--", "/no/such/bot"], "No such file"),
    ],
)
def test_wrong_use(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = conform(*words, capsys=capsys)
    assert (code, says in err) == (2, True), err
