"""``toep view``: views of whole, unfinished and broken logs."""

import json
from pathlib import Path

import pytest

from referee.cli.main import run
from referee.log.note import Signer
from referee.log.records import Rounds
from referee.log.writer import MemorySink
from referee.ruleset import CAFE
from referee.table.head import MatchPlan
from referee.table.inprocess import write_match
from referee.validate.validator import validate_path

PLAN = MatchPlan(rules=CAFE, bots=["a", "b", "c"], length=Rounds(rounds=3), clock="none")


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """A signed log, which is also a file of the working folder."""
    monkeypatch.chdir(tmp_path)
    sink = MemorySink()
    write_match(PLAN, bytes(range(32)), sink, eagerness=0.2, signer=Signer("club.example/referee", bytes(32)))
    Path("match.toep").write_bytes(sink.data)
    return bytes(sink.data)


Capture = pytest.CaptureFixture[str]


def refused(capsys: Capture, *arguments: str, code: int = 2) -> str:
    assert run(["view", *arguments]) == code
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    return err.strip()


@pytest.mark.parametrize("whose", [["--seat", "1"], ["--spectator"]])
def test_a_view_has_the_seals_of_its_log(whose: list[str], data: bytes, capsys: Capture) -> None:
    assert run(["view", "match.toep", *whose, "-o", "view.toep", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    made = Path("view.toep").read_bytes()
    changed = [(a, b) for a, b in zip(data.splitlines(), made.splitlines(), strict=True) if a != b]
    assert said == {
        "file": "view.toep",
        "seat": 1 if "--seat" in whose else None,
        "lines": data.count(b"\n"),
        "hidden": len(changed),
        "private": data.count(b'"salt"') - len(changed),
        "seed": True,
    }
    assert all(b'"salt"' in a and b.startswith(b'{"_":"~"') for a, b in changed)
    assert any(b'"seat":1' in a for a, _ in changed) is ("--spectator" in whose)
    whole, report = validate_path("match.toep"), validate_path("view.toep")
    assert (report.verdict, report.exit, report.opened) == ("VALID", 0, len(changed))
    ours, theirs = ([level for level in one.levels if level.level == "L5"] for one in (report, whole))
    assert ours == theirs
    assert {level.status for level in ours} == {"pass"}
    assert run(["verify", "--quiet", "view.toep"]) == 0


def test_standard_output_has_the_same(data: bytes, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run(["view", "match.toep", "--seat", "0"]) == 0
    out, err = capfdbinary.readouterr()
    assert b"the seed stands in this log" in err
    assert run(["view", "match.toep", "--seat", "0", "-o", "view.toep"]) == 0
    said, _ = capfdbinary.readouterr()
    assert out == Path("view.toep").read_bytes()
    assert said.startswith(b"view.toep: ")
    assert said.endswith(b" private ones shown\n")


def test_unfinished_logs(data: bytes, capsys: Capture) -> None:
    lines = data.splitlines(keepends=True)
    Path("torn.toep").write_bytes(b"".join(lines[:4]) + lines[4][:30])
    assert b'"_":"cards"' in lines[4]
    assert run(["view", "torn.toep", "--spectator", "-o", "view.toep"]) == 0
    made = Path("view.toep").read_bytes()
    assert made.count(b"\n") == 4
    assert made.endswith(b"\n")
    assert b'"cards"' not in made
    assert "line 5 is cut off and left out" in capsys.readouterr().err


def test_what_is_no_log(data: bytes, capsys: Capture) -> None:
    lines = data.splitlines(keepends=True)
    Path("broken.toep").write_bytes(b"".join(lines[:9]) + b'{"_": "play"}\n')
    assert "broken.toep, line 10" in refused(capsys, "broken.toep", "--spectator", "-o", "view.toep")
    assert not Path("view.toep").exists()
    Path("new.toep").write_bytes(b"".join(lines[:9]) + b'{"_":"later"}\n')
    assert "line 10" in refused(capsys, "new.toep", "--spectator", "-o", "view.toep", code=3)
    assert "No such file" in refused(capsys, "none.toep", "--spectator", "-o", "view.toep")
    assert not Path("view.toep").exists()


def test_what_cannot_be_done(data: bytes, capsys: Capture) -> None:
    assert "there is no seat 3" in refused(capsys, "match.toep", "--seat", "3", "-o", "view.toep")
    assert "there is no seat -1" in refused(capsys, "match.toep", "--seat", "-1", "-o", "view.toep")
    assert not Path("view.toep").exists()
    assert "never overwritten" in refused(capsys, "match.toep", "--seat", "0", "-o", "match.toep")
    assert Path("match.toep").read_bytes() == data
    assert "uncompressed" in refused(capsys, "match.toep", "--seat", "0", "-o", "view.toep.zst")
    assert "No such file" in refused(capsys, "match.toep", "--seat", "0", "-o", "none/view.toep")
    assert "--json goes with -o" in refused(capsys, "match.toep", "--seat", "0", "--json")
    for whose in ([], ["--seat", "1", "--spectator"]):
        with pytest.raises(SystemExit):
            run(["view", "match.toep", *whose])
