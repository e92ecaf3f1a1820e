"""A bot that counts its chances."""

from typing import Final

from toep_client import Act, Bot, Discard, Exchange, Fold, Pass, Play, Stay, Toep, View, run
from toep_client.samples.skill import best_card, dirty, win_chance, worst_three

WIN_SHARE: Final = 0.5
"""What it is worth that the others pay the stake, as a share of paying it oneself."""

BOLD: Final = 0.65
"""The chance of winning the last trick from which it toeps."""


class Careful(Bot):
    """Folds when going along costs more than it may bring; toeps on its turn when it is likely to win."""

    def act(self, view: View) -> Act:
        legal = view.legal
        if view.kind == "discard":
            return Discard(worst_three(view))
        if Stay() in legal:
            return Fold() if Fold() in legal and not worth_staying(view) else Stay()
        if Exchange() in legal and dirty(view):
            return Exchange()
        if not view.playable:
            return Pass(until="round" if view.kind == "window" else None)
        if Toep() in legal and win_chance(view) > BOLD:
            return Toep()
        return Play(best_card(view))


def worth_staying(view: View) -> bool:
    """Whether going along is expected to cost less than folding does."""
    chance = win_chance(view)
    stay = chance * view.stake * WIN_SHARE - (1 - chance) * view.stake
    return stay > -view.accepted[view.seat]


if __name__ == "__main__":
    run(Careful())
