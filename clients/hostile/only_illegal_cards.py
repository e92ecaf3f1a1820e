"""Plays nothing but cards that it does not hold."""

from wire import World, answer, cards, meek, play, playing, run

from referee.v1 import play_pb2


def main(world: World) -> None:
    def reply(ask: play_pb2.Ask) -> list[play_pb2.Answer]:
        return [answer(ask, playing(cards(~ask.hand)[0])) if ask.legal else meek(ask)]

    play(world, reply)


if __name__ == "__main__":
    run(main)
