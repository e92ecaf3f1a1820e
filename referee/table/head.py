"""Making a match's head: everything that is needed to replay it, and an id that nobody can choose."""

import hashlib
from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from referee.deal import commit
from referee.log.records import EDITION, FORMAT, SHUFFLE, Conduct, Head, HeadSeat, Length, Rounds
from referee.ruleset import Ruleset


class MatchPlan(Struct, frozen=True, kw_only=True):
    """What an organiser decides about a match."""

    rules: Ruleset
    bots: Sequence[str]
    """Display names by seat."""
    length: Length = "game"
    conduct: Conduct = Conduct()
    clock: Literal["ms", "none"] = "ms"
    match: str = ""
    """The match's id; empty: derived."""
    deals: str = ""
    """The deal set; empty: the match's id."""
    engine: str = ""
    """Name and version of the referee; not written under clock ``none``."""

    isolation: Literal["none", "uid", "sandbox"] = "none"
    """How the bots are kept from the referee's files; of several ways the weakest."""


def rounds_of(length: Length) -> int:
    """The number of rounds of a match; 0 for a game to the end."""
    return length.rounds if isinstance(length, Rounds) else 0


def derive_id(commitment: str, rules: Ruleset, bots: Sequence[str], length: Length) -> str:
    """The default match id: a digest of commitment, rules, seats and length, so that it names one match only."""
    text = msgspec.json.encode([commitment, rules, list(bots), length])
    return "m-" + hashlib.sha256(b"toep/1 match\n" + text).hexdigest()[:24]


def make_head(plan: MatchPlan, seed: bytes, *, declared: bool, key: str = "") -> Head:
    """The head of a match that is dealt from ``seed`` (32 bytes); ``declared``: the seed is public from the start.

    ``key`` is the vkey of the key that signs the log's seals; empty: they are not signed.
    """
    commitment = commit(seed)
    match = plan.match or derive_id(commitment, plan.rules, plan.bots, plan.length)
    engine: str | UnsetType = plan.engine if plan.engine and plan.clock == "ms" else UNSET
    return Head(
        clock=plan.clock,
        commit=commitment,
        conduct=plan.conduct,
        deals=plan.deals or match,
        edition=EDITION,
        engine=engine,
        fmt=FORMAT,
        isolation=plan.isolation,
        key=key or UNSET,
        length=plan.length,
        match=match,
        open_seed=seed.hex() if declared else UNSET,
        rules=plan.rules,
        seats=[HeadSeat(bot=bot) for bot in plan.bots],
        shuffle=SHUFFLE,
    )
