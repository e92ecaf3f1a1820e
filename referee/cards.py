"""The pack of 32 cards: indexes, names, ranks, suits and bit masks (R-DECK-01, R-DECK-02).

Inside the engine a card is an ``int`` from 0 to 31 and a set of cards is an ``int`` used as a 32-bit mask; in logs,
cases and messages for people a card is two characters, rank then suit (``"Th"``). The index is chosen so that plain
integer order is useful: within a suit the higher index is the higher rank, and across suits the order is clubs,
diamonds, spades, hearts.
"""

from collections.abc import Iterable, Iterator
from typing import Final, Literal, get_args

PACK_SIZE: Final = 32
SUITS: Final = "cdsh"
RANKS: Final = "JQKA789T"
"""Low to high: jack, queen, king, ace, seven, eight, nine, ten (R-DECK-02)."""

CardName = Literal[
    "Jc", "Qc", "Kc", "Ac", "7c", "8c", "9c", "Tc",
    "Jd", "Qd", "Kd", "Ad", "7d", "8d", "9d", "Td",
    "Js", "Qs", "Ks", "As", "7s", "8s", "9s", "Ts",
    "Jh", "Qh", "Kh", "Ah", "7h", "8h", "9h", "Th",
]  # fmt: skip
NAMES: Final[tuple[CardName, ...]] = get_args(CardName)
"""Card names by index."""

INDEX: Final[dict[str, int]] = {name: index for index, name in enumerate(NAMES)}
"""Card indexes by name."""

SUIT_MASK: Final = tuple(0xFF << (8 * suit) for suit in range(4))
"""The mask of all eight cards of a suit, by suit number (``index // 8``)."""

PICTURES: Final = sum(1 << card for card in range(PACK_SIZE) if card % 8 < 4)
"""The mask of jacks, queens, kings and aces (R-WAS-02)."""

SEVENS: Final = sum(1 << card for card in range(PACK_SIZE) if card % 8 == 4)
"""The mask of the four sevens (R-WAS-03)."""


def bits(mask: int) -> Iterator[int]:
    """The card indexes in a mask, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(cards: Iterable[int]) -> int:
    """The mask that holds these card indexes."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def names(mask: int) -> list[CardName]:
    """The names of the cards in a mask, in index order."""
    return [NAMES[card] for card in bits(mask)]


def by_rank_then_suit(card: int) -> int:
    """Sort key: rank first, then clubs < diamonds < spades < hearts (R-TIE-02; also which card is the lowest)."""
    return (card % 8) * 4 + card // 8
