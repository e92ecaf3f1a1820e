"""P5: the records of exchanges and checks, and where the cards go."""

from itertools import combinations
from typing import Any

import pytest

from referee.cards import INDEX, NAMES, PACK_SIZE, mask_of, names
from referee.game.exchange import genuine
from referee.game.game import BIT
from referee.game.records import NO_SALT, Cards, Challenge, Exchange, Out, Penalty, Score, Toep

HANDS = ["7s 8s 9d Tc", "Jh Qs Kd 8c", "Jd Qd Ks As"]
STOCK = "Th 9h 8h 7h Ah Kh Qh"


def test_an_exchange_draws_from_the_top_in_order(table: Any, do: Any) -> None:
    game = table("cafe", HANDS, stock=STOCK)
    drawn = Cards(cards=["Th", "9h", "8h", "7h"], salt=NO_SALT, seat=2, why="exchange")
    assert do(game, "C~") == [Exchange(seat=2), drawn]
    assert [NAMES[card] for card in game.stock if card is not None] == ["Ah", "Kh", "Qh"]


def test_a_check_shows_the_old_hand(table: Any, do: Any) -> None:
    game = table("cafe", HANDS, "C~", stock=STOCK)
    assert do(game, "A?") == [
        Challenge(genuine=True, seat=0, shown=["Jd", "Qd", "Ks", "As"]),
        Penalty(points=1, seat=0, why="R-WAS-07"),
    ]
    game = table("cafe", HANDS, "B~", stock=STOCK)
    assert do(game, "A?")[1:] == [Penalty(points=1, seat=1, why="R-WAS-08")]


def test_a_caught_bluffer_takes_his_cards_back(table: Any) -> None:
    game = table({"exchange_caught": "old_hand"}, HANDS, "B~ A?", stock=STOCK)
    assert set(names(game.hands[1])) == {"Jh", "Qs", "Kd", "8c"}
    assert [NAMES[card] for card in game.stock if card is not None] == ["Ah", "Kh", "Qh", "Th", "9h", "8h", "7h"]
    game = table({"exchange_caught": "old_hand"}, HANDS, "C~ A?", stock=STOCK)
    assert set(names(game.hands[2])) == {"Th", "9h", "8h", "7h"}


def test_flags_of_the_window(table: Any) -> None:
    game = table("cafe", HANDS, "C~", stock="Th 9h 8h 7h 9s Ts 7d 8d")
    assert [game.may(seat) for seat in range(3)] == [
        BIT[Exchange] | BIT[Challenge] | BIT[Toep],
        BIT[Exchange] | BIT[Challenge] | BIT[Toep],
        BIT[Exchange] | BIT[Toep],
    ]


def test_death_by_a_penalty_is_told_in_order(table: Any, do: Any) -> None:
    game = table("cafe", HANDS, "B~", points=[0, 9, 0], stock=STOCK)
    assert do(game, "A?")[1:] == [
        Penalty(points=1, seat=1, why="R-WAS-08"),
        Out(seat=1, why="penalty"),
        Score(points=[0, 1, 0], total=[0, 10, 0]),
    ]
    assert game.over
    assert game.ranks() == [1, 3, 1]


def test_a_stock_that_nobody_has_seen_cannot_be_drawn(table: Any) -> None:
    game = table("cafe", HANDS, stock=STOCK)
    game.stock[0] = None
    before = game.hands.copy()
    with pytest.raises(ValueError, match="not been seen"):
        game.apply(Exchange(seat=0))
    assert game.hands == before
    assert len(game.stock) == 7


def test_what_a_dirty_wash_is() -> None:
    """Every hand of four cards against the words of the rule: only pictures; or three of them and a seven."""
    letters = [name[0] for name in NAMES]
    for hand in combinations(range(PACK_SIZE), 4):
        pictures = sum(letters[card] in "JQKA" for card in hand)
        seven = any(letters[card] == "7" for card in hand)
        mask = mask_of(hand)
        assert genuine(mask, with_seven=False) == (pictures == 4)
        assert genuine(mask, with_seven=True) == (pictures == 4 or (pictures == 3 and seven))
    assert genuine(mask_of(INDEX[card] for card in ("Jh", "Qs", "Kd", "7c")), with_seven=True)
