"""Closes its side of the stream at its sixth ask, and goes on reading."""

from wire import Line, World, meek, run


def main(world: World) -> None:
    line = Line(world)
    for number, ask in enumerate(line.next_asks()):
        if number == 5:
            break
        line.send(meek(ask))
    line.close_half()
    line.drain()


if __name__ == "__main__":
    run(main)
