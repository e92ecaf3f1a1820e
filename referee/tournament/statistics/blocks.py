"""Deal blocks: what a standing is made of.

All matches of a block are dealt the same cards, so what happens in them hangs together; two blocks have nothing in
common but the bots. The block is therefore the unit of every interval here, however many rounds it holds.
"""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from referee.tournament.results import MatchResult
from referee.tournament.statistics.luck import controls


class Block(Struct, frozen=True, kw_only=True):
    """The matches that share their deals; ``faulted``: in one of them the referee had to act for somebody."""

    index: int
    matches: Sequence[MatchResult]
    faulted: bool = False


class Share(NamedTuple):
    """What one bot did in one block, or in one match."""

    rounds: int
    """Rounds it played; those of several seats of one match count once each."""

    points: float
    """Penalty points it took."""

    adjusted: float
    """Those points, with what its cards are expected to have saved it put back."""

    places: float
    """Sum of its places; a place that several seats share is the middle of those they take up, so that the places of a
    match have the same sum whatever happens."""

    seats: int
    """Seats it had."""

    def plus(self, other: "Share") -> "Share":
        """Both together."""
        return Share(*(one + another for one, another in zip(self, other, strict=True)))  # type: ignore[arg-type]


def shares(match: MatchResult) -> dict[str, Share]:
    """What each bot of a match did in it."""
    found: dict[str, Share] = {}
    luck = controls(match.luck)
    for seat, bot in enumerate(match.bots):
        place = match.rank[seat] + (match.rank.count(match.rank[seat]) - 1) / 2
        share = Share(match.rounds, match.total[seat], match.total[seat] + luck[seat], place, 1)
        found[bot] = found[bot].plus(share) if bot in found else share
    return found


class Summary(NamedTuple):
    """A block as the statistics read it: worked out once, used by all of them."""

    number: int
    """Its place in the schedule."""

    stratum: tuple[str, ...]
    """Who sits in it: blocks of the same bots are alike, others need not be."""

    matches: tuple[dict[str, Share], ...]
    seats: tuple[dict[str, int], ...]
    """By match, the first seat of each bot."""

    bots: dict[str, Share]
    """What each bot did in all of the block."""


def summarise(block: Block) -> Summary:
    """What each bot did in a block, by match and in all."""
    played = sorted(block.matches, key=lambda match: match.number)  # so that sums are rounded the same way always
    matches = tuple(shares(match) for match in played)
    bots: dict[str, Share] = {}
    for match in matches:
        for bot, share in match.items():
            bots[bot] = bots[bot].plus(share) if bot in bots else share
    seats = tuple({bot: match.bots.index(bot) for bot in match.bots} for match in played)
    return Summary(block.index, tuple(sorted(bots)), matches, seats, bots)
