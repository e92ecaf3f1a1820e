"""Answers every ask for a card one millisecond after the last moment."""

from collections.abc import Iterator

from wire import World, meek, play, required, run

from referee.v1 import play_pb2


def main(world: World) -> None:
    def reply(ask: play_pb2.Ask) -> Iterator[play_pb2.Answer]:
        if required(ask):
            world.wait(ask.budget_ms)
        yield meek(ask)

    play(world, reply)


if __name__ == "__main__":
    run(main)
