"""The tables of a director: which matches are played just now, and how each of them stands."""

import time
from collections.abc import Iterator
from typing import Final

from referee.service.seating import Seating
from referee.table.head import rounds_of
from referee.tournament.observer import Table
from referee.tournament.schedule import ScheduledMatch
from referee.tournament.spec_types import Spec


class Tables:
    """Those of one event; ``len`` of it is how many are taken."""

    def __init__(self, spec: Spec) -> None:
        self._names: Final = tuple(bot.name for bot in spec.bots)
        self._rounds: Final = rounds_of(spec.length)
        self._taken: Final[dict[str, tuple[ScheduledMatch, Seating | None, float]]] = {}

    def __len__(self) -> int:
        return len(self._taken)

    def take(self, match: ScheduledMatch, seating: Seating | None = None) -> None:
        """A match has a table from now on. ``seating``: None, it is being set up."""
        self._taken[match.match] = match, seating, time.monotonic()

    def seated(self, seating: Seating) -> None:
        """A match was set up."""
        match, _, since = self._taken[seating.match]
        self._taken[seating.match] = match, seating, since

    def free(self, match: str) -> Seating | None:
        """A match has no table any more; returns where it was played, None: it was not set up."""
        return self._taken.pop(match)[1]

    def waiting(self) -> Iterator[ScheduledMatch]:
        """The matches that wait for their bots."""
        for match, seating, _ in list(self._taken.values()):
            if seating is not None and seating.status == "waiting":
                yield match

    def rounds(self) -> int:
        """Rounds that were scored in matches that are being played."""
        return sum(max(0, seating.table.game.round - 1) for _, seating, _ in self._taken.values() if seating)

    def shown(self) -> Iterator[Table]:
        """How each stands, to be looked at."""
        now = time.monotonic()
        for match, seating, since in self._taken.values():
            game = seating.table.game if seating else None
            yield Table(
                match=match.match,
                block=match.block,
                bots=tuple(self._names[bot] for bot in match.seats),
                round=game.round if game else 0,
                rounds=self._rounds,
                total=tuple(game.totals()) if game else (0,) * len(match.seats),
                status=seating.status if seating else "waiting",
                seconds=now - since,
            )
