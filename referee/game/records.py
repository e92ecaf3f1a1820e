"""The vocabulary of the game: what players do and what follows from it. These structs *are* the lines of the log.

Fields stand in alphabetical order, because the canonical spelling of a log line sorts its keys and msgspec writes
fields in the order of their definition. A field that the game fills in (``stake``, ``pay``, ``genuine`` ...) is unset
in the act a player sends and always set in the record the engine answers with; `COMPLETE` lists those fields.
"""

from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from referee.cards import CardName

Seat = Annotated[int, Meta(ge=0, le=7)]
"""A seat, 0-based, clockwise."""

Small = Annotated[int, Meta(ge=0, le=99)]
Count = Annotated[int, Meta(ge=1, le=2**53 - 1)]
Milliseconds = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Whole = Annotated[int, Meta(ge=-(2**53) + 1, le=2**53 - 1)]
Points = Annotated[list[Whole], Meta(min_length=2, max_length=8)]
"""One number a seat, in seat order."""

Seats = Annotated[list[Seat], Meta(min_length=1, max_length=8)]
Salt = Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]
RuleId = Annotated[str, Meta(pattern=r"\A[RH]-[A-Z0-9-]{2,12}\Z")]
By = Literal["ref"]
NO_SALT: Final = ""
"""Engines know no salts; the log fills them in."""


class Record(Struct, frozen=True, tag_field="_", forbid_unknown_fields=True, gc=False):
    """Any line of a log."""


class Act(Record, frozen=True):
    """An act of a player, or of the referee in his place (``by`` is then ``"ref"``, and there is no ``ms``)."""


class Cut(Act, frozen=True, kw_only=True, tag="cut"):
    """The pack was cut: the first ``at`` cards go under the rest (R-CUT-01)."""

    at: Annotated[int, Meta(ge=1, le=31)]
    by: By | UnsetType = UNSET
    ms: Milliseconds | UnsetType = UNSET
    seat: Seat


class Blind(Act, frozen=True, kw_only=True, tag="blind"):
    """A toep before anybody has seen a card (R-BLIND-01)."""

    by: By | UnsetType = UNSET
    ms: Milliseconds | UnsetType = UNSET
    seat: Seat
    stake: Small | UnsetType = UNSET


class Peek(Act, frozen=True, kw_only=True, tag="peek"):
    """Looking at one's cards too early (R-DEAL-04) or after declining a blind toep (R-BLIND-04)."""

    by: By | UnsetType = UNSET
    ms: Milliseconds | UnsetType = UNSET
    seat: Seat


class Chance(Act, frozen=True, kw_only=True, tag="chance"):
    """ "Kans op toep": one card from the stock for a hand with three alike (R-KANS-03)."""

    by: By | UnsetType = UNSET
    ms: Milliseconds | UnsetType = UNSET
    seat: Seat


class Exchange(Act, frozen=True, kw_only=True, tag="exchange"):
    """ "Vuile was": the whole hand is laid down for four cards of the stock (R-WAS-04)."""

    by: By | UnsetType = UNSET
    ms: Milliseconds | UnsetType = UNSET
    seat: Seat


class Challenge(Act, frozen=True, kw_only=True, tag="challenge"):
    """The hand laid down in the latest exchange is turned up (R-WAS-06)."""

    by: By | UnsetType = UNSET
    genuine: bool | UnsetType = UNSET
    ms: Milliseconds | UnsetType = UNSET
    seat: Seat
    shown: list[CardName] | UnsetType = UNSET


class Signal(Act, frozen=True, kw_only=True, tag="signal"):
    """Whistling, singing or standing (R-FLUIT-01)."""

    by: By | UnsetType = UNSET
    ms: Milliseconds | UnsetType = UNSET
    seat: Seat
    sign: Literal["whistle", "sing", "stand"]


class Toep(Act, frozen=True, kw_only=True, tag="toep"):
    """A knock: the stake goes up by one (R-TOEP-01, R-SCORE-02). ``stake`` is the stake after it."""

    by: By | UnsetType = UNSET
    ms: Milliseconds | UnsetType = UNSET
    seat: Seat
    stake: Small | UnsetType = UNSET


class Stay(Act, frozen=True, kw_only=True, tag="stay"):
    """Going along with a toep (R-ANS-01)."""

    by: By | UnsetType = UNSET
    ms: Milliseconds | UnsetType = UNSET
    seat: Seat


class Fold(Act, frozen=True, kw_only=True, tag="fold"):
    """Declining a toep. ``pay`` is the price before any clamp at the limit (R-SCORE-03)."""

    by: By | UnsetType = UNSET
    ms: Milliseconds | UnsetType = UNSET
    pay: Small | UnsetType = UNSET
    seat: Seat


class Play(Act, frozen=True, kw_only=True, tag="play"):
    """A card to the trick."""

    by: By | UnsetType = UNSET
    card: CardName
    ms: Milliseconds | UnsetType = UNSET
    seat: Seat


class Discard(Act, frozen=True, kw_only=True, tag="discard"):
    """Cards laid away, in a finale (R-GRAF-01) or by a chance draw (R-KANS-04). Private."""

    by: By | UnsetType = UNSET
    cards: list[CardName]
    ms: Milliseconds | UnsetType = UNSET
    salt: Salt | UnsetType = UNSET
    seat: Seat


class Confess(Act, frozen=True, kw_only=True, tag="confess"):
    """A revoke is owned up to (R-VERZ-02, R-VERZ-03)."""

    by: By | UnsetType = UNSET
    card: CardName | UnsetType = UNSET
    ms: Milliseconds | UnsetType = UNSET
    pay: Small | UnsetType = UNSET
    seat: Seat


class Resign(Act, frozen=True, kw_only=True, tag="resign"):
    """A player gives up the game."""

    by: By | UnsetType = UNSET
    ms: Milliseconds | UnsetType = UNSET
    seat: Seat


class Forfeit(Record, frozen=True, kw_only=True, tag="forfeit"):
    """The referee takes a seat out of the game under the conduct policy."""

    seat: Seat
    why: Literal["faults", "left"]


class Void(Record, frozen=True, kw_only=True, tag="void"):
    """The running round counts for nothing."""

    why: Literal["revoke", "crash", "cancelled"]


class Round(Record, frozen=True, kw_only=True, tag="round"):
    """A new deal. ``try`` counts up from 1 when a round was void and is dealt again."""

    dealer: Seat
    round: Count
    try_: Count = field(name="try")


class Draw(Record, frozen=True, kw_only=True, tag="draw"):
    """Seats and the cards they drew for the first deal, redraws included (R-SEAT-01)."""

    cards: list[tuple[Seat, CardName]]


class Cards(Record, frozen=True, kw_only=True, tag="cards"):
    """Cards a seat received, in pack order. Private."""

    cards: list[CardName]
    salt: Salt
    seat: Seat
    why: Literal["deal", "exchange", "chance", "finale"]


class Auto(Record, frozen=True, kw_only=True, tag="auto"):
    """Seats that go along by themselves (R-DOOD-03)."""

    seats: Seats


class Open(Record, frozen=True, kw_only=True, tag="open"):
    """Players one point before the limit open the stake at two (R-ARM-03)."""

    seats: Seats
    stake: Small


class Show(Record, frozen=True, kw_only=True, tag="show"):
    """Four alike are shown (R-KANS-01)."""

    cards: list[CardName]
    seat: Seat


class Penalty(Record, frozen=True, kw_only=True, tag="penalty"):
    """A penalty, before any clamp at the limit; ``why`` is the rule that asks for it."""

    points: Small
    seat: Seat
    why: RuleId


class Trick(Record, frozen=True, kw_only=True, tag="trick"):
    """A closed trick: the seat whose card won, and who leads next (absent after the last trick)."""

    lead: Seat | UnsetType = UNSET
    win: Seat


class Score(Record, frozen=True, kw_only=True, tag="score"):
    """What the round changed, and the totals after it."""

    points: Points
    total: Points


class Out(Record, frozen=True, kw_only=True, tag="out"):
    """A seat leaves the game, or loses a first-out game."""

    seat: Seat
    why: Literal["limit", "crosses", "penalty", "resign", "forfeit"]


COMPLETE: Final[dict[type[Record], tuple[str, ...]]] = {
    Blind: ("stake",),
    Challenge: ("genuine", "shown"),
    Discard: ("salt",),
    Fold: ("pay",),
    Toep: ("stake",),
}
"""Fields that a player's act leaves to the game and that every record in a log must have."""

ACTS: Final[tuple[type[Act], ...]] = (
    Cut, Blind, Peek, Chance, Exchange, Challenge, Signal, Toep, Stay, Fold, Play, Discard, Confess, Resign,
)  # fmt: skip
"""Every act of a player, in the order of the rule book."""

AnyAct = (
    Cut | Blind | Peek | Chance | Exchange | Challenge | Signal | Toep | Stay | Fold | Play | Discard | Confess | Resign
)
EFFECTIVE: Final[tuple[type[Record], ...]] = (*ACTS, Forfeit, Void)
"""What the game takes as input besides a pack of cards."""
