"""Kills the process of another bot of its match, which it may if both run under one user."""

import os
import signal
from pathlib import Path

from wire import Line, World, meek, run


def main(world: World) -> None:
    line = Line(world)
    for number, ask in enumerate(line.next_asks()):
        if number == 5:
            kill(world)
        line.send(meek(ask))
    if not line.ended:
        line.leave()


def kill(world: World) -> None:
    """The first child of its own parent that is another bot."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            parent = (process / "stat").read_text().rpartition(")")[2].split()[1]
            environment = (process / "environ").read_bytes().split(b"\0")
            names = [entry for entry in environment if entry.startswith(b"TOEP_BOT=")]
            if parent == str(os.getppid()) and names and names[0] != f"TOEP_BOT={world.bot}".encode():
                os.kill(int(process.name), signal.SIGKILL)
                world.say("killed another bot")
                return
        except OSError:
            continue
    world.say("found no bot that it could kill")


if __name__ == "__main__":
    run(main)
