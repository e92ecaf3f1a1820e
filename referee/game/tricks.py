"""Following suit, and who wins a trick (R-SUIT-01 to R-TRICK-01, R-FOLD-02, R-TIE-01)."""

from referee.cards import SUIT_MASK, by_rank_then_suit
from referee.game.state import State


def playable(state: State, seat: int) -> int:
    """The mask of cards that a seat may play now; 0 when it is not its turn."""
    if seat != state.turn or state.answer_queue:
        return 0
    hand = state.hands[seat]
    if state.trick:
        return hand & SUIT_MASK[state.trick[0][1] >> 3] or hand
    return hand


def trick_winner(state: State) -> int:
    """The seat whose card wins the running trick; with ``folded_cards`` = win it may have folded (H-04)."""
    cards = state.trick
    led = cards[0][1] >> 3
    if state.rules.folded_cards == "excluded":
        cards = [(seat, card) for seat, card in cards if state.in_round >> seat & 1]
    following = [(card, seat) for seat, card in cards if card >> 3 == led]
    if following:
        return max(following)[1]
    # Only after the leader folded (R-TIE-01). The index orders by suit, then rank.
    if state.rules.no_follower == "rank_then_suit":
        return max(cards, key=lambda play: by_rank_then_suit(play[1]))[0]
    return max(cards, key=lambda play: play[1])[0]
