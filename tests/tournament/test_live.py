"""The picture of a running event."""

import io
from pathlib import Path

from rich.console import Console

from referee.tournament.journal import Block
from referee.tournament.ledger import Ledger
from referee.tournament.live import Live, headline, seconds_left
from referee.tournament.observer import Figures, Table
from referee.tournament.schedule import make_schedule
from referee.tournament.spec import parse_spec
from tests.tournament.test_director import BOTS, director, play, write


def figures(**changes: object) -> Figures:
    tables = (
        Table("e-b0000-0", 0, ("ann", "[red]bob"), 2, 3, (1, 4), "playing", 2.0),
        Table("e-b0000-1", 0, ("[red]bob", "ann"), 0, 3, (0, 0), "waiting", 0.5),
    )
    fields: dict[str, object] = {
        "blocks": 3, "blocks_total": 9, "matches": 10, "matches_total": 30, "rounds": 120, "seconds": 40.0,
        "concurrency": 2, "tables": tables, "faults": 1, "state": "running",
    }  # fmt: skip
    return Figures(**{**fields, **changes})  # type: ignore[arg-type]


def shown(live: Live, now: Figures) -> str:
    console = Console(file=io.StringIO(), width=80, force_terminal=False)
    console.print(live.picture(now))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_the_time_left_is_that_of_this_director() -> None:
    assert seconds_left(figures(), 0) == 80
    assert seconds_left(figures(), 8) == 400
    assert seconds_left(figures(), 10) is None
    assert headline(figures(), 8) == "block 3/9, match 10/30, 2 of 2 tables, 3 rounds/s, 0:06:40 left, 1 faults"
    assert headline(figures(state="paused"), 10).endswith("1 faults, paused")


def test_tables_and_standings(tmp_path: Path) -> None:
    path = write(tmp_path, BOTS, blocks=2)
    spec = parse_spec(path.read_bytes(), path)
    one = director(path)
    assert play(one)
    screen = Console(file=io.StringIO(), width=80, force_terminal=True, legacy_windows=False)
    live = Live(spec, screen)
    live.begun(one.ledger)
    try:
        live.figures(figures())
        assert live._working is not None
        live._working.result(60)
        live._drawn = float("-inf")
        live.figures(figures())
        text = shown(live, figures())
    finally:
        live.close()
    assert "e-b0000-0  2/3    ann 1, [red]bob 4" in text
    assert "e-b0000-1  waits" in text
    for bot in BOTS:
        assert bot in text
    assert " to " in text
    live.close()


def test_what_happens_stands_above(tmp_path: Path) -> None:
    path = write(tmp_path, BOTS)
    spec = parse_spec(path.read_bytes(), path)
    screen = Console(file=io.StringIO(), width=80, force_terminal=True, legacy_windows=False)
    live = Live(spec, screen)
    live.begun(Ledger(make_schedule(spec)))
    live.fault("e-b0000-0", "[red]bob", "late 2")
    live.block(Block(at="", block=4, deals="", faulted=True, replacement=0, what="dropped", why="late"))
    live.figures(figures())
    live.close()
    assert isinstance(screen.file, io.StringIO)
    text = screen.file.getvalue()
    assert "fault: [red]bob late 2 in e-b0000-0" in text
    assert "block 4 is dropped: late" in text
