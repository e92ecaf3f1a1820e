"""Plays a card that it does not hold whenever a card is due, and a right one when it is told off."""

from wire import World, answer, cards, meek, play, playing, run

from referee.v1 import play_pb2


def main(world: World) -> None:
    told: set[int] = set()

    def reply(ask: play_pb2.Ask) -> list[play_pb2.Answer]:
        if ask.legal and ask.ask - 1 not in told:
            told.add(ask.ask)
            return [answer(ask, playing(cards(~ask.hand)[0]))]
        return [meek(ask)]

    play(world, reply)


if __name__ == "__main__":
    run(main)
