"""P7, answers: who is named when several go along by themselves."""

from typing import Any

from referee.game.records import Auto, Stay


def test_automatic_seats_are_named_in_seat_order(table: Any, do: Any) -> None:
    """Whoever toeped: the questions went round from its left, over D and A."""
    game = table({"preset": "short", "dood": "auto"}, ["7h", "8h", "9h", "Th"], "C!", points=[9, 0, 0, 9], lead=0)
    assert do(game, "B+") == [Stay(seat=1), Auto(seats=[0, 3])]
