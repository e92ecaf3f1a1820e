"""Sends a message of a megabyte in place of its second answer."""

from wire import Line, World, meek, run

from referee.v1 import play_pb2

HUGE = play_pb2.PlayRequest(leave=play_pb2.Leave(reason="x" * 1_000_000)).SerializeToString()


def main(world: World) -> None:
    line = Line(world)
    for number, ask in enumerate(line.next_asks()):
        if number:
            line.send_bytes(HUGE)
            break
        line.send(meek(ask))
    line.drain()


if __name__ == "__main__":
    run(main)
