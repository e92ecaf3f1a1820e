"""`toep verify` and `toep explain`, and the table of codes."""

import json
from pathlib import Path

import pytest

from referee.cli.main import run
from referee.game.rulebook import RULES
from referee.log.codes import LINE_CODES
from referee.validate.codes import PAGES


def test_one_valid_file_ends_in_valid(tmp_path: Path, short_log: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.toep").write_bytes(short_log)
    assert run(["verify", str(tmp_path / "a.toep")]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[-1] == "VALID"
    assert any("signatures: not checked" in line for line in out)


def test_directories_and_the_worst_exit(tmp_path: Path, short_log: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.toep").write_bytes(short_log)
    (tmp_path / "b.toep").write_bytes(short_log[:-40])
    (tmp_path / "notes.txt").write_text("not a log")
    assert run(["verify", "--quiet", str(tmp_path)]) == 4
    out = capsys.readouterr().out.splitlines()
    assert out == [
        f"{tmp_path}/a.toep: VALID", f"{tmp_path}/b.toep: INCOMPLETE", "2 files: 1 VALID, 1 INCOMPLETE",
    ]  # fmt: skip
    (tmp_path / "c.toep").write_bytes(short_log.replace(b"bot 0", b"bot X"))
    assert run(["verify", "--json", str(tmp_path), str(tmp_path / "none.toep")]) == 1
    reports = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [report["verdict"] for report in reports] == ["VALID", "INCOMPLETE", "INVALID", "UNREADABLE"]
    assert reports[2]["findings"][0]["code"] == "E502"


def test_what_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(tmp_path / "none.toep")]) == 2
    assert "No such file" in capsys.readouterr().err
    (tmp_path / "odd.toep.zst").write_bytes(b"not zstd")
    assert run(["verify", str(tmp_path / "odd.toep.zst")]) == 2
    (tmp_path / "empty").mkdir()
    assert run(["verify", str(tmp_path / "empty")]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_every_code_and_rule_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert set(LINE_CODES) <= set(PAGES)
    for code, page in PAGES.items():
        assert run(["explain", code.lower()]) == 0
        assert page.title in capsys.readouterr().out
        assert not page.rule or page.rule in RULES
    for rule in RULES:
        assert run(["explain", rule]) == 0
    assert run(["explain", "E999"]) == 2
    assert "near:" in capsys.readouterr().err
