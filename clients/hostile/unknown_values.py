"""Answers with cards, signs and reaches that there are not, and with an act from the future; never with a right one."""

from itertools import cycle

from wire import World, answer, play, playing, run

from referee.v1 import acts_pb2, play_pb2

NONSENSE = cycle(
    (
        playing(0),
        playing(99),
        playing(-1),
        play_pb2.Answer(signal=acts_pb2.Signal(sign=9)),  # type: ignore[arg-type]
        play_pb2.Answer(decline=acts_pb2.Pass(until=7)),  # type: ignore[arg-type]
        play_pb2.Answer(discard=acts_pb2.Discard(cards=[1, 1, 99])),  # type: ignore[list-item]
        play_pb2.Answer(cut=acts_pb2.Cut(at=2**32 - 1)),
        play_pb2.Answer.FromString(b"\xfa\x07\x00"),  # field 127, which is none yet
    )
)


def main(world: World) -> None:
    play(world, lambda ask: [answer(ask, next(NONSENSE))])


if __name__ == "__main__":
    run(main)
