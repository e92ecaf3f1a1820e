"""P1: the draw for the first deal, the cut, and the deal (R-SEAT-01, R-CUT-01, R-DEAL-01 to R-DEAL-05, R-LEAD-01)."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from referee.cards import NAMES, PACK_SIZE, CardName, mask_of
from referee.game import phases
from referee.game.common import is_finale, no_such_act
from referee.game.records import NO_SALT, Cards, Cut, Draw, Record, Round
from referee.game.refusal import Refusal
from referee.game.sizes import cards_to_deal
from referee.game.state import NOBODY, Phase, Question, State

PACKET = {"one_by_one": 1, "two_two": 2, "four": 4}
WHOLE_PACK = frozenset(range(PACK_SIZE))


def draw(state: State, pack: Sequence[int | None]) -> list[Record]:
    """The draw for the first dealer: one card each from seat 0, and those tied for the lowest rank draw again (H-48).

    ``pack``: 32 card indexes, top first, as far as they are known. Raises `ValueError` when no draw is due.
    """
    if not needs_draw(state):
        raise ValueError("no draw is due")
    top = iter(pack)
    drawn: list[tuple[int, CardName]] = []
    drawers = list(range(state.seats))
    while len(drawers) > 1:
        cards = [next(top, None) for _ in drawers]
        if None in cards:
            raise ValueError("a card of the draw has not been seen, or there is none")
        known = [card for card in cards if card is not None]
        drawn += [(seat, NAMES[card]) for seat, card in zip(drawers, known, strict=True)]
        lowest = min(card % 8 for card in known)
        drawers = [seat for seat, card in zip(drawers, known, strict=True) if card % 8 == lowest]
    state.drawn = True
    state.dealer = state.first_dealer = drawers[0]
    return [Draw(cards=drawn)]


def needs_draw(state: State) -> bool:
    """Whether the first dealer is still to be drawn."""
    return state.rules.first_dealer == "low_card" and not state.drawn and not state.deals


def packets(pattern: str, size: int) -> Iterator[int]:
    """How many cards each player gets in each turn of the deal (R-DEAL-02); the last packet is what is missing."""
    packet = PACKET[pattern]
    while size > 0:
        yield min(packet, size)
        size -= packet


def who_gets_what(state: State) -> tuple[tuple[int, ...], ...]:
    """By seat, the places in the pack (0 = top, after the cut) whose cards it gets; empty for a seat that is out."""
    return _who_gets_what(state.seats, state.dealer, state.in_game, state.rules.deal_pattern, state.dealt)


@lru_cache(maxsize=1024)
def _who_gets_what(seats: int, dealer: int, in_game: int, pattern: str, dealt: int) -> tuple[tuple[int, ...], ...]:
    places: list[list[int]] = [[] for _ in range(seats)]
    order = [seat % seats for seat in range(dealer + 1, dealer + 1 + seats) if in_game >> seat % seats & 1]
    top = 0
    for packet in packets(pattern, dealt):
        for seat in order:
            places[seat].extend(range(top, top + packet))
            top += packet
    return tuple(map(tuple, places))


def next_deal(state: State) -> tuple[int, int]:
    """The (round, try) of the next deal: what a deal is keyed by."""
    if state.cut_open:
        return state.round, state.try_
    return (state.round, state.try_ + 1) if state.redeal else (state.round + 1, 1)


def open_deal(state: State) -> list[Record]:
    """Begin a deal: the dealer offers the pack to be cut. `deal` does this itself when it has not been done."""
    if state.phase is not Phase.DEAL or state.cut_open:
        raise ValueError("no deal is due")
    reset_round(state, *next_deal(state))
    state.cut_open = True
    return [Round(dealer=state.dealer, round=state.round, try_=state.try_)]


def cutter(state: State) -> int:
    """The seat that may cut: the nearest in the game on the dealer's right (R-CUT-01)."""
    for step in range(1, state.seats + 1):
        seat = (state.dealer - step) % state.seats
        if state.in_game >> seat & 1:
            return seat
    return NOBODY


def check_cut(state: State, act: Cut) -> Refusal | None:
    if not state.rules.cut:
        return no_such_act("R-CUT-01", "cut")
    if state.phase is Phase.OVER:
        return Refusal("R-TURN-01", "the game is over")
    if not 0 <= act.seat < state.seats or not state.in_game >> act.seat & 1:
        return Refusal("R-OUT-01", "this seat is not in the game")
    if not state.cut_open or state.cut_at:
        return Refusal("R-CUT-01", "the pack is cut before the cards are dealt, once")
    if act.seat != cutter(state):
        return Refusal("R-CUT-01", f"seat {cutter(state)}, on the dealer's right, cuts")
    if not 1 <= act.at < PACK_SIZE:
        return Refusal("R-CUT-01", "a cut takes 1 to 31 cards")
    return None


def apply_cut(state: State, act: Cut) -> list[Record]:
    state.cut_at = act.at
    return [act]


def deal(state: State, pack: Sequence[int | None]) -> list[Record]:
    """Deal from a pack of 32 as it was shuffled, top first. A None is a card that nobody sees in this round's replay.

    Raises `ValueError` when the pack is not one, or when no deal is due.
    """
    known = [card for card in pack if card is not None]
    if len(pack) != PACK_SIZE or len(known) != len(different := set(known)) or not different <= WHOLE_PACK:
        raise ValueError("a pack has 32 different cards")
    dealt = state.dealt if state.cut_open else cards_to_deal(state)[0]
    cut_at = state.cut_at if state.cut_open else 0
    pack = [*pack[cut_at:], *pack[:cut_at]]
    if None in pack[: dealt * state.in_game.bit_count()]:
        raise ValueError("a hand has a card that nobody has seen")
    events = [] if state.cut_open else open_deal(state)
    state.cut_open = False
    places = who_gets_what(state)
    why = "finale" if is_finale(state) else "deal"
    for seat, mine in enumerate(places):
        if not mine:
            continue
        cards = [card for place in mine if (card := pack[place]) is not None]
        state.hands[seat] = mask_of(cards)
        names = [NAMES[card] for card in cards]
        events.append(Cards(cards=names, salt=NO_SALT, seat=seat, why=why))  # type: ignore[arg-type]
    state.stock = pack[sum(map(len, places)) :]
    state.phase = Phase.BLIND
    phases.start(state, events)
    return events


def reset_round(state: State, number: int, try_: int) -> None:
    """Reset everything that belongs to one round. Hands and stock are still empty, and the phase is not set."""
    seats = state.seats
    state.round, state.try_ = number, try_
    state.deals += 1
    state.redeal = False
    state.cut_at = 0
    if state.length:
        state.base = state.totals()
        state.raw = [0] * seats
        state.folds, state.run = [0] * seats, [0] * seats
        state.dealer = (state.first_dealer + number - 1) % seats
    state.raw_before = state.raw.copy()
    state.total_before = state.totals()
    state.folds_before, state.run_before = state.folds.copy(), state.run.copy()
    state.penalties = [0] * seats
    state.dealt, state.hand_size = cards_to_deal(state)
    state.hands = [0] * seats
    state.in_round = state.in_game
    state.stake = 1
    state.toeper = NOBODY
    state.accepted = [1] * seats
    state.question = Question.NOTHING
    state.answer_queue, state.dood_queue, state.sealed_folds = [], [], []
    state.seen = state.peeked = state.declined = state.chanced = state.discards_due = state.poor = 0
    state.signalled, state.signs = 0, [0] * seats
    state.claim, state.exchanged = None, 0
    state.trick_number, state.trick, state.plays, state.played = 1, [], [], 0
    state.denials, state.closed, state.must_follow, state.struck = [], None, 0, 0
    state.lead = state.turn = state.next_seat(state.dealer, state.in_round)
