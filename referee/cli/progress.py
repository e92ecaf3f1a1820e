"""A line on a terminal that says how far long work is."""

import shutil
import time
from typing import Final, Self, TextIO

REDRAW: Final = 0.1
"""Seconds between two states of the line."""


class Progress:
    """One line on a terminal that says how far things are; on anything else nothing at all."""

    def __init__(self, total: int, stream: TextIO, *, shown: bool) -> None:
        self._total = total
        self._stream = stream
        self._shown = shown and stream.isatty()
        self._start = time.monotonic()
        self._next = self._start + REDRAW
        self._drawn = 0
        """Columns that are written on."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def show(self, done: int, invalid: int = 0) -> None:
        """Bring the line up to date, if that was not done just now."""
        now = time.monotonic()
        if not self._shown or now < self._next:
            return
        self._next = now + REDRAW
        line = progress_text(done, self._total, invalid, now - self._start)
        line = line[: shutil.get_terminal_size().columns - 1]
        self._stream.write("\r" + line.ljust(self._drawn))
        self._stream.flush()
        self._drawn = len(line)

    def clear(self) -> None:
        """Make room for something else."""
        if self._drawn:
            self._stream.write("\r" + " " * self._drawn + "\r")
            self._stream.flush()
            self._drawn = 0


def progress_text(done: int, total: int, invalid: int, seconds: float) -> str:
    """`` 123/10000 files, 3 invalid, 1,234 files/s, 0:12 left``."""
    minutes, left = divmod(round(seconds / done * (total - done)), 60)
    return f" {done}/{total} files, {invalid:,} invalid, {done / seconds:,.0f} files/s, {minutes}:{left:02} left"
