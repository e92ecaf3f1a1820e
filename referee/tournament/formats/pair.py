"""Pair: two candidates against each other, with references in the seats that they leave."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from referee.tournament.formats.base import Played, Table
from referee.tournament.formats.subsets import Subsets


class PairTables:
    """Both candidates at every table. (One at a time, in the same field: that is `GauntletTables`, ``together``.)"""

    def __init__(self, candidates: Sequence[int], references: Sequence[int], seats: int) -> None:
        self._candidates: Final = tuple(candidates)
        self._references: Final = tuple(references)
        self._size: Final = seats - len(self._candidates)

    @property
    def once_through(self) -> int:
        """Every way to fill the table with references."""
        return self._fields().count

    def blocks(self, played: Sequence[Played] = ()) -> Iterator[Table]:
        """The tables; results change nothing."""
        return islice(self._tables(), len(played), None)

    def _tables(self) -> Iterator[Table]:
        for picked in self._fields():
            yield Table((*self._candidates, *(self._references[place] for place in picked)))

    def _fields(self) -> Subsets:
        return Subsets(len(self._references), self._size)
