"""P8 and P9: places, rounds matches, forfeits, and rounds that count for nothing."""

from typing import Any

import pytest

from referee.cards import PACK_SIZE
from referee.game.game import Game
from referee.game.records import Fold, Forfeit, Out, Resign, Score, Toep, Void
from referee.game.refusal import IllegalAct
from referee.game.state import NOBODY
from referee.ruleset import resolve

PACK = list(range(PACK_SIZE))
ELIMINATION = {"preset": "short", "game_end": "last_standing"}
HANDS = ["7h", "8h", "Th"]


def fold_all(game: Game, winner: int) -> int:
    """A round in which everybody else folds to the winner's toep; returns who dealt it."""
    game.deal(PACK)
    dealer = game.dealer
    game.apply(Toep(seat=winner))
    while game.answer_queue:
        game.apply(Fold(seat=game.answer_queue[0]))
    return dealer


def test_places_of_a_first_out_game_go_by_points(table: Any) -> None:
    game = table("short", HANDS, "A:7h B:8h C:Th", points=[4, 9, 4], lead=0)
    assert game.over
    assert game.totals() == [5, 10, 4]
    assert game.ranks() == [2, 3, 1]


def test_losers_of_the_same_round_share_a_place_in_a_first_out_game(table: Any) -> None:
    game = table("short", HANDS, "A:7h B:8h C:Th", points=[9, 9, 9], lead=0)
    assert game.ranks() == [2, 2, 1]


def test_who_leaves_later_has_the_better_place() -> None:
    game = Game(resolve({**ELIMINATION, "limit": 3}), 4)
    fold_all(game, 0)
    game.raw = [2, 1, 2, 0]
    fold_all(game, 1)
    assert [seat for seat in range(4) if game.in_game >> seat & 1] == [1, 3]
    game.raw[1] = 2
    fold_all(game, 3)
    assert game.over
    assert game.ranks() == [3, 2, 3, 1]


def test_when_nobody_survives_the_unclamped_total_decides_then_the_points_before(table: Any) -> None:
    rules = {**ELIMINATION, "folded_cards": "win"}
    game = table(rules, ["9h", "Th", "7h", "8h"], "A:9h B:Th C! D+ A+ B- C:7h D:8h", points=[9, 9, 8, 8], lead=0)
    assert game.in_game == 0
    assert game.winner == NOBODY
    assert game.lead_if_unasked() == NOBODY
    # A would stand at eleven and the others at ten; of these B had the most before the round.
    assert game.totals() == [10, 10, 10, 10]
    assert game.ranks() == [4, 3, 1, 1]


def test_who_dies_of_a_penalty_leaves_before_who_loses_the_round(table: Any) -> None:
    hands = ["7s 8s 9d Tc", "Jh Qs Kd 8c", "Jd Qd Ks As"]
    rules = {**ELIMINATION, "exchange": "once"}
    game = table(rules, hands, "B~ C? C! A-", points=[9, 9, 0], stock="Th 9h 8h 7h")
    assert game.over
    assert game.totals() == [10, 10, 0]
    assert game.ranks() == [2, 3, 1]


def test_resigning_gives_no_points_back(table: Any) -> None:
    rules = {**ELIMINATION, "overshoot": "record"}
    game = table(rules, HANDS, "A! B- B#", points=[0, 8, 0], stake=4, lead=0)
    assert game.totals() == [0, 12, 0]


def test_seats_that_start_dead_are_last(table: Any) -> None:
    game = table(ELIMINATION, ["7h", "", "8h"], "A:7h C:8h", points=[9, 10, 0], lead=0)
    assert game.ranks() == [2, 3, 1]


def test_a_rounds_match_starts_every_round_from_nothing() -> None:
    game = Game(resolve("short"), 3, length=3)
    dealers = []
    for number in range(3):
        assert game.next_deal() == (number + 1, 1)
        dealers.append(fold_all(game, 2))
        assert game.totals() == [number + 1, number + 1, 0]
        assert game.last_points == [1, 1, 0]
    assert dealers == [0, 1, 2]
    assert game.over
    assert game.ranks() == [2, 2, 1]
    assert game.in_game == 0b111


def test_a_rounds_match_is_over_when_somebody_gives_up() -> None:
    game = Game(resolve("short"), 3, length=3)
    game.deal(PACK)
    events = game.apply(Forfeit(seat=1, why="left"))
    assert game.over
    assert game.status == "forfeited"
    assert isinstance(events[-1], Score)
    assert game.ranks()[1] == 3


def test_the_points_to_the_limit_of_who_resigns(table: Any, do: Any) -> None:
    game = table("short", HANDS, points=[3, 0, 0], lead=0)
    assert do(game, "A#") == [Resign(seat=0), Out(seat=0, why="resign"), Score(points=[7, 0, 0], total=[10, 0, 0])]
    assert game.status == "complete"


def test_a_void_round_is_dealt_again_by_the_same_dealer() -> None:
    game = Game(resolve("cafe"), 3)
    game.deal(PACK)
    with pytest.raises(IllegalAct):
        game.apply(Fold(seat=1))
    game.apply(Toep(seat=1))
    game.apply(Fold(seat=2))
    assert game.totals() == [0, 0, 1]
    score = game.apply(Void(why="crash"))[-1]
    assert score == Score(points=[0, 0, 0], total=[0, 0, 0])
    assert (game.next_deal(), game.dealer, game.winner) == ((1, 2), 0, NOBODY)


def test_a_penalty_outlives_a_void_round(table: Any, do: Any) -> None:
    hands = ["7s 8s 9d Tc", "Jh Qs Kd 8c", "Jd Qd Ks As"]
    game = table("cafe", hands, "B~ A? C! A- B-", stock="Th 9h 8h 7h")
    assert game.totals() == [1, 2, 0]
    game = table("cafe", hands, "B~ A? C! A-", stock="Th 9h 8h 7h")
    assert game.apply(Void(why="cancelled"))[-1] == Score(points=[0, 1, 0], total=[0, 1, 0])
    game.deal(PACK)
    assert game.apply(Void(why="cancelled"))[-1] == Score(points=[0, 0, 0], total=[0, 1, 0])


def test_nothing_to_give_up_between_rounds() -> None:
    game = Game(resolve("short"), 2)
    for act in (Resign(seat=0), Forfeit(seat=1, why="faults"), Void(why="crash"), Toep(seat=0)):
        refusal = game.check(act)
        assert refusal is not None
        assert refusal.rule == "R-TURN-01"
