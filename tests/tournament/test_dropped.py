"""Matches of blocks that do not count: they are finished, and their logs are revealed like all others."""

from pathlib import Path

import pytest

from referee.validate import validate_path
from tests.support.events import go_on, killed
from tests.tournament.test_director import write

TWO = {"ann": "caller", "bob": "caller"}


def verdicts(home: Path) -> dict[str, str]:
    """By file, of every log of the event by itself."""
    return {path.name: validate_path(path).verdict for path in sorted((home / "e.event" / "logs").glob("*.toep"))}


@pytest.mark.parametrize("when", ["while it runs", "before the next director"])
def test_what_was_played_of_a_block_that_is_dropped_is_revealed(tmp_path: Path, when: str) -> None:
    """The bot is dropped between the two matches of the first block."""
    write(tmp_path, TWO, seats=2, duplicates="rotation", blocks=2, trust="own")
    drop = {"do": "rule", "kind": "drop", "bot": "ann"}
    if when == "while it runs":
        outcome = go_on(tmp_path, ("match_over", 0, drop))
    else:
        killed(tmp_path / "e.toml", [("match_over", 0, {**drop, "kill": True})])
        outcome = go_on(tmp_path)
    assert outcome.over
    assert outcome.blocks == {0: ("dropped", 0), 1: ("dropped", 0)}
    found = verdicts(tmp_path)
    assert "e-b0000-0.toep" in found
    assert set(found.values()) == {"VALID"}
