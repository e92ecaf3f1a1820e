"""The lines of a log that the game itself does not know: the head, chance, refusals, referee decisions, seals.

Together with `referee.game.records` this is the whole vocabulary of format ``toep/0``. `AnyRecord` is the union that
a reader decodes a line into.
"""

from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from referee.game import records as game
from referee.game.records import AnyAct, Count, Milliseconds, Points, Record, Salt, Seat
from referee.ruleset import Ruleset

FORMAT: Final = "toep/0"
EDITION: Final = 1
"""The edition of the rules that this code plays; a log with another one is not judged (exit 3)."""

SHUFFLE: Final = "hkdf-fy8/1"
MAX_LINE: Final = 16 * 1024
"""Bytes of a line at most, without its line feed."""

Hash = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
"""A SHA-256 value, or 32 secret bytes, as lower-case hex."""

Base64Hash = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=\Z")]
"""32 bytes in the one canonical base64 spelling."""

Identifier = Annotated[str, Meta(pattern=r"\A[!-~]{1,128}\Z")]
"""A match id or the name of a deal set: printable ASCII without spaces, because a match id is a checkpoint's origin."""

DisplayName = Annotated[str, Meta(min_length=1, max_length=64)]
Ascii200 = Annotated[str, Meta(pattern=r"\A[ -~]{0,200}\Z")]
PROTOCOL_CODES: Final = ("malformed", "not_asked", "too_large", "unknown")
RefusedCode = Annotated[str, Meta(pattern=r"\A(malformed|not_asked|too_large|unknown|[RH]-[A-Z0-9-]{2,12})\Z")]


class HeadSeat(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who sits here: the bot's display name, and its public key when it has one."""

    bot: DisplayName
    key: Annotated[str, Meta(pattern=r"\A[!-~]{1,256}\Z")] | UnsetType = UNSET


class Rounds(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A match of a fixed number of independent rounds."""

    rounds: Annotated[int, Meta(ge=1, le=1_000_000)]


Length = Literal["game"] | Rounds
"""``"game"``: to the end by the rules; ``{"rounds": K}``: K rounds, each from zero points."""


LimitMs = Annotated[int, Meta(ge=1, le=86_400_000)]
"""A time limit in milliseconds: a day at most."""

FaultLimit = Annotated[int, Meta(ge=1, le=1_000_000)]


class Conduct(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the referee does about bad behaviour: fixed before the match, written into its head, re-checked later.

    A field that is not set is not written; it means what the rules of conduct say without it.
    """

    act_ms: LimitMs = 10_000
    """Time for an act that is required, in milliseconds."""

    bank_ms: LimitMs | UnsetType = UNSET
    """What a seat has besides for all its required acts together, in milliseconds; not set: nothing."""

    faults: Annotated[int, Meta(ge=0, le=1_000_000)] = 10
    """How many times the referee acts for a seat, for whatever reason, before the seat is forfeited; 0: never."""

    increment_ms: LimitMs | UnsetType = UNSET
    """What each required act adds to the seat's bank, in milliseconds; not set: nothing."""

    late_faults: FaultLimit | UnsetType = UNSET
    """The same limit as ``faults``, of faults for being late alone; not set: none."""

    left: Literal["wait"] | UnsetType = UNSET
    """What becomes of a seat whose bot left or crashed: it is waited for like one that lost its connection; not set:
    it is forfeited at once."""

    link_faults: FaultLimit | UnsetType = UNSET
    """The same limit as ``faults``, of faults while the bot was not connected alone; not set: none."""

    max_deals: Annotated[int, Meta(ge=1, le=100_000)] = 1000
    """After so many deals the match is abandoned (two seats with a jack bonus could go on for ever)."""

    ready_ms: LimitMs | UnsetType = UNSET
    """Time for a seat's first act, where that is more than ``act_ms``; not set: ``act_ms``."""

    refused_faults: FaultLimit | UnsetType = UNSET
    """The same limit as ``faults``, of faults because all tries were refused alone; not set: none."""

    stall: Literal["excuse", "void"] | UnsetType = UNSET
    """What becomes of lateness that is the referee's or the host's own: it is no fault, or the round is void and dealt
    again; not set: it is a fault like any other."""

    tries: Annotated[int, Meta(ge=1, le=15)] = 3
    """Answers of a seat that may be refused between two effective acts; then the referee acts (in a window: passes)."""

    window_ms: LimitMs = 2_000
    """Time to use a window, in milliseconds; silence in a window is free."""


class Head(Record, frozen=True, kw_only=True, tag="head"):
    """Everything that is needed to replay the match."""

    clock: Literal["ms", "none"]
    commit: Hash
    conduct: Conduct
    deals: Identifier
    edition: Count
    engine: Annotated[str, Meta(pattern=r"\A[ -~]{1,64}\Z")] | UnsetType = UNSET
    event: Identifier | UnsetType = UNSET
    fmt: Identifier
    isolation: Literal["none", "uid", "sandbox"]
    key: Annotated[str, Meta(pattern=r"\A[!-~]{1,256}\Z")] | UnsetType = UNSET
    length: Length
    match: Identifier
    open_seed: Hash | UnsetType = UNSET
    rules: Ruleset
    seats: Annotated[list[HeadSeat], Meta(min_length=2, max_length=8)]
    shuffle: Identifier


class Entropy(Record, frozen=True, kw_only=True, tag="entropy"):
    """What each player added to the shuffle, by seat; null where one stayed silent."""

    e: list[Hash | None]


class Refused(Record, frozen=True, kw_only=True, tag="refused"):
    """An act that was rejected. Private; all of a round stand together just before its ``score``."""

    at: Annotated[int, Meta(ge=0, le=2**53 - 1)]
    code: RefusedCode
    got: AnyAct | UnsetType = UNSET
    salt: Salt
    seat: Seat


Verdict = Literal["bot", "host", "referee", "link"]
"""Whose doing it was that no answer came in time: the bot's, the machine's, the referee's, or the connection's."""


class Late(Record, frozen=True, kw_only=True, tag="late"):
    """A deadline for a required act passed. Times in milliseconds; no ``elapsed`` under clock ``none``."""

    budget: Milliseconds
    elapsed: Milliseconds | UnsetType = UNSET
    seat: Seat
    verdict: Verdict


class Ruling(Record, frozen=True, kw_only=True, tag="ruling"):
    """A decision of the organiser, as data; it has no effect on points."""

    seat: Seat | UnsetType = UNSET
    why: Ascii200


class End(Record, frozen=True, kw_only=True, tag="end"):
    """The match is over: lines before this one, places (1 = best, ties share), totals."""

    n: Count
    rank: Annotated[list[Annotated[int, Meta(ge=1, le=8)]], Meta(min_length=2, max_length=8)]
    status: Literal["complete", "forfeited", "abandoned"]
    total: Points


class Reveal(Record, frozen=True, kw_only=True, tag="reveal"):
    """The seed, which opens ``head.commit``."""

    seed: Hash


class Seal(Record, frozen=True, kw_only=True, tag="seal"):
    """The tree's root over the ``n`` lines before this one; ``sig`` holds ``[name, base64]`` pairs, or nothing."""

    n: Count
    root: Base64Hash
    sig: list[tuple[str, str]]


class Redacted(Record, frozen=True, kw_only=True, tag="~"):
    """A private line that a view does not show: the base64 leaf hash in its place."""

    hash: Base64Hash


AnyRecord = (
    Head | Entropy | game.Draw | Refused | Late | Ruling | End | Reveal | Seal | Redacted
    | AnyAct | game.Forfeit | game.Void | game.Round | game.Cards | game.Auto | game.Open | game.Show
    | game.Penalty | game.Trick | game.Score | game.Out
)  # fmt: skip

PRIVATE: Final[tuple[type[Record], ...]] = (game.Cards, game.Discard, Refused)
"""The only records that may depend on hidden cards; each carries a salt."""
