"""Simulated time: an event loop that never waits, and runs whatever is due next."""

import asyncio
import selectors
from collections.abc import Callable
from typing import Any


class Standstill(Exception):
    """Everybody waits, and nothing is left that could happen."""


class _Selector(selectors.SelectSelector):
    """Instead of waiting for files it lets the time pass."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None:
            raise Standstill
        self.now += max(0.0, timeout)
        return []


class SimLoop(asyncio.SelectorEventLoop):
    """Runs coroutines in simulated time. What would go to another thread is done a moment later, in this one."""

    def __init__(self, moment: Callable[[], float]) -> None:
        """``moment``: how many seconds a job for another thread takes."""
        self._own = _Selector()
        super().__init__(self._own)
        self._moment = moment
        self._clock_resolution = 1e-9

    def time(self) -> float:
        return self._own.now

    def ms(self) -> int:
        """Whole milliseconds since the beginning."""
        return int(self._own.now * 1000 + 1e-6)

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> Any:
        future = self.create_future()

        def work() -> None:
            if future.cancelled():
                return
            try:
                future.set_result(func(*args))
            except Exception as error:
                future.set_exception(error)

        self.call_later(self._moment(), work)
        return future
