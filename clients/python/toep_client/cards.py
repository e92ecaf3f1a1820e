"""Card names and masks.

A card is two characters, rank then suit: ``"Th"`` is the ten of hearts. Ranks from low to high are ``JQKA789T``, suits
are ``cdsh``. On the wire a set of cards is a 32-bit mask whose bit numbers are card indexes, and a single card is its
index plus one.
"""

from collections.abc import Iterable
from typing import Final

SUITS: Final = "cdsh"
RANKS: Final = "JQKA789T"
"""Low to high."""

NAMES: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""Card names by index, 0 to 31."""

INDEX: Final = {name: index for index, name in enumerate(NAMES)}
"""Card indexes by name."""


def indexes(mask: int) -> list[int]:
    """The card indexes in a mask, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def names(mask: int) -> list[str]:
    """The names of the cards in a mask, in index order."""
    return [NAMES[index] for index in indexes(mask)]


def mask_of(cards: Iterable[str]) -> int:
    """The mask that holds these cards. Raises `KeyError` for something that is not a card."""
    mask = 0
    for card in cards:
        mask |= 1 << INDEX[card]
    return mask


def rank(card: str) -> int:
    """How high a card is within its suit: 0 for a jack to 7 for a ten."""
    return RANKS.index(card[0])


def by_rank(card: str) -> int:
    """Sort key: the lowest rank first, and clubs, diamonds, spades, hearts within a rank."""
    index = INDEX[card]
    return index % 8 * 4 + index // 8
