"""Ends with an error before it dials in."""

from wire import World, run


def main(world: World) -> None:
    raise RuntimeError("this bot is broken")


if __name__ == "__main__":
    run(main)
