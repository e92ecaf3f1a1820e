"""An event that was left in the middle, for tests of what becomes of it."""

import shutil
from pathlib import Path

import pytest

from referee.tournament.event import open_event
from referee.tournament.ledger import Ledger
from tests.support.events import BLOCKS, BOTS, MINE, killed, toep
from tests.tournament.test_director import write


@pytest.fixture(scope="session")
def left(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an event of four blocks whose director was killed when the first was decided."""
    folder = tmp_path_factory.mktemp("left")
    (folder / "mine.py").write_text(MINE)
    killed(write(folder, BOTS, seats=2, duplicates="none", blocks=BLOCKS), [("block", 0, {"do": "kill"})])
    return folder


@pytest.fixture
def home(left: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return shutil.copytree(left, tmp_path / "home")


@pytest.fixture(scope="session")
def calm(left: Path, tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    """What comes of it when nothing happens to it."""
    home = shutil.copytree(left, tmp_path_factory.mktemp("calm") / "home")
    assert toep("run", home / "e.toml", "--quiet") == 0
    return open_event(home / "e.event").ledger
