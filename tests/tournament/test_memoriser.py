"""A bot that remembers duplicate deals: it can where nothing isolates it, and cannot in a sandbox."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from referee.cli.main import run
from tests.campaigns import memoriser
from tests.campaigns.memoriser import NONE, OFF, SANDBOX, Played, Setting
from tests.support.isolated import needs, open_folder

PRYING = """
import os, sys
from pathlib import Path
from toep_client.samples.caller import Caller
from toep_client import run

MARK = "a card " + "that was seen"
def found(top):
    for folder, _, names in os.walk(top):
        for name in names:
            try:
                yield folder.endswith("bots") or MARK in Path(folder, name).read_text("utf-8", "replace")
            except OSError:
                pass

print("found:", sum(found(".")), MARK, file=sys.stderr, flush=True)
run(Caller())
"""


def played(folder: Path, setting: Setting) -> Played:
    """One block of two matches, between the memoriser and its twin."""
    return memoriser.play(folder, setting, blocks=1, rounds=3, sample_bots=0)


def test_without_isolation_a_bot_knows_in_one_match_what_it_saw_in_another() -> None:
    with open_folder() as folder:
        found = played(folder, NONE)
    assert (found.knew, found.files) == (1, 2)
    assert found.told[1].startswith("memo: knew ")


def test_in_a_sandbox_it_never_finds_what_it_kept_and_plays_as_without_a_memory() -> None:
    needs("sandbox")
    with open_folder() as folder:
        found, off = played(folder, SANDBOX), played(folder, OFF)
    assert (found.knew, found.files) == (0, 0)
    assert len(found.told) == 2
    assert off.told == []
    assert found.points == off.points


def test_in_a_sandbox_standard_error_is_no_memory() -> None:
    """What bots write to it lies in the folder of the event, and that may lie in theirs."""
    needs("sandbox")
    with open_folder() as folder:
        path = memoriser.write_spec(folder, SANDBOX, folder, blocks=1, rounds=1, sample_bots=0)
        (folder / "prying.py").write_text(PRYING)
        hostile = json.dumps([sys.executable, str(memoriser.ROOT / "clients" / "hostile"), memoriser.BOT])
        path.write_text(path.read_text().replace(hostile, json.dumps([sys.executable, "prying.py"])))
        event = folder / "e.event"
        words = [sys.executable, "-m", "referee", "tournament", "run", str(path), "-o", str(event), "--quiet"]
        subprocess.run(words, check=True, cwd=memoriser.ROOT, stdout=subprocess.DEVNULL)
        said = [(event / "bots" / f"{name}.stderr").read_text() for name in (memoriser.MEMO, memoriser.TWIN)]
    assert said == ["found: 0 a card that was seen\n" * 2] * 2


def test_strangers_are_not_shown_a_deal_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = memoriser.write_spec(tmp_path, Setting("x", "strangers", "none", True), tmp_path, blocks=1, rounds=1)
    assert run(["tournament", "run", str(path), "--quiet"]) == 2
    said = capsys.readouterr().err
    assert f'{path}:6: duplicates: "williams" shows memo each deal 4 times' in said
    assert 'trust = "strangers" expects that' in said
    assert not path.with_suffix(".event").exists()
