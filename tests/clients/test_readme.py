"""What the client's README shows."""

import os
import re
from pathlib import Path

from toep_client import Bot, View, acts, settings
from toep_client.bot import Bot as Base

from .conftest import Maker

README = (Path(__file__).parents[2] / "clients" / "python" / "README.md").read_text()


def test_the_bot_plays(make: Maker) -> None:
    code = re.search(r"```python\n(.*?)```", README, re.DOTALL)
    assert code is not None
    assert len(code[1].splitlines()) <= 22
    names: dict[str, object] = {"__name__": "proud"}
    exec(code[1], names)
    proud = names["Proud"]
    assert isinstance(proud, type)
    assert issubclass(proud, Bot)
    assert proud().act(make.view(make.ask("Th Jc", "Th Jc"))) == acts.Play("Jc")


def test_everything_is_named() -> None:
    variables = {value for value in vars(settings).values() if isinstance(value, str) and value.startswith("TOEP_")}
    hooks = {name for name in vars(Base) if not name.startswith("_")} - {"version"}
    parts = {name for name in vars(View) if not name.startswith("_")} - {"may"}
    for name in variables | hooks | parts | {kind.__name__ for kind in acts.ACTS}:
        assert re.search(rf"\b{name}\b", README), name


def test_its_programs_can_be_run() -> None:
    folder = Path(__file__).parents[2] / "clients" / "bridge"
    assert all(os.access(path, os.X_OK) for path in folder.iterdir())
