"""How a match stands, as anybody may know it; and all that a referee keeps in memory of one that is over."""

from typing import Final

from msgspec import Struct

OPEN: Final = ("waiting", "playing")
"""What the status of a match is before it is over."""


class Summary(Struct, gc=False, kw_only=True):
    """One match at one moment; of a match that is over, for good."""

    number: int
    """The table's number on the wire."""
    match: str
    status: str
    bots: tuple[str, ...]
    """Names by seat."""
    accounts: tuple[str, ...]
    """By seat, whose sessions sit there; empty when it is over and they were guests', which play nowhere else."""
    commit: str
    """The commitment to the seed, lower-case hex."""
    round: int
    total: tuple[int, ...]
    """Totals by seat."""
    rank: tuple[int, ...]
    """Places by seat; empty unless the match came to an end."""
    awaited: tuple[int, ...]
    """The seats whose bots it waits for, or that kept it from beginning."""
    waited_ms: int
    """For how many milliseconds it waits for bots, or did."""
    lobby_seconds: int
    """After how many seconds of that it is cancelled; 0: never."""
    deals: str
    """The deal set that its seed is held back for; empty: none."""
    on_disk: bool
    """Its log is whole and on disk, so that it may be shown."""
