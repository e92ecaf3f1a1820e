"""Answers every ask in the last millisecond that it has."""

from collections.abc import Iterator

from wire import World, meek, play, run

from referee.v1 import play_pb2


def main(world: World) -> None:
    def reply(ask: play_pb2.Ask) -> Iterator[play_pb2.Answer]:
        world.wait(ask.budget_ms - 1)
        yield meek(ask)

    play(world, reply)


if __name__ == "__main__":
    run(main)
