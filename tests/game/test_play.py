"""P7, cards: what the records of tricks say, and where the turn goes."""

from typing import Any

from referee.cards import INDEX
from referee.game.records import Play, Score, Trick


def test_the_last_card_of_a_trick_brings_its_winner(table: Any, do: Any) -> None:
    game = table("short", ["Jc 7h", "Qc 8h"], lead=0)
    assert do(game, "A:Jc") == [Play(card="Jc", seat=0)]
    assert do(game, "B:Qc") == [Play(card="Qc", seat=1), Trick(lead=1, win=1)]
    assert game.trick_number == 4
    *_, trick, score = do(game, "B:8h A:7h")
    assert trick == Trick(win=1)
    assert score == Score(points=[1, 0], total=[1, 0])


def test_a_folded_winner_wins_and_somebody_else_leads(table: Any, do: Any) -> None:
    game = table("cafe", ["Tc 7h", "8c 8h", "9c 9h"], "A:Tc B! C+ A- B:8c", lead=0)
    assert do(game, "C:9c") == [Play(card="9c", seat=2), Trick(lead=1, win=0)]


def test_playable_is_a_mask_of_the_seat_on_turn(table: Any) -> None:
    game = table("short", ["Jc 7h", "Qc 8h"], "A:Jc", lead=0)
    assert game.playable(1) == 1 << INDEX["Qc"]
    assert game.playable(0) == 0
    assert table("short", ["Jc 7h", "Qc 8h"], "A:Jc A!", lead=0).playable(1) == 0


def test_plays_remember_their_trick(table: Any) -> None:
    game = table("short", ["Jc 7h", "Qc 8h"], "A:Jc B:Qc B:8h", lead=0)
    assert game.plays == [(3, 0, INDEX["Jc"]), (3, 1, INDEX["Qc"]), (4, 1, INDEX["8h"])]
