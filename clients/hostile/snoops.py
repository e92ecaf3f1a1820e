"""Reads whatever the user that it runs under may read, and says what that is; it shows no secret."""

import os
from pathlib import Path

from wire import Line, World, meek, run


def main(world: World) -> None:
    line = Line(world)
    for number, ask in enumerate(line.next_asks()):
        if number == 3:
            look(world)
        line.send(meek(ask))
    line.leave()


def look(world: World) -> None:
    """In the middle of the match."""
    referee = Path("/proc") / str(os.getppid())
    found = set()
    for link in entries(referee / "fd"):
        log = Path(target(link))
        if log.suffix == ".toep" and b'"_":"cards"' in content(log):
            found.add("the log of the running match, with the cards of all")
        if len(content(log.with_name(log.name + ".seed")).split()) == 1:
            found.add("the seed")
    if content(referee / "environ"):
        found.add("the environment of the referee")
    for process in entries(Path("/proc")):
        # The referee's other children: there may be matches of others on this machine.
        if content(process / "stat").rpartition(b")")[2].split()[1:2] != [referee.name.encode()]:
            continue
        environment = content(process / "environ")
        if b"TOEP_TOKEN=" in environment and f"TOEP_BOT={world.bot}\0".encode() not in environment:
            found.add("the token of another bot")
    for what in sorted(found):
        world.say(f"can read {what}")
    if not found:
        world.say("can read nothing that it should not")


def entries(folder: Path) -> list[Path]:
    """What is in a folder; nothing if it is closed."""
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def target(link: Path) -> str:
    """Where a link leads; nowhere if that is not to be seen."""
    try:
        return str(link.readlink())
    except OSError:
        return ""


def content(file: Path) -> bytes:
    """What a file holds; nothing if it is closed."""
    try:
        return file.read_bytes() if file.is_file() else b""
    except OSError:
        return b""


if __name__ == "__main__":
    run(main)
