"""Watching an event in a terminal: tables, standings with intervals, rate, time left, faults."""

import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.live import Live as Screen
from rich.markup import escape
from rich.table import Table as Grid
from rich.text import Text

from referee.tournament.journal import Block, Ruling
from referee.tournament.ledger import Ledger
from referee.tournament.observer import Figures, Silent, clock, faults_text, ruling_text
from referee.tournament.outcome import standings_by
from referee.tournament.spec_types import Spec
from referee.tournament.statistics.intervals import Interval
from referee.tournament.statistics.standings import Standings

REDRAW: Final = 0.25
"""Seconds between two pictures at least."""

REFIGURE: Final = 5.0
"""Seconds between two standings at least: they take a moment, in a thread of their own."""

TABLES: Final = 12
"""Tables that are shown at most."""

FEWEST: Final = 2
"""Tables that are shown even where there is no room for all bots."""

SPARE: Final = 1
"""Rows of the terminal that stay free: a picture as high as the terminal scrolls it."""

NAME: Final = 24
"""Letters of a name at most, in the standings."""

SHORTEST: Final = 4
"""Letters of a name at least."""


class Live(Silent):
    """A picture that is drawn anew several times a second, and gone when the director ends."""

    def __init__(self, spec: Spec, console: Console | None = None) -> None:
        self._spec: Final = spec
        self._console: Final = console or Console(stderr=True)
        self._screen: Final = Screen(console=self._console, auto_refresh=False, transient=True)
        self._worker: Final = ThreadPoolExecutor(1)
        self._ledger: Ledger | None = None
        self._standings: Standings | None = None
        self._working: Future[Standings | None] | None = None
        self._stale = True
        self._drawn = self._figured = float("-inf")
        self._before: int | None = None
        """Matches that were over when this director began."""

    def begun(self, ledger: Ledger) -> None:
        """Start drawing."""
        self._ledger = ledger
        self._screen.start()

    def figures(self, figures: Figures) -> None:
        """Draw, unless that was done a moment ago."""
        now = time.monotonic()
        if now - self._drawn < REDRAW:
            return
        self._drawn = now
        self._figure(now)
        self._screen.update(self.picture(figures), refresh=True)

    def block(self, block: Block) -> None:
        """The standings are others now."""
        self._stale = True
        if block.what != "counted":
            self.say(f"block {block.block} is {block.what}: {block.why}")

    def fault(self, match: str, bot: str, what: str) -> None:
        """One line."""
        self.say(f"fault: {bot} {what} in {match}")

    def ruling(self, ruling: Ruling) -> None:
        """One line."""
        self.say(ruling_text(ruling))

    def say(self, text: str) -> None:
        """One line, above the picture."""
        self._console.print(text, markup=False, highlight=False)

    def close(self) -> None:
        """Take the picture away."""
        self._screen.stop()
        self._worker.shutdown(wait=True)

    def _figure(self, now: float) -> None:
        """Have the standings worked out, and take them when they are there."""
        if self._working is not None and self._working.done():
            self._standings, self._working = self._working.result(), None
        if self._ledger is not None and self._working is None and self._stale and now - self._figured >= REFIGURE:
            self._stale, self._figured = False, now
            blocks = list(self._ledger.counted())
            names = self._ledger.schedule.bots
            self._working = self._worker.submit(standings_by, blocks, names, self._spec)

    def picture(self, figures: Figures) -> RenderableType:
        """What is shown: never more lines than the terminal has, and none that it would break."""
        if self._before is None:
            self._before = figures.matches
        head = Text(headline(figures, self._before), style="bold", no_wrap=True, overflow="ellipsis")
        bots = 0 if self._standings is None else len(self._standings.bots)
        tables, rows = _room(self._console.height - SPARE - 1, min(len(figures.tables), TABLES), bots)
        parts: list[RenderableType] = [head]
        if tables:
            parts.append(self._tables(figures, tables))
        if self._standings is not None and rows:
            parts.append(self._ranking(self._standings, rows))
        return Group(*parts)

    def _tables(self, figures: Figures, room: int) -> Grid:
        """``room``: lines, without the heading."""
        shown = figures.tables[: room if len(figures.tables) <= room else room - 1]
        # So much of each name that the points of every seat can be seen.
        used = max((len(table.match) + len(f"{table.rounds}/{table.rounds}") for table in shown), default=0) + 4
        seats = max((len(table.bots) for table in shown), default=1)
        letters = max(SHORTEST, (self._console.width - used) // seats - len(" 00, "))
        grid = Grid(box=None, pad_edge=False, header_style="dim")
        for name in ("match", "round", "bots and points"):
            grid.add_column(name, no_wrap=True, overflow="ellipsis")
        for table in shown:
            rounds = f"{table.round}/{table.rounds}" if table.rounds else str(table.round)
            names = [_cut(bot, letters) for bot in table.bots]
            totals = ", ".join(f"{escape(name)} {points}" for name, points in zip(names, table.total, strict=True))
            grid.add_row(escape(table.match), "waits" if table.status == "waiting" else rounds, totals)
        if (more := len(figures.tables) - len(shown)) > 0:
            grid.add_row(f"and {more} more", "", "")
        return grid

    def _ranking(self, table: Standings, room: int) -> Grid:
        """``room``: lines, without the heading."""
        shown = table.bots[: room if len(table.bots) <= room else room - 1]
        places = table.order == "places"
        grid = Grid(box=None, pad_edge=False, header_style="dim")
        grid.add_column("", justify="right", no_wrap=True)
        grid.add_column("bot", no_wrap=True, overflow="ellipsis")
        for name in ("mean place" if places else "points a round", f"{100 * table.confidence:g} %", "rounds", "faults"):
            grid.add_column(name, justify="right", no_wrap=True)
        for row in shown:
            one = row.place if places else row.points_per_round
            estimate = "" if one is None else f"{one.estimate:.3f}"
            out, faults = "", 0
            if self._ledger is not None:
                out = " (out)" if row.bot in self._ledger.withdrawn else ""
                faults = self._ledger.faults[row.bot].total() if row.bot in self._ledger.faults else 0
            grid.add_row(str(row.rank if row.rounds else ""), escape(_cut(row.bot, NAME)) + out, estimate, _span(one),
                         f"{row.rounds:,}", f"{faults:,}" if faults else "")  # fmt: skip
        if more := len(table.bots) - len(shown):
            grid.add_row("", f"and {more} more")
        return grid


def _room(height: int, tables: int, bots: int) -> tuple[int, int]:
    """Lines for tables and for bots, without a heading each, in so many lines together: bots come first, but for
    `FEWEST` tables."""
    heading = int(tables > 0)
    rows = max(0, min(bots, height - 1 - heading - min(tables, FEWEST)))
    left = height - heading - rows - int(rows > 0)
    return max(0, min(tables, left)), rows


def headline(figures: Figures, before: int = 0) -> str:
    """``block 12/99, match 50/396, 2 of 2 tables, 45 rounds/s, 0:12 left``."""
    parts = [
        f"block {figures.blocks}/{figures.blocks_total}",
        f"match {figures.matches}/{figures.matches_total}",
        f"{len(figures.tables)} of {figures.concurrency} tables",
        f"{figures.rate:,.0f} rounds/s",
    ]
    if (left := seconds_left(figures, before)) is not None:
        parts.append(f"{clock(left)} left")
    if figures.faults:
        parts.append(faults_text(figures.faults))
    if figures.state != "running":
        parts.append(figures.state)
    return ", ".join(parts)


def seconds_left(figures: Figures, before: int) -> int | None:
    """As long as this director's matches took on the average; None as long as none is over. ``before``: those that were
    over when it began."""
    done = figures.matches - before
    if done <= 0 or figures.seconds <= 0:
        return None
    return round(figures.seconds / done * max(0, figures.matches_total - figures.matches))


def _cut(name: str, letters: int) -> str:
    return name if len(name) <= letters else name[: letters - 1] + "…"


def _span(found: Interval | None) -> str:
    return "" if found is None or found.low is None or found.high is None else f"{found.low:.3f} to {found.high:.3f}"
