"""The validator stands alone: the base package in an empty environment verifies a log, and nothing else is needed."""

import json
import os
import subprocess
import venv
from pathlib import Path

import pytest

from referee.log.writer import MemorySink
from referee.ruleset import resolve
from referee.table.head import MatchPlan
from referee.table.inprocess import write_match

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment that holds the base install of this package only."""
    folder = tmp_path_factory.mktemp("base") / "venv"
    venv.create(folder, with_pip=True)
    install = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", ROOT]
    subprocess.run(list(map(str, install)), check=True, timeout=300)
    return folder


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sink = MemorySink()
    write_match(MatchPlan(rules=resolve("cafe"), bots=["a", "b", "c"]), b"\x07" * 32, sink, eagerness=0.2)
    path = tmp_path_factory.mktemp("logs") / "match.toep"
    path.write_bytes(sink.data)
    return path


def run(base: Path, *words: str) -> subprocess.CompletedProcess[str]:
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    command = [str(base / "bin" / "toep"), *words]
    return subprocess.run(command, cwd=base, env=clean, capture_output=True, text=True, timeout=60, check=False)


def test_no_grpc_is_installed_with_it(base: Path) -> None:
    done = subprocess.run(
        [str(base / "bin" / "python"), "-m", "pip", "list", "--format", "json", "--disable-pip-version-check"],
        cwd=base, capture_output=True, text=True, check=True,
    )  # fmt: skip
    names = {package["name"] for package in json.loads(done.stdout)} - {"pip", "setuptools"}
    assert names == {"toep", "msgspec", "cryptography", "zstandard", "cffi", "pycparser"}


def test_it_verifies_a_log(base: Path, log: Path) -> None:
    done = run(base, "verify", str(log))
    assert done.stdout.endswith("VALID\n"), done.stdout + done.stderr
    assert done.returncode == 0


def test_it_finds_a_changed_byte(base: Path, log: Path) -> None:
    data = bytearray(log.read_bytes())
    data[data.index(b'"_":"play","card":"') + 20] ^= 1
    changed = log.with_name("changed.toep")
    changed.write_bytes(data)
    assert run(base, "verify", str(changed)).returncode == 1


@pytest.mark.parametrize("command", ["show", "view", "diff", "keygen", "rules", "deal", "explain", "engine"])
def test_what_needs_no_network_works_too(base: Path, command: str) -> None:
    assert run(base, command, "--help").returncode == 0


@pytest.mark.parametrize("command", ["play", "serve", "demo", "bot", "bridge", "replay"])
def test_what_needs_more_says_what_to_install(base: Path, command: str) -> None:
    done = run(base, command, "--help")
    assert done.returncode == 2
    assert "pip install 'toep" in done.stderr
