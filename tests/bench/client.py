"""The other end of the wire benchmark, in a process of its own: one stream that holds every seat of every table.

    python -m tests.bench.client play ADDRESS BOT TABLES TRACE   plays, and writes what passed to TRACE
    python -m tests.bench.client replay ADDRESS TRACE            sends the same requests again, in step

It decides with a few bit operations, so that what is measured at the other end is the referee.
"""

import asyncio
import pickle
import sys
from pathlib import Path
from typing import cast

from grpc import aio

from referee.v1 import play_pb2

Trace = list[tuple[bytes, bytes]]
"""What was received, and what was then sent (empty: nothing)."""

FOLD_OR_STAY = 1 << 10
TOEP = 1 << 9
METHOD = "/referee.v1.RefereeService/Play"


def answer(ask: play_pb2.Ask, request: play_pb2.PlayRequest) -> None:
    """The lowest legal card; goes along; toeps now and then; else passes."""
    reply = request.answers.add(table=ask.table, ask=ask.ask)
    if ask.legal:
        low = ask.legal & -ask.legal
        reply.play.card = low.bit_length()  # type: ignore[assignment]
    elif ask.may & FOLD_OR_STAY:
        reply.stay.SetInParent()
    elif ask.may & TOEP and ask.ask % 97 == 0:
        reply.toep.SetInParent()
    else:
        reply.decline.SetInParent()


async def play(address: str, bot: str, tables: int, trace_path: str) -> None:
    trace: Trace = []
    over = 0
    async with aio.insecure_channel(address, options=[("grpc.max_receive_message_length", -1)]) as channel:
        call = channel.stream_stream(METHOD, lambda data: data, lambda data: data)()
        hello = play_pb2.PlayRequest(hello=play_pb2.Hello(protocol=1, bot=bot, parallel=8192))
        await call.write(hello.SerializeToString())
        while over < tables:
            received = cast(bytes, await call.read())
            response = play_pb2.PlayResponse.FromString(received)
            over += len(response.over)
            request = play_pb2.PlayRequest()
            for ask in response.asks:
                answer(ask, request)
            sent = request.SerializeToString() if response.asks else b""
            trace.append((received, sent))
            if sent:
                await call.write(sent)
        await call.write(play_pb2.PlayRequest(leave=play_pb2.Leave()).SerializeToString())
        await call.done_writing()
    Path(trace_path).write_bytes(pickle.dumps(trace))


async def replay(address: str, trace_path: str) -> None:
    trace: Trace = pickle.loads(Path(trace_path).read_bytes())
    async with aio.insecure_channel(address, options=[("grpc.max_receive_message_length", -1)]) as channel:
        call = channel.stream_stream(METHOD, lambda data: data, lambda data: data)()
        await call.write(play_pb2.PlayRequest().SerializeToString())
        for _, sent in trace:
            await call.read()
            if sent:
                await call.write(sent)
        await call.done_writing()


if __name__ == "__main__":
    if sys.argv[1] == "play":
        asyncio.run(play(sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5]))
    else:
        asyncio.run(replay(sys.argv[2], sys.argv[3]))
