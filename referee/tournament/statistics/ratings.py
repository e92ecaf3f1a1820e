"""Ratings from placings: the Plackett-Luce model of Weng and Lin (2011), as openskill computes it.

A rating is updated match by match, so it depends on their order: that of the schedule, whatever the order in which they
were played. Ties share a place. ``sigma`` believes that matches are independent; within a block they are not, so with
duplicates it is too small, and the intervals of the other numbers are the ones to trust.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from referee.tournament.results import MatchResult


class Rating(Struct, frozen=True, kw_only=True):
    """A bot's strength: about normal around ``mu`` with deviation ``sigma``; everybody starts at 25 and 25 / 3."""

    mu: float
    sigma: float


def ratings(matches: Iterable[MatchResult], names: Sequence[str]) -> dict[str, Rating]:
    """The rating of each bot after all matches, which are taken in schedule order.

    A match in which a bot has several seats is left out: it cannot be placed against itself.
    """
    from openskill.models import PlackettLuce  # noqa: PLC0415 - standings are the only part of an event that needs it

    model = PlackettLuce()
    now = {name: model.rating(name=name) for name in names}
    for match in sorted(matches, key=lambda one: one.index):
        if len(set(match.bots)) < len(match.bots):
            continue
        after = model.rate([[now[bot]] for bot in match.bots], ranks=list(map(float, match.rank)))
        for bot, team in zip(match.bots, after, strict=True):
            now[bot] = team[0]
    return {name: Rating(mu=rating.mu, sigma=rating.sigma) for name, rating in now.items()}
