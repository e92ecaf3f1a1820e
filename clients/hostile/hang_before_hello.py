"""Opens a stream and says nothing, not even Hello."""

from wire import Line, World, run


def main(world: World) -> None:
    Line(world, silent=True).drain()


if __name__ == "__main__":
    run(main)
