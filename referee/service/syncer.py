"""Waiting for the disk in another thread, so that the loop in which all clocks run never does.

Seals come once a round; with hundreds of tables that is hundreds a second, and a sync costs more than a whole trick. So
logs are synced together, a moment after their seals, and one sync serves every seal of a log that came before it.
"""

import threading
from pathlib import Path
from typing import Final

from referee.log.writer import FileSink

DELAY_SECONDS: Final = 1.0
"""How long a seal may wait for company. It is what a power cut may cost, besides what was never sealed."""


class Syncer:
    """The one thread that waits for the disk for every log of a referee; it runs while there are logs."""

    def __init__(self) -> None:
        self._due: set[SyncedFile] = set()
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    def create(self, path: Path) -> "SyncedFile":
        """A new, empty log; raises `LogWriteError` when one exists already."""
        file = SyncedFile(FileSink(path), self)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="log-sync", daemon=True)
            self._thread.start()
        return file

    def ask(self, file: "SyncedFile") -> None:
        """Have a file synced soon."""
        with self._lock:
            self._due.add(file)
        self._wake.set()

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
        self._raise()
        self._file.write(data)

    def sync(self) -> None:
        """Have everything written so far brought to the disk soon."""
        self._raise()
        self._unsynced = True
        self._syncer.ask(self)

    def sync_now(self) -> None:
        """Wait for the disk, if there is anything that is not there; keeps an error for the next call."""
        with self._busy:
            if not self._unsynced or self._closed:
                return
            self._unsynced = False
            try:
                self._file.sync()
            except OSError as error:
                self._error = error

    def close(self) -> None:
        """Wait for the disk, and close the file."""
        self._syncer.forget(self)
        self.sync_now()
        with self._busy:
            self._closed = True
            self._file.close()
        self._raise()

    def _raise(self) -> None:
        if self._error is not None:
            raise self._error
