"""The verifier in one file runs under a bare Python, leaves nothing behind, and knows where it does not run.

It is made from the packages of this environment; nothing is downloaded.
"""

import os
import subprocess
import venv
from pathlib import Path

import pytest
import zstandard

from referee.log.note import Signer
from referee.log.records import Rounds
from referee.log.writer import MemorySink
from referee.ruleset import resolve
from referee.table.head import MatchPlan
from referee.table.inprocess import write_match
from tools import pyz

KEY = Signer("club.example/referee", bytes(range(32)))
OTHER = Signer("club.example/referee", bytes(range(1, 33)))


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python without any package, not even pip."""
    folder = tmp_path_factory.mktemp("bare") / "venv"
    venv.create(folder, with_pip=False)
    return folder / "bin" / "python"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("dist") / "toep-verify.pyz"
    pyz.build(target)
    return target


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sink = MemorySink()
    plan = MatchPlan(rules=resolve("cafe"), bots=["a", "b", "c"], length=Rounds(rounds=2))
    write_match(plan, b"\x07" * 32, sink, signer=KEY)
    folder = tmp_path_factory.mktemp("logs")
    data = bytes(sink.data)
    (folder / "good.toep").write_bytes(data)
    (folder / "good.toep.zst").write_bytes(zstandard.compress(data))
    (folder / "bad.toep").write_bytes(data.replace(b'"pay":1', b'"pay":2', 1))
    (folder / "cut.toep").write_bytes(data[:-10])
    return folder


def run(bare: Path, program: Path, cwd: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run it cut off from every environment variable and every installed package; it must clean up after itself."""
    temporary = program.parent / "tmp"
    temporary.mkdir(exist_ok=True)
    done = subprocess.run(
        [bare, "-I", "-S", program, *words], cwd=cwd, env={"TMPDIR": str(temporary), "PATH": os.defpath},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert list(temporary.iterdir()) == []
    return done


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["good.toep"], (0, "VALID")),
        (["good.toep.zst"], (0, "VALID")),
        (["--key", KEY.vkey, "good.toep"], (0, "VALID")),
        (["--key", OTHER.vkey, "good.toep"], (1, "INVALID")),
        (["bad.toep"], (1, "INVALID")),
        (["cut.toep"], (4, "INCOMPLETE")),
        (["none.toep"], (2, "UNREADABLE")),
    ],
)
def test_it_verifies(bare: Path, program: Path, logs: Path, words: list[str], expected: tuple[int, str]) -> None:
    done = run(bare, program, logs, *words)
    assert (done.returncode, done.stdout.split("\n")[-2]) == expected, done.stderr


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_it_verifies_a_folder(bare: Path, program: Path, logs: Path, jobs: str) -> None:
    done = run(bare, program, logs, "--quiet", "-j", jobs, ".")
    assert done.returncode == 1, done.stderr
    for name, verdict in {"bad": "INVALID", "cut": "INCOMPLETE", "good": "VALID"}.items():
        assert f"{name}.toep: {verdict}\n" in done.stdout


def test_it_takes_nothing_from_elsewhere(bare: Path, program: Path, logs: Path, tmp_path: Path) -> None:
    for name in ("referee", "msgspec", "zstandard", "cryptography"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(99)\n")
    done = subprocess.run(
        [bare, program, logs / "good.toep"], cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)},
        capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("python", "platform"), [("cpython 3.99", pyz.PLATFORM), (pyz.PYTHON, "vax, .so")])
def test_it_says_where_it_runs(bare: Path, tmp_path: Path, logs: Path, python: str, platform: str) -> None:
    pyz.build(tmp_path / "other.pyz", python, platform)
    done = run(bare, tmp_path / "other.pyz", logs, "good.toep")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"this file is for {python} ({platform}); this is {pyz.PYTHON} ({pyz.PLATFORM})" in done.stderr


def test_a_file_that_is_damaged_says_so(bare: Path, program: Path, tmp_path: Path, logs: Path) -> None:
    data = bytearray(program.read_bytes())
    data[len(data) // 2] ^= 1
    damaged = tmp_path / "damaged.pyz"
    damaged.write_bytes(data)
    done = run(bare, damaged, logs, "good.toep")
    assert (done.returncode, done.stdout) == (2, "")
    assert "cannot unpack and load itself" in done.stderr


def test_the_same_environment_makes_the_same_bytes(program: Path, tmp_path: Path) -> None:
    pyz.build(tmp_path / "again.pyz")
    assert (tmp_path / "again.pyz").read_bytes() == program.read_bytes()


def test_what_it_holds_comes_with_its_licence() -> None:
    for name in pyz.DISTRIBUTIONS:
        assert any("licen" in file.lower() for file, _ in pyz.their_files(name)), name
