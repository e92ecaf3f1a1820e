"""P7, toeps: records of knocks and answers, and playing for dood."""

import random
from typing import Any

import pytest

from referee.game.game import BIT, Game
from referee.game.records import Auto, Fold, Score, Stay, Toep
from referee.game.state import Phase
from referee.game.toep import barred, who_may
from referee.ruleset import PRESETS, resolve

HANDS = ["7h", "8h", "Th"]
AUTO = {"preset": "short", "dood": "auto"}


def test_a_toep_says_the_new_stake_and_a_fold_its_price(table: Any, do: Any) -> None:
    game = table("short", HANDS, lead=0)
    assert do(game, "B!") == [Toep(seat=1, stake=2)]
    assert do(game, "C+") == [Stay(seat=2)]
    assert do(game, "A+ C! A-")[1:] == [Toep(seat=2, stake=3), Fold(pay=2, seat=0)]
    assert game.totals() == [2, 0, 0]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_price_of_the_nth_fold_is_n(table: Any, do: Any, number: int) -> None:
    """Toeps alternate between B and C; A folds at the last of them, B loses to C."""
    game = table("short", HANDS, lead=0)
    for n in range(1, number + 1):
        toeper, other = ("B", "C") if n % 2 else ("C", "B")
        a = "A-" if n == number else "A+"
        do(game, f"{toeper}! " + (f"{other}+ {a}" if toeper == "B" else f"{a} {other}+"))
    *_, score = do(game, "B:8h C:Th")
    assert score == Score(points=[number, number + 1, 0], total=[number, number + 1, 0])


def test_automatic_seats_go_along_after_the_others(table: Any, do: Any) -> None:
    game = table(AUTO, HANDS, points=[9, 0, 0], lead=0)
    assert do(game, "C!") == [Toep(seat=2, stake=2)]
    assert do(game, "B+") == [Stay(seat=1), Auto(seats=[0])]
    assert game.accepted == [2, 2, 2]


def test_several_automatic_seats_go_along_at_once(table: Any, do: Any) -> None:
    game = table(AUTO, HANDS, points=[9, 9, 0], lead=0)
    assert do(game, "C!") == [Toep(seat=2, stake=2), Auto(seats=[0, 1])]


def test_a_sole_dood_opponent_is_asked(table: Any, do: Any) -> None:
    game = table(AUTO, HANDS, "C! B-", points=[9, 0, 0], lead=0)
    assert game.asks() == ([0], [])
    assert game.may(0) == BIT[Stay] | BIT[Fold]
    assert do(game, "A-")[0] == Fold(pay=1, seat=0)
    assert game.over


def test_only_the_seat_that_is_asked_may_do_anything(table: Any) -> None:
    game = table("short", HANDS, "B!", lead=0)
    assert [game.may(seat) for seat in range(3)] == [0, 0, BIT[Stay] | BIT[Fold]]
    assert game.asks() == ([2], [])


@pytest.mark.parametrize("limit", [2, 5, 10, 15])
def test_the_cap(table: Any, refusal: Any, limit: int) -> None:
    """With p points and a stake of s, a toep is legal if and only if p + s + 1 does not pass the limit."""
    for points in range(-3, limit):
        for stake in range(1, limit + 1):
            game = table({"preset": "short", "limit": limit}, HANDS, points=[points, 0, 0], stake=stake, lead=0)
            assert refusal(game, "A!") == ("" if points + stake + 1 <= limit else "R-TOEP-08"), (points, stake)


@pytest.mark.parametrize("rules", list(PRESETS))
@pytest.mark.parametrize("who", ["anyone", "on_turn"])
def test_who_may_toep_is_who_is_not_barred(rules: str, who: str) -> None:
    rng = random.Random(rules + who)
    game = Game(resolve({"preset": rules, "toep_who": who}), 5)
    asked = 0
    for _ in range(1500):
        if game.over:
            game = Game(game.rules, 5)
        if game.needs_draw:
            game.draw(rng.sample(range(32), 32))
        if game.needs_deal:
            game.deal(rng.sample(range(32), 32))
            continue
        if game.phase is Phase.PLAY and not game.answer_queue:
            asked += 1
            free = [seat for seat in range(5) if game.in_round >> seat & 1 and not barred(game, seat)]
            assert who_may(game) == sum(1 << seat for seat in free)
        legal = [act for seat in range(5) for act in game.legal(seat)]
        if not legal or game.phase is Phase.BLIND:
            game.close(Phase.BLIND)
        else:
            game.apply(rng.choice(legal))
    assert asked > 50
    while not game.answer_queue and not game.needs_deal:
        game.apply(rng.choice([act for seat in range(5) for act in game.legal(seat)]))
    with pytest.raises(ValueError, match="while cards are played"):
        who_may(game)
