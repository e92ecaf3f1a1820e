"""Bots that dial in, as processes of their own, at one `toep serve`."""

import asyncio
import contextlib
import json
import os
import secrets
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from tests.support.hostile.bots import (
    FOLDER,
    OPPONENTS,
    ORGANISER,
    PATIENCE,
    Hostile,
    Problem,
    Verdict,
    hostile_bots,
)
from tests.support.hostile.floor import Bot, Floor, matches_of
from tests.support.wire import eventually


class Process(Bot):
    """A bot as a process in a group of its own."""

    def __init__(self, name: str, floor: Floor, folder: Path, environ: Mapping[str, str]) -> None:
        self._name = name
        self._file = folder / f"{name}-{secrets.token_hex(4)}.stderr"
        where = {"TOEP_ADDRESS": floor.address, "TOEP_BOT": name, "TOEP_TOKEN": floor.token_of(name)}
        self._environ = {**environ, **where, "MEMORY": str(folder)}
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        with self._file.open("wb") as stderr:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                str(FOLDER),
                self._name,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=stderr,
                env=self._environ,
                start_new_session=True,
            )

    async def ended(self) -> None:
        assert self._process is not None
        await self._process.wait()

    async def end(self) -> None:
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            await self._process.wait()

    def told(self) -> list[str]:
        return self._file.read_text(errors="replace").splitlines()


class Serving:
    """A `toep serve` for every bot that dials in."""

    def __init__(self, folder: Path, environ: Mapping[str, str], process: asyncio.subprocess.Process, floor: Floor):
        self.floor: Final = floor
        self.process: Final = process
        self._folder = folder
        self._environ = environ
        self._before = self.descriptors()

    def descriptors(self) -> int:
        """How many files and sockets the referee has open, besides the logs of matches that wait for their bots."""
        links = []
        for link in Path(f"/proc/{self.process.pid}/fd").iterdir():
            with contextlib.suppress(OSError):
                links.append(str(link.readlink()))
        waiting = {f"{match}.toep" for match in self.floor.waiting}
        return sum(Path(link).name not in waiting for link in links)

    async def run(self, bot: Hostile) -> Verdict:
        """Let a bot dial in."""
        begin = lambda: Process(bot.name, self.floor, self._folder, self._environ)  # noqa: E731
        verdict = await matches_of(bot, self.floor, self._folder / "logs", begin)
        if self.process.returncode is not None:
            raise Problem(f"the referee went down with code {self.process.returncode}")
        return verdict

    async def left(self) -> list[str]:
        """What the bots have left behind in the referee, that is still running; and what it says of itself."""
        found = []
        try:
            await eventually(lambda: self.descriptors() <= self._before)
        except TimeoutError:
            found.append(f"{self.descriptors() - self._before} descriptors of the referee")
        for line in (self._folder / "referee.log").read_text().splitlines():
            entry = json.loads(line) if line.startswith("{") else {"event": line}
            if entry.get("level") not in ("info", "warning"):
                found.append(f"the referee says: {str(entry)[:300]}")
        return found


@asynccontextmanager
async def serving(folder: Path, environ: Mapping[str, str]) -> AsyncIterator[Serving]:
    """``async with serving(tmp_path, environ) as serving``: ends the referee, which must end well."""
    names = (ORGANISER, *OPPONENTS, *(bot.name for bot in hostile_bots().values()))
    tokens = {name: secrets.token_urlsafe(24) for name in names}
    file = folder / "tokens.json"
    file.touch(mode=0o600)
    file.write_text(json.dumps({"organiser": tokens[ORGANISER], "bots": tokens}))
    command = ("-m", "referee", "serve", "--address", "127.0.0.1:0", "--logs", "logs", "--tokens", "tokens.json")
    with (folder / "referee.log").open("wb") as stderr:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *command,
            "--json-log",
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=stderr,
            env=dict(environ),
            cwd=folder,
        )
    try:
        assert process.stdout is not None
        line = (await asyncio.wait_for(process.stdout.readline(), PATIENCE)).decode()
        floor = Floor(line.removeprefix("listening on ").strip(), tokens.__getitem__)
        await floor.open()
        try:
            yield Serving(folder, environ, process, floor)
        finally:
            await floor.close()
        process.terminate()
        async with asyncio.timeout(PATIENCE):
            if code := await process.wait():
                raise Problem(f"the referee ended with code {code}: {(folder / 'referee.log').read_text()[-2000:]}")
        with contextlib.suppress(ConnectionError):
            host, _, port = floor.address.rpartition(":")
            await asyncio.open_connection(host, int(port))
            raise Problem(f"something listens on {floor.address} still")
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
