"""Watching an event: what a director tells whoever shows it, and the plainest way to show it."""

import os
import sys
import time
from collections.abc import Callable
from typing import Final, Protocol, TextIO

from msgspec import Struct

from referee.tournament.journal import Block, Ruling
from referee.tournament.ledger import Ledger
from referee.tournament.results import MatchResult
from referee.tournament.schedule import ScheduledMatch

NARROW: Final = 80
"""Letters in a line of a terminal that does not say how wide it is."""


class Table(Struct, frozen=True):
    """A match that is being played, or waits for its bots."""

    match: str
    block: int
    bots: tuple[str, ...]
    """Names by seat."""
    round: int
    rounds: int
    """0: a game to the end."""
    total: tuple[int, ...]
    """Points so far, by seat."""
    status: str
    """``waiting`` or ``playing``."""
    seconds: float
    """Since it was set up, or taken up."""


class Figures(Struct, frozen=True, kw_only=True):
    """How far an event is."""

    blocks: int
    """Blocks that are decided."""
    blocks_total: int
    matches: int
    """Matches that are over, of those blocks and of running ones."""
    matches_total: int
    """As far as it is known: replacements come on top."""
    rounds: int
    """Rounds that were scored since this director began."""
    seconds: float
    """Since this director began."""
    concurrency: int
    tables: tuple[Table, ...]
    faults: int
    state: str
    """``running``, ``paused`` or ``draining``."""

    @property
    def rate(self) -> float:
        """Rounds a second."""
        return self.rounds / self.seconds if self.seconds > 0 else 0.0


class Observer(Protocol):
    """Whoever wants to know. Methods are called from the director's loop, and return at once."""

    def begun(self, ledger: Ledger) -> None:
        """A director begins; the ledger is brought up to date as the event goes on."""

    def match_started(self, match: ScheduledMatch, bots: tuple[str, ...]) -> None:
        """A match was set up, or taken up again."""

    def match_over(self, match: ScheduledMatch, status: str) -> None:
        """It is over: ``complete``, ``forfeited``, ``abandoned``, ``absent`` or ``broken``."""

    def result(self, result: MatchResult) -> None:
        """A result was journaled."""

    def block(self, block: Block) -> None:
        """A block was decided, or is replaced."""

    def fault(self, match: str, bot: str, what: str) -> None:
        """A bot is charged with a fault."""

    def ruling(self, ruling: Ruling) -> None:
        """A ruling was journaled."""

    def figures(self, figures: Figures) -> None:
        """How far it is; several times a second."""

    def say(self, text: str) -> None:
        """Something that a person should know."""

    def close(self) -> None:
        """The director ends."""


class Silent:
    """Shows nothing; a base for those that show a part."""

    def begun(self, ledger: Ledger) -> None:
        """See `Observer`."""

    def match_started(self, match: ScheduledMatch, bots: tuple[str, ...]) -> None:
        """See `Observer`."""

    def match_over(self, match: ScheduledMatch, status: str) -> None:
        """See `Observer`."""

    def result(self, result: MatchResult) -> None:
        """See `Observer`."""

    def block(self, block: Block) -> None:
        """See `Observer`."""

    def fault(self, match: str, bot: str, what: str) -> None:
        """See `Observer`."""

    def ruling(self, ruling: Ruling) -> None:
        """See `Observer`."""

    def figures(self, figures: Figures) -> None:
        """See `Observer`."""

    def say(self, text: str) -> None:
        """See `Observer`."""

    def close(self) -> None:
        """See `Observer`."""


class Plain(Silent):
    """How far it is, in one line that is kept up to date on a terminal and in one a minute elsewhere, and a line each
    for faults and rulings."""

    REDRAW: Final = 0.2
    """Seconds between two states of the line."""

    REPEAT: Final = 60.0
    """Seconds between two lines where no line can be drawn anew."""

    def __init__(self, stream: TextIO | None = None, now: Callable[[], float] = time.monotonic) -> None:
        self._stream: Final = stream or sys.stderr
        self._live: Final = self._stream.isatty() and os.environ.get("TERM") != "dumb"
        self._now: Final = now
        self._drawn = 0
        self._next = now() + (0.0 if self._live else self.REPEAT)

    def figures(self, figures: Figures) -> None:
        """Redraw the line, or write another one."""
        now = self._now()
        if now < self._next:
            return
        self._next = now + (self.REDRAW if self._live else self.REPEAT)
        line = figures_text(figures)
        if not self._live:
            self.say(line)
            return
        # A line that the terminal breaks cannot be drawn over.
        line = line[: _columns(self._stream) - 1]
        self._stream.write("\r" + line.ljust(self._drawn))
        self._stream.flush()
        self._drawn = len(line)

    def fault(self, match: str, bot: str, what: str) -> None:
        """One line."""
        self.say(f"fault: {bot} {what} in {match}")

    def block(self, block: Block) -> None:
        """One line for what is not as scheduled."""
        if block.what != "counted":
            self.say(f"block {block.block} is {block.what}: {block.why}")

    def ruling(self, ruling: Ruling) -> None:
        """One line."""
        self.say(ruling_text(ruling))

    def say(self, text: str) -> None:
        """One line, above the one that is kept up to date."""
        self.close()
        self._stream.write(text + "\n")
        self._stream.flush()

    def close(self) -> None:
        """Leave a clean line."""
        if self._drawn:
            self._stream.write("\r" + " " * self._drawn + "\r")
            self._drawn = 0


def _columns(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or NARROW
    except (OSError, ValueError):
        return NARROW


def figures_text(figures: Figures) -> str:
    """``block 12/99, match 50/396, 2 tables, 1,234 rounds/s, 0:12 left``."""
    parts = [
        f"block {figures.blocks}/{figures.blocks_total}",
        f"match {figures.matches}/{figures.matches_total}",
        f"{len(figures.tables)} of {figures.concurrency} tables",
        f"{figures.rate:,.0f} rounds/s",
    ]
    if figures.faults:
        parts.append(faults_text(figures.faults))
    if figures.state != "running":
        parts.append(figures.state)
    return ", ".join(parts)


def faults_text(count: int) -> str:
    """``1 fault``, ``2 faults``."""
    return f"{count:,} fault{'' if count == 1 else 's'}"


def clock(seconds: int) -> str:
    """``1:02:03``."""
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def ruling_text(ruling: Ruling) -> str:
    """``ruling: drop anna (by the organiser: cheated)``."""
    about = next(
        (str(value) for value in (ruling.bot, ruling.block, ruling.number) if isinstance(value, str | int)), ""
    )
    why = f": {ruling.why}" if ruling.why else ""
    return f"ruling: {ruling.kind}{' ' if about else ''}{about} (by the {ruling.by}{why})"
