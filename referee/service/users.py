"""Users for bots: numbers that nobody else has, one for each bot that runs, out of a range that systems leave free."""

import contextlib
import os
import pwd
import stat
from pathlib import Path
from typing import Final

from referee.service import keeper

FIRST: Final = 60706
LAST: Final = 61183
"""The range that systemd's list of users (UIDS-GIDS) calls unused; distributions give out none of it either."""

LOCKS: Final = Path(keeper.LOCKS)
"""Where other referees see which numbers are taken."""


class NoUserError(OSError):
    """No user is free, or none can be had."""


class User:
    """A user that is this process's own until it is given back, or until this process ends."""

    def __init__(self, number: int, lock: int) -> None:
        self.number: Final = number
        self._lock = lock

    @classmethod
    def take(cls, locks: Path = LOCKS) -> "User":
        """A number that no account, no process and no other referee has. Raises `NoUserError`."""
        try:
            locks.mkdir(mode=0o700, exist_ok=True)
            owned = not locks.is_symlink() and locks.stat().st_uid == os.geteuid()
        except OSError as error:
            raise NoUserError(f"cannot keep track of users in {locks}: {error.strerror}") from None
        if not owned:
            raise NoUserError(f"cannot keep track of users in {locks}: it belongs to somebody else")
        for number in range(FIRST, LAST + 1):
            with contextlib.suppress(KeyError):
                pwd.getpwuid(number)
                continue
            lock = keeper.lock_user(number, str(locks))
            if lock < 0:
                continue
            # Of a referee that was killed, there may still be processes.
            if keeper.doomed(b"", set(), {number}):
                os.close(lock)
                continue
            return cls(number, lock)
        raise NoUserError(f"all users from {FIRST} to {LAST} are taken: end a match, or what has been left by one")

    def give_back(self) -> None:
        """Somebody else may have it; nothing of it may run any more."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def closed_to_others(path: str) -> str:
    """The first folder or file on the way to a path that a user without any rights of its own may not use; or nothing.

    Folders must be passable, the last one readable; symbolic links are followed to their end.
    """
    for way in (os.path.abspath(path), os.path.realpath(path)):
        parts = Path(way)
        for folder in reversed(parts.parents):
            if not _others_have(str(folder), stat.S_IXOTH):
                return str(folder)
        if not _others_have(way, stat.S_IROTH | (stat.S_IXOTH if os.path.isdir(way) else 0)):
            return way
    return ""


def _others_have(path: str, wanted: int) -> bool:
    try:
        return os.stat(path).st_mode & wanted == wanted
    except OSError:
        return True  # Whoever starts it will say so.
