"""Has a token that is not its own."""

from wire import Line, World, run


def main(world: World) -> None:
    Line(world, token="not-the-one").drain()


if __name__ == "__main__":
    run(main)
