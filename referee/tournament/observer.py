"""Watching an event: what a director tells whoever shows it, and the plainest way to show it."""

import sys
import time
from typing import Final, Protocol, TextIO

from msgspec import Struct

from referee.tournament.journal import Block, Ruling
from referee.tournament.ledger import Ledger
from referee.tournament.results import MatchResult
from referee.tournament.schedule import ScheduledMatch


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
    """One line that is kept up to date on a terminal, and a line each for faults and rulings anywhere."""

    REDRAW: Final = 0.2
    """Seconds between two states of the line."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream: Final = stream or sys.stderr
        self._live: Final = self._stream.isatty()
        self._drawn = 0
        self._next = 0.0

    def figures(self, figures: Figures) -> None:
        """Redraw the line."""
        if not self._live or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + self.REDRAW
        line = figures_text(figures)
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


def figures_text(figures: Figures) -> str:
    """``block 12/99, match 50/396, 2 tables, 1,234 rounds/s, 0:12 left``."""
    parts = [
        f"block {figures.blocks}/{figures.blocks_total}",
        f"match {figures.matches}/{figures.matches_total}",
        f"{len(figures.tables)} of {figures.concurrency} tables",
        f"{figures.rate:,.0f} rounds/s",
    ]
    if figures.faults:
        parts.append(f"{figures.faults} faults")
    if figures.state != "running":
        parts.append(figures.state)
    return ", ".join(parts)


def ruling_text(ruling: Ruling) -> str:
    """``ruling: drop anna (by the organiser: cheated)``."""
    about = next(
        (str(value) for value in (ruling.bot, ruling.block, ruling.number) if isinstance(value, str | int)), ""
    )
    why = f": {ruling.why}" if ruling.why else ""
    return f"ruling: {ruling.kind}{' ' if about else ''}{about} (by the {ruling.by}{why})"
