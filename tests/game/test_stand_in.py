"""What the referee does for a silent seat."""

from typing import Any

import pytest

from referee.game.records import Blind, Discard, Fold, Play, Stay
from referee.game.stand_in import stand_in

HANDS = ["Tc Qh", "7c Js", "Jc Jd"]


def test_a_toep_is_declined(table: Any) -> None:
    assert stand_in(table("short", HANDS, "A!", lead=0), 1) == Fold(by="ref", seat=1)


def test_the_opening_of_the_poor_is_declined(table: Any) -> None:
    full = ["Tc Qh 7s 8s", "7c Js Jh Kh", "Jc Jd 8h 9h"]
    assert stand_in(table({"preset": "short", "armoede": True}, full, points=[9, 0, 0]), 1) == Fold(by="ref", seat=1)


@pytest.mark.parametrize("change", [{"answers": "simultaneous"}, {"folds_in_row": 2}])
def test_sealed_answers_and_forced_ones_stay(table: Any, change: dict[str, Any]) -> None:
    game = table({"preset": "short", **change}, HANDS, "A!", folds=[0, 2, 0], lead=0)
    assert stand_in(game, 1) == Stay(by="ref", seat=1)


@pytest.mark.parametrize(
    ("seat", "acts", "card"),
    [
        (0, "", "Qh"),  # to lead: the lowest rank
        (1, "A:Qh", "Js"),  # nothing follows: the lowest rank
        (1, "A:Tc", "7c"),  # the lowest that follows, though the jack is lower
        (2, "A:Qh B:7c", "Jc"),  # of equal ranks clubs before diamonds
    ],
)
@pytest.mark.parametrize("revoke", ["reject", "penalise"])
def test_the_lowest_card_that_follows_is_played(table: Any, seat: int, acts: str, card: Any, revoke: str) -> None:
    game = table({"preset": "short", "revoke": revoke}, HANDS, acts, lead=0)
    assert stand_in(game, seat) == Play(by="ref", card=card, seat=seat)


def test_rank_counts_before_suit(table: Any) -> None:
    game = table("short", ["Qc Jh", "7c 8c", "Kc Ac"], lead=0)
    assert stand_in(game, 0) == Play(by="ref", card="Jh", seat=0)


def test_the_three_lowest_cards_are_laid_away(table: Any) -> None:
    hands = ["Tc 9c 8c 7c Ac Kc Qd Js Td 9d Qh", "Th 9h 8h 7h Ah Kh Qc Jc Ts 9s 8s"]
    game = table({"preset": "short", "game_end": "last_standing", "finale": "two_left"}, hands)
    assert stand_in(game, 0) == Discard(by="ref", cards=["Qd", "Js", "Qh"], seat=0)
    assert stand_in(game, 1) == Discard(by="ref", cards=["Jc", "Qc", "Kh"], seat=1)


def test_who_owes_nothing_is_not_stood_in_for(table: Any) -> None:
    for acts, seat in (("", 1), ("A!", 0), ("A!", 2), ("A! B-", 1)):
        with pytest.raises(ValueError, match=f"seat {seat} owes no act"):
            stand_in(table("short", HANDS, acts, lead=0), seat)


def test_a_blind_toep_is_declined(table: Any) -> None:
    full = ["Tc Qh 7s 8s", "7c Js Jh Kh", "Jc Jd 8h 9h"]
    game = table({"preset": "short", "blind": True}, full)
    game.apply(Blind(seat=1))
    assert stand_in(game, 2) == Fold(by="ref", seat=2)
