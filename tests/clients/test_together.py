"""Bots in every language at one table: real processes, real gRPC on loopback, one log."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from referee.ruleset import PRESETS

from .conftest import GO_SECONDS

ROOT = Path(__file__).parents[2]
TYPESCRIPT = ROOT / "clients" / "typescript"
GOLANG = ROOT / "clients" / "go"
BRIDGED = ROOT / "clients" / "bridge"
SEED = "5e" * 32


@pytest.fixture(scope="module")
def node_bot(typescript: Path) -> str:
    """The command of the TypeScript sample bot."""
    return f"node {typescript / 'dist' / 'samples' / 'simple.js'}"


@pytest.fixture(scope="session")
def go_bot(go: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The command of the Go sample bot, built outside of the tree."""
    program = tmp_path_factory.mktemp("go") / "simple"
    build = [go, "build", "-buildvcs=false", "-mod=readonly", "-o", str(program), "./cmd/simple"]
    built = subprocess.run(build, cwd=GOLANG, capture_output=True, text=True, timeout=GO_SECONDS, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    return str(program)


def toep(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    command = [sys.executable, "-m", "referee", *words]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=120, check=False)


def play(cwd: Path, log: str, *bots: str) -> dict[str, object]:
    options = [word for bot in bots for word in ("--bot", bot)]
    done = toep("play", *options, "--rules", "cafe", "--seed", SEED, "--clock", "none", "-o", log, "--json", cwd=cwd)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    result: dict[str, object] = json.loads(done.stdout)
    return result


def test_node_go_python_and_a_bridged_script_play_a_match(tmp_path: Path, node_bot: str, go_bot: str) -> None:
    bots = (
        f"node={node_bot}",
        f"go={go_bot}",
        "careful",
        f"script={sys.executable} -m referee bridge -- sh {BRIDGED / 'first.sh'}",
        f"lowest={sys.executable} -m referee bridge -- {sys.executable} {BRIDGED / 'lowest.py'}",
    )
    first = play(tmp_path, "first.toep", *bots)
    assert first["status"] == "complete"
    assert first["refused"] == 0
    assert first["faults"] == [0, 0, 0, 0, 0]
    assert toep("verify", "first.toep", cwd=tmp_path).returncode == 0
    play(tmp_path, "second.toep", *bots)
    assert (tmp_path / "first.toep").read_bytes() == (tmp_path / "second.toep").read_bytes()


@pytest.mark.parametrize("rules", list(PRESETS))
def test_the_sample_bots_play_every_preset(tmp_path: Path, node_bot: str, go_bot: str, rules: str) -> None:
    bots = ("random", "careful", "caller", node_bot, f"go={go_bot}")
    options = [word for bot in bots for word in ("--bot", bot)]
    done = toep("play", *options, "--rules", rules, "-o", "m.toep", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (done.stderr, json.loads(done.stdout)["refused"]) == ("", 0)
    assert not (tmp_path / "m.toep.seed").exists()
    assert toep("verify", "m.toep", cwd=tmp_path).returncode == 0


def test_a_bot_that_dies_is_forfeited_and_no_process_is_left(tmp_path: Path) -> None:
    """The log says who gave up; the others play on, and the command returns with every bot gone."""
    mortal = tmp_path / "mortal.py"
    mortal.write_text(
        "import os\n"
        "from toep_client import Act, Bot, View, run\n"
        "class Mortal(Bot):\n"
        "    asks = 0\n"
        "    def act(self, view: View) -> Act:\n"
        "        self.asks += 1\n"
        "        if self.asks == 5:\n"
        "            os._exit(3)\n"
        "        return view.legal[0]\n"
        "run(Mortal())\n"
    )
    bots = ("random", f"mortal={sys.executable} {mortal}", "caller")
    options = [word for bot in bots for word in ("--bot", bot)]
    extra = ("--rules", "short", "--set", "game_end=last_standing", "-o", "m.toep", "--json")
    done = toep("play", *options, *extra, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "bot mortal ended with code 3" in done.stderr
    result = json.loads(done.stdout)
    assert result["status"] == "forfeited"
    assert result["rank"][1] == 3
    assert toep("verify", "m.toep", cwd=tmp_path).returncode == 0
    left = subprocess.run(["pgrep", "-f", str(mortal)], capture_output=True, text=True, check=False)
    assert left.stdout == ""
