"""The command line that starts a bot in a sandbox of bubblewrap (``bwrap``).

In it there is no network, no process but the bot's, and no file but: the system's programs and libraries; the program
that was named, with its libraries; the bot's working folder; the folders of the files that its command line names; all
of them read-only. The folder for temporary files is empty and its own, and so is its home. The one way out is the
referee's socket. What a user's keys could keep from one bot for the next is closed to it as well.
"""

import importlib.util
import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

from referee.service.limits import Limits, limiting
from referee.service.store import LOCK

ADDRESS: Final = "unix:/run/toep/referee.sock"
"""Where a bot in a sandbox finds its referee."""

HOME: Final = "/tmp"  # noqa: S108 - of the sandbox: empty at first, and nobody else's
SYSTEM: Final = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
SETTINGS: Final = (
    "alternatives", "ca-certificates", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "nsswitch.conf", "pki",
    "os-release", "ssl", "timezone",
)  # fmt: skip
"""What programs need of ``/etc``."""

STORES: Final = ("/nix/store", "/gnu/store")
"""Where some systems have what others have in ``/usr``."""

TMP_BYTES: Final = 64 * 1024 * 1024
"""Bytes of the folder for temporary files, which is memory."""

BWRAP_WORDS: Final = 8000
"""bwrap takes 9,000 words at most."""

PROJECT: Final = ("package.json", "pyproject.toml")
"""What the folder of a project has: a script that is named is shown with all of it."""

PROJECT_DEPTH: Final = 3
"""How far above a script its project may be."""


class SandboxError(OSError):
    """A bot cannot be put into a sandbox as it stands."""


@dataclass(frozen=True)
class Hidden:
    """What no bot may see even if it lies in a folder that is shown: logs with what belongs to them, ``files``, and all
    that is or comes into ``folders``."""

    logs: Path | None = None
    files: tuple[Path, ...] = ()
    folders: tuple[Path, ...] = ()

    def covers(self, path: str) -> bool:
        """Whether a path, with all links followed, is hidden."""
        name = os.path.basename(path)
        beside = self.logs is not None and os.path.dirname(path) == os.path.realpath(self.logs)
        is_log = name.endswith(".toep") or ".toep." in name or name == LOCK
        listed = path in {os.path.realpath(file) for file in self.files}
        return (beside and is_log) or listed or _inside(path, {os.path.realpath(folder) for folder in self.folders})


@dataclass(frozen=True, kw_only=True)
class Inmate:
    """What is to run in a sandbox."""

    argv: Sequence[str]
    """Its first word is the path of a program."""

    folder: str
    reads: Sequence[str] = ()
    """More files and folders that it may read."""

    user: int = 0
    """The user that it is to run under, as root can have it; 0: the user of this process."""

    limits: Limits = field(default_factory=Limits)
    """Of these, how many processes and threads it may have; the others are set from outside."""


FILTERED: Final = ("/bin/sh", "-c", 'exec "$@" 9<"$0"')
"""Comes before a file and a command line that has this file open under the number 9."""


def sandboxed(
    inmate: Inmate,
    bwrap: str,
    *,
    socket: Path | None,
    hidden: Hidden,
    sizes: bool = True,
    calls: Path | None = None,
) -> list[str]:
    """The command line. Raises `SandboxError`.

    ``socket``: the referee's, which is at `ADDRESS` in the sandbox; ``sizes``: this bwrap can limit what is kept in
    memory (0.7 and newer); ``calls``: a file with a filter of system calls (`referee.service.seccomp`).
    """
    words = [bwrap, "--die-with-parent", "--new-session"]
    if inmate.user:
        # No user namespace: in one of root's, root's files would be the bot's own.
        words += ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
        words += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        words += ["--unshare-all"]
    words += ["--ro-bind", "/usr", "/usr"]
    for name in SYSTEM:
        if os.path.islink(name):
            words += ["--symlink", os.readlink(name), name]
        elif os.path.isdir(name):
            words += ["--ro-bind", name, name]
    words += ["--dir", "/etc"]
    for name in SETTINGS:
        words += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    words += ["--proc", "/proc", "--dev", "/dev"]
    size = ["--size", str(TMP_BYTES)] if sizes else []
    for name in (HOME, "/dev/shm"):  # noqa: S108
        words += ["--perms", "1777", *size, "--tmpfs", name]
    words += _shown(_roots(inmate), hidden)
    if socket is not None:
        path = ADDRESS.removeprefix("unix:")
        words += [*_parents(path, set()), "--ro-bind", str(socket), path]
    words += ["--chdir", inmate.folder]
    if len(words) > BWRAP_WORDS:
        raise SandboxError(
            f"{hidden.logs}: too many files beside the logs to show them: keep logs in a folder of their own"
        )
    if inmate.user:
        words += [*becoming(inmate.user), "--inh-caps=-all"]
    if calls is not None:
        words = [*FILTERED, str(calls), bwrap, "--seccomp", "9", *words[1:]]
    return [*words, *limiting(tool("prlimit"), inmate.limits, only_processes=True), *inmate.argv]


def becoming(user: int) -> list[str]:
    """The words before a command line that is to run under another user, with no program giving it more rights.

    A process with threads of grpc must not do this by itself: to change the user between fork and exec, Python calls
    a fork whose handlers start such threads anew in the child, and there they abort.
    """
    return [tool("setpriv"), f"--reuid={user}", f"--regid={user}", "--clear-groups", "--no-new-privs"]


def tool(name: str) -> str:
    """Where a program of the system is, for use in a sandbox; empty if it is not there."""
    return shutil.which(name, path="/usr/bin:/bin:/usr/sbin:/sbin") or ""


def _roots(inmate: Inmate) -> list[str]:
    """Everything that is to be shown, besides the system."""
    found = [inmate.folder, *inmate.reads, *(store for store in STORES if os.path.isdir(store))]
    found += _program(sys.executable) + _program(inmate.argv[0])
    found += [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if os.path.isabs(path)]
    found += _packages()
    for word in inmate.argv[1:]:
        path = os.path.join(inmate.folder, word.partition("=")[2] if word.startswith("-") else word)
        if os.path.exists(path):
            found.append(_project(os.path.abspath(path)))
    # Links are followed inside as they are outside: what they lead to has to be there as well.
    return sorted({path for root in found for path in (os.path.abspath(root), os.path.realpath(root))} - {"/"})


@cache
def _packages() -> list[str]:
    """The packages of sample bots, which need not be where the interpreter is."""
    specs = [importlib.util.find_spec(package) for package in ("referee", "toep_client")]
    return [folder for spec in specs if spec for folder in spec.submodule_search_locations or ()]


def _program(path: str) -> list[str]:
    """A program and what it needs, as the folder above its own has it: ``bin``, ``lib`` and so on."""
    found = [os.path.abspath(path)]
    for _ in range(8):
        if not os.path.islink(found[-1]):
            break
        found.append(os.path.normpath(os.path.join(os.path.dirname(found[-1]), os.readlink(found[-1]))))
    roots = list(found)
    for program in {*found, os.path.realpath(path)}:
        above = Path(program).parents[1] if len(Path(program).parents) > 1 else Path("/")
        if Path(program).parent.name == "bin" and above != Path("/"):
            names = ("bin", "lib", "lib64", "libexec", "include", "share/terminfo", "pyvenv.cfg")
            roots += [str(above / name) for name in names if (above / name).exists()]
            roots += _base(above / "pyvenv.cfg")
    return roots


def _base(settings: Path) -> list[str]:
    """Where the interpreter of a virtual environment is."""
    try:
        lines = settings.read_text("utf-8", "replace").splitlines()
    except OSError:
        return []
    homes = [line.partition("=")[2].strip() for line in lines if line.partition("=")[0].strip() == "home"]
    return [str(Path(home).parent / name) for home in homes for name in ("bin", "lib", "lib64") if home.startswith("/")]


def _project(path: str) -> str:
    """What is shown for a file or folder of the command line: a script comes with the project that it is in."""
    if os.path.isdir(path):
        return path
    real = Path(path)
    for above in list(real.parents)[:PROJECT_DEPTH]:
        if above not in (Path("/"), Path.home()) and any((above / name).is_file() for name in PROJECT):
            return str(above)
    # A file of a folder that belongs to everybody is shown alone.
    shared = real.parent in (Path("/"), Path.home()) or os.stat(real.parent).st_mode & 0o002
    return path if shared else str(real.parent)


def _shown(roots: Sequence[str], hidden: Hidden) -> list[str]:
    """Mounts for these paths, which are sorted, without what is hidden.

    Each is mounted once, where it really is, so that what is hidden has one place. Links lead there.
    """
    logs = os.path.realpath(hidden.logs) if hidden.logs is not None else ""
    words: list[str] = []
    there = {"/usr", *SYSTEM}
    for root in (path for path in roots if path == os.path.realpath(path)):
        if not os.path.exists(root) or hidden.covers(root):
            continue
        known = there
        if logs and _inside(root, {logs}):
            # Within the folder of logs there is nothing but what was put there again.
            known = {path for path in there if _inside(path, {logs})}
        if _inside(root, known):
            continue
        words += _parents(root, known)
        if root == logs:
            words += ["--perms", "0755", "--tmpfs", root, *_entries(root, hidden)]
        else:
            words += ["--ro-bind", root, root]
            if logs and _inside(logs, {root}):
                words += ["--perms", "0755", "--tmpfs", logs]
        there.add(root)
    for link in (path for path in roots if path != os.path.realpath(path)):
        real = os.path.realpath(link)
        if not _inside(link, there) and _inside(real, there) and not hidden.covers(real):
            words += [*_parents(link, there), "--symlink", real, link]
            there.add(link)
    for file in hidden.files:
        real = os.path.realpath(file)
        if os.path.exists(real) and _inside(real, there) and not (logs and _inside(real, {logs})):
            words += ["--ro-bind", os.devnull, real]
    for real in map(os.path.realpath, hidden.folders):
        if os.path.isdir(real) and _inside(real, there) and not (logs and _inside(real, {logs})):
            words += ["--perms", "0755", "--tmpfs", real]
    return words


def _entries(folder: str, hidden: Hidden) -> list[str]:
    """The folder of logs is shown entry by entry, so that what comes into it later is not."""
    words: list[str] = []
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        real = os.path.realpath(entry.path)
        if hidden.covers(entry.path) or hidden.covers(real):
            continue
        if entry.is_symlink():
            words += ["--symlink", os.readlink(entry.path), entry.path]
        elif entry.is_dir() or entry.is_file():
            words += ["--ro-bind", entry.path, entry.path]
            # What is hidden may lie deeper.
            words += [
                word
                for file in map(os.path.realpath, hidden.files)
                if os.path.exists(file) and file != entry.path and _inside(file, {entry.path})
                for word in ("--ro-bind", os.devnull, file)
            ]
    return words


def _parents(path: str, there: Iterable[str]) -> list[str]:
    """The folders above a path, which everybody may pass."""
    above = [str(folder) for folder in reversed(Path(path).parents)][1:]
    return [word for folder in above if not _inside(folder, there) for word in ("--dir", folder)]


def _inside(path: str, roots: Iterable[str]) -> bool:
    """Whether a path is one of these, or in one of them."""
    return bool(path) and any(path == root or path.startswith(f"{root}/") for root in roots)
