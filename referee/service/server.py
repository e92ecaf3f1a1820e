"""A referee that listens: the gRPC server, the clock, and closing down."""

import asyncio
import contextlib
import ipaddress
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import structlog
from grpc import aio

from referee.log.note import Signer
from referee.service.clock import monotonic_ms
from referee.service.hall import TICK_MS, Hall
from referee.service.names import Names
from referee.service.options import SERVER_OPTIONS
from referee.service.rpc import RefereeService, handler
from referee.service.standard import Standard
from referee.service.store import Store
from referee.service.tls import Certificates, Tls

if TYPE_CHECKING:
    from referee.service.metrics import Endpoint

log = structlog.get_logger()

TICK_SECONDS: Final = TICK_MS / 1000
"""How often deadlines are looked at."""


class BindError(OSError):
    """The address could not be listened on."""


def is_loopback(address: str) -> bool:
    """Whether an address can be reached from this machine only."""
    if address.startswith("unix:"):
        return True
    host = address.rpartition(":")[0].strip("[]")
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False  # Whatever the name means, now or later.


def _listen_beside(server: aio.Server, address: str) -> None:
    try:
        if address.startswith("unix:") and server.add_insecure_port(address):
            return
    except RuntimeError:
        pass
    raise BindError(f"cannot listen on {address}: it is in use, or no unix:PATH in a folder of this machine")


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
        tls: Tls | None = None,
        metrics: str = "",
        lobby_seconds: int = 0,
        names: Names | None = None,
        grace_seconds: int = 0,
        max_matches: int = 0,
        beside: Sequence[str] = (),
    ) -> None:
        """``address``: host:port (port 0: any free one) or unix:PATH; ``tls``: None for no encryption; ``metrics``:
        host:port of the endpoint for Prometheus, empty for none; ``signer``, ``lobby_seconds``, ``names``,
        ``grace_seconds`` and ``max_matches`` as in `Hall`, the rest as in `RefereeService`; ``beside``: more addresses,
        unix:PATH, for bots on this machine, which are never encrypted."""
        self.hall: Final = Hall(
            store,
            monotonic_ms,
            signer,
            lobby_seconds,
            names=names,
            grace_seconds=grace_seconds,
            max_matches=max_matches,
        )
        self._wanted = address
        self._beside: Final = tuple(beside)
        self.tls: Final = tls
        self._metrics_wanted = metrics
        self._metrics: Endpoint | None = None
        self._standard = Standard()
        self._service = RefereeService(self.hall, tokens=tokens, organiser=organiser)
        self._server: aio.Server | None = None
        self._ticker: asyncio.Task[None] | None = None
        self.address = ""
        """Where it listens, once it does."""
        self.metrics_address = ""
        """Where its metrics are, once they are."""

    async def start(self) -> str:
        """Listen; returns the address. Raises `BindError`."""
        server = aio.server(options=list(SERVER_OPTIONS))
        server.add_generic_rpc_handlers((handler(self._service),))
        await self._standard.add_to(server)
        try:
            if self.tls:
                port = server.add_secure_port(self._wanted, self.tls.credentials)
            else:
                port = server.add_insecure_port(self._wanted)
        except RuntimeError:
            port = 0
        if port == 0:
            raise BindError(f"cannot listen on {self._wanted}: it is in use, or not an address of this machine")
        for local in self._beside:
            _listen_beside(server, local)
        self._open_metrics()
        await server.start()
        self._server = server
        host = self._wanted.rpartition(":")[0]
        self.address = self._wanted if self._wanted.startswith("unix:") else f"{host}:{port}"
        self.hall.counts.woken = time.monotonic()
        self._ticker = asyncio.create_task(self._tick())
        return self.address

    def _open_metrics(self) -> None:
        if not self._metrics_wanted:
            return
        from referee.service.metrics import Endpoint, HallCollector  # noqa: PLC0415 - nobody else needs the library

        host, _, port = self._metrics_wanted.rpartition(":")
        try:
            self._metrics = Endpoint.open(host.strip("[]"), int(port), HallCollector(self.hall, self.expires))
        except (OSError, ValueError, OverflowError):
            raise BindError(
                f"cannot listen on {self._metrics_wanted} for metrics: it is in use, or not an address of this machine"
            ) from None
        self.metrics_address = self._metrics.address
        log.info("metrics", address=self.metrics_address)

    def expires(self) -> float:
        """When the certificate is no longer good, in seconds since 1970; 0: there is none."""
        return self.tls.expires.timestamp() if self.tls else 0.0

    def use(
        self, *, tokens: Mapping[str, str] | None, organiser: str, certificates: Certificates | None = None
    ) -> None:
        """Have these tokens, and these certificates if there is encryption, for whoever comes from now on. Streams that
        stand go on, also those of bots that have no token any more."""
        self._service.use_tokens(tokens, organiser)
        if self.tls and certificates:
            self.tls.use(certificates)

    async def _tick(self) -> None:
        counts, clock = self.hall.counts, time.monotonic
        while True:
            due = clock() + TICK_SECONDS
            await asyncio.sleep(TICK_SECONDS)
            now = clock()
            counts.woke(now - due, now)
            self.hall.stalls.beat()
            self.hall.tick()

    async def drain(self, why: str, seconds: float) -> None:
        """Take no new matches, and wait for the running ones, at most so long."""
        self.hall.drain(why)
        await self._standard.not_serving()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.hall.idle.wait()

    async def stop(self, grace: float = 1.0) -> None:
        """End what still runs, and every stream."""
        await self._standard.not_serving()
        self.hall.abandon_all()
        if self._ticker:
            self._ticker.cancel()
            await asyncio.gather(self._ticker, return_exceptions=True)
        if self._server:
            await self._server.stop(grace)
        if self._metrics:
            metrics, self._metrics = self._metrics, None
            await asyncio.to_thread(metrics.close)
        await self.hall.sets.wait()
        self.hall.store.close()
