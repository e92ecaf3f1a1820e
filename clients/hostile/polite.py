"""Does nothing wrong: the opponent of the others, and what their matches are compared with."""

from wire import World, meek, play, run


def main(world: World) -> None:
    play(world, lambda ask: [meek(ask)])


if __name__ == "__main__":
    run(main)
