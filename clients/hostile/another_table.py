"""Gives up at every table but its own, before each answer."""

from collections.abc import Iterator

from wire import World, answer, meek, play, run

from referee.v1 import acts_pb2, play_pb2

RESIGN = play_pb2.Answer(resign=acts_pb2.Resign())
TABLES = (*range(64), 2**31, 2**32 - 1)


def main(world: World) -> None:
    def reply(ask: play_pb2.Ask) -> Iterator[play_pb2.Answer]:
        for table in TABLES:
            if table != ask.table:
                yield answer(play_pb2.Ask(table=table, ask=ask.ask), RESIGN)
        yield meek(ask)

    play(world, reply)


if __name__ == "__main__":
    run(main)
