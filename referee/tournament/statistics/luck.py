"""Luck-adjusted scores: what the cards a bot was dealt are expected to be worth is taken out of its points.

The strength of a hand is a fixed function of its four cards (a table that was fitted once and is frozen, see
`luck.json`), less its mean over all C(32, 4) = 35,960 hands. Dealt at random, a hand's strength therefore has an
expectation of exactly zero, whatever the bots, the rules and the table; so does every fixed weighted sum of strengths,
such as a seat's own less a part of the mean of the others'. Subtracting something whose expectation is zero moves no
expectation: the adjusted score is unbiased however good or bad the table is, and the better the table the less it
scatters. This is a control variate (Hammersley and Handscomb 1964); its use on games of chance with fixed functions
known before the event is that of Zinkevich, Bowling, Bard, Kan and Billings (2006) and White and Bowling (2009).

Strengths are whole numbers of ``1 / UNIT`` points, so that their mean is exactly zero and their sums are exact.
"""

import functools
import hashlib
import itertools
from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from referee.cards import PACK_SIZE, bits

HANDS: Final = 35_960
"""Hands of four cards from a pack of 32."""

SCALE: Final = 1000
"""Coefficients in the file are thousandths of a point."""

UNIT: Final = HANDS * SCALE
"""How many units of strength make a point."""

SHA256: Final = "fc59fa472dfb95f748d61bf6ac6d1ebb3d60cee93ac05e0ebc6a330391202c32"
"""Of `luck.json`: the table is frozen, another one is another estimator and needs another name."""

Row = Annotated[tuple[int, ...], Meta(min_length=8, max_length=8)]


class LuckError(Exception):
    """The frozen table is not the one that this program was released with."""


class Coefficients(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table. All values are thousandths of a point that the hand is expected to save its seat."""

    opponents: int
    """Thousandths of a seat's own strength that the mean strength of the others is taken at."""

    places: Annotated[tuple[Row, ...], Meta(min_length=4, max_length=4)]
    """By place of the card in the hand (the highest rank first), then by its rank, low to high."""

    suits: dict[str, int]
    """By how the cards divide over suits, such as ``"2-1-1"``."""

    total: int
    """What all of this says about all hands together, worked out by going through them; the mean is taken from it."""


def shape(hand: int) -> str:
    """How the cards of a hand (a mask) divide over suits, the longest first: ``"4"``, ``"3-1"``, ``"2-2"`` ..."""
    lengths = sorted(((hand >> 8 * suit & 0xFF).bit_count() for suit in range(4)), reverse=True)
    return "-".join(str(length) for length in lengths if length)


def raw(table: Coefficients, hand: int) -> int:
    """What the table says about a hand (a mask of four cards), in thousandths of a point, not yet centred."""
    ranks = sorted((card % 8 for card in bits(hand)), reverse=True)
    return sum(row[rank] for row, rank in zip(table.places, ranks, strict=True)) + table.suits[shape(hand)]


def all_hands() -> Iterable[int]:
    """The mask of every hand there is."""
    return (sum(1 << card for card in cards) for cards in itertools.combinations(range(PACK_SIZE), 4))


@functools.cache
def coefficients() -> Coefficients:
    """The frozen table; raises `LuckError` when its bytes are not those that `SHA256` names."""
    data = files(__package__).joinpath("luck.json").read_bytes()
    found = hashlib.sha256(data).hexdigest()
    if found != SHA256:
        raise LuckError(f"luck.json has the digest {found}, expected {SHA256}: install this version again")
    return msgspec.json.decode(data, type=Coefficients)


@functools.lru_cache(maxsize=HANDS)
def strength_units(hand: int) -> int:
    """The strength of a hand (a mask of four cards) in units of ``1 / UNIT`` points; over all hands they sum to 0.

    Positive is good: points that the hand is expected to save. Raises `ValueError` for a mask of another size.
    """
    if hand.bit_count() != 4 or hand >> PACK_SIZE:
        raise ValueError(f"a hand is four cards of the pack, this mask has {hand.bit_count()}")
    return raw(coefficients(), hand) * HANDS - coefficients().total


def strength(hand: int) -> float:
    """The strength of a hand (a mask of four cards) in points."""
    return strength_units(hand) / UNIT


def controls(sums: Sequence[int]) -> list[float]:
    """From the strengths that the seats of a match were dealt, summed by seat (see `MatchResult.luck`), the points by
    seat that the cards are expected to have saved it: its own, less ``opponents`` of the mean of the others'.

    Each has an expectation of exactly zero. A seat that was out of the game counts with the zero it was dealt.
    """
    everybody = sum(sums)
    others = len(sums) - 1
    weight = coefficients().opponents / SCALE
    return [(own - weight * (everybody - own) / others) / UNIT for own in sums]
