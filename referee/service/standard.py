"""The services that every gRPC tool knows, beside the referee's own: health (grpc.health.v1) and reflection.

Neither wants a token: the one says whether new matches are taken, the other what is in `proto/`.
"""

from typing import Final

from grpc import aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

REFEREE: Final = "referee.v1.RefereeService"
"""The full name of the referee's own service."""


class Standard:
    """Health and reflection of one server."""

    def __init__(self) -> None:
        self._health = health.aio.HealthServicer()

    async def add_to(self, server: aio.Server) -> None:
        """Register both; the referee is serving from now on."""
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        names = (REFEREE, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, server)
        await self._health.set(REFEREE, health_pb2.HealthCheckResponse.SERVING)

    async def not_serving(self) -> None:
        """The referee takes nothing new from now on, and says so to all who watch it."""
        await self._health.enter_graceful_shutdown()
