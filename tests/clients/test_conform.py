"""The sample bots of the other languages pass `toep conform bot`, and answer the same when a match is put to them."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from referee.cli.main import run

from .conftest import GO_SECONDS

GOLANG = Path(__file__).parents[2] / "clients" / "go"


@pytest.fixture(scope="session")
def go_bot(go: str, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command of the Go sample bot, built outside of the tree."""
    program = tmp_path_factory.mktemp("go") / "simple"
    build = [go, "build", "-buildvcs=false", "-mod=readonly", "-o", str(program), "./cmd/simple"]
    built = subprocess.run(build, cwd=GOLANG, capture_output=True, text=True, timeout=GO_SECONDS, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    return [str(program)]


@pytest.fixture(scope="session")
def node_bot(typescript: Path) -> list[str]:
    """The command of the TypeScript sample bot."""
    return ["node", os.fspath(typescript / "dist" / "samples" / "simple.js")]


@pytest.mark.parametrize("language", ["go_bot", "node_bot"])
def test_a_sample_bot_passes_and_answers_the_same_again(
    language: str, request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command: list[str] = request.getfixturevalue(language)
    code = run(["conform", "bot", "--json", "--", *command])
    report = json.loads(capsys.readouterr().out)
    assert (code, report["summary"]["failed"], report["summary"]["warning"]) == (0, 0, 0), report
    log = tmp_path / "match.toep"
    bots = [word for bot in ("careful", "random", f"own={' '.join(command)}") for word in ("--bot", bot)]
    assert run(["play", *bots, "--seed", "5e" * 32, "-o", str(log)]) == 0
    capsys.readouterr()
    code = run(["replay", str(log), "--seat", "2", "--json", "--", *command])
    report = json.loads(capsys.readouterr().out)
    assert (code, report["verdict"], report["different"]) == (0, "same", 0), report
    assert report["same"] > 10
