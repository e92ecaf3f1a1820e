"""P1: the deal (R-DEAL-01 to R-DEAL-05, R-LEAD-01)."""

from collections.abc import Iterator, Sequence

from referee.cards import NAMES, PACK_SIZE, mask_of
from referee.game.records import NO_SALT, Cards, Record, Round
from referee.game.state import NOBODY, Phase, State

PACKET = {"one_by_one": 1, "two_two": 2, "four": 4}


def packets(pattern: str, size: int) -> Iterator[int]:
    """How many cards each player gets in each turn of the deal (R-DEAL-02); the last packet is what is missing."""
    packet = PACKET[pattern]
    while size > 0:
        yield min(packet, size)
        size -= packet


def who_gets_what(state: State) -> list[list[int]]:
    """By seat, the places in the pack (0 = top) whose cards it gets; empty for a seat that is out."""
    places: list[list[int]] = [[] for _ in range(state.seats)]
    order = state.clockwise(state.dealer, state.in_game)
    top = 0
    for packet in packets(state.rules.deal_pattern, state.hand_size):
        for seat in order:
            places[seat].extend(range(top, top + packet))
            top += packet
    return places


def next_deal(state: State) -> tuple[int, int]:
    """The (round, try) of the next deal: what a deal is keyed by."""
    return (state.round, state.try_ + 1) if state.redeal else (state.round + 1, 1)


def deal(state: State, pack: Sequence[int | None]) -> list[Record]:
    """Deal from a pack of 32, top first. A None is a card that nobody sees in this round's replay.

    Raises `ValueError` when the pack is not one, or when no deal is due.
    """
    if state.phase is not Phase.DEAL:
        raise ValueError("no deal is due")
    known = [card for card in pack if card is not None]
    if len(pack) != PACK_SIZE or len(set(known)) != len(known) or not set(known) <= set(range(PACK_SIZE)):
        raise ValueError("a pack has 32 different cards")
    if None in pack[: state.hand_size * state.in_game.bit_count()]:
        raise ValueError("a hand has a card that nobody has seen")
    open_round(state, *next_deal(state))
    places = who_gets_what(state)
    events: list[Record] = [Round(dealer=state.dealer, round=state.round, try_=state.try_)]
    for seat, mine in enumerate(places):
        if not mine:
            continue
        cards = [card for place in mine if (card := pack[place]) is not None]
        state.hands[seat] = mask_of(cards)
        events.append(Cards(cards=[NAMES[card] for card in cards], salt=NO_SALT, seat=seat, why="deal"))
    state.stock = list(pack[sum(map(len, places)) :])
    return events


def open_round(state: State, number: int, try_: int) -> None:
    """Reset everything that belongs to one round. Hands and stock are still empty."""
    seats = state.seats
    state.round, state.try_ = number, try_
    state.deals += 1
    state.redeal = False
    if state.length:
        state.base = state.totals()
        state.raw = [0] * seats
        state.dealer = (state.first_dealer + number - 1) % seats
    state.raw_before = state.raw.copy()
    state.total_before = state.totals()
    state.penalties = [0] * seats
    state.hands = [0] * seats
    state.in_round = state.in_game
    state.stake = 1
    state.toeper = NOBODY
    state.accepted = [1] * seats
    state.answer_queue, state.dood_queue = [], []
    state.claim, state.exchanged = None, 0
    state.trick_number, state.trick, state.plays = 1, [], []
    state.lead = state.turn = state.next_seat(state.dealer, state.in_round)
    state.phase = Phase.EXCHANGE if state.rules.exchange != "off" else Phase.PLAY
