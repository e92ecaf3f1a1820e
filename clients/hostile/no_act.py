"""Sends an answer without an act in it first, to every ask."""

from wire import World, answer, meek, play, run

from referee.v1 import play_pb2


def main(world: World) -> None:
    told: set[int] = set()

    def reply(ask: play_pb2.Ask) -> list[play_pb2.Answer]:
        if ask.ask - 1 not in told:
            told.add(ask.ask)
            return [answer(ask, play_pb2.Answer())]
        return [meek(ask)]

    play(world, reply)


if __name__ == "__main__":
    run(main)
