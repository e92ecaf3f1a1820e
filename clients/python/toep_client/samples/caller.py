"""A bot that always goes along, never toeps, and plays its cards well enough."""

from toep_client import Act, Bot, Discard, Pass, Play, Stay, View, run
from toep_client.samples.skill import best_card, worst_three


class Caller(Bot):
    """Never folds."""

    def act(self, view: View) -> Act:
        if view.kind == "discard":
            return Discard(worst_three(view))
        if view.playable:
            return Play(best_card(view))
        return Stay() if Stay() in view.legal else Pass(until="round")


if __name__ == "__main__":
    run(Caller())
