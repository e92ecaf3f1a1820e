"""Starts two processes that ignore SIGTERM and never end, and ends itself at its sixth ask."""

import os
import subprocess
import sys

from wire import World, meek, play, run

from referee.v1 import play_pb2

STAY = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(3600)"


def main(world: World) -> None:
    asked = 0
    started = [subprocess.Popen([sys.executable, "-c", STAY], stdout=subprocess.PIPE) for _ in range(2)]
    for child in started:
        child.stdout.readline()  # type: ignore[union-attr]

    def reply(ask: play_pb2.Ask) -> list[play_pb2.Answer]:
        nonlocal asked
        asked += 1
        if asked == 6:
            os._exit(0)
        return [meek(ask)]

    play(world, reply)


if __name__ == "__main__":
    run(main)
