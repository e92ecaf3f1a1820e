"""What every gRPC tool can ask a referee: how it is, and what it serves."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf import descriptor_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from referee.service.standard import REFEREE
from tests.support.wire import PATIENCE, House, house

pytestmark = pytest.mark.asyncio
Status = health_pb2.HealthCheckResponse
Request = reflection_pb2.ServerReflectionRequest


def stub(home: House) -> Any:
    """Typed for blocking channels only."""
    return health_pb2_grpc.HealthStub(home.channel)


async def health(home: House, service: str) -> int:
    answer = await stub(home).Check(health_pb2.HealthCheckRequest(service=service), timeout=PATIENCE)
    return int(answer.status)


async def test_a_referee_that_listens_is_serving(tmp_path: Path) -> None:
    """Without a token: a load balancer has none."""
    async with house(tmp_path, tokens={"ann": "secret-a"}, organiser="secret-o") as home:
        for service in ("", REFEREE):
            assert await health(home, service) == Status.SERVING
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await health(home, "referee.v1.NoService")
        assert caught.value.code() is grpc.StatusCode.NOT_FOUND


async def test_a_referee_that_drains_is_not_serving(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        watched = stub(home).Watch(health_pb2.HealthCheckRequest(service=REFEREE))
        async with asyncio.timeout(PATIENCE):
            assert (await watched.read()).status == Status.SERVING
            await home.server.drain("new version", 0)
            assert (await watched.read()).status == Status.NOT_SERVING
        for service in ("", REFEREE):
            assert await health(home, service) == Status.NOT_SERVING
        watched.cancel()


@asynccontextmanager
async def reflecting(folder: Path) -> AsyncIterator[House]:
    async with house(folder, tokens={"ann": "secret-a"}) as home:
        yield home


async def reflected(home: House, request: reflection_pb2.ServerReflectionRequest) -> Any:
    asking: Any = reflection_pb2_grpc.ServerReflectionStub(home.channel)  # type: ignore[arg-type]
    async with asyncio.timeout(PATIENCE):
        async for response in asking.ServerReflectionInfo(iter((request,))):
            return response
    raise AssertionError("no answer")


async def test_reflection_lists_the_services(tmp_path: Path) -> None:
    async with reflecting(tmp_path) as home:
        response = await reflected(home, Request(list_services=""))
        assert [service.name for service in response.list_services_response.service] == [
            "grpc.health.v1.Health",
            "grpc.reflection.v1alpha.ServerReflection",
            REFEREE,
        ]


async def test_reflection_has_the_schema_of_the_referee(tmp_path: Path) -> None:
    async with reflecting(tmp_path) as home:
        response = await reflected(home, Request(file_containing_symbol=REFEREE))
        files = [
            descriptor_pb2.FileDescriptorProto.FromString(data)
            for data in response.file_descriptor_response.file_descriptor_proto
        ]
        (service,) = [service for file in files for service in file.service]
        assert {method.name for method in service.method} >= {"Play", "CreateMatch", "GetMatch", "DownloadLog"}
        response = await reflected(home, Request(file_containing_symbol="referee.v1.Ask"))
        assert response.file_descriptor_response.file_descriptor_proto
