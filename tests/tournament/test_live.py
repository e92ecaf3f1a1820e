"""The picture of a running event."""

import io
import os
import pty
import re
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from referee.tournament.journal import Block, Ruling
from referee.tournament.ledger import Ledger
from referee.tournament.live import Live, headline, seconds_left
from referee.tournament.observer import Figures, Plain, Table
from referee.tournament.outcome import standings_by
from referee.tournament.results import FaultKinds, MatchResult
from referee.tournament.schedule import make_schedule
from referee.tournament.spec import parse_spec
from referee.tournament.statistics.blocks import Block as CountedBlock
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
    assert headline(figures(), 8) == "block 3/9, match 10/30, 2 of 2 tables, 3 rounds/s, 0:06:40 left, 1 fault"
    assert headline(figures(state="paused"), 10).endswith("1 fault, paused")


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


# -- the room that there is --------------------------------------------------------------------------------------------

MANY = {f"bot-{number:02}": "random" for number in range(11)} | {"a name as long as names may be" + "." * 34: "random"}


def crowded(folder: Path, width: int, height: int, tables: int) -> list[str]:
    """The lines of a picture with twelve bots."""
    path = write(folder, MANY, seats=4, duplicates="none")
    spec = parse_spec(path.read_bytes(), path)
    names = make_schedule(spec).bots
    console = Console(file=io.StringIO(), width=width, height=height, force_terminal=True, legacy_windows=False)
    live = Live(spec, console)
    blocks = [
        CountedBlock(index=index, matches=[result(index, names[index * 4 : index * 4 + 4])]) for index in (0, 1, 2)
    ]
    live._standings = standings_by(blocks, names, spec)
    try:
        picture = live.picture(
            figures(
                blocks_total=123_456,
                matches=1_234_567,
                matches_total=9_876_543,
                faults=1234,
                tables=tuple(
                    Table(f"e-b{number:04}-0", 0, names[-4:], 2, 3, (10, 1, 2, 3), "playing", 2.0)
                    for number in range(tables)
                ),
            )
        )
        console.print(picture)
    finally:
        live.close()
    assert isinstance(console.file, io.StringIO)
    return re.sub(r"\x1b\[[0-9;]*m", "", console.file.getvalue()).rstrip("\n").split("\n")


def result(index: int, bots: tuple[str, ...]) -> MatchResult:
    return MatchResult(
        block=index, bots=bots, fault_kinds=(FaultKinds(),) * 4, faults=(0,) * 4, index=index, isolation="none",
        luck=(0,) * 4, match=f"e-b{index:04}-0", number=0, rank=(1, 2, 3, 4), root="", rounds=1,
        rounds_points=((0, 1, 2, 3),), status="complete", total=(0, 1, 2, 3),
    )  # fmt: skip


@pytest.mark.parametrize("tables", [0, 1, 2, 12, 40])
@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 40), (60, 12), (40, 5), (80, 200)])
def test_a_picture_fits_the_terminal(tmp_path: Path, width: int, height: int, tables: int) -> None:
    lines = crowded(tmp_path, width, height, tables)
    assert len(lines) < height
    assert max(cell_len(line.rstrip()) for line in lines) <= width


def test_twelve_bots_and_many_tables_in_80_by_24(tmp_path: Path) -> None:
    lines = crowded(tmp_path, 80, 24, 12)
    assert all(any(f"bot-{number:02}" in line for line in lines[-12:]) for number in range(11))
    assert "a name as long as names…" in "\n".join(lines[-12:])
    assert any(line.startswith("and 5 more") for line in lines)
    # The points of all four seats can be seen, though a name is long.
    assert re.search(r"bot-08 10, bot-09 1, bot-10 2, a name as … 3$", lines[2].rstrip())


def test_fewer_lines_than_bots_show_the_best(tmp_path: Path) -> None:
    lines = crowded(tmp_path, 60, 12, 3)
    assert any("bot-00" in line for line in lines)
    assert "more" in lines[-1]


@pytest.mark.parametrize(("length", "heading"), [({"rounds": 3}, "points a round"), ("game", "mean place")])
def test_who_is_out_and_what_counts_is_marked(tmp_path: Path, length: object, heading: str) -> None:
    path = write(tmp_path, BOTS)
    text = path.read_text()
    path.write_text(text.replace("{ rounds = 3 }", '"game"') if length == "game" else text)
    spec = parse_spec(path.read_bytes(), path)
    ledger = Ledger(make_schedule(spec))
    live = Live(spec, Console(file=io.StringIO(), width=80, height=24, force_terminal=True, legacy_windows=False))
    live.begun(ledger)
    ledger.take(Ruling(at="2026-01-31T09:00:00Z", by="organiser", kind="drop", bot="bob", why="x"))
    ledger.faults["cor"]["late"] = 7
    live._standings = standings_by(
        [CountedBlock(index=0, matches=[result(0, ("ann", "bob", "cor", "ann"))])], list(BOTS), spec
    )
    try:
        lines = shown(live, figures()).splitlines()
    finally:
        live.close()
    assert heading in lines[-4]
    assert any("bob (out)" in line for line in lines)
    assert any("cor" in line and line.rstrip().endswith(" 7") for line in lines)


# -- where there is no picture -----------------------------------------------------------------------------------------


def test_without_a_terminal_there_is_a_line_a_minute() -> None:
    now = [0.0]
    stream = io.StringIO()
    plain = Plain(stream, lambda: now[0])
    for second in range(130):
        now[0] = float(second)
        plain.figures(figures())
    assert stream.getvalue() == "block 3/9, match 10/30, 2 of 2 tables, 3 rounds/s, 1 fault\n" * 2


@pytest.mark.parametrize(("term", "redrawn"), [("xterm", True), ("dumb", False)])
def test_the_line_is_drawn_over_where_that_can_be_done(
    monkeypatch: pytest.MonkeyPatch, term: str, redrawn: bool
) -> None:
    monkeypatch.setenv("TERM", term)
    master, slave = pty.openpty()
    with os.fdopen(slave, "w") as stream:
        plain = Plain(stream, lambda: 0.0)
        plain.figures(figures(blocks_total=10**80))
        plain.close()
        stream.flush()
        os.set_blocking(master, False)
        written = os.read(master, 4096) if redrawn else b""
    os.close(master)
    assert written.startswith(b"\rblock 3/1") is redrawn
    assert len(written) < 2 * 80 + 3
