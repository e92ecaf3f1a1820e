"""Waiting for the disk in another thread, so that the loop in which all clocks run never does."""

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Final

from referee.log.writer import FileSink


class Syncer:
    """The one thread that waits for the disk for every log of a referee."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="log-sync")

    def create(self, path: Path) -> "SyncedFile":
        """A new, empty log; raises `LogWriteError` when one exists already."""
        return SyncedFile(FileSink(path), self._pool)

    def close(self) -> None:
        """Wait for everything that has been asked for."""
        self._pool.shutdown()


class SyncedFile:
    """A log file whose `sync` returns at once.

    What went wrong in the other thread is raised by the next call, so that nothing more happens on a log that may not
    be on the disk. `close` waits. Whoever shows a signed seal must wait too.
    """

    def __init__(self, file: FileSink, pool: ThreadPoolExecutor) -> None:
        self._file: Final = file
        self._pool: Final = pool
        self._last: Future[None] | None = None
        self._error: OSError | None = None

    def write(self, data: bytes) -> None:
        """Append all of ``data``."""
        self._raise()
        self._file.write(data)

    def sync(self) -> None:
        """Have everything written so far brought to the disk soon. One wait serves all that ask before it begins."""
        self._raise()
        if self._last is None or self._last.running() or self._last.done():
            self._last = self._pool.submit(self._sync)

    def close(self) -> None:
        """Wait for the disk, and close the file."""
        if self._last is not None:
            self._last.result()
        self._file.close()
        self._raise()

    def _sync(self) -> None:
        try:
            self._file.sync()
        except OSError as error:
            self._error = error

    def _raise(self) -> None:
        if self._error is not None:
            raise self._error
