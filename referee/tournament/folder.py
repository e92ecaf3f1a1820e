"""The folder of an event: what lies in it, who has it for himself, and the event's seed.

``event.toml`` (the spec as started), ``journal.jsonl``, ``logs/``, ``rulings/`` (requests that a running director picks
up), ``lock``, and while the event runs ``event.seed``, which only this user can read.
"""

import contextlib
import errno
import fcntl
import os
import time
from hashlib import sha256
from pathlib import Path
from typing import Final, Self

from referee.deal import SEED_SIZE
from referee.tournament.errors import TournamentError
from referee.tournament.journal import FILE

SPEC: Final = "event.toml"
SEED: Final = "event.seed"
LOGS: Final = "logs"
LOCK: Final = "lock"
RULINGS: Final = "rulings"
BOTS: Final = "bots"
LOCK_SECONDS: Final = 0.5
"""How long a folder is waited for that somebody has: a ruling that is being journaled takes a moment."""

POLL_SECONDS: Final = 0.02


class FolderError(TournamentError):
    """A folder that no event can be played in."""


class BusyError(FolderError):
    """Another process has the folder."""


class Folder:
    """The paths of one event, and its lock."""

    def __init__(self, path: Path) -> None:
        self.path: Final = path
        self.spec: Final = path / SPEC
        self.seed: Final = path / SEED
        self.journal: Final = path / FILE
        self.logs: Final = path / LOGS
        self.rulings: Final = path / RULINGS
        self.bots: Final = path / BOTS
        """What bots write to standard error, a file each."""
        self._lock = -1

    def log(self, match: str) -> Path:
        """Where the log of a match is."""
        return self.logs / f"{match}.toep"

    def is_event(self) -> bool:
        """Whether an event was started here."""
        return self.journal.exists()

    def make(self) -> None:
        """Create it, with what is in it always. Raises `FolderError`."""
        try:
            for path in (self.path, self.logs, self.rulings, self.bots):
                path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FolderError(f"{error.filename or self.path}: {error.strerror}") from None

    def lock(self, seconds: float = LOCK_SECONDS) -> Self:
        """Have the folder for this process alone until it ends, however it does. Raises `BusyError` when another has it
        for more than so many seconds, `FolderError`.

        The lock is the system's and dies with its process; the file stays, and says who has or had it.
        """
        path = self.path / LOCK
        try:
            fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise FolderError(f"{path}: {error.strerror}") from None
        until = time.monotonic() + seconds
        while True:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError as error:
                busy = error.errno in (errno.EAGAIN, errno.EACCES)
                if busy and time.monotonic() < until:
                    time.sleep(POLL_SECONDS)
                    continue
                owner = os.read(fd, 20).decode("ascii", "replace").strip()
                os.close(fd)
                if not busy:
                    raise FolderError(f"{path}: {error.strerror}") from None
                raise BusyError(f"{self.path}: a director works on this event (process {owner or 'unknown'})") from None
        self._lock = fd
        with contextlib.suppress(OSError):  # On a full disk nobody is told who it is.
            os.ftruncate(fd, 0)
            os.write(fd, b"%d\n" % os.getpid())
        return self

    def unlock(self) -> None:
        """Let others have the folder."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def is_running(self) -> bool:
        """Whether a director works on the event now."""
        try:
            Folder(self.path).lock(0).unlock()
        except BusyError:
            return True
        except FolderError:
            return False
        return False

    # -- the spec and the seed -------------------------------------------------------------------------------------

    def spec_digest(self) -> str:
        """SHA-256 of ``event.toml``. Raises `FolderError`."""
        try:
            return sha256(self.spec.read_bytes()).hexdigest()
        except OSError as error:
            raise FolderError(f"{self.spec}: {error.strerror}") from None

    def keep(self, path: Path, data: bytes, mode: int) -> None:
        """Write a file of the event whole or not at all, and wait for the disk. Raises `FolderError`."""
        beside = path.with_name(f".{path.name}.new")
        try:
            beside.unlink(missing_ok=True)
            fd = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
            with os.fdopen(fd, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(fd)
            os.replace(beside, path)
            self.sync()
        except OSError as error:
            raise FolderError(f"{path}: {error.strerror}") from None

    def sync(self) -> None:
        """Wait until the names in the folder are on the disk."""
        fd = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)

    def keep_seed(self, seed: bytes) -> None:
        """Write the event's secret seed where only this user can read it. Raises `FolderError`."""
        self.keep(self.seed, seed.hex().encode() + b"\n", 0o600)

    def read_seed(self) -> bytes:
        """The event's secret seed. The message of a `FolderError` never shows it."""
        try:
            seed = bytes.fromhex(self.seed.read_text("ascii").strip())
        except OSError as error:
            raise FolderError(
                f"{self.seed}: {error.strerror}: without the seed the event cannot go on; put it back"
            ) from None
        except (ValueError, UnicodeDecodeError):
            raise FolderError(f"{self.seed}: it must hold 64 hex digits") from None
        if len(seed) != SEED_SIZE:
            raise FolderError(f"{self.seed}: it must hold 64 hex digits")
        return seed

    def drop_seed(self) -> None:
        """The seed is in the journal now."""
        with contextlib.suppress(OSError):
            self.seed.unlink(missing_ok=True)
