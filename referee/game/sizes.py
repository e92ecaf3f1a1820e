"""How many cards a round is dealt and played with: four, or more in a finale (R-GRAF-01 to R-GRAF-03, H-37, H-38)."""

from typing import Final

from referee.game.state import State

ORDINARY: Final = (4, 4)
WITH_DISCARDS: Final = (11, 8)
GREY_GRAVE: Final = (8, 8)
DISCARDS: Final = 3


def cards_to_deal(state: State) -> tuple[int, int]:
    """(cards that each player is dealt, tricks) of the next round, by the players left and their points."""
    rules = state.rules
    if rules.finale == "off" and not rules.grey_grave:
        return ORDINARY
    points = [0] * state.seats if state.length else state.raw
    left = [seat for seat in range(state.seats) if state.in_game >> seat & 1]
    all_poor = all(points[seat] == rules.limit - 1 for seat in left)
    two = len(left) == 2
    if two and (rules.finale == "two_left" or (rules.finale == "both_poor" and all_poor)):
        return WITH_DISCARDS
    if len(left) == 3 and rules.grey_grave and all_poor:
        return GREY_GRAVE
    return ORDINARY


def has_discards(state: State) -> bool:
    """Whether the running round is one in which cards are laid away before play."""
    return state.dealt > state.hand_size
