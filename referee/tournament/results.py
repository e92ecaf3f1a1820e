"""What a match of a tournament came to, as far as standings need it: the record that the journal keeps.

A result holds no times, no machine's names and no floats, so the same match gives the same bytes wherever and whenever
it was played (`encode` writes them in the one canonical spelling of `referee.log.canonical`).
"""

from hashlib import sha256
from typing import Literal

import msgspec
from msgspec import Struct

from referee.log.canonical import encode_value

Isolation = Literal["none", "uid", "sandbox"]
Status = Literal["complete", "forfeited", "abandoned", "absent"]
"""``absent``: the match never began because a bot did not come. It has no log, no points and no rounds, and never
counts; it is there for the fault."""


class FaultKinds(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How often the referee had to act for a seat, by reason."""

    late: int = 0
    """A deadline for a required act passed, and it was the bot's fault."""

    left: int = 0
    """The bot gave no sign of life: it never came, or it was gone when it was asked."""

    refused: int = 0
    """All of its tries were refused."""

    def total(self) -> int:
        """All of them."""
        return self.late + self.left + self.refused


class MatchResult(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One match; everything *by seat* is in seat order."""

    block: int
    """The block it belongs to, from 0."""

    bots: tuple[str, ...]
    """Names by seat."""

    fault_kinds: tuple[FaultKinds, ...]
    """By seat."""

    faults: tuple[int, ...]
    """How often the referee acted for each seat."""

    index: int
    """Its place in the whole schedule, from 0."""

    isolation: Isolation
    """How the log's head says the bots were kept apart."""

    luck: tuple[int, ...]
    """By seat: the strength of every hand that was dealt, summed, in units of `statistics.luck.UNIT` to the point.

    *Every* deal counts, those of rounds that were dealt again too: a round may be dealt again because of its cards, and
    only the sum over all deals has an expectation of exactly zero.
    """

    match: str
    """The match's id."""

    number: int
    """Its place in the block, from 0."""

    rank: tuple[int, ...]
    """Places by seat, 1 = best; ties share."""

    root: str
    """Hex of the tree's root in the last seal of the log; empty where there is none."""

    rounds: int
    """Rounds that were scored."""

    rounds_points: tuple[tuple[int, ...], ...]
    """Points by scored round, then by seat: what the round added."""

    status: Status
    total: tuple[int, ...]
    """Points by seat."""


def encode(result: MatchResult) -> bytes:
    """The canonical spelling of a result, without LF."""
    return encode_value(msgspec.to_builtins(result))


def digest(results: list[MatchResult]) -> str:
    """SHA-256, hex, of all results in schedule order, each followed by LF: what two runs of an event have in common."""
    whole = sha256()
    for result in sorted(results, key=lambda one: one.index):
        whole.update(encode(result) + b"\n")
    return whole.hexdigest()
