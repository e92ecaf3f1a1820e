"""P1: the draw for the first deal, what a deal tells, the cut; and whom the game asks."""

from typing import Any

import pytest

from referee.cards import INDEX, PACK_SIZE, CardName
from referee.game.game import BIT, Game
from referee.game.records import Blind, Cards, Cut, Discard, Draw, Fold, Peek, Round, Stay, Toep
from referee.game.setup import Start, start_game
from referee.game.state import Phase
from referee.ruleset import resolve

PACK = list(range(PACK_SIZE))
CLUB = {"preset": "club", "deal_pattern": "four"}


def pack_with(top: str) -> list[int]:
    """A pack that begins with these cards."""
    first = [INDEX[card] for card in top.split()]
    return first + [card for card in PACK if card not in first]


def test_the_lowest_card_deals_and_a_tie_draws_again() -> None:
    """Example 2c of the rule book: the queens draw again, and the king is lower than the ten."""
    game = Game(resolve("rubber"), 4)
    assert game.needs_draw
    drawn: list[tuple[int, CardName]] = [(0, "9c"), (1, "Qd"), (2, "Qh"), (3, "7s"), (1, "Kd"), (2, "Ts")]
    assert game.draw(pack_with("9c Qd Qh 7s Kd Ts")) == [Draw(cards=drawn)]
    assert (game.dealer, game.first_dealer, game.needs_draw) == (1, 1, False)
    with pytest.raises(ValueError, match="no draw is due"):
        game.draw(PACK)
    assert game.deal(PACK)[0] == Round(dealer=1, round=1, try_=1)


def test_a_draw_needs_cards_that_are_known() -> None:
    game = Game(resolve("rubber"), 3)
    with pytest.raises(ValueError, match="has not been seen"):
        game.draw([PACK[0], None, *PACK[2:]])


def test_nothing_is_drawn_for_where_the_dealer_is_known() -> None:
    assert not Game(resolve("short"), 3).needs_draw
    assert not start_game(resolve("rubber"), 3, Start()).needs_draw
    game = Game(resolve("rubber"), 3)
    game.deal(PACK)
    assert not game.needs_draw


def test_a_deal_tells_the_cards_of_who_is_in_the_game() -> None:
    game = start_game(resolve(CLUB), 3, Start(points=[15, 0, 0]))
    first, *cards = game.deal(PACK)
    assert first == Round(dealer=0, round=1, try_=1)
    assert [(one.seat, one.why, len(one.cards)) for one in cards if isinstance(one, Cards)] == [
        (1, "finale", 11),
        (2, "finale", 11),
    ]
    game = start_game(resolve(CLUB), 3, Start())
    assert {one.why for one in game.deal(PACK) if isinstance(one, Cards)} == {"deal"}


def test_a_cut_takes_one_to_31_cards() -> None:
    game = Game(resolve({"preset": "short", "cut": True}), 3)
    game.open_deal()
    for at, rule in ((0, "R-CUT-01"), (1, ""), (31, ""), (32, "R-CUT-01")):
        refusal = game.check(Cut(at=at, seat=2))
        assert (refusal.rule if refusal else "") == rule
    assert [game.may(seat) for seat in range(3)] == [0, 0, BIT[Cut]]
    assert game.asks() == ([], [2])
    assert game.apply(Cut(at=31, seat=2)) == [Cut(at=31, seat=2)]


def test_a_cut_counts_for_one_deal() -> None:
    game = Game(resolve({"preset": "short", "cut": True}), 2)
    game.open_deal()
    game.apply(Cut(at=5, seat=1))
    game.deal(PACK)
    assert game.hands == [0b1111 << 9, 0b1111 << 5]
    game.apply(Toep(seat=0))
    game.apply(Fold(seat=1))
    game.deal(PACK)
    assert game.hands == [0b1111 << 4, 0b1111]


def test_a_deal_is_opened_once() -> None:
    game = Game(resolve("short"), 2)
    game.open_deal()
    with pytest.raises(ValueError, match="no deal is due"):
        game.open_deal()
    game.deal(PACK)
    with pytest.raises(ValueError, match="no deal is due"):
        game.open_deal()


def test_closing_a_phase_opens_the_next(table: Any) -> None:
    game = table({"preset": "short", "blind": True}, ["Jh Qh 7s 8c", "Th 9c Ks Jd", "9h Qc As 7d"])
    for closed, opened in ((Phase.BLIND, Phase.PICKUP), (Phase.EXCHANGE, Phase.ARMOEDE)):
        game.close(closed)
        assert game.phase is opened


def test_cards_may_be_laid_away_while_hands_are_unseen() -> None:
    game = start_game(resolve({**CLUB, "blind": True}), 3, Start(points=[0, 15, 0]))
    game.deal(PACK)
    assert game.phase is Phase.BLIND
    assert game.may(0) & game.may(2) & BIT[Discard]
    assert not game.may(1)


def test_sealed_answers_and_discards_are_asked_of_all(table: Any) -> None:
    game = table({"preset": "short", "answers": "simultaneous"}, ["7h", "8h", "9h", "Th"], "C!", lead=0)
    assert game.asks() == ([0, 1, 3], [])
    game.apply(Fold(seat=3))
    assert game.asks() == ([0, 1], [])
    game = start_game(resolve(CLUB), 3, Start(points=[0, 15, 0]))
    game.deal(PACK)
    assert game.asks() == ([0, 2], [])
    game.apply(game.legal(0)[0])
    assert game.asks() == ([2], [])


def test_before_a_card_the_leader_must_and_the_others_may(table: Any) -> None:
    game = table("short", ["7h", "8h", "9h", "Th"], points=[0, 9, 0, 0], lead=0)
    assert game.asks() == ([0], [2, 3])


def test_a_decliner_peeks_once(table: Any) -> None:
    game = table({"preset": "short", "blind": True}, ["Jh Qh 7s 8c", "Th 9c Ks Jd", "9h Qc As 7d"])
    for act in (Blind(seat=1), Fold(seat=2), Stay(seat=0)):
        game.apply(act)
    assert game.may(2) == BIT[Peek]
    game.apply(Peek(seat=2))
    assert game.may(2) == 0


def test_what_has_been_judged_is_carried_out_as_it_is_applied(table: Any) -> None:
    game = table("short", ["7h", "8h", "9h"], lead=0)
    twin = game.clone()
    assert game.carry_out(Toep(seat=1)) == twin.apply(Toep(seat=1)) == [Toep(seat=1, stake=2)]
