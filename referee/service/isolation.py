"""How bots on this machine are kept from the referee and from each other: not at all, by users, or in sandboxes."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, get_args

from referee.service import sandbox
from referee.service.limits import Limits, limiting
from referee.service.owner import OWNER
from referee.service.seccomp import no_keys
from referee.service.users import NoUserError, User, closed_to_others

Mode = Literal["none", "uid", "sandbox"]
"""As in the head of a log."""

Wanted = Literal["auto", "none", "uid", "sandbox"]
WANTED: Final[tuple[Wanted, ...]] = get_args(Wanted)

PROBE_SECONDS: Final = 10.0
PROBE: Final = ("/bin/sh", "-c", "exit 42")
SOCKET: Final = "referee.sock"

PASSED_ON: Final = (
    "PATH", "LANG", "LANGUAGE", "TZ", "TERM", "PYTHONPATH", "NODE_PATH", "NODE_OPTIONS", "GRPC_VERBOSITY",
    "GRPC_ENABLE_FORK_SUPPORT", "GOMAXPROCS", "GOMEMLIMIT",
)  # fmt: skip
"""Variables of the referee that an isolated bot gets too, with all that begin with ``LC_``; others may be secrets."""

SHELTERS: Final = (
    "sandbox (install bubblewrap, and allow user namespaces), uid (run as root), or none (bots that you trust)"
)


class IsolationError(OSError):
    """What was asked for cannot be had here; the message says why, and the way out."""


def choose(wanted: Wanted) -> Mode:
    """The mode that is meant: for ``auto`` the strongest that works here. Raises `IsolationError`."""
    if wanted == "auto":
        works: list[Mode] = [mode for mode in ("sandbox", "uid") if not why_not(mode)]
        return works[0] if works else "none"
    if reason := why_not(wanted):
        raise IsolationError(f"isolation {wanted} is not to be had: {reason}; there is {SHELTERS}")
    return wanted


def why_not(mode: Mode) -> str:
    """Why a mode does not work here, found out by trying it once; empty if it does."""
    if mode == "none":
        return ""
    return _why_no_users() if mode == "uid" else _why_no_sandbox(shutil.which("bwrap"))


def obstacle(mode: Mode, program: str, folder: str | None, limits: Limits) -> str:
    """Why no bot with this program, working folder and limits can be started in a mode, and the way out; empty: it
    can, as far as that can be seen beforehand."""
    if mode == "none" and limits.processes:
        return "how many processes it may have can be limited only with isolation uid or sandbox"
    for needed in (program, folder or ".") if mode == "uid" else ():
        if closed := closed_to_others(needed):
            return (
                f"{needed} cannot be used by another user: {closed} is closed to others: "
                f"open it (chmod o+rx {closed}), put the bot elsewhere, or use isolation sandbox or none"
            )
    return ""


@cache
def _why_no_users() -> str:
    if os.geteuid() != 0:
        return "only root can start bots under other users"
    missing = [name for name in ("setpriv", "prlimit") if not sandbox.tool(name)]
    if missing:
        return f"{missing[0]} is not installed (the package is called util-linux)"
    try:
        user = User.take()
    except NoUserError as error:
        return str(error)
    try:
        done = subprocess.run(
            [*sandbox.becoming(user.number), *PROBE],
            cwd="/",
            env={},
            capture_output=True,
            timeout=PROBE_SECONDS,
            check=False,
        )
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return f"nothing can be started under another user ({error})"
    finally:
        user.give_back()
    return "" if done.returncode == 42 else f"nothing can be started under another user (exit code {done.returncode})"


@cache
def _why_no_sandbox(bwrap: str | None) -> str:
    if sys.platform != "linux":
        return "bubblewrap is for Linux only"
    if bwrap is None:
        return "bwrap is not installed (the package is called bubblewrap)"
    if os.geteuid() == 0 and (reason := _why_no_users()):
        return reason
    missing = [name for name in ("setpriv", "prlimit") if not sandbox.tool(name)]
    if missing:
        return f"{missing[0]} is not installed (the package is called util-linux)"
    user = None
    try:
        user = User.take() if os.geteuid() == 0 else None
        number = user.number if user else 0
        inmate = sandbox.Inmate(argv=PROBE, folder="/", user=number, limits=Limits(processes=64))
        with tempfile.NamedTemporaryFile() as file:
            file.write(no_keys())
            file.flush()
            words = sandbox.sandboxed(
                inmate,
                bwrap,
                socket=None,
                hidden=sandbox.Hidden(),
                sizes=_sizes(bwrap),
                calls=Path(file.name) if no_keys() else None,
            )
            done = subprocess.run(
                words, capture_output=True, timeout=PROBE_SECONDS, check=False, stdin=subprocess.DEVNULL
            )
    except (OSError, subprocess.SubprocessError) as error:
        return f"bwrap does not start ({error})"
    finally:
        if user is not None:
            user.give_back()
    if done.returncode == 42:
        return ""
    said = done.stderr.decode(errors="replace").strip().splitlines() or [f"exit code {done.returncode}"]
    return f"bwrap does not work ({said[-1][:200]})"


@cache
def _sizes(bwrap: str) -> bool:
    """Whether this bwrap can limit the size of a folder in memory."""
    try:
        done = subprocess.run([bwrap, "--help"], capture_output=True, timeout=PROBE_SECONDS, check=False)
    except (OSError, subprocess.SubprocessError):
        return False
    return b"--size" in done.stdout + done.stderr


@dataclass
class Start:
    """How one bot is started, and what is to be given back when nothing of it runs any more."""

    argv: list[str]
    folder: str | None
    environment: dict[str, str]
    user: User | None = None
    """The bot's own user."""

    limited: bool = False
    """Whether the command line itself sets the bot's limits, and its user."""

    home: str = ""

    def give_back(self) -> None:
        """Nothing of the bot runs any more."""
        if self.home:
            shutil.rmtree(self.home, ignore_errors=True)
            OWNER.remove_folder(self.home)
            self.home = ""
        if self.user is not None:
            self.user.give_back()


@dataclass
class Quarters:
    """Where the bots of one referee live. ``with Quarters(mode, logs=folder) as quarters``; without a folder of logs
    only, if there are none.

    The referee is to listen on `listen`, to call `open` when it does, and to tell bots `address`.
    """

    mode: Mode = "none"
    logs: Path | None = None
    """The folder of logs, which bots in a sandbox do not see, also if it is their own working folder."""

    secrets: tuple[Path, ...] = ()
    """Files that bots must not read."""

    closed: tuple[Path, ...] = ()
    """Folders that bots in a sandbox do not see into."""

    _private: str = field(default="", init=False)
    _calls: Path | None = field(default=None, init=False)

    def __enter__(self) -> "Quarters":
        if self.mode == "uid":
            for path in self.secrets:
                if path.exists() and not closed_to_others(str(path)):
                    raise IsolationError(f"{path}: bots could read it: chmod 600 {path}")
        if self.mode == "sandbox":
            # A socket's path has 107 bytes at most.
            parent = tempfile.gettempdir()
            self._private = tempfile.mkdtemp(prefix="toep-", dir=parent if len(parent) < 64 else "/tmp")  # noqa: S108
            OWNER.add_folder(self._private)
            if program := no_keys():
                self._calls = Path(self._private) / "calls"
                self._calls.write_bytes(program)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._private:
            shutil.rmtree(self._private, ignore_errors=True)
            OWNER.remove_folder(self._private)
            self._private, self._calls = "", None

    @property
    def listen(self) -> str:
        """An address to listen on for these bots."""
        return f"unix:{self._private}/{SOCKET}" if self._private else "127.0.0.1:0"

    def address(self, listening: str) -> str:
        """What these bots are to be told, if the referee listens there."""
        return sandbox.ADDRESS if self.mode == "sandbox" else listening

    def open(self) -> None:
        """Let bots in: the socket lies in a folder that nobody can enter, and is given to each sandbox."""
        if self._private:
            os.chmod(Path(self._private) / SOCKET, 0o666)  # noqa: S103

    def prepare(
        self,
        argv: tuple[str, ...],
        program: str,
        folder: str | None,
        environment: Mapping[str, str],
        *,
        path: str,
        reads: tuple[Path, ...] = (),
        limits: Limits = Limits(),  # noqa: B008 - it is frozen
    ) -> Start:
        """How to start a command line whose program was found at ``program``.

        ``environment`` is added to what the bot gets of this process's; ``path`` is where it finds programs; of
        ``limits``, those are seen to that cannot be set from outside. Raises `IsolationError`, `NoUserError`,
        `SandboxError`.
        """
        words = [program, *argv[1:]]
        if reason := obstacle(self.mode, program, folder, limits):
            raise IsolationError(reason)
        if self.mode == "none":
            return Start(words, folder, {**os.environ, "PATH": path, **environment})
        passed = {name: value for name, value in os.environ.items() if name in PASSED_ON or name.startswith("LC_")}
        passed |= {"PATH": path, "HOME": sandbox.HOME, **environment}
        if self.mode == "uid":
            return self._as_user(words, folder, passed, limits)
        user = User.take() if os.geteuid() == 0 else None
        start = Start([], None, passed, user)
        try:
            bwrap = shutil.which("bwrap")
            if bwrap is None:
                raise IsolationError("bwrap is not there any more")
            inmate = sandbox.Inmate(
                argv=words,
                folder=os.path.abspath(folder or "."),
                reads=[str(file) for file in reads],
                user=user.number if user else 0,
                limits=limits,
            )
            socket = Path(self._private) / SOCKET
            hidden = sandbox.Hidden(self.logs, self.secrets, self.closed)
            start.argv = sandbox.sandboxed(
                inmate,
                bwrap,
                socket=socket if self._private and socket.exists() else None,
                hidden=hidden,
                sizes=_sizes(bwrap),
                calls=self._calls,
            )
        except BaseException:
            start.give_back()
            raise
        return start

    def _as_user(self, words: list[str], folder: str | None, environment: dict[str, str], limits: Limits) -> Start:
        user = User.take()
        before = [*sandbox.becoming(user.number), *limiting(sandbox.tool("prlimit"), limits)]
        start = Start([*before, *words], folder, environment, user, limited=True)
        try:
            # Others can pass the folder of users, but see nothing in it.
            start.home = tempfile.mkdtemp(prefix=f"toep-{user.number}-")
            OWNER.add_folder(start.home)
            os.chown(start.home, user.number, user.number)
        except BaseException as error:
            start.give_back()
            if isinstance(error, OSError):
                raise IsolationError(f"cannot make a home for a bot: {error.strerror or error}") from None
            raise
        environment |= {"HOME": start.home, "TMPDIR": start.home}
        return start


def forget_probes() -> None:
    """Find out again what works here."""
    for probe in (_why_no_users, _why_no_sandbox, _sizes):
        probe.cache_clear()
