"""Round robin: all tables of k from n bots, in an order in which bots and pairs never get far ahead of each other."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from referee.tournament.formats.base import Played, Table
from referee.tournament.formats.subsets import Subsets


class RoundRobinTables:
    """Every table there can be, then all of them once more.

    A bot that is not at a block's table has a bye: it waits, and that is all. Byes differ by as little as turns do.
    """

    def __init__(self, bots: int, seats: int) -> None:
        self._bots: Final = bots
        self._seats: Final = seats

    @property
    def once_through(self) -> int:
        """n over k."""
        return Subsets(self._bots, self._seats).count

    def blocks(self, played: Sequence[Played] = ()) -> Iterator[Table]:
        """The tables; results change nothing."""
        return islice(map(Table, Subsets(self._bots, self._seats)), len(played), None)
