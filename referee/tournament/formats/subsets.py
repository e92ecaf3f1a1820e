"""All ways to pick k of n, in an order that is fair wherever it is cut off."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from typing import Final

TRIES: Final = 200
"""Picks in order of preference that may turn out to be taken before what is left is looked through."""

FEW: Final = 20_000
"""What is left is looked through when it is no more than this."""


class Subsets:
    """Subsets of ``range(n)`` with k elements, without end: each once, then each once again, and so on.

    Each time it is one of those whose elements had the fewest turns and have met each other least, so that after any
    number of subsets no element is much ahead, and no pair. A greedy choice, always the same; it keeps count of what it
    gave out, and needs nothing else, so that n over k may be huge.
    """

    def __init__(self, n: int, k: int) -> None:
        if not 0 <= k <= n:
            raise ValueError(f"{k} of {n} cannot be picked")
        self.size: Final = k
        self.count: Final = comb(n, k)
        """How many there are."""
        self._n = n
        self._turns = [0] * n
        self._met = [[0] * n for _ in range(n)]
        self._given = 0
        self._used: set[tuple[int, ...]] = set()
        self._left: list[tuple[int, ...]] | None = None

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        while True:
            yield self._next()

    def _next(self) -> tuple[int, ...]:
        if len(self._used) == self.count:
            self._used.clear()
            self._left = None
        picked = self._improved(self._free())
        self._used.add(picked)
        self._given += 1
        for element in picked:
            self._turns[element] += 1
        for one, other in combinations(picked, 2):
            self._met[one][other] += 1
            self._met[other][one] += 1
        return picked

    def _free(self) -> tuple[int, ...]:
        """A good subset that was not given out yet in this pass."""
        if self._left is None:
            for tries, picked in enumerate(self._preferred((), range(self._n))):
                if picked not in self._used:
                    return picked
                if tries >= TRIES and self.count - len(self._used) <= FEW and self.count <= 10 * FEW:
                    break
            self._left = list(combinations(range(self._n), self.size))
        self._left = [one for one in self._left if one not in self._used]
        return min(self._left, key=self._cost)

    def _preferred(self, chosen: tuple[int, ...], allowed: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Every subset once, roughly the best first."""
        missing = self.size - len(chosen)
        if not missing:
            yield tuple(sorted(chosen))
            return
        turns, met, start = self._turns, self._met, self._given

        def order(element: int) -> tuple[int, int, int]:
            return turns[element], sum(met[element][other] for other in chosen), (element - start) % self._n

        ordered = sorted(allowed, key=order)
        for place in range(len(ordered) - missing + 1):
            yield from self._preferred((*chosen, ordered[place]), ordered[place + 1 :])

    def _cost(self, picked: Sequence[int]) -> tuple[int, int]:
        """By how much giving this out makes turns and meetings more unequal; less is better."""
        met = self._met
        return (
            sum(self._turns[element] for element in picked),
            sum(met[one][other] for one, other in combinations(picked, 2)),
        )

    def _improved(self, picked: tuple[int, ...]) -> tuple[int, ...]:
        """With single elements exchanged for others as long as that is better."""
        while (better := next(self._better(picked), None)) is not None:
            picked = better
        return picked

    def _better(self, picked: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """All that differ in one element, cost less, and were not given out."""
        turns, met, inside = self._turns, self._met, set(picked)
        meetings = [sum(row[other] for other in picked) for row in met]
        for out in picked:
            for new in range(self._n):
                if new in inside or turns[new] > turns[out]:
                    continue
                if turns[new] < turns[out] or meetings[new] - met[new][out] < meetings[out]:
                    exchanged = tuple(sorted((inside - {out}) | {new}))
                    if exchanged not in self._used:
                        yield exchanged
