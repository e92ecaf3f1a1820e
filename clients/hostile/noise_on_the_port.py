"""Plays properly, while a hundred more connections to the referee bring noise, or nothing at all."""

import os
import socket

from wire import World, meek, play, run

NOISES = (b"", b"GET / HTTP/1.1\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\xff" * 1000, b"\x16\x03\x01" * 100)


def main(world: World) -> None:
    host, _, port = world.address.rpartition(":")
    others = []
    for number in range(100):
        other = socket.create_connection((host, int(port)))
        others.append(other)
        other.sendall(NOISES[number] if number < len(NOISES) else os.urandom(number))
    play(world, lambda ask: [meek(ask)])
    for other in others:
        other.close()


if __name__ == "__main__":
    run(main)
