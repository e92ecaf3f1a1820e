"""The state of a game, as plain data. Everything a chapter of the rules reads or changes is in here."""

from enum import IntEnum
from typing import Final, NamedTuple, Self

from referee.ruleset import Ruleset

NOBODY: Final = -1


class Phase(IntEnum):
    """The phases of a round, P1 to P9. An act of a later phase closes the earlier ones for everybody."""

    DEAL = 1
    """No cards are dealt: the game waits for a pack, and perhaps for a cut."""

    BLIND = 2
    """Nobody has looked at his cards; a blind toep is possible."""

    PICKUP = 3
    """Hands are picked up: four alike are shown, and in a finale cards are laid away."""

    CHANCE = 4
    """"Kans op toep": a card from the stock for three alike."""

    EXCHANGE = 5
    """"Vuile was": a new hand for a bad one."""

    ARMOEDE = 6
    """Who is not poor answers the opening of those who are."""

    PLAY = 7
    """Cards and toeps."""

    SCORE = 8
    """The round is booked (passed through, never waited in)."""

    OVER = 9
    """Eliminations have been made, and the game is over."""


# By plain names for the paths that every act takes: in Python 3.11 an attribute of an enum costs ten times as much.
DEAL, BLIND, PICKUP, CHANCE, EXCHANGE, ARMOEDE, PLAY, SCORE, OVER = Phase


class Question(IntEnum):
    """What is being answered."""

    NOTHING = 0
    BLIND = 1
    ARMOEDE = 2
    TOEP = 3


class Denial(NamedTuple):
    """A card off the led suit, where revokes are played and punished (R-VERZ-01)."""

    seat: int
    suit: int
    """The led suit that the seat did not play."""

    play: int
    """Which of the round's plays it was."""

    revoke: bool
    """Whether the seat held a card of that suit."""


class Closed(NamedTuple):
    """A trick that was closed, kept because a confession can open it again (R-VERZ-02)."""

    number: int
    lead: int
    plays: tuple[tuple[int, int], ...]


class Claim(NamedTuple):
    """An exchange that may still be challenged."""

    seat: int
    old_hand: int
    """Mask of the cards laid down."""

    drawn: tuple[int, ...]


class Exit(NamedTuple):
    """How a seat left the game: what its place is worked out from (H-12)."""

    seat: int
    moment: int
    """Exits of the same moment stand together; a higher number is later."""

    unclamped: int
    before: int
    """Points at the start of the round in which it left."""


class State:
    """A game between ``seats`` players (2 to 8) under one rule set.

    Sets of seats are masks (bit i is seat i), hands are masks of card indexes; lists have one entry a seat.
    """

    __slots__ = (
        "accepted",
        "answer_queue",
        "base",
        "chanced",
        "claim",
        "closed",
        "cut_at",
        "cut_open",
        "dealer",
        "deals",
        "dealt",
        "declined",
        "denials",
        "discards_due",
        "dood_queue",
        "drawn",
        "exchanged",
        "exits",
        "first_dealer",
        "folds",
        "folds_before",
        "hand_size",
        "hands",
        "in_game",
        "in_round",
        "last_points",
        "lead",
        "length",
        "moment",
        "must_follow",
        "peeked",
        "penalties",
        "phase",
        "played",
        "plays",
        "poor",
        "question",
        "raw",
        "raw_before",
        "redeal",
        "round",
        "rules",
        "run",
        "run_before",
        "sealed_folds",
        "seats",
        "seen",
        "signalled",
        "signs",
        "stake",
        "status",
        "stock",
        "struck",
        "toeper",
        "total_before",
        "trick",
        "trick_number",
        "try_",
        "turn",
        "winner",
    )

    def __init__(self, rules: Ruleset, seats: int, length: int = 0) -> None:
        self.rules: Ruleset = rules
        self.seats: int = seats
        self.length: int = length
        """Rounds of a match of independent rounds; 0: a game to the end by the rules."""

        # The game.
        self.raw: list[int] = [0] * seats
        """Points of the running game before the clamp at the limit; may be negative."""
        self.base: list[int] = [0] * seats
        """What earlier rounds of a rounds match add up to."""
        self.in_game: int = (1 << seats) - 1
        self.first_dealer: int = 0
        self.dealer: int = 0
        self.deals: int = 0
        """Deals so far, void ones included."""
        self.round: int = 0
        self.try_: int = 0
        self.cut_open: bool = False
        """A deal has been opened, and the pack may be cut."""
        self.cut_at: int = 0
        """How many cards the cut put under the rest; 0: no cut."""
        self.drawn: bool = False
        """The first dealer has been drawn by low card (R-SEAT-01)."""
        self.folds: list[int] = [0] * seats
        """Toeps in a row that each seat declined (R-LIJN-01)."""
        self.run: list[int] = [0] * seats
        """Rounds in a row that each seat won (R-KRUIS-01)."""
        self.redeal: bool = False
        """The last round was void: the next deal is its next try."""
        self.moment: int = 0
        self.exits: list[Exit] = []
        self.status: str = "complete"
        self.winner: int = NOBODY
        """Who won the last finished round."""
        self.last_points: list[int] | None = None
        """What the last finished round changed, by seat."""

        # The round.
        self.phase: Phase = Phase.DEAL
        self.dealt: int = 4
        """Cards that each player is dealt; more than are played in a finale (R-GRAF-01)."""
        self.hand_size: int = 4
        """Tricks of the round."""
        self.hands: list[int] = [0] * seats
        self.stock: list[int | None] = []
        """The undealt cards, top first. None: a card nobody has seen, when the game is replayed from a log."""
        self.in_round: int = 0
        self.raw_before: list[int] = [0] * seats
        self.total_before: list[int] = [0] * seats
        self.penalties: list[int] = [0] * seats
        """Penalty points of this round, by seat."""
        self.stake: int = 1
        self.toeper: int = NOBODY
        self.accepted: list[int] = [1] * seats
        """The last stake each seat accepted: its price for folding, and what "dood" is judged by."""
        self.answer_queue: list[int] = []
        """Seats that must answer a toep, in order."""
        self.dood_queue: list[int] = []
        """Seats that go along by themselves once the others have answered (R-DOOD-03)."""
        self.question: Question = Question.NOTHING
        """What is being answered, or was answered last in this round."""
        self.sealed_folds: list[tuple[int, int]] = []
        """(seat, price) of folds that show when all sealed answers are in (H-42)."""
        self.seen: int = 0
        """Seats that have looked at their cards."""
        self.peeked: int = 0
        """Seats that looked too early, or after declining a blind toep."""
        self.declined: int = 0
        """Seats that declined a blind toep."""
        self.chanced: int = 0
        """Seats that drew a card to three alike."""
        self.discards_due: int = 0
        """Seats that must lay cards away before anything else."""
        self.poor: int = 0
        """Seats in armoede, once they have opened the stake (R-ARM-02)."""
        self.signalled: int = 0
        """Seats that gave a sign."""
        self.signs: list[int] = [0] * seats
        """What each seat did: 1 whistled or sang, 2 stood, 3 both."""
        self.claim: Claim | None = None
        self.exchanged: int = 0
        """Seats that have exchanged in this round."""
        self.trick_number: int = 0
        self.lead: int = 0
        self.turn: int = NOBODY
        """Whose card is due; ``NOBODY`` outside of a running trick."""
        self.trick: list[tuple[int, int]] = []
        """The running trick: (seat, card) in the order played."""
        self.plays: list[tuple[int, int, int]] = []
        """All cards of the round: (trick number, seat, card)."""
        self.played: int = 0
        """Seats whose first card has fallen."""
        self.denials: list[Denial] = []
        self.closed: Closed | None = None
        self.must_follow: int = 0
        """Seats that took a revoked card back and must follow suit in its place."""
        self.struck: int = 0
        """Mask of cards that count for no trick (R-VERZ-03)."""
        self.folds_before: list[int] = [0] * seats
        self.run_before: list[int] = [0] * seats

    def copy(self) -> Self:
        """A second game in the same state; changes to either leave the other alone."""
        twin = object.__new__(type(self))
        for name in State.__slots__:
            value = getattr(self, name)
            setattr(twin, name, value.copy() if type(value) is list else value)
        return twin

    def points(self, seat: int) -> int:
        """A seat's points as they count for caps, dood and the end: never above the limit (R-SCORE-06)."""
        return min(self.raw[seat], self.rules.limit)

    def totals(self) -> list[int]:
        """The totals as shown: clamped at the limit or, with ``overshoot`` = record, as they fell (H-43)."""
        if self.rules.overshoot == "record":
            return [base + raw for base, raw in zip(self.base, self.raw, strict=True)]
        limit = self.rules.limit
        return [base + min(raw, limit) for base, raw in zip(self.base, self.raw, strict=True)]

    def next_seat(self, seat: int, among: int) -> int:
        """The first seat clockwise after ``seat`` that is in the mask ``among``, ``seat`` itself last."""
        for step in range(1, self.seats + 1):
            candidate = (seat + step) % self.seats
            if among >> candidate & 1:
                return candidate
        return NOBODY

    def clockwise(self, start: int, among: int) -> list[int]:
        """The seats of a mask, clockwise beginning with the seat after ``start``, ``start`` itself last."""
        seats = self.seats
        return [(start + step) % seats for step in range(1, seats + 1) if among >> ((start + step) % seats) & 1]
