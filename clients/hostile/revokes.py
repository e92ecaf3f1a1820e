"""Does not follow suit whenever it has another suit in hand."""

from wire import World, answer, cards, meek, play, playing, run

from referee.v1 import play_pb2


def main(world: World) -> None:
    told: set[int] = set()

    def reply(ask: play_pb2.Ask) -> list[play_pb2.Answer]:
        wrong = cards(ask.hand & ~ask.legal) if ask.legal else []
        if wrong and ask.ask - 1 not in told:
            told.add(ask.ask)
            return [answer(ask, playing(wrong[0]))]
        return [meek(ask)]

    play(world, reply)


if __name__ == "__main__":
    run(main)
