"""Gives up for every other seat of the table, before each answer of its own."""

from collections.abc import Iterator

from wire import World, answer, meek, play, run

from referee.v1 import acts_pb2, play_pb2

RESIGN = play_pb2.Answer(resign=acts_pb2.Resign())
SEAT = 7 << 6
"""The bits of an ask's id that have the seat."""


def main(world: World) -> None:
    def reply(ask: play_pb2.Ask) -> Iterator[play_pb2.Answer]:
        for seat in range(8):
            if seat != ask.seat:
                forged = play_pb2.Ask(table=ask.table, ask=ask.ask & ~SEAT | seat << 6)
                yield answer(forged, RESIGN)
        yield meek(ask)

    play(world, reply)


if __name__ == "__main__":
    run(main)
