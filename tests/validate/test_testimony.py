"""A log held against a bot's own transcript, a view, and another engine."""

import json
import os
import random
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import zstandard

from referee.cli.main import run
from referee.validate import testimony
from referee.validate.transcript import TranscriptError, read_transcript
from referee.validate.validator import validate_path
from tests.support import forge
from tests.support.match import RULES, Match
from tests.validate.test_views import log, view

Line = dict[str, Any]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "match.toep"
    path.write_bytes(log("cafe", 3))
    return path


def verify(*words: object, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    """Exit code and report of `toep verify --json`."""
    code = run(["verify", "--json", *map(str, words)])
    return code, json.loads(capsys.readouterr().out)


def errors(report: dict[str, Any]) -> list[tuple[str, int | None]]:
    return [(one["code"], one.get("line")) for one in report["findings"] if one["severity"] == "error"]


# -- transcripts -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Path]]:
    """A match between sample bots that keep transcripts: the log, and the transcripts by seat."""
    folder = tmp_path_factory.mktemp("played")
    (folder / "wild.py").write_text(WILD)
    bots = ("careful", f"wild={sys.executable} wild.py", "random")
    words = [word for bot in bots for word in ("--bot", bot)]
    done = subprocess.run(
        [sys.executable, "-m", "referee", "play", "--seed", "11" * 32, "--json", "-o", "match.toep", *words],
        cwd=folder,
        env={**os.environ, "TOEP_TRANSCRIPTS": "kept"},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    name = json.loads(done.stdout)["match"]
    return folder / "match.toep", [folder / "kept" / f"{name}.seat{seat}.jsonl" for seat in range(3)]


WILD: Final = """
from toep_client import Act, Bot, Play, View, run

class Wild(Bot):
    def act(self, view: View) -> Act:
        if view.random().random() < 0.1:
            return Play(view.random().choice(["Th", "Jc", "9s"]))
        return view.random().choice(view.legal)

run(Wild())
"""


def rewritten(path: Path, change: Callable[[list[Line]], object]) -> Path:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    change(lines)
    out = path.with_name("changed.jsonl")
    out.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return out


def first(lines: list[Line], kind: str, number: int = 0) -> Line:
    return [line for line in lines if line["_"] == kind][number]


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_log_agrees_with_what_its_bots_saw(
    played: tuple[Path, list[Path]], seat: int, capsys: pytest.CaptureFixture[str]
) -> None:
    path, transcripts = played
    code, report = verify(path, "--transcript", transcripts[seat], capsys=capsys)
    (testimony,) = report["testimonies"]
    assert (code, report["verdict"], testimony["status"]) == (0, "VALID", "pass"), report
    announced, acts, hands = [int(word) for word in testimony["reason"].split() if word.isdigit()][:3]
    assert min(announced, acts, hands) > 3


CHANGES: dict[str, Callable[[list[Line]], object]] = {
    "E701": lambda lines: lines[0].update(match="another"),
    "E702": lambda lines: first(lines, "play", 1).update(card="Xx"),
    "E703": lambda lines: first(lines, "hand").update(cards=["Jc", "Qc", "Kc"]),
    "E704": lambda lines: lines.remove(first(lines, "sent")),
    "E707": lambda lines: lines[-1].update(rank=[3, 3, 3]),
}


@pytest.mark.parametrize("code", CHANGES)
def test_where_a_log_and_a_transcript_part(
    played: tuple[Path, list[Path]], code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path, transcripts = played
    changed = rewritten(transcripts[1], CHANGES[code])
    exit_code, report = verify(path, "--transcript", changed, capsys=capsys)
    assert (exit_code, report["verdict"]) == (4, "DISPUTED")
    ((found, line),) = errors(report)
    assert found == code
    assert line is not None
    assert line >= 1
    assert report["testimonies"][0]["status"] == "fail"


def test_refusals_are_compared(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = transcript_of(forge.lines(file.read_bytes()), 1)
    path = tmp_path / "seat1.jsonl"

    def write(lines: list[Line]) -> None:
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))

    write(lines)
    code, report = verify(file, "--transcript", path, capsys=capsys)
    assert code == 0, report
    refused = first(lines, "not")
    write([line for line in lines if line is not refused])
    assert errors(verify(file, "--transcript", path, capsys=capsys)[1])[0][0] == "E705"
    write([*lines[:8], {"_": "not", "ask": 1, "code": "illegal", "rule": "R-SUIT-01"}, *lines[8:]])
    assert errors(verify(file, "--transcript", path, capsys=capsys)[1])[0][0] == "E706"


def transcript_of(records: list[Line], seat: int) -> list[Line]:
    """The transcript that a bot with an honest SDK would have of a log."""
    head = records[0]
    bots = [one["bot"] for one in head["seats"]]
    lines: list[Line] = [
        {"_": "transcript", "bots": bots, "fmt": "toep-transcript/0", "match": head["match"], "seat": seat}
    ]
    private = ("head", "seal", "cards", "discard", "refused", "reveal", "entropy", "ruling")
    waiting = _refusals(records, seat)
    for number, record in enumerate(records):
        if record["_"] == "end":
            lines.append({"_": "over", **{key: record[key] for key in ("rank", "status", "total")}})
        elif record["_"] not in private:
            own = record.get("seat") == seat and "by" not in record
            if own and record["_"] in ("play", "toep", "stay", "fold", "exchange", "challenge"):
                act = {key: record[key] for key in ("_", "card") if key in record}
                lines.append({"_": "sent", "act": act, "ask": number})
            lines.append(record)
            if record["_"] == "round":
                lines += next(waiting, [])
    return lines


def _refusals(records: list[Line], seat: int) -> Iterator[list[Line]]:
    told: list[Line] = []
    for record in records:
        if record["_"] == "refused" and record["seat"] == seat:
            code = record["code"]
            told.append(
                {"_": "not", "ask": 0, "code": "illegal", "rule": code}
                if "-" in code
                else {"_": "not", "ask": 0, "code": code}
            )
        elif record["_"] == "score":
            yield told
            told = []


def test_a_transcript_that_stops_early_leaves_the_rest_unchecked(
    played: tuple[Path, list[Path]], capsys: pytest.CaptureFixture[str]
) -> None:
    path, transcripts = played
    short = rewritten(transcripts[2], lambda lines: lines.__delitem__(slice(len(lines) // 2, None)))
    code, report = verify(path, "--transcript", short, capsys=capsys)
    assert (code, report["verdict"]) == (4, "INCOMPLETE")
    assert report["testimonies"][0]["status"] == "not checked"
    assert "the transcript ends before" in report["testimonies"][0]["reason"]


def test_a_bot_that_came_late_is_compared_from_the_next_round(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = transcript_of(forge.lines(file.read_bytes()), 0)
    rounds = [number for number, line in enumerate(lines) if line["_"] == "round"]
    path = tmp_path / "late.jsonl"
    late = [lines[0], {"_": "joined"}, *lines[rounds[1] + 6 :]]
    path.write_text("".join(json.dumps(line) + "\n" for line in late))
    code, report = verify(file, "--transcript", path, capsys=capsys)
    assert (code, report["verdict"]) == (4, "INCOMPLETE")
    assert "begins in the middle" in report["testimonies"][0]["reason"]
    late[-2]["lead" if "lead" in late[-2] else "seat"] = 7
    path.write_text("".join(json.dumps(line) + "\n" for line in late))
    assert verify(file, "--transcript", path, capsys=capsys)[1]["verdict"] == "DISPUTED"


@pytest.mark.parametrize(
    "text", ["", "{}\n", '{"_":"transcript"}\n', '{"_":"transcript","fmt":"toep-transcript/0"}\n', "[" * 9]
)
def test_what_is_no_transcript_is_refused(
    file: Path, tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text(text)
    with pytest.raises(TranscriptError):
        read_transcript(path)
    assert run(["verify", "--transcript", str(path), str(file)]) == 2
    assert "toep-transcript/0" in (err := capsys.readouterr().err) or "line 1" in err


def test_a_transcript_needs_one_log_in_a_file(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", "--transcript", "x", "-"]) == 2
    assert "give it as a file" in capsys.readouterr().err
    assert run(["verify", "--view", "x", str(file), str(file)]) == 2
    assert "about one log" in capsys.readouterr().err
    assert run(["verify", "--transcript", "none.jsonl", str(file)]) == 2
    assert "none.jsonl: No such file" in capsys.readouterr().err


# -- views -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", [1.0, 0.5, 0.1])
def test_a_view_belongs_to_its_log(file: Path, tmp_path: Path, part: float, capsys: pytest.CaptureFixture[str]) -> None:
    lines = view(file.read_bytes(), 1).splitlines(keepends=True)
    path = tmp_path / "view.toep"
    path.write_bytes(b"".join(lines[: int(len(lines) * part)]))
    code, report = verify(file, "--view", path, capsys=capsys)
    assert (code, report["testimonies"][0]["status"]) == (0, "pass")
    # And the other way round: a view held against its log.
    path.write_bytes(b"".join(lines))
    assert verify(path, "--view", file, capsys=capsys)[0] == 0


def test_where_a_view_is_not_of_this_log(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "view.toep"
    path.write_bytes(view(log("cafe", 3, 2)))
    code, report = verify(file, "--view", path, capsys=capsys)
    assert (code, report["verdict"], errors(report)) == (4, "DISPUTED", [("E711", 1)])
    path.write_bytes(view(file.read_bytes()) + b'{"_":"x"}\n')
    assert errors(verify(file, "--view", path, capsys=capsys)[1]) == [("E712", None)]


# -- engines -----------------------------------------------------------------------------------------------------------


def engine(tmp_path: Path, answer: str) -> str:
    """A program that gives the same answer to everything."""
    path = tmp_path / "engine.py"
    path.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    request = json.loads(line)\n"
        "    if request['op'] == 'bye': break\n"
        f"    print(json.dumps({{'seq': request['seq'], **{answer}}}), flush=True)\n"
    )
    return shlex.join([sys.executable, str(path)])


def test_this_engine_agrees_with_itself(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "log.toep.zst"
    path.write_bytes(zstandard.compress(file.read_bytes()))
    own = shlex.join([sys.executable, "-m", "referee", "engine"])
    assert run(["verify", "--engine", own, str(file), str(path)]) == 0
    out = capsys.readouterr().out
    assert out.count("it says VALID, too") == 2
    broken = tmp_path / "broken.toep"
    broken.write_bytes(forge.edit(file.read_bytes(), "score", 0, total=[9, 9, 9])[0])
    code, report = verify(broken, "--engine", own, capsys=capsys)
    assert (code, report["testimonies"][0]["status"]) == (1, "pass")


def test_an_engine_that_disagrees(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = engine(tmp_path, "{'result': {'verdict': 'INVALID', 'line': 17, 'code': 'E340'}}")
    code, report = verify(file, "--engine", other, capsys=capsys)
    assert (code, report["verdict"], errors(report)) == (4, "DISPUTED", [("E721", 17)])


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("{'skipped': 'no such rules'}", "no such rules"),
        ("{'errored': 'oops'}", "oops"),
        ("{'seq': 99}", "not an answer"),
        ("exit(3)", "exit code 3"),
        ("print('no json')", "not an answer"),
    ],
)
def test_an_engine_that_cannot_say(
    file: Path, tmp_path: Path, answer: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, report = verify(file, "--engine", engine(tmp_path, answer), capsys=capsys)
    assert (code, report["verdict"]) == (4, "INCOMPLETE")
    assert why in report["testimonies"][0]["reason"]


def test_no_such_engine(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, report = verify(file, "--engine", "/no/such/program", capsys=capsys)
    assert code == 4
    assert "No such file" in report["testimonies"][0]["reason"]
    assert run(["verify", "--engine", "'", str(file)]) == 2


def test_engines_of_several_processes_all_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(4):
        (tmp_path / f"{number}.toep").write_bytes(Match(RULES["short"], 2, name=f"e{number}").play_on().close())
    pids = tmp_path / "pids"
    other = engine(
        tmp_path, f"(open({str(pids)!r}, 'a').write(str(__import__('os').getpid()) + ' '), {{'skipped': 'x'}})[1]"
    )
    assert run(["verify", "-j", "2", "--quiet", "--engine", other, str(tmp_path)]) == 4
    for pid in set(pids.read_text().split()):
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)


# -- anything for a transcript -----------------------------------------------------------------------------------------

ODD: Final[tuple[Any, ...]] = (
    None,
    True,
    -1,
    10**30,
    1.5,
    "",
    "x",
    "Th",
    [],
    [[]],
    {},
    {"_": 1},
    [{}],
    "hand",
    "sent",
    ["Th", ["Jc"]],
)


def mangled(lines: list[Line], rng: random.Random) -> list[Line]:
    """A transcript with a few values, lines and kinds that no SDK writes."""
    lines = [dict(line) for line in lines]
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(lines))
        what = rng.random()
        if what < 0.15 and len(lines) > 1:
            del lines[at]
        elif what < 0.3:
            lines.insert(at, {"_": rng.choice(["hand", "sent", "not", "joined", "over", "play", "x"])})
        else:
            lines[at][rng.choice([*lines[at], "cards", "act", "ask", "code", "by"])] = rng.choice(ODD)
    return lines


def test_no_transcript_makes_the_verifier_fall_over(file: Path, tmp_path: Path) -> None:
    honest = transcript_of(forge.lines(file.read_bytes()), 1)
    report = validate_path(file)
    path = tmp_path / "odd.jsonl"
    seen: set[str] = set()
    for number in range(120):
        rng = random.Random(number)
        data = "".join(json.dumps(line) + "\n" for line in mangled(honest, rng)).encode()
        if rng.random() < 0.2:
            at = rng.randrange(len(data))
            data = data[:at] + rng.randbytes(3) + data[at + rng.randrange(5) :]
        path.write_bytes(data)
        try:
            seen.add(testimony.with_transcript(report, str(file), path).verdict)
        except testimony.TestimonyError:
            seen.add("no transcript")
    assert {"DISPUTED", "no transcript"} <= seen <= {"VALID", "DISPUTED", "INCOMPLETE", "no transcript"}
