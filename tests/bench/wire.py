"""``make bench``, the wire: what a referee costs per ask, beside two echoes that move the same messages.

For each number of seats and tables one run plays a set of matches: the referee in this process, one bot stream with
every seat of every table in another. Its messages are kept, and two echoes send and receive them again in step: one
builds and parses the same protobuf messages without knowing any rules, one moves the same raw bytes. The three are
measured one after another in the same process, so their ratios can be compared between machines.
"""

import asyncio
import pickle
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
from grpc import aio

from referee.log.records import Conduct, Rounds
from referee.ruleset import resolve
from referee.service.clock import monotonic_ms
from referee.service.hall import Hall
from referee.service.options import SERVER_OPTIONS
from referee.service.rpc import RefereeService, handler
from referee.service.store import Store
from referee.service.telemetry import configure
from referee.table.head import MatchPlan
from referee.v1 import play_pb2
from tests.bench.client import Trace

ASKS_WANTED = 50_000
ASKS_A_ROUND = {4: 69, 8: 270}
BOT = "bench"
CONDUCT = Conduct(act_ms=600_000, window_ms=600_000)


@dataclass
class Measured:
    """One run: processor time of this process and wall time, in seconds."""

    cpu: float
    wall: float


async def client(*words: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(sys.executable, "-m", "tests.bench.client", *words)


async def serve(handlers: grpc.GenericRpcHandler) -> tuple[aio.Server, str]:
    server = aio.server(options=list(SERVER_OPTIONS))
    server.add_generic_rpc_handlers((handlers,))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    return server, f"127.0.0.1:{port}"


async def measured(start: Callable[[], Awaitable[asyncio.subprocess.Process]], begun: asyncio.Event) -> Measured:
    """From the first message of the bot's stream to the end of its process."""
    process = await start()
    await begun.wait()
    cpu, wall = time.process_time(), time.perf_counter()
    code = await process.wait()
    assert code == 0, f"the client ended with code {code}"
    return Measured(time.process_time() - cpu, time.perf_counter() - wall)


async def referee_run(seats: int, tables: int, rounds: int, folder: Path) -> tuple[Measured, Path]:
    hall = Hall(Store(folder / "logs"), monotonic_ms)
    for table in range(tables):
        plan = MatchPlan(
            rules=resolve("cafe"), bots=[BOT] * seats, length=Rounds(rounds=rounds), conduct=CONDUCT, clock="none"
        )
        hall.create(plan, table.to_bytes(32, "big"), declared=True)
    begun = asyncio.Event()
    connect = hall.connect

    def noticed(*args: Any, **more: Any) -> Any:
        begun.set()
        return connect(*args, **more)

    hall.connect = noticed  # type: ignore[method-assign]
    server, address = await serve(handler(RefereeService(hall)))
    trace = folder / "trace"
    result = await measured(lambda: client("play", address, BOT, str(tables), str(trace)), begun)
    await server.stop(None)
    return result, trace


async def echo_run(trace: Trace, path: Path, *, build: bool) -> Measured:
    """Send the responses of a trace, each after the request before it; built anew, or as the bytes they are."""
    plain = [taken_apart(received) for received, _ in trace] if build else []
    begun = asyncio.Event()

    async def play(_: object, context: Any) -> None:
        await context.read()
        begun.set()
        for index, (received, sent) in enumerate(trace):
            await context.write(put_together(plain[index]) if build else received)
            if sent:
                request = await context.read()
                if build:
                    for answer in request.answers:
                        _ = answer.table, answer.ask, answer.WhichOneof("act")
        await context.read()

    parse = play_pb2.PlayRequest.FromString if build else None
    methods: dict[str, Any] = {"Play": grpc.stream_stream_rpc_method_handler(play, parse, None)}
    server, address = await serve(grpc.method_handlers_generic_handler("referee.v1.RefereeService", methods))
    result = await measured(lambda: client("replay", address, str(path)), begun)
    await server.stop(None)
    return result


Plain = tuple[list[bytes], list[Any], list[tuple[int, list[Any], dict[str, Any]]]]


def taken_apart(received: bytes) -> Plain:
    """A response as plain values: rare parts as bytes, asks and updates field by field."""
    response = play_pb2.PlayResponse.FromString(received)
    asks = [(a.table, a.ask, a.seat, a.kind, a.hand, a.legal, a.may, a.budget_ms) for a in response.asks]
    updates = [
        (
            update.table,
            [(event.seat, event.WhichOneof("event"), event) for event in update.events],
            {field.name: list(value) if field.is_repeated else value for field, value in update.state.ListFields()},
        )
        for update in response.updates
    ]
    response.ClearField("asks")
    response.ClearField("updates")
    return [response.SerializeToString()], asks, updates


def put_together(plain: Plain) -> bytes:
    from referee.v1 import events_pb2, table_pb2

    parts, asks, updates = list(plain[0]), plain[1], plain[2]
    for table, events, state in updates:
        built = [events_pb2.Event(seat=seat, **{name: getattr(event, name)}) for seat, name, event in events]
        update = table_pb2.TableUpdate(table=table, events=built, state=table_pb2.TableState(**state))
        parts.append(play_pb2.PlayResponse(updates=(update,)).SerializeToString())
    messages = [
        play_pb2.Ask(table=t, ask=i, seat=s, kind=k, hand=h, legal=le, may=m, budget_ms=b)
        for t, i, s, k, h, le, m, b in asks
    ]
    parts.append(play_pb2.PlayResponse(asks=messages).SerializeToString())
    return b"".join(parts)


def count(trace: Trace) -> tuple[int, int]:
    """(asks, logged acts) of a trace."""
    asks = acts = 0
    for received, _ in trace:
        response = play_pb2.PlayResponse.FromString(received)
        asks += len(response.asks)
        for update in response.updates:
            acts += sum(
                event.WhichOneof("event") in ("play", "toep", "stay", "fold", "exchange") for event in update.events
            )
    return asks, acts


async def line(seats: int, tables: int) -> None:
    rounds = max(1, ASKS_WANTED // (ASKS_A_ROUND[seats] * tables))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ours, path = await referee_run(seats, tables, rounds, folder)
        trace: Trace = pickle.loads(path.read_bytes())
        asks, acts = count(trace)
        built = await echo_run(trace, path, build=True)
        raw = await echo_run(trace, path, build=False)
    micro = [1e6 * run.cpu / asks for run in (ours, built, raw)]
    print(
        f"{seats:>5} {tables:>6} {asks:>8} {asks / ours.wall:>9.0f} {acts / ours.wall:>9.0f}"
        f" {micro[0]:>9.1f} {micro[1]:>9.1f} {micro[2]:>9.1f} {micro[0] / micro[1]:>7.2f}",
        flush=True,
    )


async def main() -> None:
    configure(verbose=False)
    print("referee over loopback gRPC, rules cafe; processor microseconds per ask of the serving process")
    print("seats tables     asks    asks/s    acts/s   referee echo:pb echo:raw   ratio")
    for seats in (4, 8):
        for tables in (1, 16, 128):
            await line(seats, tables)


if __name__ == "__main__":
    asyncio.run(main())
