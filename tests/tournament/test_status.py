"""How an event stands: places, intervals, the time left, and what may be done next."""

import shutil
from pathlib import Path

import pytest
from msgspec import structs

from referee.cli.main import run
from referee.tournament.event import open_event
from referee.tournament.folder import Folder
from referee.tournament.statistics import intervals
from referee.tournament.status import Status, status_of, text
from tests.tournament.test_director import BOTS, director, play, write


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("an event")
    assert play(director(write(folder, BOTS, blocks=3)))
    return folder / "e.event"


@pytest.fixture
def half(event: Path, tmp_path: Path) -> Path:
    """The same, before its second block was decided."""
    copy = shutil.copytree(event, tmp_path / "half")
    lines = (copy / "journal.jsonl").read_bytes().splitlines(keepends=True)
    blocks = [number for number, line in enumerate(lines) if b'"_":"block"' in line]
    (copy / "journal.jsonl").write_bytes(b"".join(lines[: blocks[1]]))
    return copy


def test_the_end_has_standings_with_intervals_and_says_what_to_do(
    event: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["tournament", "run", str(event.parent / "e.toml"), "-o", str(event)]) == 0
    said = capsys.readouterr().out
    assert run(["tournament", "status", str(event)]) == 0
    assert capsys.readouterr().out == said
    lines = said.splitlines()
    assert lines[-2:] == [f"report  toep tournament report '{event}'", f"verify  toep verify '{event}'"]
    status = status_of(open_event(event))
    assert [one.rank for one in status.bots] == sorted(one.rank for one in status.bots)
    for one in status.bots:
        assert one.low is not None
        assert one.high is not None
        assert one.low < one.points_per_round < one.high
        assert any(one.bot in line and f"{one.low:.3f} to {one.high:.3f}" in line for line in lines)


def test_bots_that_are_level_share_a_place_and_who_has_not_played_has_none(event: Path) -> None:
    status = status_of(open_event(event))
    first, second, third = status.bots
    level = structs.replace(
        status,
        bots=[
            structs.replace(first, rank=1),
            structs.replace(second, rank=1),
            structs.replace(third, rank=3, rounds=0, out="he did not come"),
        ],
    )
    lines = [line for line in text(level).splitlines() if any(bot in line for bot in BOTS)]
    assert [line[:3] for line in lines] == ["  1", "  1", "   "]
    assert lines[2].endswith("(out: he did not come)")


def test_games_to_the_end_are_ordered_by_places(event: Path) -> None:
    status = status_of(open_event(event))
    assert [status.order, status.bots[0].place > 0] == ["points", True]
    places = structs.replace(status, order="places")
    assert "  place   95 %" in text(places)
    assert f"  {status.bots[0].place:6.3f}  " in text(places)


def test_the_time_left_is_said_while_somebody_plays(half: Path) -> None:
    assert status_of(open_event(half)).seconds_left is None
    folder = Folder(half).lock()
    try:
        status = status_of(open_event(half))
    finally:
        folder.unlock()
    assert status.state == "running"
    assert (status.decided, status.blocks) == (1, 3)
    assert status.seconds_left is not None
    assert status.seconds_left >= 0
    assert "left    about 0:0" in text(status)


def test_an_event_in_which_nothing_is_decided(half: Path) -> None:
    lines = (half / "journal.jsonl").read_bytes().splitlines(keepends=True)
    (half / "journal.jsonl").write_bytes(b"".join(lines[:2]))
    with_nothing: Status = status_of(open_event(half))
    assert [one.rank for one in with_nothing.bots] == [1, 1, 1]
    assert "0 of 3 decided" in text(with_nothing, half)


def test_it_is_said_without_intervals_where_they_cannot_be_worked_out(
    event: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(p: float, df: float) -> float:
        raise ModuleNotFoundError("scipy")

    whole = status_of(open_event(event))
    monkeypatch.setattr(intervals, "t_quantile", missing)
    bare = status_of(open_event(event))
    assert [(one.bot, one.points_per_round, one.place) for one in bare.bots] == [
        (one.bot, one.points_per_round, one.place) for one in whole.bots
    ]
    assert all(one.low is None and one.high is None for one in bare.bots)
