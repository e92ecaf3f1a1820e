"""P1: who gets which cards, and what a pack is."""

import pytest

from referee.cards import NAMES, PACK_SIZE, names
from referee.game.game import Game
from referee.game.records import Cards, Round
from referee.ruleset import RulesetError, resolve

PACK = list(range(PACK_SIZE))


@pytest.mark.parametrize(
    ("pattern", "left", "dealer"),
    [
        ("four", [0, 1, 2, 3], [8, 9, 10, 11]),
        ("two_two", [0, 1, 6, 7], [4, 5, 10, 11]),
        ("one_by_one", [0, 3, 6, 9], [2, 5, 8, 11]),
    ],
)
def test_the_deal_begins_on_the_dealers_left(pattern: str, left: list[int], dealer: list[int]) -> None:
    game = Game(resolve({"preset": "short", "deal_pattern": pattern}), 3)
    game.dealer = 1
    first, *cards = game.deal(PACK)
    assert first == Round(dealer=1, round=1, try_=1)
    dealt = {record.seat: record.cards for record in cards if isinstance(record, Cards)}
    assert dealt[2] == [NAMES[card] for card in left]
    assert dealt[1] == [NAMES[card] for card in dealer]
    assert game.stock == PACK[12:]
    assert (game.lead, game.turn) == (2, 2)
    assert [sorted(dealt[seat]) for seat in range(3)] == [sorted(names(game.hands[seat])) for seat in range(3)]


def test_a_pack_has_32_different_cards() -> None:
    game = Game(resolve("short"), 2)
    for pack in (PACK[:31], [*PACK[:31], 0], [*PACK[:31], 32], [*PACK, 0]):
        with pytest.raises(ValueError, match="32 different cards"):
            game.deal(pack)
    game.deal(PACK)
    with pytest.raises(ValueError, match="no deal is due"):
        game.deal(PACK)


def test_unseen_cards_belong_to_the_stock_only() -> None:
    game = Game(resolve("cafe"), 3)
    with pytest.raises(ValueError, match="nobody has seen"):
        game.deal([None, *PACK[1:]])
    assert game.needs_deal
    assert game.next_deal() == (1, 1)
    game.deal([*PACK[:12], *[None] * 20])
    assert len(game.stock) == 20


@pytest.mark.parametrize(("rules", "fewest"), [("short", 2), ("cafe", 3)])
def test_how_many_may_play(rules: str, fewest: int) -> None:
    for seats in (fewest - 1, 9):
        with pytest.raises(RulesetError) as error:
            Game(resolve(rules), seats)
        assert error.value.code == "bad_seats"
    for seats in (fewest, 8):
        game = Game(resolve(rules), seats)
        game.deal(PACK)
        assert len(game.stock) == 32 - 4 * seats
