"""Plays properly, while it has two hundred more streams open on which it never says Hello."""

from wire import Line, World, meek, play, run


def main(world: World) -> None:
    line = Line(world)
    others = [line.another() for _ in range(200)]
    play(world, lambda ask: [meek(ask)], line)
    for other in others:
        other.cancel()


if __name__ == "__main__":
    run(main)
