"""Where logs and unrevealed seeds lie: one folder, ``MATCH.toep`` and, until the reveal, ``MATCH.toep.seed``."""

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from referee.deal import SEED_SIZE
from referee.log.writer import LogWriteError, Sink
from referee.service.syncer import Syncer

SAFE_ID: Final = re.compile(r"\A[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z")
"""Match ids that this referee hosts: they name files."""

DEAL_SET: Final = re.compile(r"\A[!-~]{1,128}\Z")
"""Names of deal sets, as the log's schema has them."""


class Store:
    """The folder of one referee's logs."""

    def __init__(self, folder: Path, file: Path | None = None) -> None:
        """``file``: the path of the only log, for a referee that hosts one match. Creates the folder."""
        self.folder: Final = folder
        self._file = file
        self._syncer = Syncer()
        folder.mkdir(parents=True, exist_ok=True)

    def close(self) -> None:
        """End the thread that waits for the disk. Logs that are still open sync themselves when they are closed."""
        self._syncer.close()

    def log_path(self, match: str) -> Path:
        """Where the log of a match is."""
        return self._file or self.folder / f"{match}.toep"

    def seed_path(self, match: str) -> Path:
        """Where the seed of a match is until it is revealed."""
        path = self.log_path(match)
        return path.with_name(path.name + ".seed")

    def create(self, match: str) -> Sink:
        """A new, empty log. Raises `LogWriteError` when one exists already."""
        return self._syncer.create(self.log_path(match))

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

    def discard(self, match: str) -> None:
        """Remove the files of a match that never began."""
        self.drop_seed(match)
        self.discard_log(match)

    def discard_log(self, match: str) -> None:
        """Remove the log of a match that never began."""
        self.log_path(match).unlink(missing_ok=True)
