"""What a soak is made of: the process of a referee, processes of bots, and an organiser who sets matches up."""

import asyncio
import contextlib
import json
import os
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from grpc import aio

from referee.v1 import play_pb2, referee_service_pb2
from tests.campaigns.soak_bots import OPTIONS, Crowd, Order, Tick

ROOT: Final = Path(__file__).parents[2]
SERVICE: Final = "/referee.v1.RefereeService/"
PATIENCE: Final = 120.0
"""Seconds after which what should have happened has not."""


class Failure(Exception):
    """The soak cannot go on."""


def own_log(folder: Path) -> Iterator[dict[str, Any]]:
    """The lines of the referee's own log; one that is no JSON is an error."""
    for line in (folder / "referee.log").read_text().splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            yield {"level": "error", "event": line}


class Served:
    """The referee's process."""

    def __init__(self, process: asyncio.subprocess.Process, folder: Path, address: str, metrics: str) -> None:
        self.process: Final = process
        self.folder: Final = folder
        self.address: Final = address
        self._metrics = metrics

    @classmethod
    async def start(cls, folder: Path) -> "Served":
        """``toep serve`` with plain defaults; its logs and its own log go into the folder."""
        words = ["--address", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--logs", str(folder / "logs"), "--json-log"]
        with (folder / "referee.log").open("wb") as own:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "referee", "serve", *words, cwd=ROOT, stdout=asyncio.subprocess.PIPE, stderr=own
            )
        assert process.stdout is not None
        line = (await process.stdout.readline()).decode().strip()
        if not line.startswith("listening on "):
            raise Failure(f"the referee does not start: {(folder / 'referee.log').read_text()[-500:]}")
        metrics = next(one["address"] for one in own_log(folder) if one.get("event") == "metrics")
        return cls(process, folder, line.removeprefix("listening on "), metrics)

    async def numbers(self) -> dict[str, float]:
        """Its metrics, by name and labels."""
        host, _, port = self._metrics.rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        try:
            writer.write(b"GET /metrics HTTP/1.0\r\n\r\n")
            async with asyncio.timeout(PATIENCE):
                text = (await reader.read(-1)).decode().partition("\r\n\r\n")[2]
        finally:
            writer.close()
        lines = (line.rpartition(" ") for line in text.splitlines() if not line.startswith("#"))
        return {name.replace('"', ""): float(value) for name, _, value in lines}

    async def stop(self, seconds: float) -> int:
        """Let running matches end, for so long, and then end it in any case; returns its exit code."""
        self.process.terminate()
        try:
            async with asyncio.timeout(seconds):
                return await self.process.wait()
        except TimeoutError:
            self.process.terminate()
        async with asyncio.timeout(PATIENCE):
            return await self.process.wait()


class Company:
    """The processes of the bots, and what they have told."""

    def __init__(self, served: Served) -> None:
        self.served: Final = served
        self.ending = False
        """The referee was told to end: however a stream ends now is right."""
        self.over: Final[dict[str, str]] = {}
        """Matches that are over, and how, as bots were told."""
        self.here: Final[set[str]] = set()
        """Bots that have been let in, and have not said goodbye."""
        self.told: Final = Tick()
        """The sums of everything."""
        self.crowds: Final[list[Crowd]] = []
        self.counts: Final[Counter[str]] = Counter()
        """What was done to bots."""
        self._processes: list[asyncio.subprocess.Process] = []
        self._listening: list[asyncio.Task[None]] = []

    async def add(self, *names: str, slow: bool = False, timed: bool = False) -> None:
        """A process with these bots; as in `Crowd`."""
        folder = str(self.served.folder)
        crowd = Crowd(address=self.served.address, folder=folder, bots=list(names), slow=slow, timed=timed)
        self.crowds.append(crowd)
        self._processes.append(await self._start(crowd))

    async def _start(self, crowd: Crowd) -> asyncio.subprocess.Process:
        with (self.served.folder / "bots.stderr").open("ab") as errors:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tests.campaigns.soak_bots"),
                cwd=ROOT,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=errors,
                limit=16 * 1024 * 1024,
            )
        assert process.stdin is not None
        process.stdin.write(msgspec.json.encode(crowd) + b"\n")
        self._listening.append(asyncio.create_task(self._listen(process)))
        return process

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        while line := await process.stdout.readline():
            if line.endswith(b"\n"):  # Else it was killed in the middle of it.
                self._hear(msgspec.json.decode(line, type=Tick))

    def _hear(self, tick: Tick) -> None:
        told = self.told
        self.over.update(tick.over)
        self.here.update(tick.here)
        self.here.difference_update(tick.left)
        told.asks += tick.asks
        for number, count in tick.bins.items():
            told.bins[number] = told.bins.get(number, 0) + count
        for code, count in tick.refused.items():
            told.refused[code] = told.refused.get(code, 0) + count
        told.worst_ms = max(told.worst_ms, tick.worst_ms)
        if not self.ending:
            told.errors.extend(tick.errors)

    async def all_here(self) -> None:
        """Return when every bot has been let in."""
        names = {name for crowd in self.crowds for name in crowd.bots}
        await until(lambda: names <= self.here, "not all bots were let in")

    def order(self, bot: str, do: str) -> None:
        """Have a bot do something."""
        for crowd, process in zip(self.crowds, self._processes, strict=True):
            if bot in crowd.bots:
                assert process.stdin is not None
                process.stdin.write(msgspec.json.encode(Order(do=do, bot=bot)) + b"\n")
        self.here.difference_update([bot] if do == "rest" else [])
        self.counts[do] += 1

    async def kill(self, number: int) -> None:
        """SIGKILL to a process of bots, and another one in its place."""
        self._processes[number].kill()
        await self._processes[number].wait()
        self._processes[number] = await self._start(self.crowds[number])
        self.counts["kill"] += 1

    async def end(self) -> None:
        """End what still runs, and hear the last of it."""
        for process in self._processes:
            if process.stdin is not None:
                process.stdin.close()
        for process in self._processes:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(10):
                    await process.wait()
            if process.returncode is None:
                process.kill()
                await process.wait()
        await asyncio.gather(*self._listening)


class Organiser:
    """Sets matches up."""

    def __init__(self, channel: aio.Channel) -> None:
        pb = referee_service_pb2
        self._create = channel.unary_unary(
            SERVICE + "CreateMatch", pb.CreateMatchRequest.SerializeToString, pb.CreateMatchResponse.FromString
        )
        self._list = channel.unary_unary(
            SERVICE + "ListMatches", pb.ListMatchesRequest.SerializeToString, pb.ListMatchesResponse.FromString
        )
        self.open: Final[dict[str, list[str]]] = {}
        """The bots of matches that are not known to be over."""
        self.created = 0

    async def create(self, bots: Sequence[str], **fields: Any) -> None:
        """One match."""
        request = referee_service_pb2.CreateMatchRequest(bots=bots, **fields)
        response: Any = await self._create(request, timeout=PATIENCE)
        self.open[response.info.match_id] = list(bots)
        self.created += 1

    def forget(self, over: dict[str, str]) -> None:
        """These are over."""
        for match in [match for match in self.open if match in over]:
            del self.open[match]

    async def look(self) -> Counter[str]:
        """Every match that the referee knows, page by page; returns how many there are of each status."""
        statuses: Counter[str] = Counter()
        token = ""
        while True:
            page: Any = await self._list(
                referee_service_pb2.ListMatchesRequest(page_size=1000, page_token=token), timeout=PATIENCE
            )
            for info in page.infos:
                status = play_pb2.MatchStatus.Name(info.status)
                statuses[status] += 1
                if status not in ("MATCH_STATUS_WAITING", "MATCH_STATUS_PLAYING"):
                    self.open.pop(info.match_id, None)
            token = page.next_page_token
            if not token:
                return statuses


@contextlib.asynccontextmanager
async def soaking(folder: Path) -> AsyncIterator[tuple[Served, Company, Organiser]]:
    """A referee and who plays at it; nothing is left of them."""
    os.mkdir(folder)
    served = await Served.start(folder)
    company = Company(served)
    try:
        async with aio.insecure_channel(served.address, options=OPTIONS) as channel:
            yield served, company, Organiser(channel)
    finally:
        await company.end()
        if served.process.returncode is None:
            served.process.kill()
            await served.process.wait()


async def until(condition: Callable[[], object], why: str, seconds: float = PATIENCE) -> None:
    """Wait for something; raises `Failure` when it does not come."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise Failure(f"{why} in {seconds:.0f} s")
        await asyncio.sleep(0.02)
