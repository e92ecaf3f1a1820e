"""Where the bot dials in: the real service on loopback, with a tap on its stream."""

import asyncio
import secrets
from typing import Final

from grpc import aio

from referee.conformance.bot.tap import Tap, TappedService
from referee.service.hall import Hall
from referee.service.options import SERVER_OPTIONS
from referee.service.rpc import handler
from referee.service.server import TICK_SECONDS, BindError

BOT: Final = "yours"
"""The name of the bot under test."""

IMPATIENT: Final = ("keepalive", "ping_timeout")
"""Options that give up a peer which is silent; a bot that stands in a debugger is."""

FOREVER_MS: Final = 86_400_000
"""The longest time that a conduct policy can give."""


class Door:
    """A listening referee. To be used in ``async with``."""

    def __init__(self, hall: Hall, tap: Tap, *, deadline: bool, bot: str = BOT) -> None:
        """``deadline``: False when the bot may be silent for as long as it likes; ``bot``: its name."""
        self.token: Final = secrets.token_urlsafe(24)
        self.tap: Final = tap
        self._hall = hall
        self._bot = bot
        self._service = TappedService(hall, tap, {bot: self.token})
        self._deadline = deadline
        self._server: aio.Server | None = None
        self._ticker: asyncio.Task[None] | None = None
        self._address = ""

    def environment(self, matches: int) -> dict[str, str]:
        """What a bot is told, as by `toep play`."""
        return {
            "TOEP_ADDRESS": self._address,
            "TOEP_BOT": self._bot,
            "TOEP_TOKEN": self.token,
            "TOEP_MATCHES": str(matches),
        }

    async def __aenter__(self) -> "Door":
        options = [
            (name, value)
            for name, value in SERVER_OPTIONS
            if self._deadline or not any(word in name for word in IMPATIENT)
        ]
        server = aio.server(options=options)
        server.add_generic_rpc_handlers((handler(self._service),))
        port = server.add_insecure_port("127.0.0.1:0")
        if port == 0:
            raise BindError("cannot listen on 127.0.0.1")
        await server.start()
        self._server = server
        self._address = f"127.0.0.1:{port}"
        self._ticker = asyncio.create_task(self._tick())
        return self

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK_SECONDS)
            self._hall.tick()

    async def __aexit__(self, *_: object) -> None:
        if self._ticker is not None:
            self._ticker.cancel()
            await asyncio.gather(self._ticker, return_exceptions=True)
        if self._server is not None:
            await self._server.stop(0)
