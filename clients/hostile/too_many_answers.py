"""Answers its second ask with 4,097 answers in one message."""

from wire import World, meek, play, run

from referee.v1 import play_pb2


def main(world: World) -> None:
    asked = 0

    def reply(ask: play_pb2.Ask) -> list[play_pb2.Answer]:
        nonlocal asked
        asked += 1
        return [meek(ask)] if asked < 2 else [meek(ask), *[play_pb2.Answer()] * 4096]

    play(world, reply)


if __name__ == "__main__":
    run(main)
