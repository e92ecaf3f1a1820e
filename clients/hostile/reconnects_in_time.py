"""Breaks its connection at every third ask, dials in again at once, and answers then."""

from wire import Line, World, meek, run


def main(world: World) -> None:
    line = Line(world)
    asked = 0
    while not (line.over or line.ended):
        for ask in line.next_asks():
            asked += 1
            if asked % 3 == 0:
                line.drop()
                line = dial_again(world)
                break
            line.send(meek(ask))
    line.leave()


def dial_again(world: World) -> Line:
    """Until the referee has noticed that the old stream is gone."""
    while True:
        line = Line(world)
        if line.read() is not None:
            return line
        world.wait(5)


if __name__ == "__main__":
    run(main)
