"""Sends full messages of answers to asks that never were, and reads the refusals, while it plays."""

import threading

from wire import Line, World, meek, play, run

from referee.v1 import acts_pb2, play_pb2

AT_ONCE = 2
"""Messages that wait for the network to take them."""

MESSAGES = 40


def main(world: World) -> None:
    line = Line(world)
    ready = threading.Event()

    def flood() -> None:
        ready.wait()
        table, seat = line.seated[0].table, line.seated[0].seat
        stale = play_pb2.Answer(table=table, ask=2**31 | seat << 6 | 1, resign=acts_pb2.Resign())
        message = play_pb2.PlayRequest(answers=[stale] * 4096).SerializeToString()
        sent = 0
        while sent < MESSAGES and not (line.over or line.ended):
            if line.waiting() < AT_ONCE:
                line.send_bytes(message)
                sent += 1
            else:
                world.wait(1)

    flooding = threading.Thread(target=flood, daemon=True)
    flooding.start()
    if line.until(lambda: line.seated):
        ready.set()
        play(world, lambda ask: [meek(ask)], line)
        flooding.join()


if __name__ == "__main__":
    run(main)
