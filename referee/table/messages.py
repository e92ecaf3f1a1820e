"""What a table says to its seats. Plain structs: the service turns them into protobuf, tests read them as they are."""

from enum import IntEnum
from typing import Final

from msgspec import Struct

from referee.game.records import Record

NEVER: Final = 1 << 62
"""A moment that does not come, in milliseconds."""

TRY_BITS: Final = 6
SEAT_BITS: Final = 3
AT_MASK: Final = (1 << (32 - TRY_BITS - SEAT_BITS)) - 1


def ask_id(at: int, seat: int, attempt: int) -> int:
    """An ask's id, never 0: effective acts so far, seat, and how often this seat was asked since the last of them (from
    1).

    It depends on nothing that other seats hide, and is the same after a restart.
    """
    return ((at & AT_MASK) << (TRY_BITS + SEAT_BITS)) | seat << TRY_BITS | attempt


def seat_of(ask: int) -> int:
    """The seat that an ask id was made for (0 to 7, whatever the number)."""
    return ask >> TRY_BITS & (1 << SEAT_BITS) - 1


class AskKind(IntEnum):
    """What an ask is about; the numbers are those of the wire."""

    CARD = 1
    ANSWER = 2
    WINDOW = 3
    EXCHANGE = 4
    CHECK = 5
    CUT = 6
    BLIND = 7
    CHANCE = 8
    DISCARD = 9


# By plain names for the path that every step takes: in Python 3.11 an attribute of an enum costs ten times as much.
CARD, ANSWER, WINDOW, EXCHANGE, CHECK, CUT, BLIND, CHANCE, DISCARD = AskKind


class RefusalCode(IntEnum):
    """Why an answer was not accepted; the numbers are those of the wire.

    Malformed and too large are faults of schema, illegal is one of rules, the rest are faults of protocol. Stale, wrong
    seat and wrong table cost nothing and are not logged: they are not about a live ask.
    """

    MALFORMED = 1
    TOO_LARGE = 2
    STALE = 3
    WRONG_SEAT = 4
    WRONG_TABLE = 5
    NOT_ASKED = 6
    ILLEGAL = 7


class Ask(Struct, gc=False):
    """The referee wants an act of ``seat``. Its clock starts when the table is told that the ask was sent."""

    seat: int
    id: int
    kind: AskKind
    required: bool
    hand: int
    """Mask of the seat's cards."""
    legal: int
    """Mask of the cards it may play."""
    may: int
    """Flags of the other acts it may do."""
    budget_ms: int
    """All of its time; what is left of it is said when the ask is sent."""
    sent_at: int = NEVER
    deadline: int = NEVER


class Update(Struct, gc=False):
    """Public records that everybody at the table sees; how things stand can be read from the game."""

    records: list[Record]


class Refused(Struct, gc=False):
    """An answer was not accepted."""

    seat: int
    ask: int
    code: RefusalCode
    rule: str
    message: str
    tries_left: int


class Superseded(Struct, gc=False):
    """An answer came to nothing, because another act took effect first."""

    seat: int
    ask: int


class Over(Struct, gc=False):
    """The match is over."""

    status: str
    rank: list[int]
    total: list[int]


Message = Ask | Update | Refused | Superseded | Over
