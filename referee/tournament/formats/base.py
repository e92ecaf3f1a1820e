"""What a format is: a source of tables, block by block."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol


class Table(NamedTuple):
    """Who plays in a block. Numbers are places in the spec's list of bots."""

    members: tuple[int, ...]
    """Those who sit together; their order says nothing."""

    candidates: tuple[int, ...] = ()
    """With a fixed field: those who take the one seat that the members leave, one after the other."""


class Played(Protocol):
    """What a format may know of a block that is over."""

    @property
    def index(self) -> int:
        """Which block."""

    @property
    def points(self) -> Sequence[tuple[int, float]]:
        """Bots and their points per round."""


class Format(Protocol):
    """A way to choose tables. One that needs results (Swiss, knockout) gets them when it is asked for the next blocks;
    those of today need none, so that the whole schedule is known before the first card."""

    @property
    def once_through(self) -> int:
        """Blocks after which every table that there can be has had its turn."""

    def blocks(self, played: Sequence[Played] = ()) -> Iterator[Table]:
        """The tables of the blocks that follow those, without end."""
