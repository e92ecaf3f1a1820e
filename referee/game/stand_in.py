"""What the referee does for a seat that is silent or has used up its tries. One rule for tables and validators."""

from referee.cards import NAMES, bits, by_rank_then_suit
from referee.game.game import BIT, Game
from referee.game.records import AnyAct, Fold, Play, Stay


def stand_in(game: Game, seat: int) -> AnyAct:
    """The act, marked ``by: ref``, that takes the place of the one this seat owes.

    To a toep: fold, or stay where folding is not allowed. A card: the lowest that is legal, by rank, then clubs,
    diamonds, spades, hearts. Raises `ValueError` when the seat owes nothing.
    """
    flags = game.may(seat)
    if flags & BIT[Fold]:
        return Fold(by="ref", seat=seat)
    if flags & BIT[Stay]:
        return Stay(by="ref", seat=seat)
    playable = game.playable(seat)
    if not playable:
        raise ValueError(f"seat {seat} owes no act")
    return Play(by="ref", card=NAMES[min(bits(playable), key=by_rank_then_suit)], seat=seat)
