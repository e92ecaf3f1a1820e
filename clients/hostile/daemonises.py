"""Starts a process in a session of its own, so that no signal to the bot's group reaches it, and plays on."""

import subprocess
import sys

from wire import World, meek, play, run

STAY = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(3600)"


def main(world: World) -> None:
    child = subprocess.Popen([sys.executable, "-c", STAY], stdout=subprocess.PIPE, start_new_session=True)
    child.stdout.readline()  # type: ignore[union-attr]
    play(world, lambda ask: [meek(ask)])


if __name__ == "__main__":
    run(main)
