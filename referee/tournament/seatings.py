"""Duplicates: the same deals from other seats, and what they balance.

A seating is a row: by seat, which slot of the table sits there. The slots are the bots of a table in their base order.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Final

Row = tuple[int, ...]
_Share = tuple[int, int, int]


def rows(duplicates: str, seats: int) -> tuple[Row, ...]:
    """The seatings of one deal block, for a table of 2 to 8 seats.

    ``none``, and ``fixed-field`` (where it is the candidates that change, not the seats): one. ``rotation``: as many as
    seats, each slot in each seat once. ``williams``: the same, and each slot also sits on the seat behind each other
    slot's equally often (once; with an odd number of seats it takes twice as many seatings, and it is twice).
    """
    if duplicates == "rotation":
        return rotation(seats)
    return williams(seats) if duplicates == "williams" else (tuple(range(seats)),)


def rotation(seats: int) -> tuple[Row, ...]:
    """Everybody moves up one seat from row to row; who sits behind whom stays as it is."""
    return tuple(tuple((seat + row) % seats for seat in range(seats)) for row in range(seats))


def williams(seats: int) -> tuple[Row, ...]:
    """A Williams design (E. J. Williams 1949, "Experimental designs balanced for the estimation of residual effects of
    treatments"), made by stepping 0, 1, -1, 2, -2, ... around a ring.

    With an even number of seats each ordered pair of slots is once on seats s and s + 1; with an odd number the rows
    come mirrored as well, and it is twice. Around the end of the table, from the last seat to the first, there are
    pairs besides: no pair gets more than one of these.
    """
    zigzag = [0]
    for step in range(1, seats):
        zigzag.append((step + 1) // 2 if step % 2 else -(step // 2))
    square = tuple(tuple((slot + row) % seats for slot in zigzag) for row in range(seats))
    return square if seats % 2 == 0 else (*square, *(row[::-1] for row in square))


def repeats(duplicates: str, seats: int) -> int:
    """How often a bot of the table meets each deal; with a fixed field: a candidate."""
    return len(rows(duplicates, seats))


@cache
def surplus(duplicates: str, seats: int) -> tuple[tuple[_Share, ...], tuple[_Share, ...]]:
    """What one block leaves unbalanced: (slot, seat, how much more often than the least), and (slot, slot on the seat
    behind it around the table, how much more often than the least)."""
    at_seat = {(slot, seat): 0 for slot in range(seats) for seat in range(seats)}
    behind = {(slot, other): 0 for slot in range(seats) for other in range(seats) if slot != other}
    for row in rows(duplicates, seats):
        for seat, slot in enumerate(row):
            at_seat[slot, seat] += 1
            behind[slot, row[(seat + 1) % seats]] += 1
    return _more_than_least(at_seat), _more_than_least(behind)


def _more_than_least(counts: Mapping[tuple[int, int], int]) -> tuple[_Share, ...]:
    least = min(counts.values())
    return tuple((one, other, count - least) for (one, other), count in counts.items() if count > least)


class Arranger:
    """Puts the bots of one table after another into a base order, so that what the seatings of one block leave
    unbalanced evens out over many: who sits in which seat, then who sits behind whom."""

    def __init__(self, duplicates: str, bots: int, seats: int) -> None:
        self._seats: Final = seats
        self._at_seat, self._behind = surplus(duplicates, seats)
        self._sat = [[0] * seats for _ in range(bots)]
        self._followed = [[0] * bots for _ in range(bots)]

    def arrange(self, members: Sequence[int]) -> tuple[int, ...]:
        """The base order of the next block: by slot, which bot. A local search, always with the same result."""
        order = list(members)
        cost = self._cost(order)
        improved = True
        while improved:
            improved = False
            for one, other in combinations(range(self._seats), 2):
                order[one], order[other] = order[other], order[one]
                if (changed := self._cost(order)) < cost:
                    cost, improved = changed, True
                else:
                    order[one], order[other] = order[other], order[one]
        for slot, seat, more in self._at_seat:
            self._sat[order[slot]][seat] += more
        for slot, other, more in self._behind:
            self._followed[order[slot]][order[other]] += more
        return tuple(order)

    def _cost(self, order: Sequence[int]) -> tuple[int, int]:
        """By how much this order makes the counts more unequal (the growth of the sums of their squares)."""
        sat, followed = self._sat, self._followed
        return (
            sum(more * (2 * sat[order[slot]][seat] + more) for slot, seat, more in self._at_seat),
            sum(more * (2 * followed[order[slot]][order[other]] + more) for slot, other, more in self._behind),
        )
