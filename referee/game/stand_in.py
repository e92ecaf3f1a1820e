"""What the referee does for a seat that is silent or has used up its tries. One rule for tables and validators."""

from referee.cards import NAMES, bits, by_rank_then_suit
from referee.game.game import BIT, Game
from referee.game.records import AnyAct, Discard, Fold, Play, Stay
from referee.game.sizes import DISCARDS
from referee.game.tricks import following


def stand_in(game: Game, seat: int) -> AnyAct:
    """The act, marked ``by: ref``, that takes the place of the one this seat owes.

    To a toep: fold, but stay where folding is not allowed or answers are sealed (H-42). A card: the lowest that follows
    suit, by rank, then clubs, diamonds, spades, hearts. In a finale: the three lowest cards. Raises `ValueError` when
    the seat owes nothing.
    """
    flags = game.may(seat)
    if flags & BIT[Fold] and game.rules.answers == "clockwise":
        return Fold(by="ref", seat=seat)
    if flags & BIT[Stay]:
        return Stay(by="ref", seat=seat)
    if flags & BIT[Discard]:
        lowest = sorted(bits(game.hands[seat]), key=by_rank_then_suit)[:DISCARDS]
        return Discard(by="ref", cards=[NAMES[card] for card in sorted(lowest)], seat=seat)
    if not game.playable(seat):
        raise ValueError(f"seat {seat} owes no act")
    return Play(by="ref", card=NAMES[min(bits(following(game, seat)), key=by_rank_then_suit)], seat=seat)
