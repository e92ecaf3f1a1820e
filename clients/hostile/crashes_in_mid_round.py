"""Ends with an error at its sixth ask."""

from wire import World, meek, play, run

from referee.v1 import play_pb2


def main(world: World) -> None:
    asked = 0

    def reply(ask: play_pb2.Ask) -> list[play_pb2.Answer]:
        nonlocal asked
        asked += 1
        if asked == 6:
            raise RuntimeError("this bot is broken")
        return [meek(ask)]

    play(world, reply)


if __name__ == "__main__":
    run(main)
