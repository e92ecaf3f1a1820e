"""The owner of bot processes: the mark that they carry, and the keeper that ends them should this process be killed."""

import contextlib
import os
import secrets
import sys
import threading
from typing import Final

from referee.service import keeper

MARK: Final = "TOEP_PROCESS"
"""A variable that is different for each bot. What the bot starts inherits it, also in a session of its own."""


class Owner:
    """This process, as the owner of bots. The keeper is started with the first of them."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._of = 0
        """The process that the rest is about: a fork of it has bots, a mark and a keeper of its own."""
        self._mark = ""
        self._keeper = 0
        self._pipe = -1
        self._bots: dict[int, int] = {}
        self._folders: set[str] = set()

    def new_mark(self) -> str:
        """What a new bot is to have in `MARK`."""
        with self._lock:
            self._begin()
            return f"{self._mark}-{secrets.token_hex(8)}"

    def add(self, group: int, user: int) -> None:
        """A bot was started, as a process group of its own; ``user``: 0 if it runs under the user of this process."""
        with self._lock:
            self._begin()
            self._bots[group] = user
            self._tell(f"+ {group} {user}")

    def remove(self, group: int) -> None:
        """A bot has ended, with all that it started."""
        with self._lock:
            if self._of == os.getpid() and self._bots.pop(group, None) is not None:
                self._tell(f"- {group}")

    def add_folder(self, path: str) -> None:
        """A folder that is to be removed even if this process is killed; its path has no line breaks."""
        with self._lock:
            self._begin()
            self._folders.add(path)
            self._tell(f"folder {path}")

    def remove_folder(self, path: str) -> None:
        """It was removed."""
        with self._lock:
            if self._of == os.getpid() and path in self._folders:
                self._folders.remove(path)
                self._tell(f"removed {path}")

    @property
    def keeper(self) -> int:
        """The keeper's process id; 0 when there is none."""
        return self._keeper

    def _begin(self) -> None:
        if self._of != os.getpid():
            self._of, self._mark, self._bots, self._keeper = os.getpid(), secrets.token_hex(8), {}, 0
            self._folders = set()
            if self._pipe >= 0:
                os.close(self._pipe)
                self._pipe = -1

    def _tell(self, line: str) -> None:
        """To the keeper; one that was killed is replaced, and told everything again."""
        if self._pipe >= 0:
            with contextlib.suppress(BrokenPipeError, BlockingIOError):
                os.write(self._pipe, f"{line}\n".encode())
                return
            os.close(self._pipe)
            # It may have been stopped, too.
            keeper.kill(self._keeper)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(self._keeper, 0)
        self._start()
        lines = [f"mark {MARK}={self._mark}-", *(f"+ {group} {user}" for group, user in self._bots.items())]
        lines += [*(f"folder {path}" for path in self._folders), line]
        with contextlib.suppress(BrokenPipeError):
            os.write(self._pipe, "".join(f"{text}\n" for text in lines).encode())

    def _start(self) -> None:
        # Both ends are closed in whatever is started, the bots above all.
        end, self._pipe = os.pipe()
        os.set_blocking(self._pipe, False)
        try:
            self._keeper = os.posix_spawn(
                sys.executable,
                [sys.executable, "-I", "-S", keeper.__file__],
                {},
                file_actions=[
                    (os.POSIX_SPAWN_DUP2, end, 0),
                    (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                    (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
                ],
                setsid=True,
            )
        finally:
            os.close(end)


OWNER: Final = Owner()
"""This process."""
