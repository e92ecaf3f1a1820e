"""Breaks its connection at its third ask for a card, and dials in again when the time for it is over."""

from wire import Line, World, meek, required, run


def main(world: World) -> None:
    line = Line(world)
    due = 0
    for ask in line.next_asks():
        due += required(ask)
        if due == 3:
            line.drop()
            world.wait(ask.budget_ms + 1)
            break
        line.send(meek(ask))
    line = Line(world)
    for ask in line.next_asks():
        line.send(meek(ask))
    line.leave()


if __name__ == "__main__":
    run(main)
