"""Where logs and unrevealed seeds lie: one folder, ``MATCH.toep`` and, until the reveal, ``MATCH.toep.seed``."""

import contextlib
import errno
import fcntl
import os
import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from referee.deal import SEED_SIZE
from referee.log.writer import LogWriteError, Sink
from referee.service.memo import Memo
from referee.service.names import KEY_SIZE
from referee.service.syncer import Syncer

SAFE_ID: Final = re.compile(r"\A[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z")
"""Match ids that this referee hosts: they name files."""

DEAL_SET: Final = re.compile(r"\A[!-~]{1,128}\Z")
"""Names of deal sets, as the log's schema has them."""

RESUME_KEY: Final = ".resume.key"
"""The file of the key under which resume tokens are made."""

LOCK: Final = "referee.lock"
"""The file by which a referee has a folder for itself."""

SEAL: Final = b'{"_":"seal",'
REVEAL: Final = b'{"_":"reveal",'
_TAIL: Final = 4096
"""Bytes that the last two lines of a complete log fit into."""


STOPPED: Final = ".stopped"
"""The ending of the file that says that a match is never to go on."""


class Store:
    """The folder of one referee's logs."""

    def __init__(self, folder: Path, file: Path | None = None, *, durable: bool = False) -> None:
        """``file``: the path of the only log, for a referee that hosts one match. Creates the folder. ``durable``:
        `settle` waits for the disk."""
        self.folder: Final = folder
        self.durable: Final = durable
        self._file = file
        self._syncer = Syncer(durable=durable)
        self._lock = -1
        folder.mkdir(parents=True, exist_ok=True)

    def lock(self) -> None:
        """Have the folder for this process alone until it ends, however it does. Raises `OSError`.

        The lock is the system's and dies with its process; the file stays, and says who has or had it.
        """
        path = self.folder / LOCK
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            owner = os.read(fd, 20).decode("ascii", "replace").strip()
            os.close(fd)
            if error.errno not in (errno.EAGAIN, errno.EACCES):
                raise
            who = f"another referee works in this folder (process {owner or 'unknown'})"
            raise OSError(error.errno, f"{who}: give each a folder of its own", str(path)) from None
        os.ftruncate(fd, 0)
        os.write(fd, b"%d\n" % os.getpid())
        self._lock = fd

    def resume_key(self) -> bytes:
        """The secret key under which this folder's resume tokens are made; made at the first call ever.

        Raises `OSError`, also when somebody else could read it or it is none.
        """
        path = self.folder / RESUME_KEY
        if not path.exists():
            # It is whole from the moment on at which it has its name.
            draft = path.with_name(f"{RESUME_KEY}.new")
            draft.unlink(missing_ok=True)
            fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with os.fdopen(fd, "wb") as file:
                file.write(secrets.token_bytes(KEY_SIZE))
                file.flush()
                os.fsync(fd)
            draft.replace(path)
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode & 0o777
            if mode & 0o077:
                raise OSError(errno.EPERM, f"others have access to it (mode {mode:04o}): delete it", str(path))
            key = file.read(KEY_SIZE + 1)
        if len(key) != KEY_SIZE:
            raise OSError(errno.EINVAL, "no key of this referee: delete it", str(path))
        return key

    async def settle(self) -> None:
        """Return when every line written so far is on the disk, if this store is durable; raises `LogWriteError`."""
        await self._syncer.settle()

    def close(self) -> None:
        """End the thread that waits for the disk. Logs that are still open sync themselves when they are closed."""
        self._syncer.close()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    @property
    def syncer(self) -> Syncer:
        """What brings every log to the disk, with its counts."""
        return self._syncer

    def log_path(self, match: str) -> Path:
        """Where the log of a match is."""
        return self._file or self.folder / f"{match}.toep"

    def seed_path(self, match: str) -> Path:
        """Where the seed of a match is until it is revealed."""
        return self._beside(match, ".seed")

    def _beside(self, match: str, ending: str) -> Path:
        """A file that belongs to the log of a match."""
        path = self.log_path(match)
        return path.with_name(path.name + ending)

    def create(self, match: str) -> Sink:
        """A new, empty log. Raises `LogWriteError` when one exists already."""
        return self._syncer.create(self.log_path(match))

    def unfinished(self) -> Iterator[tuple[str, Path]]:
        """(match, path) of every log here that does not end with its reveal and the seal over that."""
        for path in sorted(self.folder.glob("*.toep")):
            match = path.name.removesuffix(".toep")
            if SAFE_ID.match(match) and not _is_complete(path):
                yield match, path

    def reopen(self, match: str) -> Sink:
        """A log that is there, to go on with it. Raises `LogWriteError`."""
        return self._syncer.reopen(self.log_path(match))

    def cut_torn(self, match: str, size: int) -> None:
        """Drop what is behind the last whole line of a log, which has so many bytes. Raises `LogWriteError`."""
        path = self.log_path(match)
        try:
            if path.stat().st_size > size:
                os.truncate(path, size)
        except OSError as error:
            raise LogWriteError(error.errno, f"cannot drop a torn line: {error.strerror}", str(path)) from error

    def memo(self, match: str) -> Memo:
        """Where refused answers of the running round are kept."""
        return Memo(self._beside(match, ".refused"), durable=self.durable)

    def open_up(self, match: str) -> None:
        """The match is over: its log may be read by whoever may read files made here (the umask says who)."""
        umask = os.umask(0o077)
        os.umask(umask)
        with contextlib.suppress(OSError):
            self.log_path(match).chmod(0o666 & ~umask)

    def keep_seed(self, match: str, seed: bytes) -> None:
        """Write a secret seed where only this user can read it, and wait for the disk.

        Raises `LogWriteError`; a seed that is there already is the key to another log, and stays.
        """
        path = self.seed_path(match)
        try:
            fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise LogWriteError(error.errno, f"cannot keep the seed: {error.strerror}", str(path)) from error
        try:
            with os.fdopen(fd, "w") as file:
                file.write(seed.hex() + "\n")
                file.flush()
                os.fsync(fd)
        except OSError as error:
            path.unlink(missing_ok=True)
            raise LogWriteError(error.errno, f"cannot keep the seed: {error.strerror}", str(path)) from error

    def seeds(self) -> Iterator[tuple[str, bytes]]:
        """(match, seed) of every seed that lies here."""
        for path in sorted(self.folder.glob("*.toep.seed")):
            with contextlib.suppress(OSError, ValueError):
                seed = bytes.fromhex(path.read_text("ascii").strip())
                if len(seed) == SEED_SIZE:
                    yield path.name.removesuffix(".toep.seed"), seed

    def drop_seed(self, match: str) -> None:
        """The seed is in the log now."""
        self.seed_path(match).unlink(missing_ok=True)

    def stop(self, match: str) -> bool:
        """Note that the players of a match are told that it is over, although its log has no end: it is never to go on.

        An empty file, made also where a disk is full; False when even that cannot be done.
        """
        try:
            os.close(os.open(self._beside(match, STOPPED), os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
        except OSError:
            return False
        return True

    def was_stopped(self, match: str) -> bool:
        """Whether the players of a match were told that it is over although its log has no end."""
        return self._beside(match, STOPPED).exists()

    def discard(self, match: str) -> None:
        """Remove the files of a match that never began."""
        self.drop_seed(match)
        self.memo(match).drop()
        self.discard_log(match)

    def discard_log(self, match: str) -> None:
        """Remove the log of a match that never began."""
        self.log_path(match).unlink(missing_ok=True)


def _is_complete(path: Path) -> bool:
    """By its last two lines; a log that cannot be read is left to whoever wants to read it."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - _TAIL))
            lines = file.read().split(b"\n")
    except OSError:
        return False
    return len(lines) > 3 and not lines[-1] and lines[-2].startswith(SEAL) and lines[-3].startswith(REVEAL)
