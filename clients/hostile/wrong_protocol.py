"""Speaks another version of the protocol."""

from wire import Line, World, hello_of, run


def main(world: World) -> None:
    Line(world, hello=hello_of(world, protocol=2)).drain()


if __name__ == "__main__":
    run(main)
