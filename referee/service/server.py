"""A referee that listens: the gRPC server, the clock, and closing down."""

import asyncio
import contextlib
import time
from collections.abc import Mapping
from typing import Final

from grpc import aio

from referee.log.note import Signer
from referee.service.hall import Hall
from referee.service.options import SERVER_OPTIONS
from referee.service.rpc import RefereeService, handler
from referee.service.store import Store

TICK_SECONDS: Final = 0.02
"""How often deadlines are looked at."""

LOOPBACK: Final = ("127.", "localhost:", "[::1]", "unix:")


class BindError(OSError):
    """The address could not be listened on."""


def monotonic_ms() -> int:
    """Milliseconds of the monotonic clock."""
    return time.monotonic_ns() // 1_000_000


def is_loopback(address: str) -> bool:
    """Whether an address can be reached from this machine only."""
    return address.startswith(LOOPBACK)


class Server:
    """One referee process: ``await start()``, then ``await stop()``; ``hall`` can be used in between."""

    def __init__(
        self,
        store: Store,
        *,
        address: str = "127.0.0.1:0",
        tokens: Mapping[str, str] | None = None,
        organiser: str = "",
        signer: Signer | None = None,
    ) -> None:
        """``address``: host:port (port 0: any free one) or unix:PATH; ``signer`` as in `Hall`, the rest as in
        `RefereeService`."""
        self.hall: Final = Hall(store, monotonic_ms, signer)
        self._wanted = address
        self._service = RefereeService(self.hall, tokens=tokens, organiser=organiser)
        self._server: aio.Server | None = None
        self._ticker: asyncio.Task[None] | None = None
        self.address = ""
        """Where it listens, once it does."""

    async def start(self) -> str:
        """Listen; returns the address. Raises `BindError`."""
        server = aio.server(options=list(SERVER_OPTIONS))
        server.add_generic_rpc_handlers((handler(self._service),))
        try:
            port = server.add_insecure_port(self._wanted)
        except RuntimeError:
            port = 0
        if port == 0:
            raise BindError(f"cannot listen on {self._wanted}: it is in use, or not an address of this machine")
        await server.start()
        self._server = server
        host = self._wanted.rpartition(":")[0]
        self.address = self._wanted if self._wanted.startswith("unix:") else f"{host}:{port}"
        self._ticker = asyncio.create_task(self._tick())
        return self.address

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK_SECONDS)
            self.hall.tick()

    async def drain(self, why: str, seconds: float) -> None:
        """Take no new matches, and wait for the running ones, at most so long."""
        self.hall.drain(why)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.hall.idle.wait()

    async def stop(self, grace: float = 1.0) -> None:
        """End what still runs, and every stream."""
        self.hall.abandon_all()
        if self._ticker:
            self._ticker.cancel()
            await asyncio.gather(self._ticker, return_exceptions=True)
        if self._server:
            await self._server.stop(grace)
        await self.hall.sets.wait()
        self.hall.store.close()
