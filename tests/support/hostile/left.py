"""What bots have left behind."""

import contextlib
from pathlib import Path
from typing import Final

from tests.support.wire import eventually

MARK: Final = "TOEP_HOSTILE_RUN"
"""A variable that is in the environment of everything that is started, so that what is left can be found."""


def marked(mark: str) -> list[str]:
    """The processes that carry a mark in their environment, but for zombies, which have none."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if f"{MARK}={mark}\0".encode() in (process / "environ").read_bytes():
                found.append(f"{process.name}: {(process / 'cmdline').read_bytes().decode().replace(chr(0), ' ')}")
    return found


async def none_left(mark: str) -> list[str]:
    """Processes with a mark that do not end."""
    try:
        await eventually(lambda: not marked(mark))
    except TimeoutError:
        return marked(mark)
    return []
