"""`toep conform`: programs that are right, wrong, slow, dead, or that talk nonsense."""

import json
import os
import re
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from referee.cli.main import run
from referee.conformance.process import EngineError, EngineProcess
from referee.conformance.run import MAX_STARTS

OWN = [sys.executable, "-m", "referee", "engine"]
HELLO = "{'protocol': 1, 'engine': 'odd', 'version': '7'}"


def program(tmp_path: Path, *lines: str) -> list[str]:
    """A program whose answer to each ``request`` is made by some lines of Python."""
    path = tmp_path / "odd.py"
    body = "\n".join(f"    {line}" for line in lines)
    path.write_text(
        "import json, os, sys, time\n"
        "def say(**answer): print(json.dumps({'seq': request['seq'], **answer}), flush=True)\n"
        "for line in sys.stdin:\n"
        "    request = json.loads(line)\n"
        "    if request['op'] == 'bye': break\n"
        f"    if request['op'] == 'hello': say(result={HELLO}); continue\n"
        f"{body}\n"
    )
    return [sys.executable, str(path)]


def conform(*words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = run(["conform", *words])
    out, err = capsys.readouterr()
    return code, out, err


def test_this_engine_conforms(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    junit = tmp_path / "report.xml"
    code, out, _ = conform("engine", "--level", "may", "--junit", str(junit), "--", *OWN, capsys=capsys)
    assert code == 0
    assert out.splitlines()[-1].startswith("PASS: ")
    assert " 0 failed, 0 skipped" in out
    root = ElementTree.parse(junit).getroot()
    assert {suite.get("name") for suite in root} == {"cases", "generated", "counts", "log"}
    assert {suite.get("failures") for suite in root} == {"0"}


def test_this_validator_conforms(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = conform("validator", "--json", "--", *OWN, capsys=capsys)
    report = json.loads(out)
    assert (code, report["verdict"], report["summary"]["failed"]) == (0, "PASS", 0)
    assert report["summary"]["passed"] == len(report["outcomes"]) > 400


def test_what_an_engine_has_to_play_and_what_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    skips = program(tmp_path, "say(skipped='not yet')")
    code, out, _ = conform("engine", "--json", "--", *skips, capsys=capsys)
    report = json.loads(out)
    assert (code, report["verdict"]) == (1, "FAIL")
    core = [one for one in report["outcomes"] if one["tiers"] == ["core"] and one["id"].startswith("cases/")]
    assert {one["status"] for one in core} == {"failed"}
    assert report["summary"]["skipped"] > 500
    assert report["subject"].startswith("odd 7 (")


def test_wrong_answers_are_failures_by_rule(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = program(tmp_path, "say(result={'total': 'none'})")
    code, out, _ = conform("engine", "--tier", "core", "--", *wrong, capsys=capsys)
    assert code == 1
    assert "FAILED  cases/G01-cafe (must)" in out
    assert "total: expected [" in out
    passed, failed = map(int, re.findall(r"(\d+) (?:passed|failed)", out.splitlines()[-1]))
    # A case that expects no points at all is right even then.
    assert passed < 5
    assert failed > 200
    assert "R-SUIT-01" in out.split("by rule")[1]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("say(errored='no')", "errored: no"),
        ("say()", "no result: {}"),
        ("print('x', flush=True)", "garbage: not an answer to what was asked: x"),
        ("print(json.dumps({'seq': 0, 'result': {}}), flush=True)", "garbage: "),
        ("print('[' * 99999, flush=True)", "garbage: "),
        ("sys.exit('I give up')", "died: it ended with exit code 1: I give up"),
        ("os.abort()", "died: it was killed by signal 6"),
    ],
)
def test_an_answer_that_is_none(tmp_path: Path, line: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = conform("engine", "--tier", "core", "--json", "--", *program(tmp_path, line), capsys=capsys)
    outcomes = json.loads(out)["outcomes"]
    assert code == 1
    assert {one["status"] for one in outcomes} == {"failed"}
    assert outcomes[0]["why"][0].startswith(why)
    assert len(outcomes) > MAX_STARTS
    if why.startswith("died"):
        assert outcomes[-1]["why"] == [f"died: not asked: it has died {MAX_STARTS} times"]


def test_an_engine_that_does_not_answer_is_killed_with_its_children(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    lines = (
        "import subprocess",
        "child = subprocess.Popen(['sleep', '600'])",
        f"open({str(pids)!r}, 'w').write(str(os.getpid()) + ' ' + str(child.pid))",
        "time.sleep(600)",
    )
    with EngineProcess(program(tmp_path, *lines), seconds=0.5) as engine:
        engine.ask("hello")
        with pytest.raises(EngineError) as caught:
            engine.ask("run", case={})
        assert caught.value.kind == "timeout"
    for pid in map(int, pids.read_text().split()):
        deadline = time.monotonic() + 5
        while _alive(pid) and time.monotonic() < deadline:
            pass
        assert not _alive(pid)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return not Path(f"/proc/{pid}/stat").exists() or Path(f"/proc/{pid}/stat").read_text().split(") ")[1][0] != "Z"


def test_an_engine_that_died_is_started_again(tmp_path: Path) -> None:
    flag = tmp_path / "once"
    line = f"open({str(flag)!r}, 'x') if not os.path.exists({str(flag)!r}) else say(result={{}}); os._exit(1)"
    with EngineProcess(program(tmp_path, line), seconds=10) as engine:
        with pytest.raises(EngineError):
            engine.ask("run", case={})
        assert engine.ask("run", case={}) == {"result": {}}
        assert engine.starts == 2


def test_much_on_standard_error_stops_nobody(tmp_path: Path) -> None:
    with EngineProcess(program(tmp_path, "sys.stderr.write('x' * 1000000)", "say(result={})"), seconds=10) as engine:
        assert engine.ask("run") == {"result": {}}


FLAWED = """
import json, sys
import msgspec
from referee.conformance.engine import respond
for line in sys.stdin.buffer:
    request = json.loads(line)
    answer = respond(line)
    if answer == "bye":
        break
    if request["op"] == "run" and request["case"]["id"] == "G01-cafe":
        answer = {"seq": request["seq"], "result": {}}
    sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\\n")
    sys.stdout.flush()
"""


def test_known_failures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "flawed.py"
    path.write_text(FLAWED)
    words = ["engine", "--tier", "core", "--json"]
    command = ["--", sys.executable, str(path)]
    assert conform(*words, *command, capsys=capsys)[0] == 1
    failing = tmp_path / "failing.txt"
    failing.write_text("cases/G01-cafe # to do\n")
    code, out, _ = conform(*words, "--known-failing", str(failing), *command, capsys=capsys)
    assert (code, json.loads(out)["summary"]["known"]) == (0, 1)
    failing.write_text("cases/G01-cafe\ncases/G02-cafe\n")
    code, out, _ = conform(*words, "--known-failing", str(failing), *command, capsys=capsys)
    assert (code, json.loads(out)["stale"]) == (1, ["cases/G02-cafe"])
    failing.write_text("cases/G01-cafe\ncases/G02-cafe\n")
    code, out, _ = conform(*words, "--known-flaky", str(failing), *command, capsys=capsys)
    assert (code, json.loads(out)["summary"]["flaky"]) == (0, 2)
    failing.write_text("cases/no-such-case\n")
    code, out, _ = conform(*words, "--known-flaky", str(failing), *command, capsys=capsys)
    assert (code, json.loads(out)["stale"]) == (1, ["cases/no-such-case"])


def test_a_validator_that_is_run_for_each_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By exit code alone, and with what it says in JSON."""
    bare = tmp_path / "bare.py"
    bare.write_text(
        "import sys\n"
        "from referee.cli.main import run\n"
        "sys.stdout = open('/dev/null', 'w')\n"
        "words = sys.argv[1:]\n"
        "sys.exit(run(['verify', '--quiet', *words]))\n"
    )
    kit = small_kit(tmp_path)
    code, out, _ = conform(
        "validator", "--kit", str(kit), "--per-file", "--json", "--", sys.executable, str(bare), capsys=capsys
    )
    outcomes = {one["id"]: one for one in json.loads(out)["outcomes"]}
    assert code == 1
    assert outcomes["log/valid/short-2-plain.toep"]["status"] == "passed"
    assert outcomes["log/invalid/E340-plain.toep"]["why"][0] == 'code: expected "E340", got null'
    talks = [sys.executable, "-m", "referee", "verify", "--json"]
    code, out, _ = conform("validator", "--kit", str(kit), "--per-file", "--", *talks, capsys=capsys)
    assert code == 0, out


def small_kit(tmp_path: Path) -> Path:
    """A kit with a few logs only."""
    from referee.conformance.kit import find_kit

    whole = json.loads((find_kit() / "log" / "expectations.json").read_bytes())
    wanted = (
        "valid/short-2-plain.toep",
        "invalid/E340-plain.toep",
        "incomplete/torn.toep",
        "unsupported/",
        "unreadable/",
    )
    entries = [one for one in whole["verify"] if one["file"].startswith(wanted)]
    for entry in entries:
        target = tmp_path / "kit" / "log" / entry["file"]
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((find_kit() / "log" / entry["file"]).read_bytes())
    (tmp_path / "kit" / "log" / "expectations.json").write_text(json.dumps({"verify": entries}))
    return tmp_path / "kit"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["engine"], "write the program behind --"),
        (["engine", "--", "/no/such/program"], "No such file"),
        (["validator", "--per-file", "--kit", "nowhere", "--", "true"], "nowhere"),
        (["engine", "--tier", "poker", "--", "true"], "no such questions; there are answers"),
        (["engine", "--seconds", "0", "--", "true"], "more than 0"),
        (["engine", "--known-failing", "nowhere", "--", "true"], "nowhere: No such file"),
        (["engine", "--", sys.executable, "-c", "input(); print('{}')"], "hello: "),
        (["engine", "--", "true"], "ended with exit code 0"),
    ],
)
def test_wrong_use(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = conform(*words, capsys=capsys)
    assert (code, says in err) == (2, True), err


def test_the_help_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run(["conform", "--help"])
    assert "toep conform engine -- node my-engine.js" in capsys.readouterr().out
