"""A disk with faults: under the real store and the real `SyncedFile` lie files that can fail, fill up and forget.

Bytes go to real files in a folder of the world's own, so that everything that reads logs works as it is; but only this
module says what is synced. A crash cuts the files back to what would be left of them.
"""

import asyncio
import errno
import random
from collections.abc import Callable
from pathlib import Path
from typing import Final, cast

from referee.log.writer import FileSink, LogWriteError, Sink
from referee.service.store import Store
from referee.service.syncer import DELAY_SECONDS, SyncedFile, Syncer

Watch = Callable[[str, bytes], None]


class Died(BaseException):
    """The process is gone in the middle of a write."""


class SimFile:
    """What a `FileSink` is to a `SyncedFile`."""

    def __init__(self, disk: "Disk", match: str, real: FileSink, stands: bytes = b"") -> None:
        self.disk: Final = disk
        self.match: Final = match
        self.path: Final = real.path
        self.real: Final = real
        self.data: Final = bytearray(stands)
        self.synced = len(stands)
        self.closed = False
        self.lost = False
        """The process that wrote it is gone."""
        self.fail_at: int | None = None
        """Writing fails at this byte."""
        self.sync_fails = False
        self.close_fails = False
        self.failed = False
        """A fault of the disk hit this file."""

    def _fault(self, kind: str, code: int) -> LogWriteError:
        if not self.failed:
            self.failed = True
            self.disk.failing.add(self.match)
        self.disk.note(f"disk: {kind}", self.match)
        return LogWriteError(code, f"cannot write the log: {kind}", str(self.path))

    def write(self, data: bytes) -> None:
        if self.lost:
            raise Died
        if self.disk.dies_now(len(data)):
            self._die(data)
        room = len(data)
        if self.fail_at is not None:
            room = max(0, min(room, self.fail_at - len(self.data)))
        full = self.disk.free < room
        room = min(room, self.disk.free)
        part = data[:room]
        self.real.write(part)
        self.data.extend(part)
        self.disk.free -= room
        self.disk.watch(self.match, part)
        if room < len(data):
            raise self._fault("disk full", errno.ENOSPC) if full else self._fault("write error", errno.EIO)

    def _die(self, data: bytes) -> None:
        part = data[: self.disk.rng.randint(0, len(data))]
        self.real.write(part)
        self.data.extend(part)
        self.disk.watch(self.match, part)
        self.disk.dies(self.match)
        raise Died

    def sync(self) -> None:
        if self.lost:
            return
        if self.sync_fails:
            raise self._fault("sync error", errno.EIO)
        self.synced = len(self.data)

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            self.real.close()
            if self.close_fails and not self.lost:
                raise self._fault("close error", errno.EIO)


class SimSyncer(Syncer):
    """Without the thread that waits for the disk: each file is synced a while after it was asked for."""

    def __init__(self, disk: "Disk", *, durable: bool) -> None:
        super().__init__(durable=durable)
        self._disk = disk
        self._soon: dict[SyncedFile, asyncio.TimerHandle] = {}

    def create(self, path: Path) -> SyncedFile:
        return self._synced(self._disk.create(path))

    def reopen(self, path: Path) -> SyncedFile:
        file = self._synced(self._disk.reopen(path))
        file.sync()
        self.wrote(file)
        return file

    def _synced(self, file: SimFile) -> SyncedFile:
        return SyncedFile(cast(FileSink, file), self)

    def ask(self, file: SyncedFile) -> None:
        if file not in self._soon:
            delay = DELAY_SECONDS + self._disk.sync_takes()
            self._soon[file] = asyncio.get_running_loop().call_later(delay, self._sync, file)

    def _sync(self, file: SyncedFile) -> None:
        self._soon.pop(file, None)
        file.sync_now()

    def forget(self, file: SyncedFile) -> None:
        if handle := self._soon.pop(file, None):
            handle.cancel()

    def close(self) -> None:
        for file in list(self._soon):
            self.forget(file)


class SimStore(Store):
    """The real store over such a disk."""

    def __init__(self, disk: "Disk", *, durable: bool) -> None:
        super().__init__(disk.folder, durable=durable)
        self._disk = disk
        self._syncer = SimSyncer(disk, durable=durable)

    def create(self, match: str) -> Sink:
        if self._disk.refuses():
            raise LogWriteError(errno.EACCES, "cannot open the log: permission denied", match)
        return super().create(match)

    def cut_torn(self, match: str, size: int) -> None:
        super().cut_torn(match, size)
        del self._disk.files[match].data[size:]

    def keep_seed(self, match: str, seed: bytes) -> None:
        if self._disk.refuses():
            raise LogWriteError(errno.ENOSPC, "cannot keep the seed: disk full", match)
        super().keep_seed(match, seed)


class Disk:
    """Every file of a world."""

    def __init__(self, folder: Path, rng: random.Random, watch: Watch, note: Callable[[str, str], None]) -> None:
        """``watch`` gets every byte written, ``note`` every fault."""
        self.folder: Final = folder
        self.watch: Final = watch
        self.note: Final = note
        self.free = 1 << 40
        self.slow_ms = 0
        """How long a sync may take."""
        self.dies_after = -1
        """The process dies in the write in which so many more bytes are written; negative: it does not."""
        self.dies: Callable[[str], None] = lambda match: None
        self.refusal_rate = 0.0
        """How likely a file cannot be made."""
        self.files: Final[dict[str, SimFile]] = {}
        self.failing: Final[set[str]] = set()
        """Matches whose log met a fault."""
        self.rng = rng

    def create(self, path: Path) -> SimFile:
        file = SimFile(self, path.name.removesuffix(".toep"), FileSink(path))
        self.files[file.match] = file
        return file

    def reopen(self, path: Path) -> SimFile:
        file = SimFile(self, path.name.removesuffix(".toep"), FileSink.reopen(path), path.read_bytes())
        self.files[file.match] = file
        return file

    def dies_now(self, size: int) -> bool:
        if self.dies_after < 0:
            return False
        self.dies_after -= size
        return self.dies_after < 0

    def refuses(self) -> bool:
        if self.refusal_rate and self.rng.random() < self.refusal_rate:
            self.note("disk: file refused", "")
            return True
        return False

    def sync_takes(self) -> float:
        """Seconds."""
        if not self.slow_ms:
            return 0.0
        self.note("disk: slow sync", "")
        return self.rng.randint(0, self.slow_ms) / 1000

    def open_files(self) -> list[str]:
        return [match for match, file in self.files.items() if not file.closed]

    def crash(self, *, power: bool, durable: bool) -> dict[str, bytes]:
        """The process is gone: what is left of each file that was open.

        When only the process was killed, everything written is left; when the ``power`` was cut, what was synced and
        a random part of the rest; a file that was never synced may be gone.
        """
        left: dict[str, bytes] = {}
        for match, file in self.files.items():
            if file.closed or file.lost:
                continue
            file.lost = True
            file.close()
            keep = len(file.data)
            if power:
                keep = self.rng.randint(file.synced, keep)
                if bytes(file.data[keep - 1 : keep]) not in (b"\n", b""):
                    self.note("disk: torn line", match)
            left[match] = bytes(file.data[:keep])
            if power and not file.synced and self.rng.random() < 0.3:
                file.path.unlink(missing_ok=True)
                left[match] = b""
            elif file.path.exists():
                file.path.write_bytes(left[match])
        if power and not durable:
            self._forget_memos()
        return left

    def _forget_memos(self) -> None:
        """What is kept of refused answers was not waited for either."""
        for path in sorted(self.folder.glob("*.refused")):
            data = path.read_bytes()
            path.write_bytes(data[: self.rng.randint(0, len(data))])
