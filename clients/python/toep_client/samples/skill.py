"""What the better sample bots know about the game.

Inside, a card is its index: ``card % 8`` is its rank, ``card // 8`` its suit.
"""

import random
from typing import Final

from toep_client.acts import Act, Signal
from toep_client.cards import INDEX, NAMES, by_rank
from toep_client.view import View

ROLLOUTS: Final = 24
"""Deals tried for one estimate: a few hundred microseconds, and right to about a tenth."""

NOBODY: Final = -1


def following(view: View) -> list[str]:
    """The playable cards that follow suit; all of them when none does, or when the bot leads."""
    if not view.trick:
        return view.playable
    suit = view.trick[0][1][1]
    return [card for card in view.playable if card[1] == suit] or view.playable


def best_card(view: View) -> str:
    """A sensible card: low ones first, and the trick before the last is worth winning."""
    trick = [(seat, INDEX[card]) for seat, card in view.trick]
    choice = _choose([INDEX[card] for card in view.hand], trick, [INDEX[card] for card in following(view)])
    return NAMES[choice]


def worst_three(view: View) -> tuple[str, ...]:
    """The three lowest cards of the hand."""
    return tuple(sorted(view.hand, key=by_rank)[:3])


def dirty(view: View) -> bool:
    """Whether the hand may honestly be changed: four pictures, or three and a seven where the rules say so."""
    sevens = sum(card[0] == "7" for card in view.hand)
    pictures = sum(card[0] in "JQKA" for card in view.hand)
    return pictures == 4 or (pictures == 3 and sevens == 1 and view.rules.get("exchange_seven") is True)


def owed_signal(view: View) -> Act | None:
    """The sign that the hand obliges to give, once: whistling for three tens or jacks, standing for four."""
    if view.plays or view.rules.get("signals") != "penalty":
        return None
    alike = max(sum(card[0] == rank for card in view.hand) for rank in "TJ")
    return {3: Signal("whistle"), 4: Signal("stand")}.get(alike)


def win_chance(view: View, rollouts: int = ROLLOUTS) -> float:
    """An estimate of the chance to win the last trick: deals the unseen cards at random and plays them out."""
    if not view.hand and not view.plays:
        return 1 / max(1, len(view.in_round))
    mine = [INDEX[card] for card in view.hand]
    seen = {INDEX[card] for _, _, card in view.plays}
    unseen = [card for card in range(32) if card not in seen and card not in mine]
    played = {seat: sum(other == seat for _, other, _ in view.plays) for seat in view.in_round}
    size = len(mine) + played.get(view.seat, 0)
    needs = [(seat, size - played[seat]) for seat in view.in_round if seat != view.seat]
    total = sum(count for _, count in needs)
    if total > len(unseen):
        return 1 / max(1, len(view.in_round))
    trick = [(seat, INDEX[card]) for seat, card in view.trick]
    folded_win = view.rules.get("folded_cards") == "win"
    draw = view.random()
    wins = 0
    for _ in range(rollouts):
        hands = _deal(draw, unseen, needs, total)
        hands[view.seat] = list(mine)
        wins += _last_winner(hands, list(trick), view.lead, len(view.names), folded_win) == view.seat
    return wins / rollouts


def _deal(draw: random.Random, unseen: list[int], needs: list[tuple[int, int]], total: int) -> dict[int, list[int]]:
    cards = draw.sample(unseen, total)
    hands = {}
    for seat, count in needs:
        hands[seat] = [cards.pop() for _ in range(count)]
    return hands


def _last_winner(
    hands: dict[int, list[int]], trick: list[tuple[int, int]], lead: int, seats: int, folded_win: bool
) -> int:
    """Plays all cards with `_choose`; the seat that wins the last trick, `NOBODY` when it is one that has folded."""
    while True:
        done = {seat for seat, _ in trick}
        for step in range(seats):
            seat = (lead + step) % seats
            hand = hands.get(seat)
            if hand and seat not in done:
                suit = trick[0][1] // 8 if trick else None
                card = _choose(hand, trick, [card for card in hand if card // 8 == suit] or hand)
                hand.remove(card)
                trick.append((seat, card))
        suit = trick[0][1] // 8
        counted = [play for play in trick if folded_win or play[0] in hands] or trick
        winner = max(counted, key=lambda play: (play[1] // 8 == suit, play[1] % 8, play[1]))[0]
        if not any(hands.values()):
            return winner if winner in hands else NOBODY
        lead, trick = winner, []


def _choose(hand: list[int], trick: list[tuple[int, int]], options: list[int]) -> int:
    """A card of ``options``, those of ``hand`` that may be played to ``trick``."""
    if len(options) == 1:
        return options[0]
    low = min(options, key=lambda card: card % 8)
    if len(hand) != 2:
        return low
    high = max(options, key=lambda card: card % 8)
    if not trick:
        return low if low // 8 == high // 8 else high
    suit = trick[0][1] // 8
    best = max(card for _, card in trick if card // 8 == suit)
    return high if high // 8 == suit and high > best else low
