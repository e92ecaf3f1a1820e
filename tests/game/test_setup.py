"""Starts from anywhere: what is refused, and what a start leaves behind."""

from typing import Any

import pytest

from referee.cards import NAMES, CardName
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
        ("bad_stake", {"stake": 2, "_": {"preset": "cafe", "blind": True}}),
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
    assert start_round(resolve("cafe"), 3, Start(hands=FULL)).phase is Phase.PICKUP
    assert start_round(resolve({"blind": True}), 3, Start(hands=FULL)).phase is Phase.BLIND
    for size in (1, 2, 3):
        game = start_round(resolve("cafe"), 3, Start(hands=[hand[:size] for hand in FULL]))
        assert game.phase is Phase.PLAY
        assert game.trick_number == 5 - size
        assert (game.lead, game.turn, game.stake, game.toeper) == (1, 1, 1, NOBODY)


def test_stake_and_last_toeper_are_those_of_the_start() -> None:
    game = start_round(resolve("short"), 3, Start(hands=FULL, stake=4, last=2, folds=[1, 0, 2], run=[0, 3, 0]))
    assert game.accepted == [4, 4, 4]
    assert [game.check(Toep(seat=seat)) is None for seat in range(3)] == [True, True, False]


def test_a_stake_is_given_where_nobody_can_toep_blind_any_more() -> None:
    blind = {"preset": "cafe", "blind": True}
    assert start_round(resolve(blind), 3, Start(hands=[hand[:3] for hand in FULL], stake=5)).stake == 5
    assert start_round(resolve("cafe"), 3, Start(hands=FULL, stake=5)).stake == 5


def test_who_is_out_may_deal_and_have_counts() -> None:
    start = Start(hands=[[], *FULL[1:]], dealer=0, folds=[3, 0, 0], run=[2, 0, 0])
    game = start_round(resolve(ELIMINATION), 3, start)
    assert (game.dealer, game.lead) == (0, 1)


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


def hands_of(sizes: list[int]) -> list[list[CardName]]:
    """Hands of these sizes, from the top of the pack."""
    top = iter(NAMES)
    return [[next(top) for _ in range(size)] for size in sizes]


@pytest.mark.parametrize(("size", "trick"), [(1, 8), (4, 5), (7, 2), (8, 1)])
def test_a_finale_may_start_at_any_trick(size: int, trick: int) -> None:
    game = start_round(resolve("club"), 2, Start(hands=hands_of([size, size])))
    assert (game.phase, game.trick_number, game.discards_due) == (Phase.PLAY, trick, 0)


def test_a_whole_finale_starts_with_the_discards() -> None:
    game = start_round(resolve("club"), 2, Start(hands=hands_of([11, 11])))
    assert (game.phase, game.discards_due) == (Phase.PICKUP, 0b11)
    game = start_round(resolve({"preset": "club", "blind": True}), 2, Start(hands=hands_of([11, 11])))
    assert (game.phase, game.discards_due) == (Phase.BLIND, 0)
    grey = start_round(resolve("classic-all"), 3, Start(hands=hands_of([8, 8, 8]), points=[9, 9, 9]))
    assert (grey.phase, grey.dealt, grey.hand_size) == (Phase.BLIND, 8, 8)


@pytest.mark.parametrize("size", [9, 10, 12])
def test_other_numbers_of_cards_are_no_finale(size: int) -> None:
    with pytest.raises(StartError, match="the rules deal 11 for 8 tricks"):
        start_round(resolve("club"), 2, Start(hands=hands_of([size, size])))


def test_eight_cards_are_too_many_where_there_is_no_finale() -> None:
    with pytest.raises(StartError, match="the rules deal 4 for 4 tricks"):
        start_round(resolve("club"), 3, Start(hands=hands_of([8, 8, 8])))


def test_four_alike_are_shown_at_the_start() -> None:
    alike: list[list[CardName]] = [["Jh", "Qh", "7s", "8c"], ["Th", "Ts", "Td", "Tc"], ["9h", "Qc", "As", "7d"]]
    game = start_round(resolve({"four_alike": "win"}), 3, Start(hands=alike))
    assert (game.needs_deal, game.winner, game.totals()) == (True, 1, [3, 0, 3])
    game = start_round(resolve({"four_alike": "win", "blind": True}), 3, Start(hands=alike))
    assert game.phase is Phase.BLIND
