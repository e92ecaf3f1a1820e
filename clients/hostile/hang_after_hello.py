"""Says Hello, and then neither reads nor answers anything."""

from wire import Line, World, run


def main(world: World) -> None:
    line = Line(world)
    world.hang()
    line.until(lambda: line.over)
    line.leave()


if __name__ == "__main__":
    run(main)
