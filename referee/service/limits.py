"""What a bot may use of the machine."""

import contextlib
import resource
from dataclasses import dataclass
from typing import Final

MIB: Final = 1024 * 1024


@dataclass(frozen=True)
class Limits:
    """Limits of one bot; 0 is no limit. None of its processes ever leaves a core dump.

    ``memory_mb``: MiB of memory that a process of it may write to (``RLIMIT_DATA``). Address space is not limited:
    Node and Go reserve far more of it than they use. ``processes``: processes and threads at once (``RLIMIT_NPROC``),
    which the system counts by user: it takes `uid` or `sandbox`. ``files``: open files and sockets of a process.
    ``output_kb``: KiB of its standard error that are passed on; the rest is read and dropped.
    """

    memory_mb: int = 0
    processes: int = 0
    files: int = 0
    output_kb: int = 0

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value < 0:
                raise ValueError(f"{name}: {value} is less than 0; 0 is no limit")


def limit(pid: int, limits: Limits) -> None:
    """Limit a process of this process's own user, and what it will start, but not how many; on Linux only."""
    if not hasattr(resource, "prlimit"):
        return
    # It may have been killed before it began.
    with contextlib.suppress(ProcessLookupError):
        for kind, value in _values(limits).values():
            resource.prlimit(pid, kind, (value, value))


def limiting(prlimit: str, limits: Limits, *, only_processes: bool = False) -> list[str]:
    """The words before a command line that limit it, for a user to whom this process may do nothing.

    ``prlimit``: where that program is.
    """
    words = [] if only_processes else [f"--{name}={value}:{value}" for name, (_, value) in _values(limits).items()]
    if limits.processes:
        value = _at_most(resource.RLIMIT_NPROC, limits.processes)
        words.append(f"--nproc={value}:{value}")
    return [prlimit, *words] if words else []


def _values(limits: Limits) -> dict[str, tuple[int, int]]:
    """By the name that ``prlimit`` has for it: the kind of limit, and its value."""
    found = {"core": (resource.RLIMIT_CORE, 0)}
    if limits.memory_mb:
        found["data"] = resource.RLIMIT_DATA, _at_most(resource.RLIMIT_DATA, limits.memory_mb * MIB)
    if limits.files:
        found["nofile"] = resource.RLIMIT_NOFILE, _at_most(resource.RLIMIT_NOFILE, limits.files)
    return found


def _at_most(kind: int, value: int) -> int:
    """Limits can be lowered only."""
    hard = resource.getrlimit(kind)[1]
    return value if hard == resource.RLIM_INFINITY else min(value, hard)
