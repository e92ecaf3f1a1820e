"""Following suit, and who wins a trick (R-SUIT-01 to R-TRICK-01, R-FOLD-02, R-TIE-01)."""

from referee.cards import SUIT_MASK, by_rank_then_suit
from referee.game.state import State


def playable(state: State, seat: int) -> int:
    """The mask of cards that a seat may play when it is its turn.

    Where revokes are punished instead of refused, that is the whole hand, but for a revoke that was just taken back.
    """
    hand = state.hands[seat]
    if not state.trick or (state.rules.revoke == "penalise" and not state.must_follow >> seat & 1):
        return hand
    return following(state, seat)


def following(state: State, seat: int) -> int:
    """The mask of cards that follow suit, or the whole hand when none does."""
    hand = state.hands[seat]
    if state.trick:
        return hand & SUIT_MASK[state.trick[0][1] >> 3] or hand
    return hand


def trick_winner(state: State) -> int:
    """The seat whose card wins the running trick; with ``folded_cards`` = win it may have folded (H-04).

    A card struck after a confession counts for nothing (R-VERZ-03).
    """
    led = state.trick[0][1] >> 3
    cards = state.trick
    if state.struck:
        cards = [(seat, card) for seat, card in cards if not state.struck >> card & 1]
    if state.rules.folded_cards == "excluded":
        cards = [(seat, card) for seat, card in cards if state.in_round >> seat & 1]
    follow = [(card, seat) for seat, card in cards if card >> 3 == led]
    if follow:
        return max(follow)[1]
    # Only after the leader folded (R-TIE-01). The index orders by suit, then rank.
    if state.rules.no_follower == "rank_then_suit":
        return max(cards, key=lambda play: by_rank_then_suit(play[1]))[0]
    return max(cards, key=lambda play: play[1])[0]
