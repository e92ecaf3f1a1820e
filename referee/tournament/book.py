"""The journal of an event with its ledger, so that neither is ever ahead of the other."""

import time
from typing import Final

from referee.tournament.journal import AnyLine, Journal
from referee.tournament.ledger import Ledger


class Book:
    """The journal of an event, and how the event stands by it: one is not written without the other."""

    def __init__(self, journal: Journal, ledger: Ledger) -> None:
        self.seconds = 0.0
        """Spent on writing."""
        self._journal: Final = journal
        self._ledger: Final = ledger

    def write(self, *lines: AnyLine) -> None:
        """Append lines in one piece, and fold them in once they are on the disk. Raises `JournalError`."""
        begun = time.monotonic()
        for line in self._journal.append(*lines):
            self._ledger.take(line)
        self.seconds += time.monotonic() - begun

    def close(self) -> None:
        """Write no more."""
        self._journal.close()
