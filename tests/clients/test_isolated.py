"""Bots in every language, each in a sandbox or under a user of its own: nothing that they need is missing there."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.service.isolation import Mode
from referee.service.users import closed_to_others
from tests.support.isolated import needs, open_folder

from .conftest import GO_SECONDS

ROOT = Path(__file__).parents[2]
GOLANG = ROOT / "clients" / "go"
BRIDGED = ROOT / "clients" / "bridge"


@pytest.fixture
def yard() -> Iterator[Path]:
    """A folder that every user may enter."""
    with open_folder() as folder:
        yield folder


def play(cwd: Path, mode: Mode, bots: list[str]) -> None:
    """A match that must be as good as any other, and verified."""
    options = [word for bot in bots for word in ("--bot", bot)]
    command = [
        sys.executable,
        "-m",
        "referee",
        "play",
        "--isolation",
        mode,
        "--rules",
        "cafe",
        "-o",
        "m.toep",
        "--json",
    ]
    done = subprocess.run([*command, *options], cwd=cwd, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    result = json.loads(done.stdout)
    assert (result["status"], result["refused"], set(result["faults"])) == ("complete", 0, {0})
    verify = [sys.executable, "-m", "referee", "verify", "m.toep", "--json"]
    report = json.loads(subprocess.run(verify, cwd=cwd, capture_output=True, text=True, check=True).stdout)
    assert "W012" not in json.dumps(report)


@pytest.fixture
def go_bot(go: str, yard: Path) -> Path:
    """The Go sample bot, in the folder of the match."""
    build = [go, "build", "-buildvcs=false", "-mod=readonly", "-o", str(yard / "simple"), "./cmd/simple"]
    built = subprocess.run(build, cwd=GOLANG, capture_output=True, text=True, timeout=GO_SECONDS, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    return yard / "simple"


def test_every_language_in_a_sandbox(yard: Path, typescript: Path, go_bot: Path) -> None:
    """Node with its modules elsewhere, a program of its own, samples, and scripts behind the bridge."""
    needs("sandbox")
    bots = [
        f"node=node {typescript / 'dist' / 'samples' / 'simple.js'}",
        f"go=./{go_bot.name}",
        "careful",
        f"script=toep bridge -- sh {BRIDGED / 'first.sh'}",
        f"lowest={sys.executable} -m referee bridge -- {sys.executable} {BRIDGED / 'lowest.py'}",
    ]
    play(yard, "sandbox", bots)


def test_node_and_go_under_users_of_their_own(yard: Path, typescript: Path, go_bot: Path) -> None:
    needs("uid")
    simple = typescript / "dist" / "samples" / "simple.js"
    if closed := closed_to_others(str(simple)):
        pytest.skip(f"{closed} is closed to other users")
    play(yard, "uid", [f"node=node {simple}", f"go={go_bot}", f"other=node {simple}"])


def test_the_sample_bots_in_sandboxes(yard: Path) -> None:
    needs("sandbox")
    play(yard, "sandbox", ["random", "careful", "caller"])


def test_a_virtual_environment_and_modules_beside_a_script(yard: Path) -> None:
    """A bot in an environment of its own, as its author has it at home."""
    needs("sandbox")
    make = [sys.executable, "-m", "venv", "--without-pip", "--system-site-packages", str(yard / "env")]
    subprocess.run(make, check=True, timeout=120)
    paths = [path for path in sys.path if path.endswith("site-packages")] + [
        str(ROOT),
        str(ROOT / "clients" / "python"),
    ]
    library = next((yard / "env" / "lib").iterdir()) / "site-packages"
    (library / "more.pth").write_text("\n".join(paths) + "\n")
    (yard / "bot").mkdir()
    (yard / "bot" / "brain.py").write_text("from toep_client.samples.careful import Careful\n")
    (yard / "bot" / "bot.py").write_text("from brain import Careful\nfrom toep_client import run\nrun(Careful())\n")
    play(yard, "sandbox", ["mine=env/bin/python bot/bot.py", "same=./env/bin/python3 ./bot/bot.py", "careful"])
