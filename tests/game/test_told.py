"""What the chapters tell beside the acts: openings, shown hands, confessions, void rounds, and who has seen a card."""

from typing import Any

import pytest

from referee.cards import INDEX, PACK_SIZE
from referee.game.game import Game
from referee.game.records import (
    NO_SALT,
    Blind,
    Cards,
    Chance,
    Confess,
    Discard,
    Fold,
    Open,
    Peek,
    Penalty,
    Play,
    Score,
    Show,
    Signal,
    Stay,
    Toep,
    Trick,
    Void,
)
from referee.game.refusal import IllegalAct
from referee.game.setup import Start, StartError, start_game
from referee.game.state import Phase
from referee.ruleset import resolve

FULL = ["Jh Qh 7s 8c", "Th 9c Ks Jd", "9h Qc As 7d"]
REVOKER = ["Th 7s Tc", "9h 8c Jd", "8h Qc Kc"]


def test_the_first_answer_brings_the_opening_of_the_poor(table: Any, do: Any) -> None:
    game = table("classic", FULL, points=[9, 0, 9])
    assert do(game, "B-") == [
        Open(seats=[2, 0], stake=2),
        Fold(pay=1, seat=1),
    ]


def test_a_card_brings_the_opening_when_nobody_is_asked(table: Any, do: Any) -> None:
    game = table("classic", FULL, points=[9, 9, 9])
    assert do(game, "B:Jd") == [Open(seats=[1, 2, 0], stake=2), Play(card="Jd", seat=1)]


def test_four_alike_are_shown_the_best_first(table: Any) -> None:
    game = table("classic-all", ["Jc Jd Js Jh", "7c 7d 7s 7h", "8c 8d 8s Th"])
    assert game.close(Phase.BLIND) == [
        Show(cards=["7c", "7d", "7s", "7h"], seat=1),
        Show(cards=["Jc", "Jd", "Js", "Jh"], seat=0),
        Score(points=[3, 0, 3], total=[3, 0, 3]),
    ]


def test_a_confession_tells_the_card_or_the_price(table: Any, do: Any) -> None:
    game = table("club", REVOKER, "A:Th B:8c", lead=0)
    assert game.apply(Confess(seat=1)) == [Confess(card="8c", seat=1)]
    game = table("club", REVOKER, "A:Th B:8c C:8h", lead=0, stake=2)
    assert game.apply(Confess(seat=1)) == [Confess(pay=3, seat=1)]
    game = table("club", REVOKER, "A:Th B:8c C:8h A:7s", lead=0)
    assert game.apply(Confess(seat=1)) == [
        Confess(pay=3, seat=1),
        Void(why="revoke"),
        Score(points=[0, 3, 0], total=[0, 3, 0]),
    ]


def test_a_revoke_that_shows_itself_makes_the_round_void(table: Any, do: Any) -> None:
    game = table("club", REVOKER, "A:Th B:8c C:8h A:7s", lead=0)
    assert do(game, "B:9h") == [
        Play(card="9h", seat=1),
        Void(why="revoke"),
        Score(points=[0, 3, 0], total=[0, 3, 0]),
    ]


def test_a_trick_that_proves_a_revoke_is_not_closed(table: Any, do: Any) -> None:
    game = table("club", REVOKER, "A:Th B:9h C:Qc A:7s B:8c", lead=0)
    assert do(game, "C:8h") == [
        Play(card="8h", seat=2),
        Void(why="revoke"),
        Score(points=[0, 0, 3], total=[0, 0, 3]),
    ]


def test_a_trick_that_is_taken_back_is_told_again(table: Any, do: Any) -> None:
    game = table("club", REVOKER, lead=0)
    assert do(game, "A:Th B:9h C:Qc")[-1] == Trick(lead=0, win=0)
    game.apply(Confess(seat=2))
    assert do(game, "C:8h") == [Play(card="8h", seat=2), Trick(lead=0, win=0)]
    assert game.trick_number == 3


def test_who_declines_a_blind_toep_has_seen_nothing(table: Any, do: Any) -> None:
    game = table({"preset": "short", "blind": True}, FULL)
    game.apply(Blind(seat=1))
    assert game.apply(Fold(seat=2)) == [Fold(pay=1, seat=2)]
    assert game.apply(Stay(seat=0)) == [Stay(seat=0)]
    assert game.seen == 0
    do(game, "B:Jd")
    assert game.seen == 0b011


def test_a_peek_has_its_own_price_and_shows_one_hand(table: Any) -> None:
    game = table({"preset": "short", "blind": True}, FULL)
    assert game.apply(Peek(seat=2)) == [Peek(seat=2), Penalty(points=1, seat=2, why="R-DEAL-04")]
    assert game.seen == 0b100
    game = table({"preset": "short", "blind": True}, FULL)
    assert game.apply(Blind(seat=1)) == [Blind(seat=1, stake=3)]
    game.apply(Fold(seat=2))
    game.apply(Stay(seat=0))
    assert game.apply(Peek(seat=2)) == [Peek(seat=2), Penalty(points=1, seat=2, why="R-BLIND-04")]
    assert game.seen == 0b100


def test_a_chance_draw_tells_both_cards_and_shows_a_hit(table: Any) -> None:
    hands = ["Jh Qh 7s 8c", "Th 8s Ks Jd", "9h 9s 9d Qc"]
    game = table("classic-all", hands, stock="8h 9c")
    assert game.apply(Chance(seat=2)) == [
        Chance(seat=2),
        Cards(cards=["8h"], salt=NO_SALT, seat=2, why="chance"),
        Discard(cards=["Qc"], salt=NO_SALT, seat=2),
    ]
    game = table("classic-all", hands, stock="9c 8h")
    assert game.apply(Chance(seat=2))[3:] == [
        Show(cards=["9c", "9d", "9s", "9h"], seat=2),
        Score(points=[3, 3, 0], total=[3, 3, 0]),
    ]


def test_a_chance_needs_a_stock_that_is_known(table: Any) -> None:
    game = table("classic-all", ["Jh Qh 7s 8c", "Th 8s Ks Jd", "9h 9s 9d Qc"], stock="8h 9c")
    game.stock[0] = None
    with pytest.raises(ValueError, match="not been seen"):
        game.apply(Chance(seat=2))


def test_signals_and_what_forgetting_one_costs(table: Any, do: Any) -> None:
    hands = ["7h 8h 9h Jc", "Th Ts Td 7c", "8s Qc As 7d"]
    game = table({"preset": "short", "signals": "penalty"}, hands)
    assert game.apply(Signal(seat=2, sign="sing")) == [Signal(seat=2, sign="sing")]
    assert (game.signalled, game.signs) == (0b100, [0, 0, 1])
    game.apply(Signal(seat=1, sign="stand"))
    assert (game.signalled, game.signs) == (0b110, [0, 2, 1])
    assert do(game, "B:7c") == [Play(card="7c", seat=1), Penalty(points=1, seat=1, why="R-FLUIT-04")]


def test_cards_that_are_laid_away_are_told_in_the_order_of_the_pack(table: Any) -> None:
    hands = ["Th 9h 8h 7h Ah Kh Qh Jh Ts 9s 8s", "Tc 9c 8c 7c Ac Kc Qc Jc Td 9d 8d"]
    game = table("club", hands, points=[6, 11])
    assert game.apply(Discard(cards=["Kh", "8s", "Jh"], seat=0)) == [
        Discard(cards=["8s", "Jh", "Kh"], salt=NO_SALT, seat=0)
    ]


def test_a_sign_counts_for_its_own_round() -> None:
    """Seat 1 sings for its tens; in the next round it has them again, and forgets."""
    tens = [INDEX[card] for card in ("Tc", "Td", "Ts", "7h")]
    others = [card for card in range(PACK_SIZE) if card not in tens]
    game = Game(resolve({"preset": "short", "signals": "penalty"}), 2)
    game.deal([*tens, *others])
    for act in (Signal(seat=1, sign="sing"), Toep(seat=1), Fold(seat=0)):
        game.apply(act)
    game.deal([*others[:4], *tens, *others[4:]])
    assert (game.signalled, game.signs) == (0, [0, 0])
    game.apply(game.legal(0)[-1])
    game.apply(game.legal(1)[-1])
    assert game.totals() == [1, 1]


def test_an_illegal_act_and_an_impossible_start_say_why(table: Any) -> None:
    with pytest.raises(IllegalAct, match=r"^R-FOLD-06: there is no toep to answer; one folds only as an answer$"):
        table("short", FULL).apply(Fold(seat=1))
    with pytest.raises(StartError, match=r"^start: fewer than two seats are in the game$"):
        start_game(resolve("club"), 3, Start(points=[15, 15, 0]))
