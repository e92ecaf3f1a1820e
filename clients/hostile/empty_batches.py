"""Sends thousands of messages without anything in them, as fast as they leave, while it plays."""

import threading

from wire import Line, World, meek, play, run

AT_ONCE = 20
"""Messages that wait for the network to take them."""

MESSAGES = 5000


def main(world: World) -> None:
    line = Line(world)

    def flood() -> None:
        sent = 0
        while sent < MESSAGES and not (line.over or line.ended):
            if line.waiting() < AT_ONCE:
                line.send_bytes(b"")
                sent += 1
            else:
                world.wait(1)

    flooding = threading.Thread(target=flood, daemon=True)
    flooding.start()
    play(world, lambda ask: [meek(ask)], line)
    flooding.join()


if __name__ == "__main__":
    run(main)
