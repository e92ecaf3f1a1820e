"""Lists of items that are known to fail, or to fail now and then, so that a run shows what has changed.

A list is a text file: an id a line, ``*`` in it stands for anything, and what follows ``#`` is for people. An entry
that no longer says anything is an error, or lists would only ever grow.
"""

import fnmatch
from collections.abc import Iterable
from pathlib import Path
from typing import Final


class KnownError(Exception):
    """A list that cannot be read."""


class Known:
    """The entries of one list, and which of them were needed."""

    def __init__(self, entries: Iterable[str] = ()) -> None:
        self.entries: Final = list(entries)
        self._needed: set[str] = set()
        self._met: set[str] = set()

    @classmethod
    def read(cls, path: Path) -> "Known":
        """The list in a file. Raises `KnownError`."""
        try:
            lines = path.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "it is not text"
            raise KnownError(f"{path}: {why}") from None
        return cls(entry for line in lines if (entry := line.split("#")[0].strip()))

    def has(self, item: str, *, failed: bool) -> bool:
        """Whether an item is on the list; takes note of what came of it."""
        found = [entry for entry in self.entries if fnmatch.fnmatchcase(item, entry)]
        self._met.update(found)
        if failed:
            self._needed.update(found)
        return bool(found)

    def unneeded(self) -> list[str]:
        """Entries of which no item failed, or that no item has."""
        return [entry for entry in self.entries if entry not in self._needed]

    def unmet(self) -> list[str]:
        """Entries that no item has."""
        return [entry for entry in self.entries if entry not in self._met]
