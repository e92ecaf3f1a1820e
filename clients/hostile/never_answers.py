"""Reads everything and answers nothing."""

from wire import Line, World, run


def main(world: World) -> None:
    line = Line(world)
    for ask in line.next_asks():
        world.wait(ask.budget_ms + 1)
    if not line.ended:
        line.leave()


if __name__ == "__main__":
    run(main)
