"""Bots that are about time, at a referee whose clock is a number."""

import asyncio
import importlib
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import structlog

from referee.service import rpc, server
from referee.service.hall import Hall
from referee.service.seating import Seating
from referee.service.server import Server
from referee.service.store import Store
from referee.service.summary import OPEN
from referee.table.messages import NEVER
from tests.support.hostile.bots import (
    FOLDER,
    PATIENCE,
    Hostile,
    Problem,
    Verdict,
)
from tests.support.hostile.floor import Bot, Floor, matches_of
from tests.support.wire import eventually


class Pace:
    """A clock that stands still until a bot waits and nobody else is waited for."""

    def __init__(self, bot: str, match: str) -> None:
        self.now = 1_000_000
        self.hall: Hall | None = None
        self._bot = bot
        self._match = match

    def __call__(self) -> int:
        return self.now

    async def pass_by(self, ms: int) -> None:
        """So much time passes for everybody, deadline by deadline; not beyond the end of the match."""
        target = self.now + ms
        while self.now < target and (deadline := await self._next_deadline()) is not None:
            if deadline < target:
                self.now = deadline
                assert self.hall is not None
                self.hall.tick()
            else:
                # A deadline that is now is for whoever answers now to run into.
                self.now = target

    async def _next_deadline(self) -> int | None:
        """The next one, when the bot alone is awaited and has been asked; None when the match is over."""
        assert self.hall is not None
        seating = self.hall.matches[self._match]
        async with asyncio.timeout(PATIENCE):
            while isinstance(seating, Seating) and seating.status in OPEN:
                asks = list(seating.table._pending.values())
                if asks and all(seating.bots[ask.seat] == self._bot and ask.deadline != NEVER for ask in asks):
                    return min(ask.deadline for ask in asks)
                await asyncio.sleep(0.001)
        return None

    async def broken(self) -> None:
        """Until the referee knows that the bot's link is down."""
        assert self.hall is not None
        hall = self.hall
        await eventually(lambda: self._bot not in hall.sessions)


class Thread(Bot):
    """A bot in a thread, in a world whose time is that of a `Pace`."""

    def __init__(self, bot: Hostile, floor: Floor, pace: Pace) -> None:
        self.address = floor.address
        self.bot = bot.name
        self.token = floor.token_of(bot.name)
        self._module = bot.module
        self._pace = pace
        self._loop = asyncio.get_running_loop()
        self._told: list[str] = []
        self._done = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name=bot.name, daemon=True)

    # As the world of the bot, in the thread.

    def wait(self, ms: int) -> None:
        """Some time passes."""
        asyncio.run_coroutine_threadsafe(self._pace.pass_by(ms), self._loop).result()

    def hang(self) -> None:
        """All time passes that the match has."""
        self.wait(NEVER)

    def broken(self) -> None:
        """The referee notices."""
        asyncio.run_coroutine_threadsafe(self._pace.broken(), self._loop).result()

    def say(self, text: str) -> None:
        """One line for the author."""
        self._told.append(text)

    def _run(self) -> None:
        try:
            with importing():
                importlib.import_module(self._module).main(self)
        except Exception as error:
            self.say(f"{type(error).__name__}: {error}")
        finally:
            self._loop.call_soon_threadsafe(self._done.set)

    # For those who run it, in the loop.

    async def start(self) -> None:
        self._thread.start()

    async def ended(self) -> None:
        await self._done.wait()

    async def end(self) -> None:
        if self._done.is_set():
            self._thread.join()

    def told(self) -> list[str]:
        return list(self._told)


@contextmanager
def importing() -> Iterator[None]:
    """The folder of the bots is a place to import from."""
    sys.path.insert(0, str(FOLDER))
    try:
        yield
    finally:
        sys.path.remove(str(FOLDER))


async def timed(bot: Hostile, folder: Path) -> Verdict:
    """A bot against a referee in this process, with a clock that is a number."""
    pace = Pace(bot.name, f"{bot.name}-1")
    with (
        mock.patch.object(server, "monotonic_ms", pace),
        mock.patch.object(server, "TICK_SECONDS", 3600.0),
        mock.patch.object(rpc, "HELLO_SECONDS", bot.match.hello_seconds),
        structlog.testing.capture_logs() as logs,
    ):
        referee = Server(Store(folder / bot.name))
        pace.hall = referee.hall
        floor = Floor(await referee.start(), lambda _: "")
        try:
            await floor.open()
            verdict = await matches_of(bot, floor, folder / bot.name, lambda: Thread(bot, floor, pace))
        finally:
            await floor.close()
            await referee.stop(0)
    if errors := [entry for entry in logs if entry["log_level"] not in ("info", "warning")]:
        raise Problem(f"the referee says: {errors}")
    return verdict
