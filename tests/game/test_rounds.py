"""Matches of independent rounds (chapter 20): rule cases are games, so these are tests."""

from typing import Any

import pytest

from referee.cards import PACK_SIZE
from referee.game.game import Game
from referee.game.records import Challenge, Exchange, Fold, Forfeit, Peek, Play, Resign, Stay, Toep, Void
from referee.game.state import NOBODY
from referee.ruleset import resolve

PACK = list(range(PACK_SIZE))
STANDING: dict[str, Any] = {"preset": "short", "game_end": "last_standing"}


def begun(rules: dict[str, Any], seats: int = 3, length: int = 3) -> Game:
    """A rounds match in which the first round is dealt."""
    game = Game(resolve(rules), seats, length)
    game.deal(PACK)
    return game


def all_fold(game: Game, winner: int) -> None:
    game.apply(Toep(seat=winner))
    while game.answer_queue:
        game.apply(Fold(seat=game.answer_queue[0]))


def play_out(game: Game) -> None:
    """Every seat on turn plays its last legal card, until the round is over."""
    while not game.needs_deal and not game.over:
        for seat in range(game.seats):
            if game.playable(seat):
                game.apply(game.legal(seat)[-1])
                break


def test_nobody_leaves_by_crosses() -> None:
    game = begun({**STANDING, "crosses": 1})
    all_fold(game, 0)
    assert game.in_game == 0b111
    assert not game.over


@pytest.mark.parametrize("end", ["first_out", "last_standing"])
def test_nobody_leaves_by_the_limit(end: str) -> None:
    game = begun({"preset": "short", "game_end": end, "limit": 1, "overshoot": "record"})
    play_out(game)
    assert sorted(game.totals()) == [0, 1, 1]
    assert game.in_game == 0b111
    game.deal(PACK)
    assert game.raw == [0, 0, 0]


def test_nobody_dies_of_a_peek_or_a_check() -> None:
    game = begun({"preset": "cafe", "blind": True, "limit": 1})
    game.apply(Peek(seat=1))
    assert (game.in_round, game.totals()) == (0b111, [0, 1, 0])
    game.apply(Exchange(seat=1))
    game.apply(Challenge(seat=0))
    assert game.in_round == 0b111
    assert sum(game.raw) == 2
    assert sum(game.totals()) == (1 if game.raw[1] == 2 else 2)


@pytest.mark.parametrize(("overshoot", "totals"), [("clamp", [1, 2]), ("record", [2, 4])])
def test_a_total_is_the_sum_of_rounds_clamped_one_by_one(overshoot: str, totals: list[int]) -> None:
    """Seat 1 peeks and loses: two points in a round whose limit is one."""
    game = Game(resolve({"preset": "short", "limit": 1, "blind": True, "overshoot": overshoot}), 2, 2)
    for pack, total in zip((PACK, PACK[::-1]), totals, strict=True):
        game.deal(pack)
        game.apply(Peek(seat=1))
        play_out(game)
        assert game.totals() == [0, total]
        assert game.last_points == [0, totals[0]]
    assert game.over
    assert game.ranks() == [1, 2]


def test_each_round_has_its_own_counts_and_dealer() -> None:
    game = begun({"preset": "short", "folds_in_row": 1, "next_dealer": "winner"})
    for dealer in (0, 1, 2):
        if game.needs_deal:
            game.deal(PACK)
        assert game.dealer == dealer
        all_fold(game, 2)
    assert game.over
    assert game.totals() == [3, 3, 0]


def test_a_finale_is_judged_by_the_points_of_a_round() -> None:
    """At a limit of one everybody is always a point short of it when a round begins."""
    rules = {**STANDING, "limit": 1, "finale": "both_poor"}
    with pytest.raises(ValueError, match="nobody has seen"):
        Game(resolve(rules), 2, 2).deal([*PACK[:17], *[None] * 15])
    game = begun(rules, 2, 2)
    assert [game.hands[seat].bit_count() for seat in range(2)] == [11, 11]
    for seat in range(2):
        game.apply(game.legal(seat)[0])
    play_out(game)
    assert sum(game.totals()) == 1
    with pytest.raises(ValueError, match="nobody has seen"):
        game.deal([*PACK[:17], *[None] * 15])
    game.deal(PACK)
    assert [game.hands[seat].bit_count() for seat in range(2)] == [11, 11]


def test_a_void_round_does_not_count() -> None:
    game = begun({"preset": "short"}, 3, 1)
    game.apply(Toep(seat=1))
    game.apply(Fold(seat=2))
    game.apply(Void(why="crash"))
    assert not game.over
    assert (game.next_deal(), game.totals(), game.winner) == ((1, 2), [0, 0, 0], NOBODY)
    game.deal(PACK)
    assert game.dealer == 0
    all_fold(game, 0)
    assert game.over
    assert game.totals() == [0, 1, 1]


def test_everybody_is_asked_in_armoede_also_who_is_dood() -> None:
    """Two penalties have taken a seat to the limit: no toep would ask it, and it is the only one that the poor ask."""
    rules = {"preset": "cafe", "armoede": True, "dood": "auto", "blind": True, "limit": 2, "min_players": 2}
    game = begun(rules, 2)
    for act in (Peek(seat=0), Peek(seat=1), Exchange(seat=1), Challenge(seat=0)):
        game.apply(act)
    poor, dood = (0, 1) if game.raw[1] == 2 else (1, 0)
    assert game.raw[dood] == 2
    refused = game.check(Play(card="Jc", seat=game.turn))
    assert refused is not None
    assert refused.rule == "R-ARM-04"
    assert game.may(dood)
    game.apply(Stay(seat=dood))
    assert (game.stake, game.toeper, game.answer_queue) == (2, poor, [])
    play_out(game)
    assert game.needs_deal


def test_penalties_of_a_void_round_stay_in_the_total() -> None:
    """They do not count as points of the next try, which starts from nothing."""
    game = begun({"preset": "short", "blind": True, "limit": 2}, 3, 1)
    for act in (Peek(seat=0), Toep(seat=1), Fold(seat=2), Void(why="crash")):
        game.apply(act)
    assert (game.last_points, game.totals(), game.over) == ([1, 0, 0], [1, 0, 0], False)
    game.deal(PACK)
    assert (game.round, game.try_, game.raw) == (1, 2, [0, 0, 0])
    all_fold(game, 2)
    assert game.over
    assert (game.last_points, game.totals()) == ([1, 1, 0], [2, 1, 0])


@pytest.mark.parametrize("end", ["first_out", "last_standing"])
def test_a_resignation_ends_the_match(end: str) -> None:
    """Only prices for folding and the points of the one who resigned are booked."""
    game = begun({"preset": "short", "game_end": end})
    all_fold(game, 0)
    game.deal(PACK)
    for act in (Toep(seat=0), Stay(seat=1), Fold(seat=2), Resign(seat=0)):
        game.apply(act)
    assert game.over
    assert game.winner == NOBODY
    assert game.in_game == 0b111
    assert game.status == "forfeited"
    assert (game.last_points, game.totals()) == ([10, 0, 1], [10, 1, 2])
    assert game.ranks() == [3, 1, 2]
    assert game.check(Forfeit(seat=1, why="left")) is not None
