"""When to dial in again: after how long, and whether at all. No I/O."""

import random
from collections.abc import Callable
from typing import Final

HINT: Final = "retry-after-ms"
"""The trailing metadata in which a referee says before when another try is not worth while, in milliseconds."""

MOST_HINTED: Final = 30.0
"""Seconds that are waited for a referee at most before another try, whatever it says."""

TURNED_AWAY: Final = 60.0
"""Seconds that a bot which is turned away so waits in all before it gives up."""

FIRST_PAUSE: Final = 0.1
MOST_PAUSE: Final = 2.0
"""Seconds between two tries to get back to a referee that was lost: they double from the first to this."""


class Again:
    """How often a bot dials in, and what it has to show."""

    def __init__(self, reconnect: float = 0.0, spread: Callable[[], float] = random.random) -> None:
        """``reconnect``: for how many seconds a bot that has lost its referee tries to get back to it; 0: not at all.
        ``spread``: numbers from 0 to 1, so that many bots do not all come at once."""
        self.resume_token = b""
        """What proves that it is the same bot; empty: nothing does."""
        self._reconnect = reconnect
        self._spread = spread
        self._waited = 0.0
        self._tries = 0
        self.was_lost = False
        """The bot was let in before, and tries to get back."""

    def welcomed(self, resume_token: bytes) -> None:
        """The bot was let in."""
        self.resume_token = resume_token
        self._waited, self._tries, self.was_lost = 0.0, 0, False

    def wrong_token(self) -> bool:
        """The bot was not let in because of who it is; returns whether it may do without its resume token."""
        had, self.resume_token = self.resume_token, b""
        return bool(had)

    def turned_away(self, hint: str | bytes | None) -> float | None:
        """Seconds until the next try of a bot that the referee has turned away with this hint; None: none is worth it.

        Never less than the hint, unless that is beyond `MOST_HINTED`.
        """
        text = hint.decode("ascii", "replace") if isinstance(hint, bytes) else hint or ""
        if not (text.isascii() and text.isdigit()) or len(text) > 9:
            return None
        hinted = min(int(text) / 1000, MOST_HINTED)
        pause = max(hinted, self._pause()) * (1 + self._spread() / 4)
        return self._spend(pause, TURNED_AWAY)

    def lost(self) -> float | None:
        """Seconds until the next try of a bot whose stream has broken off; None: it does not try."""
        self.was_lost = True
        return self._spend(self._pause() * (1 + self._spread() / 4), self._reconnect)

    def unreachable(self) -> float | None:
        """The same when nobody answers; a bot that has never been let in does not try again."""
        return self.lost() if self.was_lost else None

    def _pause(self) -> float:
        return min(MOST_PAUSE, FIRST_PAUSE * (1 << self._tries))

    def _spend(self, pause: float, most: float) -> float | None:
        if self._waited + pause > most:
            return None
        self._tries = min(self._tries + 1, 10)
        self._waited += pause
        return pause
