"""Answers every ask twice in one message, the second time with giving up."""

from wire import World, answer, meek, play, run

from referee.v1 import acts_pb2, play_pb2

RESIGN = play_pb2.Answer(resign=acts_pb2.Resign())


def main(world: World) -> None:
    play(world, lambda ask: [meek(ask), answer(ask, RESIGN)])


if __name__ == "__main__":
    run(main)
