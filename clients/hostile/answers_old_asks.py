"""With each answer it answers once more all asks that it ever had, with giving up."""

from collections.abc import Iterator

from wire import World, answer, meek, play, run

from referee.v1 import acts_pb2, play_pb2

RESIGN = play_pb2.Answer(resign=acts_pb2.Resign())


def main(world: World) -> None:
    old: list[play_pb2.Ask] = []

    def reply(ask: play_pb2.Ask) -> Iterator[play_pb2.Answer]:
        yield from [answer(one, RESIGN) for one in old]
        old.append(ask)
        yield meek(ask)

    play(world, reply)


if __name__ == "__main__":
    run(main)
