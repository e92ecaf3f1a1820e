"""SIGHUP: tokens and certificates are read again, and whoever is connected does not notice."""

import json
import os
import signal
import subprocess
import sys
from argparse import Namespace
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
import structlog

from referee.cli.serve import read_again, read_tokens
from referee.service import tls
from referee.service.metrics import HallCollector
from referee.service.server import Server
from referee.service.store import Store
from referee.v1 import play_pb2
from tests.support.certs import DAY, NOW, Authority, Pair
from tests.support.wire import House, Line

Code = grpc.StatusCode


def write(folder: Path, organiser: str = "secret-o", **bots: str) -> Path:
    """The file of tokens."""
    path = folder / "tokens.json"
    path.touch(0o600)
    path.write_text(json.dumps({"organiser": organiser, "bots": bots}))
    return path


def replace(pair: Pair, other: Pair) -> None:
    """Have other certificates under the same names."""
    for old, new in zip(pair, other, strict=True):
        new.replace(old)


@asynccontextmanager
async def serving(folder: Path, pair: Pair | None = None, client_ca: Path | None = None) -> AsyncIterator[Server]:
    tokens = read_tokens(write(folder, ann="secret-a", bob="secret-b"))
    server = Server(
        Store(folder / "logs"),
        tokens=tokens.bots,
        organiser=tokens.organiser,
        tls=tls.load(*pair, client_ca) if pair else None,
    )
    await server.start()
    try:
        yield server
    finally:
        await server.stop(0)


def hang_up(server: Server, folder: Path) -> list[Any]:
    """What the signal does; returns what is logged."""
    with structlog.testing.capture_logs() as logs:
        read_again(server, Namespace(tokens=folder / "tokens.json"))
    return logs


def trusting(ca: Path, own: Pair | None) -> grpc.ChannelCredentials:
    """An authority, and perhaps a certificate of one's own."""
    key, cert = (own.key.read_bytes(), own.cert.read_bytes()) if own else (None, None)
    return grpc.ssl_channel_credentials(ca.read_bytes(), key, cert)


class Caller(House):
    """Somebody with a channel of his own."""

    @classmethod
    @asynccontextmanager
    async def of(cls, server: Server, ca: Path | None = None, own: Pair | None = None) -> "AsyncIterator[Caller]":
        options = (("grpc.enable_http_proxy", 0), ("grpc.use_local_subchannel_pool", 1))
        if ca is None:
            channel = grpc.aio.insecure_channel(server.address, options=options)
        else:
            channel = grpc.aio.secure_channel(server.address, trusting(ca, own), options=options)
        async with channel:
            yield cls(server, Path(), channel)

    async def code(self, bot: str, token: str) -> Code:
        """How a stream ends that is not let in; or `OK` for one that is, and leaves."""
        try:
            line = await self.hello(bot, token=token)
        except grpc.aio.AioRpcError as error:
            return error.code()
        if await line.read() and line.welcome.protocol:
            await line.leave()
            return Code.OK
        return (await line.status())[0]


async def alive(line: Line) -> bool:
    """Whether a stream goes on: an answer to a table that is not there comes back."""
    return bool(await line.refused(play_pb2.Answer(table=99, ask=1)))


@pytest.mark.asyncio
async def test_tokens(tmp_path: Path) -> None:
    """A bot that is taken out, a changed token, a new bot, and another organiser."""
    async with serving(tmp_path) as server, Caller.of(server) as caller:
        ann = await caller.line("ann", token="secret-a")
        await caller.create("secret-o", match_id="m-1", bots=("ann", "bob"))
        write(tmp_path, "secret-p", bob="secret-c", cor="secret-d")
        assert await caller.code("bob", "secret-b") is Code.OK
        (line,) = hang_up(server, tmp_path)
        assert (line["event"], line["bots"], line["certificate_until"]) == ("files read again", 2, None)
        assert "secret" not in str(line)
        assert await caller.code("bob", "secret-b") is Code.UNAUTHENTICATED
        assert await caller.code("bob", "secret-c") is Code.OK
        assert await caller.code("cor", "secret-d") is Code.OK
        with pytest.raises(grpc.aio.AioRpcError, match="wrong or missing token"):
            await caller.create("secret-o", match_id="m-2", bots=("ann", "bob"))
        await caller.create("secret-p", match_id="m-2", bots=("ann", "bob"))
        # A stream that stands is not cut; when it has ended, its bot does not get in any more.
        assert await alive(ann)
        await ann.leave()
        assert await caller.code("ann", "secret-a") is Code.UNAUTHENTICATED


@pytest.mark.asyncio
@pytest.mark.parametrize(("text", "mode"), [("{", 0o600), ('{"organiser": "secret-x"}', 0o600), ("", 0o644)])
async def test_tokens_that_cannot_be_used(tmp_path: Path, text: str, mode: int) -> None:
    async with serving(tmp_path) as server, Caller.of(server) as caller:
        path = tmp_path / "tokens.json"
        if text:
            path.write_text(text)
        path.chmod(mode)
        (line,) = hang_up(server, tmp_path)
        assert (line["event"], line["log_level"]) == ("files not read again", "error")
        assert str(path) in line["error"]
        assert "secret" not in line["error"]
        assert await caller.code("ann", "secret-a") is Code.OK


@pytest.mark.asyncio
async def test_certificates(tmp_path: Path) -> None:
    """After the change a new connection sees the new certificate, of another authority; an old one goes on."""
    ca, other = Authority(tmp_path), Authority(tmp_path, "other")
    pair = ca.pair("server")
    async with serving(tmp_path, pair) as server, Caller.of(server, ca.ca) as before:
        ann = await before.line("ann", token="secret-a")
        replace(pair, other.pair("new", ends=NOW + DAY / 2))
        async with Caller.of(server, other.ca) as early:
            assert await early.code("bob", "secret-b") is Code.UNAVAILABLE
        (line,) = hang_up(server, tmp_path)
        assert line["event"] == "files read again"
        ends = (NOW + DAY / 2).replace(microsecond=0)
        assert line["certificate_until"] == ends.isoformat(timespec="seconds")
        metrics = {metric.name: metric for metric in HallCollector(server.hall, server.expires).collect()}
        assert metrics["toep_tls_certificate_expiry_seconds"].samples[0].value == ends.timestamp()
        async with Caller.of(server, other.ca) as after:
            assert await after.code("bob", "secret-b") is Code.OK
        async with Caller.of(server, ca.ca) as late:
            assert await late.code("bob", "secret-b") is Code.UNAVAILABLE
        assert await alive(ann)
        assert await before.code("bob", "secret-b") is Code.OK


@pytest.mark.asyncio
async def test_the_authority_of_clients(tmp_path: Path) -> None:
    ca, old, new = Authority(tmp_path), Authority(tmp_path, "old"), Authority(tmp_path, "new")
    first, second = old.pair("first"), new.pair("second")
    async with serving(tmp_path, ca.pair("server"), old.ca) as server:
        async with Caller.of(server, ca.ca, second) as caller:
            assert await caller.code("ann", "secret-a") is Code.UNAVAILABLE
        new.ca.replace(old.ca)
        assert hang_up(server, tmp_path)[0]["event"] == "files read again"
        for own, wanted in ((second, Code.OK), (first, Code.UNAVAILABLE), (None, Code.UNAVAILABLE)):
            async with Caller.of(server, ca.ca, own) as caller:
                assert await caller.code("ann", "secret-a") is wanted


@pytest.mark.asyncio
@pytest.mark.parametrize("what", ["key", "expired", "gone"])
async def test_certificates_that_cannot_be_used(tmp_path: Path, what: str) -> None:
    """Everything stays as it was, the tokens too, although those were good."""
    ca = Authority(tmp_path)
    pair = ca.pair("server")
    async with serving(tmp_path, pair) as server:
        write(tmp_path, bob="secret-b")
        if what == "key":
            ca.pair("another").key.replace(pair.key)
        elif what == "expired":
            replace(pair, ca.pair("stale", begins=NOW - 3 * DAY, ends=NOW - 2 * DAY))
        else:
            pair.cert.unlink()
        (line,) = hang_up(server, tmp_path)
        assert line["event"] == "files not read again"
        assert str(tmp_path / "server.") in line["error"]
        async with Caller.of(server, ca.ca) as caller:
            assert await caller.code("ann", "secret-a") is Code.OK


def test_the_signal(tmp_path: Path) -> None:
    """A process of its own: it says what came of it, and goes on; without files it ends as others do."""
    write(tmp_path, ann="secret-a")
    # Under nohup the signal is ignored, and by every process that comes of it.
    begin = (
        "import os, signal, sys; signal.signal(signal.SIGHUP, signal.SIG_DFL); os.execv(sys.executable, sys.argv[1:])"
    )
    serve = (sys.executable, "-m", "referee", "serve", "--address", "127.0.0.1:0", "--json-log")
    command = (sys.executable, "-c", begin, *serve)
    for words, goes_on in ((("--tokens", "tokens.json"), True), ((), False)):
        with subprocess.Popen(
            [*command, *words],
            cwd=tmp_path,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                assert process.stdout is not None
                assert process.stderr is not None
                assert process.stdout.readline().startswith("listening on ")
                process.send_signal(signal.SIGHUP)
                if goes_on:
                    assert json.loads(process.stderr.readline())["event"] == "files read again"
                    (tmp_path / "tokens.json").write_text("secret")
                    process.send_signal(signal.SIGHUP)
                    said = json.loads(process.stderr.readline())
                    assert (said["event"], "secret" in said["error"]) == ("files not read again", False)
                    process.terminate()
                assert process.wait(30) == (0 if goes_on else -signal.SIGHUP)
            finally:
                process.kill()
