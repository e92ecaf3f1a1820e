"""Plays properly, ignores SIGTERM, and does not end after the match."""

import signal

from wire import Line, World, meek, run


def main(world: World) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    line = Line(world)
    for ask in line.next_asks():
        line.send(meek(ask))
    world.hang()


if __name__ == "__main__":
    run(main)
