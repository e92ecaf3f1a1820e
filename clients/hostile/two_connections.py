"""Dials in a second time, and a third time under the same name, while it plays."""

from wire import Line, World, meek, play, run

from referee.v1 import play_pb2


def main(world: World) -> None:
    line = Line(world)
    asked = 0

    def reply(ask: play_pb2.Ask) -> list[play_pb2.Answer]:
        nonlocal asked
        asked += 1
        if asked in (2, 5):
            Line(world).drain()
        return [meek(ask)]

    play(world, reply, line)


if __name__ == "__main__":
    run(main)
