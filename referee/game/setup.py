"""Starting from anywhere: a game with given points, and a round with given hands.

Rule cases, worked examples and searches start here instead of at the first deal of a game.
"""

from typing import Annotated, Literal, NoReturn

from msgspec import Meta, Struct

from referee.cards import INDEX, PACK_SIZE, CardName, mask_of
from referee.game import dealing, phases
from referee.game.game import Game
from referee.game.records import Seat, Whole
from referee.game.sizes import cards_to_deal
from referee.game.state import NOBODY, Exit, Phase
from referee.ruleset import Ruleset

StartCode = Literal[
    "bad_dealer",
    "bad_folds",
    "bad_hands",
    "bad_last",
    "bad_lead",
    "bad_points",
    "bad_run",
    "bad_stake",
    "card_twice",
    "no_cards",
    "not_enough_players",
    "seed_and_hands",
]
"""Why a start is not one. Codes are stable."""

Stake = Annotated[int, Meta(ge=1, le=99)]
Counter = Annotated[int, Meta(ge=0, le=99)]
Seed = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]


class StartError(ValueError):
    """A start that cannot be played; ``code`` says which part of it is wrong."""

    def __init__(self, code: StartCode, message: str) -> None:
        super().__init__(message)
        self.code: StartCode = code


class Start(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where a game or a round starts. Lists have one entry a seat, in seat order."""

    points: list[Whole] | None = None
    """Points before the round, may be negative; nothing for everybody when absent."""

    dealer: Seat = 0
    lead: Seat | None = None
    """Who leads first, in place of the seat on the dealer's left (R-LEAD-01); in the first round only."""

    seed: Seed | None = None
    """Deals from a seed of 32 bytes, in place of ``hands``."""

    hands: list[list[CardName]] | None = None
    """As many cards for everybody: as the rules deal, or fewer to start later in the round. Empty: out of the game."""

    stock: list[CardName] = []
    """The undealt cards, top first; as far as the round needs them."""

    stake: Stake = 1
    """The stake that every seat of the round has accepted."""

    last: Seat | None = None
    """Who toeped last."""

    folds: list[Counter] | None = None
    """How often in a row each seat has folded (R-LIJN-01)."""

    run: list[Counter] | None = None
    """How many rounds in a row each seat has won (R-KRUIS-01)."""


def start_game(rules: Ruleset, seats: int, start: Start) -> Game:
    """A game that waits for its first deal, with the points and the dealer of ``start``.

    Seats whose points are at the limit are out. Raises `StartError`, or `RulesetError` for rules or seats that cannot
    be played.
    """
    game = Game(rules, seats)
    points = start.points if start.points is not None else [0] * seats
    _require(len(points) == seats, "bad_points", f"points: {len(points)} numbers for {seats} seats")
    _check_counters(start, seats)
    game.raw = list(points)
    game.drawn = True
    game.folds = list(start.folds or game.folds)
    game.run = list(start.run or game.run)
    for seat, mine in enumerate(points):
        if mine >= rules.limit:
            _require(
                rules.game_end == "last_standing",
                "bad_points",
                f"points: seat {seat} has reached the limit, and that ends a first_out game",
            )
            _out_from_the_start(game, seat)
    _require_two(game)
    _require(start.dealer < seats, "bad_dealer", f"dealer: there is no seat {start.dealer}")
    game.dealer = game.first_dealer = start.dealer
    if start.lead is not None and not game.in_game >> start.lead & 1:
        _fail("bad_lead", f"lead: seat {start.lead} is not in the game")
    return game


def start_round(rules: Ruleset, seats: int, start: Start) -> Game:
    """A game in the middle of a round with the hands of ``start``.

    With full hands the round is as new as after a deal. With fewer cards it starts at the trick they are the hands
    for: the first lead counts as made, and whatever had to be done before it can be done no more.
    Raises `StartError`, or `RulesetError` for rules or seats that cannot be played.
    """
    game = start_game(rules, seats, start)
    hands = start.hands
    if start.seed is not None:
        _fail("seed_and_hands", "start: seed and hands exclude each other")
    if hands is None:
        _fail("no_cards", "start: hands or seed is missing")
    size = _hand_size(game, hands)
    _require_different([card for hand in hands for card in hand] + start.stock)
    _require_two(game)
    if start.last is not None:
        _require(bool(game.in_game >> start.last & 1), "bad_last", f"last: seat {start.last} is not in the round")
    dealing.reset_round(game, *dealing.next_deal(game))
    game.hands = [mask_of(INDEX[card] for card in hand) for hand in hands]
    game.stock = [INDEX[card] for card in start.stock]
    game.stake = start.stake
    game.accepted = [start.stake] * seats
    game.toeper = NOBODY if start.last is None else start.last
    if start.lead is not None:
        replace_lead(game, start.lead)
    if size == game.dealt:
        _require(not rules.blind or start.stake == 1, "bad_stake", "stake: nobody toeps before a blind toep")
        game.phase = Phase.BLIND
        phases.start(game, [])
    else:
        game.phase = Phase.PLAY
        game.trick_number = game.hand_size - size + 1
        game.seen = game.played = game.in_round
    return game


def replace_lead(game: Game, seat: int) -> None:
    """Let a seat lead the trick that has not begun, in place of the seat that the rules name.

    Raises `StartError` for a seat that is not in the round.
    """
    if not game.in_round >> seat & 1:
        _fail("bad_lead", f"lead: seat {seat} is not in the round")
    game.lead = game.turn = seat


def _hand_size(game: Game, hands: list[list[CardName]]) -> int:
    """How many cards everybody holds; takes the seats without cards out of the game."""
    _require(len(hands) == game.seats, "bad_hands", f"hands: {len(hands)} hands for {game.seats} seats")
    sizes: set[int] = set()
    for seat, hand in enumerate(hands):
        playing = bool(game.in_game >> seat & 1)
        if hand:
            _require(playing, "bad_hands", f"hands: seat {seat} has cards but its points are at the limit")
            sizes.add(len(hand))
        elif playing:
            _require(
                game.rules.game_end == "last_standing",
                "bad_hands",
                f"hands: seat {seat} has no cards, but nobody leaves a first_out game before its end",
            )
            _out_from_the_start(game, seat)
    _require_two(game)
    _require(len(sizes) == 1, "bad_hands", "hands: players do not hold equally many cards")
    size = sizes.pop()
    dealt, tricks = cards_to_deal(game)
    _require(
        size <= tricks or size == dealt,
        "bad_hands",
        f"hands: {size} cards, and the rules deal {dealt} for {tricks} tricks",
    )
    return size


def _out_from_the_start(game: Game, seat: int) -> None:
    game.in_game &= ~(1 << seat)
    # All in the same, earliest moment: whoever leaves later has a better place.
    game.exits.append(Exit(seat, -1, game.raw[seat], game.raw[seat]))


def _check_counters(start: Start, seats: int) -> None:
    """The counters of consecutive folds and wins, and what goes only with hands."""
    _require(start.folds is None or len(start.folds) == seats, "bad_folds", f"folds: one number for each of {seats}")
    _require(start.run is None or len(start.run) == seats, "bad_run", f"run: one number for each of {seats}")
    if start.hands is None:
        _require(not start.stock, "no_cards", "stock: only with hands")
        _require(start.stake == 1, "bad_stake", "stake: only with hands")
        _require(start.last is None, "bad_last", "last: only with hands")


def _require_two(game: Game) -> None:
    _require(game.in_game.bit_count() >= 2, "not_enough_players", "start: fewer than two seats are in the game")


def _require_different(cards: list[CardName]) -> None:
    seen: set[CardName] = set()
    for card in cards:
        _require(card not in seen, "card_twice", f"{card} is dealt twice")
        seen.add(card)
    assert len(seen) <= PACK_SIZE


def _require(fine: bool, code: StartCode, message: str) -> None:
    if not fine:
        raise StartError(code, message)


def _fail(code: StartCode, message: str) -> NoReturn:
    raise StartError(code, message)
