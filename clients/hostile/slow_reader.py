"""Reads one message a second, and plays."""

from wire import Line, World, meek, run


def main(world: World) -> None:
    line = Line(world)
    while not (line.over or line.ended):
        world.wait(1000)
        line.read()
        line.send(*map(meek, line.asks))
        line.asks.clear()
    line.leave()


if __name__ == "__main__":
    run(main)
