"""Writes four megabytes to standard error while it plays."""

import sys

from wire import World, meek, play, run

from referee.v1 import play_pb2

LINE = "x" * 1023 + "\n"


def main(world: World) -> None:
    left = 4096

    def reply(ask: play_pb2.Ask) -> list[play_pb2.Answer]:
        nonlocal left
        now, left = min(left, 1024), max(0, left - 1024)
        sys.stderr.write(LINE * now)
        sys.stderr.flush()
        return [meek(ask)]

    play(world, reply)


if __name__ == "__main__":
    run(main)
