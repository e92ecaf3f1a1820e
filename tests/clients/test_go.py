"""The Go client: what its own tests do not say."""

import os
import re
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from .conftest import GO_SECONDS

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "clients" / "go"


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.go")}


def test_generated_code_is_what_the_generators_make(go: str, tmp_path: Path) -> None:
    """With the generators that go.mod pins; in a copy, whose paths lead to the same schemas."""
    buf = shutil.which("buf", path=os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])))
    if buf is None:
        pytest.skip("buf is not installed: the generated code was not made again")
    copy = tmp_path / "clients" / "go"
    copy.mkdir(parents=True)
    for name in ("go.mod", "go.sum", "buf.gen.yaml"):
        shutil.copy(CLIENT / name, copy)
    shutil.copytree(ROOT / "proto", tmp_path / "proto")
    environ = {**os.environ, "PATH": f"{Path(go).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        [buf, "generate"], cwd=copy, env=environ, capture_output=True, text=True, timeout=GO_SECONDS, check=False
    )
    assert done.returncode == 0, done.stderr
    assert contents(copy / "gen") == contents(CLIENT / "gen"), "run `buf generate` in clients/go"


def test_the_code_is_formatted(go: str) -> None:
    done = subprocess.run(
        [Path(go).parent / "gofmt", "-l", "."], cwd=CLIENT, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_everything_that_is_exported_is_documented() -> None:
    for path in (path for path in CLIENT.glob("*.go") if not path.name.endswith("_test.go")):
        lines = path.read_text().splitlines()
        for before, line in pairwise(lines):
            found = re.match(r"(?:func (?:\([^)]*[A-Z]\w*\) )?|type )([A-Z]\w*)", line)
            assert not found or before.startswith("// "), f"{path.name}: {line}"


def test_its_page_names_every_variable_and_every_act() -> None:
    page = (CLIENT / "README.md").read_text()
    source = (CLIENT / "settings.go").read_text()
    acts = re.findall(r"^func ([A-Z]\w*)\(.*\) Act {", (CLIENT / "acts.go").read_text(), re.MULTILINE)
    assert len(acts) == 16
    for name in {*re.findall(r"\bTOEP_[A-Z]+\b", source), *acts}:
        assert re.search(rf"\b{name}\b", page), name
