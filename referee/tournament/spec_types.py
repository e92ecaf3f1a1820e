"""What stands in the spec of an event, with the defaults of what it leaves out.

`referee.tournament.spec` reads it from a file; `referee.tournament.sense` says what contradicts itself.
"""

import re
from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from referee.log.records import Conduct, Length, Rounds
from referee.ruleset import CAFE, Ruleset

MAX_BLOCKS: Final = 100_000
MAX_BOTS: Final = 256
MAX_NAME: Final = 40
"""Characters of an event's name: with block, replacement and number behind it, it still is a match id of 64."""

MAX_LOBBY_SECONDS: Final = 31_536_000
EVENT_NAME: Final = re.compile(r"\A[A-Za-z0-9][A-Za-z0-9._-]{0,39}\Z")

Trust = Literal["own", "isolated", "strangers"]
Duplicates = Literal["none", "rotation", "williams", "fixed-field"]
Isolation = Literal["none", "uid", "sandbox"]

Amount = Annotated[int, Meta(ge=0, le=1_000_000_000)]
BotName = Annotated[str, Meta(min_length=1, max_length=64)]


class Limits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one process of a bot may use; 0: no limit."""

    files: Amount = 0
    """Open files and sockets at once."""

    memory_mb: Amount = 0
    """Memory that it may write to, in MiB."""

    output_kb: Amount = 1024
    """What it may write to standard error, in KiB; the rest is dropped."""

    processes: Amount = 0
    """Processes and threads at once."""


class Bot(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Somebody who plays: a program that the director starts, or one that dials in."""

    name: BotName
    """The name it plays under; no two bots have the same."""

    command: list[str] | UnsetType = UNSET
    """The program and its arguments, or the name of a sample bot. In the file it may also be one text."""

    remote: bool = False
    """It dials in by itself."""

    folder: str = "."
    """The working directory of the command, seen from the spec's folder."""

    environment: dict[str, str] = {}
    """Variables that the command gets besides."""

    limits: Limits = Limits()
    reads: list[str] = []
    """More files and folders that it may read in a sandbox, seen from the spec's folder."""


class RoundRobin(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="round-robin"):
    """Everybody with everybody, over all tables."""


class Gauntlet(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="gauntlet"):
    """Candidates, each by itself at a table of references: all bots that are no candidates."""

    candidates: Annotated[list[BotName], Meta(min_length=1)]


class Pair(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="pair"):
    """Two candidates against each other; references, if any, fill the table."""

    candidates: Annotated[list[BotName], Meta(min_length=2, max_length=2)]


class SequentialStop(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A sequential test that may end a pair's event early: is the first candidate better?

    Its two hypotheses are about the mean of a block's difference (second candidate's points minus the first's, per
    round, so that more is better for the first) divided by the standard deviation of that difference.
    """

    low: Annotated[float, Meta(ge=-10, le=10)] = 0.0
    high: Annotated[float, Meta(ge=-10, le=10)] = 0.2
    alpha: Annotated[float, Meta(gt=0, lt=0.5)] = 0.05
    """How often ``high`` may be accepted although ``low`` is true."""

    beta: Annotated[float, Meta(gt=0, lt=0.5)] = 0.05
    """How often ``low`` may be accepted although ``high`` is true."""

    minimum: Annotated[int, Meta(ge=2, le=MAX_BLOCKS)] = 10
    """Blocks before which it does not stop."""


class Spec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An event, as its organiser wants it. Paths are seen from the folder of the spec."""

    name: Annotated[str, Meta(pattern=EVENT_NAME.pattern)]
    """What its matches are named after."""

    bots: Annotated[list[Bot], Meta(min_length=2, max_length=MAX_BOTS)]
    rules: Ruleset = CAFE
    """In the file: a preset's name, or a table of options with ``preset``."""

    length: Length = Rounds(rounds=100)
    seats: Annotated[int, Meta(ge=2, le=8)] = 4
    """Bots at a table."""

    format: RoundRobin | Gauntlet | Pair = field(default_factory=RoundRobin)
    duplicates: Duplicates = "none"
    """How often, and from which seats, the deals of a block are played."""

    blocks: Annotated[int, Meta(ge=0, le=MAX_BLOCKS)] = 0
    """Deal blocks; 0: once through all tables."""

    seed: Annotated[str, Meta(pattern=r"\A([0-9a-f]{64})?\Z")] = ""
    """A declared, public seed; empty: a secret one."""

    seed_file: str = ""
    """A file with a secret seed of 64 hex digits; empty: from the operating system."""

    clock: Literal["ms", "none"] = "ms"
    conduct: Conduct = Conduct()
    trust: Trust = "strangers"
    """Whose bots these are, and so which seatings are allowed."""

    isolation: Literal["auto", "none", "uid", "sandbox"] = "auto"
    """What keeps local bots apart; ``auto``: the strongest that this machine has."""

    concurrency: Annotated[int, Meta(ge=1, le=1024)] = 1
    """Matches at once."""

    faulted: Literal["drop", "replace", "keep"] = "replace"
    """What becomes of a block in which somebody was at fault."""

    replacements: Annotated[int, Meta(ge=1, le=100)] = 1
    """How often one block is replaced before it is dropped."""

    stop: SequentialStop | UnsetType = UNSET
    output: str = ""
    """The event's folder; empty: the spec's name with ``.event`` for its ending."""

    address: str = "127.0.0.1:7777"
    """Where remote bots dial in: host:port or unix:PATH. Not used without remote bots."""

    tokens: str = ""
    """A file with the tokens of remote bots: JSON, ``{"NAME": "TOKEN"}``."""

    tls_cert: str = ""
    tls_key: str = ""
    plaintext: bool = False
    """Bots dial in from other machines, and nothing is encrypted."""

    lobby_seconds: Annotated[int, Meta(ge=0, le=MAX_LOBBY_SECONDS)] = 60
    """How long a match waits for its bots; 0: for ever."""
