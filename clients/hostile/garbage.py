"""Sends bytes that are no message at all at its second ask."""

from wire import Line, World, meek, run


def main(world: World) -> None:
    line = Line(world)
    for number, ask in enumerate(line.next_asks()):
        if number:
            line.send_bytes(b"\xff" * 100)
            break
        line.send(meek(ask))
    line.drain()


if __name__ == "__main__":
    run(main)
