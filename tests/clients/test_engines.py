"""The engine and the validator in TypeScript: the whole kit, and a small differential run."""

import subprocess
from pathlib import Path

import pytest

from referee.cli.main import run
from tests.campaigns import differential

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def command(typescript: Path) -> list[str]:
    """What starts the TypeScript engine."""
    return ["node", str(typescript / "dist" / "cli" / "engine.js")]


def test_it_passes_the_whole_kit(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["conform", "engine", "--level", "may", "--", *command]) == 0, capsys.readouterr().out
    assert " 0 failed, 0 skipped" in capsys.readouterr().out.splitlines()[-1]


def test_both_validators_say_the_same_of_every_log(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["conform", "validator", "--", *command]) == 0, capsys.readouterr().out
    assert " 0 failed, 0 skipped" in capsys.readouterr().out.splitlines()[-1]


def test_both_engines_say_the_same_of_what_nobody_thought_of(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--cases", "400", "--matches", "12", "--start", "5000000", "--jobs", "1", "--keep", str(tmp_path / "kept")]
    assert differential.main([*words, "--", *command]) == 0, capsys.readouterr().out
    out = capsys.readouterr().out
    assert "400 cases" in out
    assert "12 logs" in out


def test_a_log_is_verified_with_the_other_engine(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    log = ROOT / "fixtures" / "log" / "valid" / "cafe-4-long.toep"
    assert run(["verify", "--engine", " ".join(command), str(log)]) == 0
    assert "it says VALID, too" in capsys.readouterr().out


def test_its_verifier_has_the_same_exit_codes(typescript: Path) -> None:
    verify = typescript / "dist" / "cli" / "verify.js"
    logs = ROOT / "fixtures" / "log"
    for name, code in (("valid/short-2-plain.toep", 0), ("invalid/E340-plain.toep", 1), ("incomplete/torn.toep", 4)):
        done = subprocess.run(["node", str(verify), str(logs / name)], capture_output=True, timeout=60, check=False)
        assert done.returncode == code, (name, done.stdout, done.stderr)
