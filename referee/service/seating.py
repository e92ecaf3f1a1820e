"""A match in the hall: its table, who sits there, and how it stands."""

import asyncio
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from referee.log.writer import LogWriter
from referee.service import edge
from referee.service.summary import OPEN, Summary
from referee.table.table import Table

if TYPE_CHECKING:
    from referee.service.session import Session


@dataclass(eq=False)
class Seating:
    """A match in this hall."""

    number: int
    """The table's number on the wire."""
    table: Table
    bots: list[str]
    declared: bool
    """The seed is public, so that there is none to keep."""
    writer: LogWriter
    news: edge.News
    deals: str = ""
    """The deal set that its seed is held back for; empty: it is revealed at the end of the match."""
    accounts: list[str] = field(default_factory=list)
    """By seat, whose session sits here: that of the bot with this name, or a guest's (see `Guests`)."""
    sessions: list["Session | None"] = field(default_factory=list)
    status: str = "waiting"
    on_disk: bool = False
    """The log is whole and on disk, so that it and its seals may be shown; never while the match runs."""
    refused: int = 0
    lobby_seconds: int = 0
    """After how many seconds of waiting for its bots it is cancelled; 0: never."""
    created_at: int = 0
    """When it was set up, in milliseconds of the hall's clock."""
    began_at: int | None = None
    """When it began; None: it waits, or never did."""
    cancelled_at: int | None = None
    """When it was cancelled, without ever having begun."""
    absent: list[int] = field(default_factory=list)
    """The seats whose bots were not there then."""
    failed: str = ""
    """Why it was stopped in the middle; empty: it was not."""
    done: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the match is over, however it ended."""

    @property
    def match(self) -> str:
        """The match's id."""
        return self.table.head.match

    def awaited(self) -> list[int]:
        """The seats whose bots it waits for; of a match that was cancelled before it began, those that kept it."""
        if self.status != "waiting":
            return self.absent
        return [seat for seat, session in enumerate(self.sessions) if session is None]

    def waited(self, now: int) -> int:
        """Milliseconds that it waits, or did before it began or was cancelled."""
        if self.began_at is not None:
            now = self.began_at
        elif self.cancelled_at is not None:
            now = self.cancelled_at
        return now - self.created_at

    def seats_of(self, bot: str) -> list[int]:
        """Where a bot or a guest sits; more than one seat when it plays against itself."""
        return [seat for seat, name in enumerate(self.accounts) if name == bot]

    def summary(self, now: int) -> Summary:
        """How it stands."""
        over, game = self.table.over, self.table.game
        bots = tuple(map(sys.intern, self.bots))
        # One that is over is kept for good, and its guests will not come again.
        others = tuple(self.accounts) if self.status in OPEN else ()
        return Summary(
            number=self.number,
            match=self.match,
            status=self.status,
            bots=bots,
            accounts=bots if self.accounts == self.bots else others,
            commit=self.table.head.commit,
            round=game.round,
            total=tuple(game.totals()),
            rank=tuple(over.rank) if over else (),
            awaited=tuple(self.awaited()),
            waited_ms=self.waited(now),
            lobby_seconds=self.lobby_seconds,
            deals=self.deals,
            on_disk=self.on_disk,
        )
