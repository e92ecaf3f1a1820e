"""What is taken away from a director while it works, and a spec that is another one when it is to go on."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.tournament.folder import Folder
from referee.tournament.ledger import Ledger
from tests.support.events import digests_of, go_on, toep
from tests.support.scripted import Script, director

Say = pytest.CaptureFixture[str]
What = Callable[[Path], object]
Go = Callable[[What], int]


class Doing(Script):
    """Does something to the event's folder when its next match begins."""

    def __init__(self, folder: Folder, what: What) -> None:
        super().__init__(folder)
        self._what: What | None = what

    def _moment(self, kind: str) -> None:
        super()._moment(kind)
        if kind == "match_started" and self._what:
            what, self._what = self._what, None
            what(self.director.folder.path)


@pytest.fixture
def go(home: Path, monkeypatch: pytest.MonkeyPatch) -> Go:
    """Plays the event as the command does; returns its exit code."""

    def with_trouble(what: What) -> int:
        folder = Folder(home / "e.event")
        one = director(home / "e.toml", folder.path, Doing(folder, what))
        with monkeypatch.context() as patch:
            patch.setattr("referee.cli.tournament.play._director", lambda _: one)
            return toep("run", home / "e.toml")

    return with_trouble


def last(capsys: Say) -> str:
    """The message that the command ended with."""
    said = capsys.readouterr().err
    assert "Traceback" not in said
    return said.splitlines()[-1]


def test_the_folder_is_deleted(home: Path, go: Go, capsys: Say) -> None:
    assert go(shutil.rmtree) == 2
    said = last(capsys)
    assert said.startswith("toep tournament: ")
    assert "No such file or directory" in said or "deleted" in said
    assert not (home / "e.event" / "journal.jsonl").exists()


def test_the_journal_is_deleted(home: Path, calm: Ledger, go: Go, capsys: Say) -> None:
    kept = home / "kept"
    shutil.copy(home / "e.event" / "journal.jsonl", kept)
    assert go(lambda event: (event / "journal.jsonl").unlink()) == 2
    assert last(capsys).endswith("/e.event/journal.jsonl: cannot write the journal: it was deleted")
    # Without it nobody takes the logs for those of a new event.
    assert toep("run", home / "e.toml", "--quiet") == 2
    assert last(capsys).endswith("/e.event/journal.jsonl: No such file or directory")
    kept.rename(home / "e.event" / "journal.jsonl")
    assert go_on(home).digests == digests_of(calm)


def test_the_logs_are_moved_away(home: Path, calm: Ledger, go: Go, capsys: Say) -> None:
    away = home / "away"
    assert go(lambda event: (event / "logs").rename(away)) == 2
    assert "No such file or directory" in last(capsys)
    shutil.rmtree(home / "e.event" / "logs", ignore_errors=True)
    away.rename(home / "e.event" / "logs")
    assert go_on(home).digests == digests_of(calm)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("blocks = 4", "blocks = 5"),
        ('"caller"', '"random"'),
        ("act_ms = 600000", "act_ms = 600001"),
        ("name", "# well\nname"),
    ],
)
def test_no_letter_of_a_spec_may_be_another(home: Path, capsys: Say, old: str, new: str) -> None:
    spec, kept = home / "e.toml", home / "e.event" / "event.toml"
    text = spec.read_text()
    lines = text.splitlines()
    spec.write_text(text.replace(old, new, 1))
    line = next(number for number, one in enumerate(lines, 1) if old in one)
    before = (home / "e.event" / "journal.jsonl").read_bytes()
    assert toep("run", spec, "--quiet") == 2
    said = last(capsys)
    assert f"this event was begun with another spec, which is {kept} (the first line that is not the same is" in said
    assert f"is line {line}): put that back and use --concurrency or `toep tournament rule`" in said
    assert (home / "e.event" / "journal.jsonl").read_bytes() == before
    shutil.copy(kept, spec)
    one = director(spec, home / "e.event")
    one.prepare()
    one.close()


def test_the_spec_in_the_folder_may_not_be_another_either(home: Path, capsys: Say) -> None:
    kept = home / "e.event" / "event.toml"
    kept.write_text(kept.read_text() + "# well\n")
    assert toep("run", home / "e.toml", "--quiet") == 2
    assert last(capsys).endswith(f"{kept}: this is another spec than the event was begun with: put that back")
