"""fixtures/log: every file, through the command as its user would call it, gives what is expected of it.

The files are never made anew to make a test pass: when one of these tests fails, something else has changed.
"""

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest
import zstandard

from referee.cli.main import run
from referee.cli.verify import SUFFIXES
from referee.game.rulebook import RULES
from referee.log.note import Verifier
from referee.ruleset import PRESETS, Ruleset
from referee.validate.codes import PAGES
from referee.validate.order import TAG
from tools.log_fixtures import __main__ as log_fixtures

FOLDER = Path(__file__).parents[2] / "fixtures" / "log"
EXPECTED: dict[str, list[dict[str, Any]]] = json.loads((FOLDER / "expectations.json").read_text("ascii"))
REASONS: dict[str, str] = json.loads((FOLDER / "not-applicable.json").read_text("ascii"))
LOGS = {str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*") if path.name.endswith(SUFFIXES)}
VERDICTS = {"valid": "VALID", "invalid": "INVALID", "unsupported": "UNSUPPORTED", "unreadable": "UNREADABLE"}

WORDS = {"clock", "isolation", "why", "verdict", "sign", "status"}
"""Fields whose every word stands in some valid log."""

SWITCHES = {name for name, hint in get_type_hints(Ruleset).items() if hint is bool}


def options(entry: dict[str, Any]) -> list[str]:
    """The options of an entry as the command takes them."""
    return [part for name, value in entry.get("options", {}).items() for part in (f"--{name}", value)]


def name_of(entry: dict[str, Any]) -> str:
    return " ".join([entry["file"], *(name for name in entry.get("options", {}))])


def findings(report: dict[str, Any]) -> list[dict[str, Any]]:
    """The first error of a report, as expectations have it."""
    for finding in report["findings"]:
        if finding["severity"] == "error":
            level = PAGES[finding["code"]].level
            rule = {"rule": finding["rule"]} if finding.get("rule") else {}
            return [{"code": finding["code"], "level": level, "line": finding["line"]} | rule]
    return []


def said(report: dict[str, Any], code: int) -> dict[str, Any]:
    """What a report says of all that is expected."""
    warnings = [finding["code"] for finding in report["findings"] if finding["severity"] == "warning"]
    return {
        "exit": code, "findings": findings(report), "verdict": report["verdict"], "warnings": sorted(warnings),
    }  # fmt: skip


@pytest.mark.parametrize("entry", EXPECTED["verify"], ids=name_of)
def test_verify(entry: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["verify", "--json", *options(entry), str(FOLDER / entry["file"])])
    report = json.loads(capsys.readouterr().out)
    assert said(report, code) == {name: entry[name] for name in ("exit", "findings", "verdict", "warnings")}
    assert report["exit"] == code


@pytest.mark.parametrize("entry", EXPECTED["fork"], ids=lambda entry: entry["about"])
def test_fork(entry: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["diff", "--fork", "--json", *options(entry), str(FOLDER / entry["a"]), str(FOLDER / entry["b"])])
    assert code == entry["exit"]
    if entry["result"] == "DIFFERENT MATCHES":
        return
    found = json.loads(capsys.readouterr().out)
    assert found["fork"] == {"FORK": True, "NO FORK": False, "NOTHING PROVEN": None}[entry["result"]]
    assert found["line"] == entry.get("line")
    assert [found[name] and found[name]["n"] for name in "ab"] == entry.get("n", [None, None])


@pytest.mark.parametrize("verdict", ["VALID", "INVALID", "UNREADABLE", "UNSUPPORTED", "INCOMPLETE"])
def test_a_process_ends_with_the_exit_code(verdict: str) -> None:
    entry = next(one for one in EXPECTED["verify"] if one["verdict"] == verdict)
    command = [sys.executable, "-m", "referee.cli.main", "verify", "--json", *options(entry), entry["file"]]
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=False)
    assert said(json.loads(done.stdout), done.returncode)["exit"] == entry["exit"]


def test_a_process_proves_a_fork() -> None:
    entry = EXPECTED["fork"][0]
    command = [sys.executable, "-m", "referee.cli.main", "diff", "--fork", entry["a"], entry["b"]]
    assert subprocess.run(command, cwd=FOLDER, capture_output=True, check=False).returncode == entry["exit"] == 5


def test_every_code_has_a_file_or_a_reason() -> None:
    shown = {finding["code"] for entry in EXPECTED["verify"] for finding in entry["findings"]}
    shown |= {code for entry in EXPECTED["verify"] for code in entry["warnings"]}
    excused = {code for code in PAGES if code in REASONS or f"{code[:2]}xx" in REASONS}
    assert shown | excused == set(PAGES)
    assert not shown & excused
    assert {name for name in REASONS if name.endswith("xx")} <= {f"{code[:2]}xx" for code in PAGES}
    assert {name for name in REASONS if not name.endswith("xx")} <= set(PAGES)


def test_every_file_is_expected_and_every_expectation_has_a_file() -> None:
    expected = {entry["file"] for entry in EXPECTED["verify"]}
    paired = {entry[side] for entry in EXPECTED["fork"] for side in "ab"}
    assert expected | paired == LOGS
    assert not expected & paired
    files = [(entry["file"], *sorted(entry.get("options", {}))) for entry in EXPECTED["verify"]]
    assert files == sorted(set(files))


def test_valid_logs_have_every_kind_of_record_and_every_value_of_an_option() -> None:
    records = [
        json.loads(line)
        for path in sorted((FOLDER / "valid").glob("*.toep"))
        for line in path.read_bytes().splitlines()
    ]
    assert {record["_"] for record in records} == set(TAG.values())
    values = {(record["_"], name, record[name]) for record in records for name in WORDS & record.keys()}
    for kind, tag in TAG.items():
        for name, words in literals(kind).items():
            if name in WORDS:
                assert {value for at, field, value in values if (at, field) == (tag, name)} == words, (tag, name)
    heads = [record for record in records if record["_"] == "head"]
    assert {len(head["seats"]) for head in heads} >= {2, 3, 5, 8}
    assert {tuple(sorted(head["rules"].items())) for head in heads} >= {
        tuple(sorted(msgspec.structs.asdict(rules).items())) for rules in PRESETS.values()
    }
    for option, words in {**literals(Ruleset), **{name: {False, True} for name in SWITCHES}}.items():
        assert {head["rules"][option] for head in heads} == words, option


def literals(kind: type[Any]) -> dict[str, set[Any]]:
    """The fields of a record whose values are words, with all of them."""
    return {
        name: set(get_args(member))
        for name, hint in get_type_hints(kind).items()
        for member in (hint, *get_args(hint))
        if get_origin(member) is Literal
    }


def test_expectations_are_well_formed() -> None:
    for entry in EXPECTED["verify"]:
        folder, _, name = entry["file"].partition("/")
        assert entry["about"].isascii()
        assert entry["verdict"] == VERDICTS.get(folder, "INCOMPLETE") or "level" in entry.get("options", {})
        assert set(entry.get("options", {})) <= {"key", "level"}
        for finding in entry["findings"]:
            assert name.startswith(f"{finding['code']}-")
            assert finding["level"] == PAGES[finding["code"]].level
            assert finding.get("rule", "R-PLAY-01") in RULES
    assert Verifier((FOLDER / "test-key.pub").read_text().strip())


def test_files_never_change() -> None:
    sums = [line.split("  ", 1) for line in (FOLDER / "SHA256SUMS").read_text("ascii").splitlines()]
    assert [file for _, file in sums] == sorted(LOGS)
    for digest, file in sums:
        assert hashlib.sha256((FOLDER / file).read_bytes()).hexdigest() == digest, file


def test_git_leaves_the_bytes_alone() -> None:
    attributes = (FOLDER.parents[1] / ".gitattributes").read_text()
    assert "fixtures/log/** -text" in attributes.splitlines()


def test_the_tool_makes_these_files(tmp_path: Path) -> None:
    """How they were made is still told truly. If this fails, mend the tool, and leave the files as they are."""
    made = tmp_path / "made"
    assert log_fixtures.main([str(made)]) == 0
    names = {str(path.relative_to(made)) for path in made.rglob("*") if path.name.endswith(SUFFIXES)}
    assert names == LOGS
    for name in sorted(names):
        assert content(made / name) == content(FOLDER / name), name
    for name in ("expectations.json", "test-key.pub"):
        assert (made / name).read_bytes() == (FOLDER / name).read_bytes()


def content(path: Path) -> bytes:
    """The bytes of a file; of a compressed one those in it, for what compresses has versions."""
    data = path.read_bytes()
    if path.suffix != ".zst" or not data.startswith(b"\x28\xb5\x2f\xfd") or path.parent.name == "unreadable":
        return b"" if path.parent.name == "unreadable" else data
    out = b""
    while data:
        frame = zstandard.ZstdDecompressor().decompressobj()
        out += frame.decompress(data)
        data = frame.unused_data
    return out


def test_the_tool_overwrites_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.toep").write_bytes(b"")
    assert log_fixtures.main([str(tmp_path)]) == 2
    assert "not empty" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.toep"]


def test_no_private_key_is_a_file() -> None:
    for path in FOLDER.rglob("*"):
        assert not path.is_file() or not re.search(rb"PRIVATE\+KEY\+", path.read_bytes()), path
