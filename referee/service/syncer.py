"""Waiting for the disk in another thread, so that the loop in which all clocks run never does.

Seals come once a round; with hundreds of tables that is hundreds a second, and a sync costs more than a whole trick. So
logs are synced together, a moment after their seals, and one sync serves every seal of a log that came before it.
"""

import asyncio
import threading
import time
from pathlib import Path
from typing import Final

from referee.log.writer import FileSink

DELAY_SECONDS: Final = 1.0
"""How long a seal may wait for company. It is what a power cut may cost, besides what was never sealed."""


class Syncer:
    """The one thread that waits for the disk for every log of a referee; it runs while there are logs."""

    def __init__(self, *, durable: bool = False) -> None:
        """``durable``: `settle` waits for everything that was written before."""
        self.durable: Final = durable
        self._dirty: set[SyncedFile] = set()
        """Files that were written to since the last group was synced."""
        self._group: asyncio.Task[None] | None = None
        self._next_group: asyncio.Task[None] | None = None
        self._due: set[SyncedFile] = set()
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None
        self.lines = 0
        """Lines that were written to logs."""
        self.bytes = 0
        self.syncs = 0
        """How often the disk was waited for."""
        self.sync_seconds = 0.0
        self.worst_sync_seconds = 0.0

    def create(self, path: Path) -> "SyncedFile":
        """A new, empty log; raises `LogWriteError` when one exists already."""
        file = SyncedFile(FileSink(path), self)
        self._start()
        return file

    def reopen(self, path: Path) -> "SyncedFile":
        """A log that is there, to go on with it; raises `LogWriteError`. What stands in it may not be on the disk."""
        file = SyncedFile(FileSink.reopen(path), self)
        self._start()
        file.sync()
        self.wrote(file)
        return file

    def _start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="log-sync", daemon=True)
            self._thread.start()

    def wrote(self, file: "SyncedFile") -> None:
        """Something was written to a file."""
        if self.durable:
            self._dirty.add(file)

    async def settle(self) -> None:
        """Return when everything written so far, to any file, is on the disk; at once unless this is ``durable``.

        Whoever waits at the same time waits for the same syncs. Raises `LogWriteError` when the disk failed.
        """
        if self._dirty:
            if self._next_group is None:
                self._next_group = asyncio.create_task(self._sync_group(self._group))
            await asyncio.shield(self._next_group)
        elif self._group is not None:
            await asyncio.shield(self._group)

    async def _sync_group(self, running: "asyncio.Task[None] | None") -> None:
        if running is not None:
            await asyncio.wait((running,))
        self._group, self._next_group = self._next_group, None
        group, self._dirty = self._dirty, set()
        try:
            await asyncio.to_thread(_sync_all, group)
        finally:
            self._group = None

    def ask(self, file: "SyncedFile") -> None:
        """Have a file synced soon."""
        with self._lock:
            self._due.add(file)
        self._wake.set()

    def waited(self, seconds: float) -> None:
        """A file was synced, which took so long."""
        with self._lock:
            self.syncs += 1
            self.sync_seconds += seconds
            self.worst_sync_seconds = max(self.worst_sync_seconds, seconds)

    def forget(self, file: "SyncedFile") -> None:
        """A file syncs itself now."""
        with self._lock:
            self._due.discard(file)

    def close(self) -> None:
        """End the thread. Files sync themselves when they are closed."""
        self._closed.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._closed.is_set():
            self._wake.wait()
            self._closed.wait(DELAY_SECONDS)
            self._wake.clear()
            with self._lock:
                due, self._due = self._due, set()
            for file in due:
                file.sync_now()


def _sync_all(files: "set[SyncedFile]") -> None:
    for file in files:
        file.sync_now(always=True)
    for file in files:
        file.raise_error()


class SyncedFile:
    """A log file whose `sync` returns at once.

    What goes wrong in the other thread is raised by the next call, so that nothing more happens on a log that may not
    be on the disk. `close` waits for the disk. Whoever shows a signed seal must wait too.
    """

    def __init__(self, file: FileSink, syncer: Syncer) -> None:
        self._file: Final = file
        self._syncer: Final = syncer
        self._busy: Final = threading.Lock()
        self._unsynced = False
        self._closed = False
        self._error: OSError | None = None

    def write(self, data: bytes) -> None:
        """Append all of ``data``."""
        self.raise_error()
        self._file.write(data)
        self._syncer.wrote(self)
        self._syncer.lines += data.count(b"\n")
        self._syncer.bytes += len(data)

    def sync(self) -> None:
        """Have everything written so far brought to the disk soon."""
        self.raise_error()
        self._unsynced = True
        self._syncer.ask(self)

    def sync_now(self, *, always: bool = False) -> None:
        """Wait for the disk, if there is anything that is not there; keeps an error for the next call.

        ``always``: also for what nobody has asked to be synced.
        """
        with self._busy:
            if not (self._unsynced or always) or self._closed:
                return
            self._unsynced = False
            begun = time.perf_counter()
            try:
                self._file.sync()
            except OSError as error:
                self._error = error
            self._syncer.waited(time.perf_counter() - begun)

    def close(self) -> None:
        """Wait for the disk, and close the file."""
        self._syncer.forget(self)
        self.sync_now()
        with self._busy:
            self._closed = True
            self._file.close()
        self.raise_error()

    def raise_error(self) -> None:
        """Raise what went wrong in another thread."""
        if self._error is not None:
            raise self._error
