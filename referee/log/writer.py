"""Writing a log: records become canonical lines and leaves of the tree, and reach the disk in one write per flush.

Lines are written whole and in order to a file that is only ever appended to, so a killed process leaves a readable log
with at most a torn last line.

The invariant of signed seals: a seal is on disk (fsync) before anybody is shown it, or a power cut makes the referee
sign something else in its place, and that is a proven fork. `LogWriter.flush` asks its sink to sync whenever a seal is
among the lines; with a sink that syncs at once the seal is on disk when it returns, with any sink when
`LogWriter.close` has returned without an error. While a match runs its seals are shown to nobody, so that the latter is
enough; whoever shows them earlier must wait for the disk.
"""

import errno
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Protocol, Self

import msgspec

from referee.game.records import Record
from referee.log.canonical import encode
from referee.log.note import Signer, signed
from referee.log.records import MAX_LINE, PRIVATE, Seal
from referee.log.seal import unsigned
from referee.log.tree import Tree


class LogWriteError(OSError):
    """A log could not be written as asked. What already stands in it stays as it is; nothing more may be added."""


class LogMismatch(LogWriteError):
    """What was to be appended is not the line that stands there already."""


class Sink(Protocol):
    """Where the bytes of a log go."""

    def write(self, data: bytes) -> None:
        """Append all of ``data``; raises `OSError` when that fails, perhaps after a part of it."""

    def sync(self) -> None:
        """Return when everything written is on stable storage."""

    def close(self) -> None:
        """Give the sink up; it is not written to again."""


class FileSink:
    """A new file, appended to. Never opens a file that exists already."""

    def __init__(self, path: str | Path) -> None:
        """Create the file; raises `LogWriteError` if it exists or cannot be made.

        Only its owner may read it (mode 0600): a log holds everybody's cards while the match is played.
        """
        self._open(Path(path), os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC)

    def _open(self, path: Path, flags: int) -> None:
        self.path = path
        try:
            self._fd = os.open(path, flags, 0o600)
        except FileExistsError as error:
            raise LogWriteError(error.errno, "a log is never overwritten", str(path)) from error
        except OSError as error:
            raise LogWriteError(error.errno, f"cannot open the log: {error.strerror}", str(path)) from error
        self._entry_synced = False

    @classmethod
    def reopen(cls, path: str | Path) -> Self:
        """A file that is there, to go on with it; raises `LogWriteError`."""
        sink = cls.__new__(cls)
        sink._open(Path(path), os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        return sink

    def write(self, data: bytes) -> None:
        """Append all of ``data``, in as many system calls as it takes."""
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[os.write(self._fd, rest) :]
        except OSError as error:
            raise LogWriteError(error.errno, f"cannot write the log: {error.strerror}", str(self.path)) from error

    def require_there(self) -> None:
        """Raise `LogWriteError` when the file was deleted: what is written then is lost with the last handle to it."""
        try:
            links = os.fstat(self._fd).st_nlink
        except OSError as error:
            raise LogWriteError(error.errno, f"cannot look at the log: {error.strerror}", str(self.path)) from error
        if not links:
            raise LogWriteError(errno.ENOENT, "the log was deleted while it was being written", str(self.path))

    def sync(self) -> None:
        """Wait for the disk; the first time also for the directory, without which the file itself can vanish."""
        self.require_there()
        try:
            os.fsync(self._fd)
            if not self._entry_synced:
                directory = os.open(self.path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
                try:
                    os.fsync(directory)
                finally:
                    os.close(directory)
                self._entry_synced = True
        except OSError as error:
            raise LogWriteError(error.errno, f"cannot sync the log: {error.strerror}", str(self.path)) from error

    def close(self) -> None:
        """Close the file; closing it again does nothing."""
        if self._fd >= 0:
            fd, self._fd = self._fd, -1
            try:
                os.close(fd)
            except OSError as error:
                raise LogWriteError(error.errno, f"cannot close the log: {error.strerror}", str(self.path)) from error


class MemorySink:
    """A log in memory: for tests, and for logs that are kept elsewhere."""

    def __init__(self) -> None:
        self.data: Final = bytearray()
        self.synced = 0
        """How many bytes would survive a power cut."""
        self.closed = False

    def write(self, data: bytes) -> None:
        """Append ``data``."""
        self.data.extend(data)

    def sync(self) -> None:
        """Note how much has been written."""
        self.synced = len(self.data)

    def close(self) -> None:
        """Note the end."""
        self.closed = True


class LogWriter:
    """Appends records to one log, for one thread; only `flush` may run in another one while appending goes on.

    ``salt_for`` gives the salt of the private line with a given index; it is set anew for each round.
    """

    def __init__(
        self,
        sink: Sink,
        *,
        match: str,
        signer: Signer | None = None,
        tree: Tree | None = None,
        stands: Sequence[bytes] = (),
    ) -> None:
        """``match`` is the match id: the origin of every seal. ``signer`` signs each of them; without it none is.

        ``tree`` is the one over the lines that stand already, for a log that is gone on with. ``stands`` are the lines
        (without LF) of a log that is written from its beginning a second time: as far as they go, what is appended is
        compared with them and not written, and `append` raises `LogMismatch` where it differs.
        """
        self.match: Final = match
        self.key: Final = signer.vkey if signer else ""
        """The vkey of the key that signs, which ``head.key`` must name; empty for an unsigned log."""
        self.salt_for: Callable[[int], str] | None = None
        self._sink = sink
        self._signer = signer
        self._tree = tree or Tree()
        self._stands = stands
        self._waiting: list[bytes] = []
        self._seal_waiting = False
        self._failed = False

    @property
    def lines(self) -> int:
        """How many lines have been appended, written or not."""
        return self._tree.size

    def root(self) -> bytes:
        """The tree's root, 32 bytes, over all lines appended."""
        return self._tree.root()

    def append(self, record: Record) -> int:
        """Append a record and return the 0-based index of its line; a private record gets its salt here.

        Values are trusted: what a reader would refuse, the caller must not append. Raises `LogWriteError` for a line
        that is too long, and for a private record while `salt_for` is not set.
        """
        index = self._tree.size
        kind = type(record)
        if kind in PRIVATE:
            if self.salt_for is None:
                raise LogWriteError(f"line {index} of {self.match}: a private record outside a round has no salt")
            record = msgspec.structs.replace(record, salt=self.salt_for(index))
        line = encode(record)
        if len(line) > MAX_LINE:
            raise LogWriteError(f"line {index} of {self.match}: {len(line)} bytes, at most {MAX_LINE} are allowed")
        if index < len(self._stands):
            if line != self._stands[index]:
                raise LogMismatch(f"line {index + 1} of {self.match} is not the one that follows here")
            self._tree.append(line)
            return index
        self._tree.append(line)
        self._waiting.append(line)
        if kind is Seal:
            self._seal_waiting = True
        return index

    def seal(self) -> Seal:
        """Append a seal over all lines so far, signed if there is a signer, and return it.

        It is not to be shown to anybody yet: see the invariant above.
        """
        n, root = self._tree.size, self._tree.root()
        seal = signed(self._signer, self.match, n, root) if self._signer else unsigned(n, root)
        self.append(seal)
        return seal

    def flush(self) -> None:
        """Write everything appended since the last flush in one write, and wait for the disk if a seal is among it.

        Raises `OSError` (of a `FileSink`: `LogWriteError`). After that the log may end in a torn line, so every later
        flush raises too.
        """
        if self._failed:
            raise LogWriteError(f"the log of {self.match} failed before; nothing is added to it")
        if not self._waiting:
            return
        # Taken over first: lines that are appended while the disk is waited for belong to the next flush.
        lines, self._waiting = self._waiting, []
        sealed, self._seal_waiting = self._seal_waiting, False
        lines.append(b"")
        self._failed = True
        self._sink.write(b"\n".join(lines))
        if sealed:
            self._sink.sync()
        self._failed = False

    def close(self) -> None:
        """Flush what can be flushed, and close the sink in any case."""
        try:
            if not self._failed:
                self.flush()
        finally:
            self._sink.close()
