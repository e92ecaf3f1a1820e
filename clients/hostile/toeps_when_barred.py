"""Toeps whenever a card is due from it, also over itself."""

from wire import TOEP, World, answer, meek, play, run

from referee.v1 import play_pb2


def main(world: World) -> None:
    told: set[int] = set()

    def reply(ask: play_pb2.Ask) -> list[play_pb2.Answer]:
        if ask.kind == play_pb2.ASK_KIND_CARD and ask.ask - 1 not in told:
            told.add(ask.ask)
            return [answer(ask, TOEP)]
        return [meek(ask)]

    play(world, reply)


if __name__ == "__main__":
    run(main)
