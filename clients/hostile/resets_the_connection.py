"""Has the connection reset at its sixth ask: no goodbye on any level, and nothing that comes later is taken."""

import os
import socket
import struct

from wire import Line, World, meek, run


def main(world: World) -> None:
    line = Line(world)
    for number, ask in enumerate(line.next_asks()):
        if number == 5:
            break
        line.send(meek(ask))
    for name in os.listdir("/proc/self/fd"):
        number = int(name)
        try:
            with socket.socket(fileno=os.dup(number)) as copy:
                # Closing with a linger time of 0 s sends RST instead of FIN; the option belongs to all copies.
                copy.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        except OSError:
            continue
    os._exit(0)


if __name__ == "__main__":
    run(main)
