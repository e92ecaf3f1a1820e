"""A bot as strong as it is told to be: at level 11 it makes no mistakes, at level 0 it makes one nearly every round.

Run it with a level: ``python -m toep_client.samples.graded 7``. Its mistake is to lay down a hand that is not dirty,
for which it is caught, so rules with an exchange tell the levels apart within some hundred rounds. It answers an ask
the same way whenever it is put, and takes next to no time for it: it is there for trying out tournaments.
"""

import sys
from typing import Final

from toep_client import Act, Bot, Challenge, Discard, Exchange, Pass, Play, Stay, View, run
from toep_client.errors import USAGE
from toep_client.samples.skill import best_card, dirty, worst_three

LEVELS: Final = 12
"""Levels, from 0 up."""

SLIPS: Final = 0.6
"""How often level 0 lays down a hand when it might; it may do so more than once a round."""

EVEN: Final = 0.6
"""How even the steps between levels are; 1: all the same. Those of weak bots are wider: their points vary more."""


class Graded(Bot):
    """Plays well enough, never toeps and never folds, and slips the more often the lower its level is."""

    def __init__(self, level: int) -> None:
        """``level``: 0 to 11."""
        weakness = (LEVELS - 1 - level) / (LEVELS - 1)
        self.slips: Final = SLIPS * weakness * (EVEN + (1 - EVEN) * weakness)

    def act(self, view: View) -> Act:
        legal = view.legal
        if view.kind == "discard":
            return Discard(worst_three(view))
        if Challenge() in legal:
            return Challenge()  # None of its kind lays down a hand that is dirty.
        if Exchange() in legal and not dirty(view) and view.random().random() < self.slips:
            return Exchange()
        if view.playable:
            return Play(best_card(view))
        return Stay() if Stay() in legal else Pass()


def main(words: list[str]) -> None:
    """Play at the level that the command line names; ends the process."""
    if len(words) != 1 or not words[0].isascii() or not words[0].isdigit() or int(words[0]) >= LEVELS:
        print(f"usage: python -m toep_client.samples.graded LEVEL (0 to {LEVELS - 1})", file=sys.stderr)
        sys.exit(USAGE)
    run(Graded(int(words[0])))


if __name__ == "__main__":
    main(sys.argv[1:])
