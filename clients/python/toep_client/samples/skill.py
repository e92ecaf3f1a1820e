"""What the better sample bots know about the game.

Inside, a card is a number from 0 to 31 in order of rank, then suit: ``card & 3`` is its suit, and the higher number of
two cards of a suit is the higher card.
"""

from typing import Final

from toep_client.cards import by_rank
from toep_client.view import View

ROLLOUTS: Final = 24
"""Deals tried for one estimate, which is then right to about a tenth."""

WORK: Final = 200
"""Cards played for one estimate, more or less: with many players fewer deals are tried."""

NOBODY: Final = -1


def following(view: View) -> list[str]:
    """The playable cards that follow suit; all of them when none does, or when the bot leads."""
    if not view.trick:
        return view.playable
    suit = view.trick[0][1][1]
    return [card for card in view.playable if card[1] == suit] or view.playable


def best_card(view: View) -> str:
    """A sensible card: low ones first, and the trick before the last is worth winning."""
    trick = [(seat, by_rank(card)) for seat, card in view.trick]
    options = sorted(following(view), key=by_rank)
    return options[_choose(len(view.hand), trick, [by_rank(card) for card in options])]


def worst_three(view: View) -> tuple[str, ...]:
    """The three lowest cards of the hand."""
    return tuple(sorted(view.hand, key=by_rank)[:3])


def dirty(view: View) -> bool:
    """Whether the hand may honestly be changed: four pictures, or three and a seven where the rules say so."""
    sevens = sum(card[0] == "7" for card in view.hand)
    pictures = sum(card[0] in "JQKA" for card in view.hand)
    return pictures == 4 or (pictures == 3 and sevens == 1 and view.rules.get("exchange_seven") is True)


def win_chance(view: View, rollouts: int = 0) -> float:
    """An estimate of the chance to win the last trick: deals the unseen cards at random and plays them out.

    ``rollouts`` is the number of deals; 0 chooses one that takes well under a millisecond.
    """
    guess = 1 / max(1, len(view.in_round))
    if not view.hand and not view.plays:
        return guess
    mine = sorted(by_rank(card) for card in view.hand)
    known = {by_rank(card) for _, _, card in view.plays}.union(mine)
    unseen = [card for card in range(32) if card not in known]
    played = [0] * 8
    for _, seat, _ in view.plays:
        played[seat] += 1
    size = len(mine) + played[view.seat]
    needs = [(seat, max(0, size - played[seat])) for seat in view.in_round if seat != view.seat]
    total = sum(count for _, count in needs)
    trick = [(seat, by_rank(card)) for seat, card in view.trick]
    if total > len(unseen) or not (total or mine or trick):
        return guess
    folded_win = view.rules.get("folded_cards") == "win"
    order = [(view.lead + step) % len(view.names) for step in range(len(view.names))]
    rollouts = rollouts or max(4, min(ROLLOUTS, WORK // (total + len(mine) + 1)))
    draw = view.random()
    wins = 0
    for _ in range(rollouts):
        cards = draw.sample(unseen, total)
        hands = {seat: sorted(cards.pop() for _ in range(count)) for seat, count in needs}
        hands[view.seat] = list(mine)
        wins += last_winner(hands, list(trick), order, folded_win) == view.seat
    return wins / rollouts


def last_winner(hands: dict[int, list[int]], trick: list[tuple[int, int]], order: list[int], folded_win: bool) -> int:
    """Plays all cards as `_choose` says. Hands are in order of rank; ``order`` has the seats from the lead on.

    Returns the seat that wins the last trick, `NOBODY` when it is one that has folded.
    """
    done = {seat for seat, _ in trick}
    left = max(len(hand) + (seat in done) for seat, hand in hands.items())
    while True:
        for seat in order:
            hand = hands.get(seat)
            if hand and seat not in done:
                suit = trick[0][1] & 3 if trick else -1
                options = [card for card in hand if card & 3 == suit] or hand
                card = options[_choose(len(hand), trick, options)] if len(hand) == 2 else options[0]
                hand.remove(card)
                trick.append((seat, card))
        suit = trick[0][1] & 3
        winner, best = NOBODY, -1
        for seat, card in trick:
            if folded_win or seat in hands:
                value = card + 32 if card & 3 == suit else card
                if value > best:
                    winner, best = seat, value
        left -= 1
        if left <= 0:
            return winner if winner in hands else NOBODY
        start = order.index(winner)
        order = order[start:] + order[:start]
        trick, done = [], set()


def _choose(held: int, trick: list[tuple[int, int]], options: list[int]) -> int:
    """Which of the cards that may be played to ``trick`` to play: an index into ``options``, which is in order."""
    if held != 2 or len(options) == 1:
        return 0
    low, high = options
    if not trick:
        return 0 if low & 3 == high & 3 else 1
    suit = trick[0][1] & 3
    best = max(card for _, card in trick if card & 3 == suit)
    return 1 if high & 3 == suit and high > best else 0
