"""Thinks about its second card until all of its time is over and a second more, and answers then."""

from collections.abc import Iterator

from wire import World, meek, play, required, run

from referee.v1 import play_pb2


def main(world: World) -> None:
    due = 0

    def reply(ask: play_pb2.Ask) -> Iterator[play_pb2.Answer]:
        nonlocal due
        due += required(ask)
        if due == 2:
            due += 1
            world.wait(ask.budget_ms + 1000)
        yield meek(ask)

    play(world, reply)


if __name__ == "__main__":
    run(main)
