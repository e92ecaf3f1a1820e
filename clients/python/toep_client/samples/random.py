"""A bot that does anything that is legal, but the wild things seldom."""

from typing import Final

from toep_client import Act, Bot, Cut, Discard, Pass, Play, Stay, View, run
from toep_client.acts import (
    Blind,
    Challenge,
    Chance,
    Confess,
    Exchange,
    Fold,
    Peek,
    Signal,
    Toep,
)
from toep_client.samples.skill import following

ODDS: Final[dict[type[Act], float]] = {
    Toep: 0.05,
    Exchange: 0.2,
    Challenge: 0.1,
    Chance: 0.5,
    Blind: 0.05,
    Peek: 0.02,
    Confess: 0.5,
    Signal: 0.01,
    Cut: 0.01,
    Fold: 0.5,
}
"""How likely each act is to be chosen when it is legal; for signals and cuts, each of them."""

REVOKE: Final = 0.02
"""How likely it is to look at cards that do not follow suit too, where the rules let them be played."""


class Random(Bot):
    """Draws every answer from the view's own generator."""

    def act(self, view: View) -> Act:
        draw = view.random()
        for act in view.legal:
            if draw.random() < ODDS.get(type(act), 0):
                return act
        kinds = {type(act) for act in view.legal}
        if Play in kinds:
            return Play(draw.choice(view.playable if draw.random() < REVOKE else following(view)))
        if Discard in kinds:
            return Discard(tuple(draw.sample(view.hand, 3)))
        return Stay() if Stay in kinds else Pass()


if __name__ == "__main__":
    run(Random())
