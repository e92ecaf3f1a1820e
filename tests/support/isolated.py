"""What isolating bots takes, and whether it is here."""

import os
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from referee.service.isolation import Mode, why_not
from referee.service.users import closed_to_others

ROOT: Final = Path(__file__).parents[2]


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that every user may enter, unlike those that tests have otherwise."""
    with tempfile.TemporaryDirectory(prefix="toep-test-") as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


def needs(mode: Mode) -> None:
    """Skip the test where a mode does not work, and say why; where everything must be tested, bwrap must be there."""
    if mode == "sandbox" and shutil.which("bwrap") is None and os.environ.get("CI") == "true":
        pytest.fail("bwrap is missing, and sandboxes must be tested here: install bubblewrap")
    if reason := why_not(mode):
        pytest.skip(f"isolation {mode}: {reason}")


def python_for(mode: str) -> tuple[str, dict[str, str]]:
    """An interpreter that bots can use, and the variables that it needs; under other users, one that is open to them.

    An empty name when there is none.
    """
    if mode != "uid":
        return sys.executable, {}
    libraries = sysconfig.get_path("platlib")
    for python in (sys.executable, f"/usr/bin/python{sys.version_info.major}.{sys.version_info.minor}"):
        if os.path.exists(python) and not any(map(closed_to_others, (python, str(ROOT), libraries))):
            return python, {"PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "clients" / "python", libraries)))}
    return "", {}
