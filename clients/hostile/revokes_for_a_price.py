"""Under rules that let it, does not follow suit whenever it can, and shows by a later card that it could have."""

from wire import Line, World, answer, cards, meek, playing, run


def main(world: World) -> None:
    line = Line(world)
    while not line.over and (response := line.read()) is not None:
        for update in response.updates:
            state = update.state
        for ask in line.asks:
            trick = [play for play in state.plays if play >> 8 == state.trick]
            led = (trick[0] & 31) // 8 if trick else -1
            other = [card for card in cards(ask.legal) if (card - 1) // 8 != led]
            line.send(answer(ask, playing(other[0])) if other else meek(ask))
        line.asks.clear()
    line.leave()


if __name__ == "__main__":
    run(main)
