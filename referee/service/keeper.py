"""The keeper: a small process that outlives its owner for as long as it takes to end what the owner has left.

Run as a script by `referee.service.owner`, without site packages, so that it is cheap. It reads lines from standard
input, a pipe whose other end only the owner has, and when that end is gone, so is the owner:

    mark TEXT      what stands in the environment of every bot of this owner: TEXT and more
    + GROUP USER   a bot was started, in a process group of its own; USER 0: under the owner's own user
    - GROUP        it has ended, with all that it started
    folder PATH    a folder that is to be removed when the owner is gone
    removed PATH   it was removed

`doomed` is used by the owner, too.
"""

import contextlib
import fcntl
import os
import select
import signal
import sys
import time

PAUSE_SECONDS = 0.5
"""How often the keeper looks whether its parent is still the owner, in case somebody else holds the pipe open."""

SWEEP_SECONDS = 10.0
"""How long the keeper tries to end what is left."""

LOCKS = "/run/toep-users"
"""Where each user of a bot has a file, locked by whoever has that user."""

LOCK_SECONDS = 0.5
"""How long the keeper waits for the lock of a user: the owner's is gone when all of it is."""

LEAST_USER = 1000
"""Users below this one are the system's, and are never ended."""


def doomed(mark: bytes, groups: set[int], users: set[int]) -> dict[int, bytes]:
    """The living processes that belong to bots: process ids, each with when it began (field 22 of its ``stat``).

    Those with an entry in their environment that begins with ``mark`` (empty: nobody), of these process groups, or of
    these users; and what descends from any of them. Nothing where there is no ``/proc``.
    """
    own = os.getpid()
    found: dict[int, bytes] = {}
    others: dict[int, tuple[int, bytes]] = {}
    try:
        names = os.listdir("/proc")
    except OSError:
        return found
    for name in names:
        if not name.isdecimal() or int(name) == own:
            continue
        # One that has ended in the meantime cannot be read.
        with contextlib.suppress(OSError, IndexError):
            fields = _read(f"/proc/{name}/stat").rpartition(b")")[2].split()
            if fields[0] in (b"Z", b"X"):
                continue
            belongs = int(fields[2]) in groups or _user(name, users) or _marked(name, mark)
            if belongs:
                found[int(name)] = fields[19]
            else:
                others[int(name)] = int(fields[1]), fields[19]
    more = bool(found)
    while more:
        more = False
        for pid, (parent, begun) in list(others.items()):
            if parent in found:
                found[pid] = begun
                del others[pid]
                more = True
    return found


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _marked(name: str, mark: bytes) -> bool:
    if not mark:
        return False
    try:
        entries = _read(f"/proc/{name}/environ").split(b"\0")
    except OSError:  # Somebody else's.
        return False
    return any(entry.startswith(mark) for entry in entries)


def _user(name: str, users: set[int]) -> bool:
    """Whether its real or its effective user is one of these."""
    if not users:
        return False
    for line in _read(f"/proc/{name}/status").split(b"\n"):
        if line.startswith(b"Uid:"):
            return not users.isdisjoint(map(int, line.split()[1:3]))
    return False


def when_begun(pid: int) -> bytes:
    """When a living process began, as `doomed` has it; empty if there is none."""
    try:
        fields = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    except OSError:
        return b""
    return b"" if fields[0] in (b"Z", b"X") else fields[19]


def kill(pid: int) -> None:
    """End a process that may be gone, or somebody else's."""
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGKILL)


def end_user(user: int) -> None:
    """End all processes of a user at one stroke, which no process that forks can run away from. Needs root.

    Only for a process without threads: it forks.
    """
    if user < LEAST_USER or os.geteuid() != 0:
        return
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setgid(user)
            os.setuid(user)
            os.kill(-1, signal.SIGKILL)
        finally:
            os._exit(0)
    os.waitpid(child, 0)


def lock_user(user: int, locks: str = LOCKS) -> int:
    """The file of a user, locked, or -1 if somebody has that user. Raises `OSError` when there can be no such file."""
    lock = os.open(os.path.join(locks, str(user)), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        return -1
    return lock


def sweep(mark: bytes, bots: dict[int, int]) -> None:
    """End everything that belongs to these bots (users by process group), until nothing is left.

    A user is locked first: one whom somebody else has locked has nothing of ours, or he would not have been given.
    """
    wanted = {user for user in bots.values() if user}
    users: set[int] = set()
    begun = time.monotonic()
    while (now := time.monotonic()) < begun + SWEEP_SECONDS:
        for user in wanted - users:
            with contextlib.suppress(OSError):
                if lock_user(user) >= 0:
                    users.add(user)
        # First found, then ended: a process that lost all else is known by its parent.
        left = doomed(mark, set(bots), users)
        if not left and (users == wanted or now > begun + LOCK_SECONDS):
            break
        for user in users:
            end_user(user)
        for pid in left:
            kill(pid)
        time.sleep(0.01)
    if not os.path.isdir("/proc/self"):
        for group in bots:
            with contextlib.suppress(OSError):
                os.killpg(group, signal.SIGKILL)


def main() -> None:
    """Until the owner is gone."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    os.closerange(3, 1024)  # Whatever the owner was given by its parent: it is to be closed when the owner is gone.
    owner = os.getppid()
    mark, rest = b"", b""
    bots: dict[int, int] = {}
    folders: set[bytes] = set()
    while True:
        if not select.select([0], [], [], PAUSE_SECONDS)[0]:
            if os.getppid() != owner:
                break
            continue
        data = os.read(0, 65536)
        if not data:
            break
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            word, *words = line.split(b" ", 1) if line.startswith((b"folder ", b"removed ")) else line.split()
            if word == b"folder":
                folders.add(words[0])
            elif word == b"removed":
                folders.discard(words[0])
            elif word == b"mark":
                mark = words[0]
            elif word == b"+":
                bots[int(words[0])] = int(words[1])
            elif word == b"-":
                bots.pop(int(words[0]), None)
    sweep(mark, bots)
    if folders:
        import shutil  # noqa: PLC0415 - seldom needed

        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
    sys.exit(0)
