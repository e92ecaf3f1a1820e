"""Says Hello, sends full messages of answers to asks that never were, and does not read a single refusal."""

import os

from wire import Line, World, run

from referee.v1 import play_pb2

AT_ONCE = 2
"""Messages that wait for the network to take them."""


def main(world: World) -> None:
    line = Line(world)
    message = play_pb2.PlayRequest(answers=[play_pb2.Answer(table=2**32 - 1, ask=1)] * 4096).SerializeToString()
    # A stream that the referee has ended takes nothing more. Its status waits behind all that was not read.
    idle = 0
    while idle < 1000:
        if line.waiting() < AT_ONCE:
            line.send_bytes(message)
            idle = 0
        else:
            world.wait(1)
            idle += 1
    line.drain()
    os._exit(0)


if __name__ == "__main__":
    run(main)
