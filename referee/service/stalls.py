"""Time that the referee lost itself: when its loop did not come round, and whether it was busy or kept from working.

A bot that is late while the referee stood still may have answered in time. So what a table writes down about lateness
says whose doing it was, and the conduct may excuse what was not the bot's.
"""

import time
from collections import deque
from collections.abc import Callable
from typing import Final, Literal, NamedTuple

from referee.service.clock import monotonic_ms

Own = Literal["host", "referee"]

STALL_MS: Final = 100
"""Shorter delays are how a loop with much to do is, and no reason for a bot to be late."""

SHARE: Final = 10
"""Lateness is the referee's own when it lost at least one part in so many of the time that the bot had."""

KEPT: Final = 1000
"""Stalls that are remembered."""


class Stall(NamedTuple):
    """The loop did not come round between two moments, in milliseconds."""

    began: int
    ended: int
    own: Own


class Stalls:
    """What the loop's heartbeat tells. Moments are milliseconds of the real clock; a hall with another one has no
    stalls."""

    def __init__(
        self, beat_ms: int, clock: Callable[[], int] = monotonic_ms, busy: Callable[[], float] = time.thread_time
    ) -> None:
        """``beat_ms``: from one beat to the next, when all is well; ``busy``: seconds of processor time that the loop's
        thread has had."""
        self._beat_ms: Final = beat_ms
        self._clock: Final = clock
        self._busy: Final = busy
        self._last: tuple[int, float] | None = None
        self._stalls: Final[deque[Stall]] = deque(maxlen=KEPT)

    def beat(self) -> None:
        """The loop came round."""
        if (stall := self._running()) is not None:
            self._stalls.append(stall)
        self._last = self._clock(), self._busy()

    def blame(self, since: int, until: int) -> Own | None:
        """Whose doing it was that an ask from ``since`` on was not answered by ``until``; None: not the referee's."""
        stalls = [*self._stalls]
        if (running := self._running()) is not None:
            stalls.append(running)
        lost: dict[Own, int] = {"host": 0, "referee": 0}
        for stall in stalls:
            lost[stall.own] += max(0, min(until, stall.ended) - max(since, stall.began))
        if sum(lost.values()) * SHARE < max(1, until - since):
            return None
        return "host" if lost["host"] >= lost["referee"] else "referee"

    def _running(self) -> Stall | None:
        """The stall that the loop is in, or has just come out of."""
        if self._last is None:
            return None
        now = self._clock()
        last, busy = self._last
        began = last + self._beat_ms
        if now - began < STALL_MS:
            return None
        worked = (self._busy() - busy) * 1000
        return Stall(began, now, "referee" if worked * 2 >= now - last else "host")
