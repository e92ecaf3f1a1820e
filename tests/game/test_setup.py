"""Starts from anywhere: what is refused, and what a start leaves behind."""

from typing import Any

import pytest

from referee.cards import CardName
from referee.game.records import Toep
from referee.game.setup import Start, StartError, replace_lead, start_game, start_round
from referee.game.state import NOBODY, Phase
from referee.ruleset import resolve

FULL: list[list[CardName]] = [["Jh", "Qh", "7s", "8c"], ["Th", "9c", "Ks", "Jd"], ["9h", "Qc", "As", "7d"]]
ELIMINATION = {"preset": "cafe", "game_end": "last_standing"}


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("no_cards", {"hands": None}),
        ("seed_and_hands", {"seed": "00" * 32}),
        ("bad_hands", {"hands": FULL[:2]}),
        ("bad_hands", {"hands": [*FULL[:2], ["9h", "Qc", "As"]]}),
        ("bad_hands", {"hands": [*FULL[:2], []]}),
        ("bad_hands", {"hands": [[*FULL[0], "Ah"], [*FULL[1], "Ad"], [*FULL[2], "Ac"]]}),
        ("not_enough_players", {"hands": [[], [], FULL[2]], "_": ELIMINATION}),
        ("not_enough_players", {"hands": [[], [], []], "_": ELIMINATION}),
        ("bad_hands", {"points": [10, 0, 0], "_": ELIMINATION}),
        ("card_twice", {"hands": [*FULL[:2], ["Jh", "Qc", "As", "7d"]]}),
        ("card_twice", {"stock": ["Jh"]}),
        ("bad_points", {"points": [0, 0]}),
        ("bad_points", {"points": [0, 10, 0]}),
        ("bad_dealer", {"dealer": 3}),
        ("bad_lead", {"lead": 3}),
        ("bad_lead", {"lead": 0, "hands": [[], *FULL[1:]], "_": ELIMINATION}),
        ("bad_last", {"last": 3}),
        ("bad_last", {"last": 0, "hands": [[], *FULL[1:]], "_": ELIMINATION}),
        ("bad_folds", {"folds": [0, 0]}),
        ("bad_run", {"run": [0]}),
    ],
)
def test_an_invalid_start_has_a_code(code: str, change: dict[str, Any]) -> None:
    rules = change.pop("_", "cafe") if "_" in change else "cafe"
    values: dict[str, Any] = {"hands": FULL, **{key: value for key, value in change.items() if key != "_"}}
    with pytest.raises(StartError) as error:
        start_round(resolve(rules), 3, Start(**values))
    assert error.value.code == code


def test_a_start_without_hands_has_no_round() -> None:
    for code, change in (("no_cards", {"stock": ["Jh"]}), ("bad_stake", {"stake": 2}), ("bad_last", {"last": 0})):
        with pytest.raises(StartError) as error:
            start_game(resolve("cafe"), 3, Start(**change))
        assert error.value.code == code
    with pytest.raises(StartError, match="lead"):
        start_game(resolve("cafe"), 3, Start(lead=3))
    game = start_game(resolve("cafe"), 3, Start(points=[-1, 9, 0], dealer=2))
    assert game.needs_deal
    assert game.totals() == [-1, 9, 0]
    assert game.dealer == 2


def test_full_hands_start_as_new_and_fewer_cards_in_the_middle() -> None:
    assert start_round(resolve("cafe"), 3, Start(hands=FULL)).phase is Phase.EXCHANGE
    assert start_round(resolve("short"), 3, Start(hands=FULL)).phase is Phase.PLAY
    for size in (1, 2, 3):
        game = start_round(resolve("cafe"), 3, Start(hands=[hand[:size] for hand in FULL]))
        assert game.phase is Phase.PLAY
        assert game.trick_number == 5 - size
        assert (game.lead, game.turn, game.stake, game.toeper) == (1, 1, 1, NOBODY)


def test_stake_and_last_toeper_are_those_of_the_start() -> None:
    game = start_round(resolve("short"), 3, Start(hands=FULL, stake=4, last=2, folds=[1, 0, 2], run=[0, 3, 0]))
    assert game.accepted == [4, 4, 4]
    assert [game.check(Toep(seat=seat)) is None for seat in range(3)] == [True, True, False]


def test_a_lead_needs_a_seat_in_the_round() -> None:
    game = start_round(resolve("short"), 3, Start(hands=FULL))
    replace_lead(game, 0)
    assert (game.lead, game.turn) == (0, 0)
    with pytest.raises(StartError):
        replace_lead(game, 5)


def test_points_before_the_round_are_no_points_of_the_round() -> None:
    game = start_round(resolve(ELIMINATION), 3, Start(hands=[[], *FULL[1:]], points=[12, -2, 3]))
    assert game.total_before == [10, -2, 3]
    assert game.raw_before == [12, -2, 3]
    assert game.last_points is None
    assert game.in_game == game.in_round == 0b110
