"""``make soak``: a referee that runs for a long time under load, and whether it stays as it was.

    python -m tests.campaigns.soak --minutes 30 --tables 200 --stream 1000 --connections 200

First two short parts: so many tables on one stream, and so many connections at once; in both nothing may be late. Then
the long one, on a ``toep serve`` with plain defaults: as many tables as were asked for all the time, bots in processes
of their own that leave and come back, are cut off, are killed, or read slowly, and now and then many new matches at
once. Every few seconds the process is looked at. In the end its memory and its descriptors must not have grown with the
matches that are over, nobody who answers at once may have been late, and every log must be valid.
"""

import argparse
import asyncio
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from referee.ruleset import PRESETS
from tests.campaigns.soak_bots import end_of
from tests.support.soaking import PATIENCE, ROOT, Company, Failure, Organiser, Served, own_log, soaking, until

SAMPLE_SECONDS: Final = 5.0
LOOK_SECONDS: Final = 0.25
MOST_KIB: Final = 4.0
"""KiB that may stay in memory for each match that is over: about one is what `ListMatches` needs, the rest is noise."""

MOST_DESCRIPTORS: Final = 20
"""By how many the descriptors may rise over the last two thirds, as the line through them has it."""

STEADY_MATCHES: Final = 1000
"""With fewer finished matches in the last two thirds a slope is noise, and no bound is put to it."""

PLAYED: Final = ("MATCH_STATUS_COMPLETE", "MATCH_STATUS_FORFEITED")


# -- what is measured ------------------------------------------------------------------------------------------------


class Sample(NamedTuple):
    """The process at one moment."""

    seconds: float
    finished: int
    rss_kib: int
    descriptors: int
    threads: int
    numbers: dict[str, float]


def look(process: int) -> tuple[int, int, int]:
    """(resident KiB, open descriptors, threads) of a process."""
    status = dict(
        line.split(":", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines() if ":" in line
    )
    return int(status["VmRSS"].split()[0]), len(os.listdir(f"/proc/{process}/fd")), int(status["Threads"])


def slope(points: Sequence[tuple[float, float]]) -> float:
    """The slope of the line through points with the least squares; 0 when they have one place only."""
    count = len(points)
    x = sum(one for one, _ in points) / count if count else 0.0
    y = sum(two for _, two in points) / count if count else 0.0
    square = sum((one - x) ** 2 for one, _ in points)
    return sum((one - x) * (two - y) for one, two in points) / square if square else 0.0


def quantile(bins: dict[int, int], part: float) -> float:
    """The time that a part of all values, 0 to 1, does not exceed, in milliseconds; 0 without values."""
    left = part * sum(bins.values())
    for number in sorted(bins):
        left -= bins[number]
        if left <= 0:
            return end_of(number)
    return 0.0


def of_buckets(numbers: dict[str, float], part: float) -> float:
    """The same out of the referee's own histogram; an upper bound, in milliseconds."""
    name = "toep_ask_latency_seconds_bucket{le="
    buckets = sorted((float(key[len(name) : -1]), value) for key, value in numbers.items() if key.startswith(name))
    return next((1000 * end for end, count in buckets if count >= part * buckets[-1][1]), 0.0) if buckets else 0.0


def late(folder: Path, slow: Sequence[str]) -> tuple[Counter[str], list[str]]:
    """Late acts by verdict, and those of bots that were connected and are not slow."""
    found: Counter[str] = Counter()
    wrong = []
    for path in sorted((folder / "logs").glob("*.toep")):
        with path.open("rb") as file:
            bots = [seat["bot"] for seat in json.loads(file.readline())["seats"]]
            for line in file:
                if line.startswith(b'{"_":"late"'):
                    record = json.loads(line)
                    bot = bots[record["seat"]]
                    kind = "slow" if bot in slow else record["verdict"]
                    found[kind] += 1
                    if kind not in ("slow", "link"):
                        wrong.append(f"{path.name}: {bot} was late ({record['verdict']}, {record.get('elapsed')} ms)")
    return found, wrong


async def verified(folder: Path) -> list[str]:
    """Check every log; returns what is wrong."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "referee", "verify", "-j", "2", "--quiet", str(folder / "logs")),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    text, _ = await process.communicate()
    return [f"verify: exit code {process.returncode}: {text.decode()[-500:]}"] if process.returncode else []


async def judged(served: Served, company: Company, slow: Sequence[str] = ()) -> list[str]:
    """After the end: what is wrong with the logs, with the referee's own and with what bots were told."""
    wrong = list(company.told.errors[:10])
    wrong += [
        f"{count} answers were refused: {code}" for code, count in company.told.refused.items() if code != "STALE"
    ]
    for line in own_log(served.folder):
        if line.get("level") not in ("info", "debug"):
            wrong.append(f"the referee's own log: {json.dumps(line)[:300]}")
    if text := (served.folder / "bots.stderr").read_text():
        wrong.append(f"a process of bots: {text[-500:]}")
    verdicts, unjust = await asyncio.to_thread(late, served.folder, slow)
    wrong += unjust[:10]
    logs = list((served.folder / "logs").glob("*.toep"))
    wrong += await verified(served.folder)
    size = sum(path.stat().st_size for path in logs)
    print(
        f"  logs      {len(logs):,} verified, {size / 2**20:,.0f} MiB; late acts by verdict: {dict(verdicts) or 'none'}"
    )
    return wrong


def told_times(company: Company, numbers: dict[str, float]) -> str:
    """How long things took, for bots and for the referee."""
    bins = company.told.bins
    return (
        f"answer to next ask, seen by bots: p50 {quantile(bins, 0.5):.0f} ms, p99 {quantile(bins, 0.99):.0f} ms, "
        f"max {company.told.worst_ms:.0f} ms; ask to answer, seen by the referee: "
        f"p50 {of_buckets(numbers, 0.5):.0f} ms, p99 {of_buckets(numbers, 0.99):.0f} ms"
    )


# -- the short parts -------------------------------------------------------------------------------------------------


async def short_part(
    folder: Path, title: str, crowds: list[list[str]], matches: list[list[str]], **fields: Any
) -> list[str]:
    """All matches at once, to their ends; nobody may be late, and no answer too late."""
    async with soaking(folder) as (served, company, organiser):
        for names in crowds:
            await company.add(*names, timed=True)
        await company.all_here()
        begun = time.monotonic()
        for bots in matches:
            await organiser.create(bots, **fields)
        await until(lambda: len(company.over) == len(matches), "not all matches ended", PATIENCE * 5)
        seconds = time.monotonic() - begun
        numbers = await served.numbers()
        company.ending = True
        wrong = [f"exit code {code}"] if (code := await served.stop(PATIENCE)) else []
        await company.end()
        stale = company.told.refused.get("STALE", 0)
        print(f"{title}: {len(matches):,} matches, {company.told.asks:,} asks in {seconds:.0f} s")
        print(f"  times     {told_times(company, numbers)}")
        wrong += [f"{stale} answers came too late"] if stale else []
        others = Counter(company.over.values()) - Counter({"MATCH_STATUS_COMPLETE": len(matches)})
        wrong += [f"{count} matches: {status}" for status, count in others.items()]
        wrong += await judged(served, company)
    return [f"{title}: {one}" for one in wrong]


async def one_stream(folder: Path, tables: int) -> list[str]:
    """Every seat of every table on one stream."""
    return await short_part(
        folder, "one stream", [["alone"]], [["alone"] * 4 for _ in range(tables)], preset="cafe", rounds=2
    )


async def connections(folder: Path, count: int) -> list[str]:
    """So many bots, each on a connection of its own, at two tables each."""
    names = [f"bot{number:03}" for number in range(count)]
    half = -(-count // 2)
    tables = [names[start : start + 4] for start in range(0, count, 4) if len(names[start : start + 4]) > 2]
    matches = [*tables, *(bots[::-1] for bots in tables)]
    return await short_part(
        folder, "connections", [part for part in (names[:half], names[half:]) if part], matches, preset="cafe", rounds=2
    )


# -- the long part ---------------------------------------------------------------------------------------------------


class Plan(NamedTuple):
    """How long, and how much of what."""

    seconds: float
    tables: int = 200
    many: int = 4
    """Processes with one bot each, which sits at many tables."""
    few: int = 40
    """Small connections, in two processes."""
    seed: int = 1
    every: float = 10.0
    """Seconds between two disturbances."""
    drain: float = PATIENCE
    """Seconds for running matches at the end."""


MANY, FEW, SLOW, PROBE = "many", "few", "slow", "probe"
"""Bots; the probe sits at its tables alone, and nothing is done to it, so that it measures the referee."""

SLOW_TABLES: Final = 2


class Soak:
    """The long part."""

    def __init__(self, plan: Plan, served: Served, company: Company, organiser: Organiser) -> None:
        self._plan = plan
        self._served = served
        self._company = company
        self._organiser = organiser
        self._rng = random.Random(plan.seed)
        self._begun = 0.0
        self.samples: Final[list[Sample]] = []
        self.many: Final = [f"{MANY}{number}" for number in range(plan.many)]
        self.few: Final = [f"{FEW}{number:02}" for number in range(plan.few)]

    async def run(self) -> None:
        """Play for as long as was planned."""
        for name in self.many:
            await self._company.add(name)
        half = -(-len(self.few) // 2)
        await self._company.add(*self.few[:half])
        await self._company.add(*self.few[half:])
        await self._company.add(SLOW, slow=True)
        await self._company.add(PROBE, timed=True)
        await self._company.all_here()
        self._begun = time.monotonic()
        works = (self._keep_up(), self._sample(), self._disturb(), self._look())
        tasks = [asyncio.create_task(self._forever(work)) for work in works]
        done, _ = await asyncio.wait(tasks, timeout=self._plan.seconds, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for task in done:
            task.result()
        await self.sample()

    async def _forever(self, work: Awaitable[None]) -> None:
        await work
        raise Failure("the referee ended by itself")

    async def _keep_up(self) -> None:
        """New matches as others end."""
        while self._served.process.returncode is None:
            self._organiser.forget(self._company.over)
            opened = list(self._organiser.open.values())
            if not any(PROBE in bots for bots in opened):
                await self._organiser.create([PROBE] * 4, preset="cafe", rounds=10)
            if sum(SLOW in bots for bots in opened) < SLOW_TABLES:
                await self._create(SLOW)
            await asyncio.gather(*(self._create() for _ in range(self._plan.tables - len(self._organiser.open))))
            await asyncio.sleep(LOOK_SECONDS)

    async def _create(self, *guests: str) -> None:
        rng = self._rng
        preset = rng.choice(sorted(PRESETS))
        seats = rng.randint(PRESETS[preset].min_players, 8)
        here = [name for name in self.few if name in self._company.here]
        bots = [rng.choice(here if here and rng.random() < 0.4 else self.many) for _ in range(seats)]
        bots[: len(guests)] = guests
        await self._organiser.create(bots, preset=preset, rounds=rng.choice((0, 1, 3)))

    async def _disturb(self) -> None:
        """Something happens to somebody, again and again."""
        rng, company = self._rng, self._company
        while True:
            await asyncio.sleep(self._plan.every)
            match rng.randrange(8):
                case 0 | 1 | 2:
                    company.order(rng.choice([*self.few, *self.many, SLOW]), "cut")
                case 3 | 4:
                    for bot in rng.sample(self.few, min(5, len(self.few))):
                        if bot in company.here:
                            company.order(bot, "rest")
                case 5:
                    await company.kill(rng.randrange(self._plan.many + 2))
                case 6:
                    for bot in rng.sample(self.few, len(self.few) // 4):
                        company.order(bot, "cut")
                case _:
                    await asyncio.gather(*(self._create() for _ in range(self._plan.tables // 4)))
                    company.counts["burst"] += 1

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(6 * SAMPLE_SECONDS)
            await self._organiser.look()

    async def _sample(self) -> None:
        while True:
            await self.sample()
            await asyncio.sleep(min(SAMPLE_SECONDS, self._plan.seconds / 12))

    async def sample(self) -> None:
        """Look at the process now."""
        numbers = await self._served.numbers()
        finished = int(
            sum(numbers.get(f"toep_matches{{status={one}}}", 0) for one in ("complete", "forfeited", "abandoned"))
        )
        seen = look(self._served.process.pid)
        self.samples.append(Sample(time.monotonic() - self._begun, finished, *seen, numbers))
        if len(self.samples) % 12 == 1:
            print(f"  {self._line(self.samples[-1])}", flush=True)

    def _line(self, sample: Sample) -> str:
        numbers = sample.numbers
        return (
            f"{sample.seconds:6.0f} s: {sample.finished:,} matches over, {len(self._organiser.open)} open, "
            f"{numbers['toep_asks_total']:,.0f} asks, {sample.rss_kib / 1024:.1f} MiB, "
            f"{sample.descriptors} descriptors, "
            f"{sample.threads} threads, {numbers['toep_sessions']:.0f} bots, "
            f"loop late by {1000 * numbers['toep_loop_stall_max_seconds']:.0f} ms at most"
        )

    def growth(self) -> tuple[str, list[str]]:
        """What the last two thirds say about memory and descriptors, and what is wrong with that."""
        tail = [one for one in self.samples if one.seconds >= self.samples[-1].seconds / 3]
        matches = tail[-1].finished - tail[0].finished
        hours = (tail[-1].seconds - tail[0].seconds) / 3600
        per_match = slope([(one.finished, one.rss_kib) for one in tail])
        per_hour = slope([(one.seconds / 3600, one.rss_kib) for one in tail])
        descriptors = slope([(one.seconds / 3600, one.descriptors) for one in tail])
        text = (
            f"last two thirds, {matches:,} matches: memory {per_hour:+,.0f} KiB/h, {per_match:+.2f} KiB for each "
            f"finished match (at most {MOST_KIB}); descriptors {descriptors:+.1f}/h"
        )
        if matches < STEADY_MATCHES:
            return text + f"; fewer than {STEADY_MATCHES:,} matches, so no bound", []
        wrong = [f"memory grows by {per_match:.1f} KiB with each finished match"] if per_match > MOST_KIB else []
        if descriptors * hours > MOST_DESCRIPTORS:
            wrong.append(f"descriptors grow by {descriptors:.0f} an hour")
        return text, wrong


async def long_part(folder: Path, plan: Plan) -> list[str]:
    """A referee under load, for as long as was planned."""
    print(f"soak: {plan.tables} tables for {plan.seconds:.0f} s")
    async with soaking(folder) as (served, company, organiser):
        soak = Soak(plan, served, company, organiser)
        await soak.run()
        statuses = await organiser.look()
        company.ending = True
        code = await served.stop(plan.drain)
        await company.end()
        wrong = [f"exit code {code}"] if code else []
        numbers = soak.samples[-1].numbers
        finished = sum(statuses[one] for one in PLAYED)
        print(f"  matches   {organiser.created:,} set up, {finished:,} over when it was told to end: {dict(statuses)}")
        print(f"  asks      {numbers['toep_asks_total']:,.0f}, {numbers['toep_answers_total']:,.0f} answers")
        print(f"  bots      {dict(company.counts)}, refused: {company.told.refused or 'none'}")
        faults = {
            key: int(value) for key, value in numbers.items() if key.startswith(("toep_late", "toep_forf")) and value
        }
        print(f"  faults    {faults or 'none'}, internal errors: {numbers['toep_internal_errors_total']:.0f}")
        print(f"  times     {told_times(company, numbers)}")
        text, grown = soak.growth()
        print(f"  growth    {text}")
        wrong += grown
        if numbers["toep_internal_errors_total"]:
            wrong.append("internal errors")
        if not finished:
            wrong.append("no match was played to its end")
        wrong += await judged(served, company, [SLOW])
    return wrong


async def campaign(folder: Path, plan: Plan, stream: int, connected: int) -> list[str]:
    """Everything that is asked for; returns what is wrong."""
    wrong: list[str] = []
    if stream:
        wrong += await one_stream(folder / "stream", stream)
    if connected:
        wrong += await connections(folder / "connections", connected)
    if plan.seconds:
        wrong += await long_part(folder / "soak", plan)
    return wrong


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--minutes", type=float, default=30.0, help="how long the long part is; 0: leave it out")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--stream", type=int, default=1000, help="tables on one stream; 0: leave that part out")
    parser.add_argument("--connections", type=int, default=200, help="connections at once; 0: leave that part out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="keep the folder when something is wrong")
    args = parser.parse_args(words)
    folder = Path(tempfile.mkdtemp(prefix="toep-soak-"))
    plan = Plan(60 * args.minutes, args.tables, seed=args.seed)
    try:
        wrong = asyncio.run(campaign(folder, plan, args.stream, args.connections))
    except Failure as failure:
        wrong = [str(failure)]
    for line in wrong[:30]:
        print(f"WRONG {line}")
    if args.keep and wrong:
        print(f"kept: {folder}")
    else:
        shutil.rmtree(folder)
    print(f"soak: {'OK' if not wrong else f'FAILED, {len(wrong)} things are wrong'}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
