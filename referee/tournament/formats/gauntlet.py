"""Gauntlet: candidates against a field of references, and not against each other."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from referee.tournament.formats.base import Played, Table
from referee.tournament.formats.subsets import Subsets


class GauntletTables:
    """Each candidate at a table of references; every candidate meets the same fields in the same order.

    With ``together`` the candidates share the blocks: one field and its deals, and the candidates come to it one after
    the other. Else a block belongs to one candidate, and they take turns.
    """

    def __init__(self, candidates: Sequence[int], references: Sequence[int], seats: int, *, together: bool) -> None:
        self._candidates: Final = tuple(candidates)
        self._references: Final = tuple(references)
        self._size: Final = seats - 1
        self._together: Final = together

    @property
    def once_through(self) -> int:
        """Every field of references for every candidate."""
        return self._fields().count * (1 if self._together else len(self._candidates))

    def blocks(self, played: Sequence[Played] = ()) -> Iterator[Table]:
        """The tables; results change nothing."""
        return islice(self._tables(), len(played), None)

    def _tables(self) -> Iterator[Table]:
        for picked in self._fields():
            field = tuple(self._references[place] for place in picked)
            if self._together:
                yield Table(field, self._candidates)
            else:
                for candidate in self._candidates:
                    yield Table((candidate, *field))

    def _fields(self) -> Subsets:
        return Subsets(len(self._references), self._size)
