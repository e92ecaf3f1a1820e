"""How fast this machine really is: a referee with as many tables as are planned, sample bots at all of them, and a look
at the clocks.

Nothing is guessed: limits are called safe when what was measured leaves room for them.
"""

import asyncio
import os
import secrets
import sys
import tempfile
import time
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import Struct

from referee.deal import SEED_SIZE
from referee.log.records import Conduct, Rounds
from referee.ruleset import Ruleset
from referee.service.processes import BotCommand, BotProcess
from referee.service.server import Server
from referee.service.store import Store
from referee.table.head import MatchPlan

ROOM: Final = 10
"""A limit is safe when it is so many times what one answer in a hundred exceeds."""

SYNCS: Final = 20
POLL_SECONDS: Final = 0.05
CONNECT_SECONDS: Final = 30.0
ENDLESS: Final = 1_000_000
"""Rounds of a match that is to go on until it is stopped."""

PLENTY: Final = Conduct(act_ms=60_000, window_ms=60_000, faults=0)
"""Limits that nobody meets while things are measured."""


class Load(NamedTuple):
    """What is planned."""

    tables: int
    seats: int
    seconds: float
    rules: Ruleset


class Diagnosis(Struct, frozen=True, kw_only=True):
    """What was measured. Times in milliseconds; a time out of a histogram is an upper bound."""

    tables: int
    seats: int
    seconds: float
    answers: int
    answers_per_second: int
    median_ms: int
    p99_ms: int
    worst_ms: int
    stall_p99_ms: int
    stall_worst_ms: int
    """How late the referee's own loop woke: what no bot can do anything about."""

    sync_ms: float
    """Waiting for the disk of the logs' folder once: the median of some."""

    safe_act_ms: int
    safe_window_ms: int


class DoctorError(Exception):
    """Nothing could be measured."""


async def examine(folder: Path, load: Load) -> Diagnosis:
    """Play at all tables for a while, in a folder of its own beneath ``folder``, and say what came of it."""
    with tempfile.TemporaryDirectory(prefix="toep-doctor-", dir=folder) as logs:
        sync = _sync_ms(Path(logs))
        names = [f"doctor{seat}" for seat in range(load.seats)]
        tokens = {name: secrets.token_urlsafe(24) for name in names}
        server = Server(Store(Path(logs)), tokens=tokens, organiser=secrets.token_urlsafe(24))
        processes: list[BotProcess] = []
        try:
            address = await server.start()
            for number in range(load.tables):
                plan = MatchPlan(
                    rules=load.rules,
                    bots=names[number % load.seats :] + names[: number % load.seats],
                    length=Rounds(rounds=ENDLESS),
                    conduct=PLENTY,
                    match=f"doctor-{number}",
                )
                server.hall.create(plan, secrets.token_bytes(SEED_SIZE), declared=False)
            for name in names:
                environment = {"TOEP_ADDRESS": address, "TOEP_BOT": name, "TOEP_TOKEN": tokens[name]}
                bot = BotCommand(name, (sys.executable, "-m", "toep_client.samples.random"))
                processes.append(await BotProcess.start(bot, environment))
            await _all_seated(server, load, processes)
            counts = server.hall.counts
            before = list(counts.latency), list(counts.stall)
            counts.worst_stall_ms = 0.0
            begun = time.monotonic()
            await asyncio.sleep(load.seconds)
            seconds = time.monotonic() - begun
            latency = _since(counts.latency, before[0])
            stall = _since(counts.stall, before[1])
            worst_stall = round(counts.worst_stall_ms)
        finally:
            await asyncio.gather(*(process.end() for process in processes))
            await server.stop(grace=0.0)
    answers = sum(latency)
    if not answers:
        raise DoctorError(f"no bot has answered in {seconds:.0f} s: this machine is far too slow for that many tables")
    p99 = percentile(latency, 0.99)
    # A stall of the referee eats from everybody's time, so a limit has to be longer than the worst one by far.
    safe = _round_up(max(ROOM * p99, 4 * worst_stall, 100))
    return Diagnosis(
        tables=load.tables,
        seats=load.seats,
        seconds=round(seconds, 1),
        answers=answers,
        answers_per_second=round(answers / seconds),
        median_ms=percentile(latency, 0.5),
        p99_ms=p99,
        worst_ms=percentile(latency, 1.0),
        stall_p99_ms=percentile(stall, 0.99),
        stall_worst_ms=worst_stall,
        sync_ms=sync,
        safe_act_ms=safe,
        safe_window_ms=safe,
    )


async def _all_seated(server: Server, load: Load, processes: list[BotProcess]) -> None:
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            while len(server.hall.sessions) < load.seats or not server.hall.counts.answers:
                if any(process.process.returncode is not None for process in processes):
                    raise DoctorError("a sample bot ended at once: is the Python client (toep-client) installed?")
                await asyncio.sleep(POLL_SECONDS)
    except TimeoutError:
        raise DoctorError(f"the sample bots were not there after {CONNECT_SECONDS:.0f} s") from None


def _sync_ms(folder: Path) -> float:
    """How long a small write takes to reach the disk: the median of some, in milliseconds."""
    times = []
    path = folder / "sync"
    with open(path, "wb", buffering=0) as file:
        for _ in range(SYNCS):
            file.write(b"x" * 200)
            begun = time.perf_counter()
            os.fsync(file.fileno())
            times.append(time.perf_counter() - begun)
    path.unlink()
    return round(1000 * sorted(times)[SYNCS // 2], 2)


def _since(now: list[int], before: list[int]) -> list[int]:
    return [count - old for count, old in zip(now, before, strict=True)]


def percentile(bins: list[int], part: float) -> int:
    """The upper end of the bin in which a part of all values, 0 to 1, is reached; 0 without values."""
    whole = sum(bins)
    seen = 0
    for number, count in enumerate(bins):
        seen += count
        if whole and seen >= part * whole:
            return int(2**number) - 1
    return 0


def _round_up(ms: int) -> int:
    """To two leading digits."""
    unit = int(10 ** max(0, len(str(ms)) - 2))
    return -(-ms // unit) * unit
