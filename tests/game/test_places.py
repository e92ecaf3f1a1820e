"""P9: places, where crosses and the limit take seats out, and whoever deals when nobody is left."""

from typing import Any

import pytest

from referee.cards import PACK_SIZE
from referee.game.game import Game
from referee.game.records import Fold, Forfeit, Out, Toep
from referee.ruleset import resolve

PACK = list(range(PACK_SIZE))
STANDING: dict[str, Any] = {"preset": "short", "game_end": "last_standing"}


def all_fold(game: Game, winner: int) -> None:
    game.deal(PACK)
    game.apply(Toep(seat=winner))
    while game.answer_queue:
        game.apply(Fold(seat=game.answer_queue[0]))


def test_who_leaves_by_crosses_leaves_after_who_reached_the_limit_and_before_the_next_round() -> None:
    game = Game(resolve({**STANDING, "limit": 3, "crosses": 1}), 4)
    all_fold(game, 0)
    assert game.in_game == 0b1101, "B, the first of three with a point, goes"
    game.raw[3] = 2
    all_fold(game, 2)
    assert game.over, "D has reached the limit, and then A goes"
    assert game.ranks() == [2, 4, 1, 3]


@pytest.mark.parametrize(("overshoot", "ranks"), [("clamp", [2, 2, 1]), ("record", [3, 2, 1])])
def test_in_a_first_out_game_only_the_totals_count(table: Any, overshoot: str, ranks: list[int]) -> None:
    rules = {"preset": "short", "overshoot": overshoot}
    game = table(rules, ["7h", "8h", "Th"], "A:7h B:8h C:Th", points=[9, 8, 0], stake=2, lead=0)
    assert game.over
    assert game.ranks() == ranks


@pytest.mark.parametrize("next_dealer", ["winner", "left"])
def test_the_dealer_is_a_seat_also_when_nobody_is_left(table: Any, next_dealer: str) -> None:
    rules = {**STANDING, "folded_cards": "win", "next_dealer": next_dealer}
    acts = "A:9h B:Th C! D+ A+ B- C:7h D:8h"
    game = table(rules, ["9h", "Th", "7h", "8h"], acts, points=[9, 9, 8, 8], lead=0, dealer=2)
    assert game.in_game == 0
    assert game.dealer in range(4)


def test_a_forfeit_is_a_resignation_by_another_name(table: Any) -> None:
    game = table(STANDING, ["7h", "8h", "Th"], "A:7h", lead=0)
    forfeit = Forfeit(seat=1, why="left")
    assert game.apply(forfeit) == [forfeit, Out(seat=1, why="forfeit")]
    assert game.status == "forfeited"
    assert game.totals() == [0, 10, 0]
    assert not game.over


def test_who_is_out_from_the_start_left_before_everybody_else(table: Any) -> None:
    """Also who went with few points, by crosses."""
    assert table(STANDING, ["7h", "", "8h"], "A:7h C:8h", points=[9, 3, 0], lead=0).ranks() == [2, 3, 1]
