"""``make matches``: whole matches between random players, in process, every log verified.

    python -m tests.campaigns.matches --seeds 1000 --random 10000

Plays each preset with few, five and eight seats for ``--seeds`` seeds, and ``--random`` matches under random valid rule
sets. Prints a line for each group, and a verdict; every failure names what it takes to play it again.
"""

import argparse
import io
import random
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import replace

from referee.log.records import Conduct, Length, Rounds
from referee.log.writer import MemorySink
from referee.ruleset import OPTIONS, PRESETS, Ruleset, RulesetError, check_sense
from referee.table.head import MatchPlan
from referee.table.inprocess import write_match
from referee.validate import validate

TYPES = get_type_hints(Ruleset, include_extras=True)
CONDUCT = Conduct(max_deals=300)
BATCH = 50


@dataclass(frozen=True)
class Job:
    """One match: everything it depends on."""

    group: str
    rules: Ruleset
    seats: int
    seed: int
    length: Length


@dataclass(frozen=True)
class Outcome:
    """What became of a match: lines of its log, its status, and what is wrong with it."""

    job: Job
    lines: int
    status: str
    wrong: str


def values_of(option: str) -> list[Any]:
    """Some values an option can have: all of few, and the ends and middle of a range."""
    kind = TYPES[option]
    if kind is bool:
        return [False, True]
    if get_origin(kind) is not None and not hasattr(kind, "__metadata__"):
        return list(get_args(kind))
    bounds = get_args(kind)[1]
    return sorted({bounds.ge, min(bounds.ge + 1, bounds.le), min(bounds.ge + 2, bounds.le), min(9, bounds.le)})


def random_rules(rng: random.Random) -> Ruleset:
    """A valid rule set: a preset with a few options drawn anew."""
    while True:
        drawn = {option: rng.choice(values_of(option)) for option in rng.sample(OPTIONS, rng.randint(1, 12))}
        rules = replace(rng.choice(list(PRESETS.values())), **drawn)
        try:
            check_sense(rules)
        except RulesetError:
            continue
        return rules


def preset_jobs(seeds: int) -> Iterator[Job]:
    for name, rules in PRESETS.items():
        for seats in (rules.min_players, 5, 8):
            for seed in range(seeds):
                yield Job(f"{name}, {seats} seats", rules, seats, seed, "game")


def random_jobs(count: int, start: int = 0) -> Iterator[Job]:
    for seed in range(start, start + count):
        rng = random.Random(seed)
        rules = random_rules(rng)
        length: Length = "game" if rng.random() < 0.5 else Rounds(rounds=rng.randint(1, 6))
        yield Job("random rules", rules, rng.randint(rules.min_players, 8), seed, length)


def run(job: Job) -> Outcome:
    """Play a match and verify its log."""
    sink = MemorySink()
    bots = [f"bot{seat}" for seat in range(job.seats)]
    clock: Any = "none" if job.seed % 2 else "ms"
    plan = MatchPlan(rules=job.rules, bots=bots, length=job.length, conduct=CONDUCT, clock=clock)
    eagerness = (0.05, 0.2, 0.5)[job.seed % 3]
    try:
        write_match(plan, job.seed.to_bytes(32, "big"), sink, eagerness=eagerness)
        report = validate(io.BytesIO(bytes(sink.data)), "match")
    except Exception as error:
        return Outcome(job, 0, "", f"{type(error).__name__}: {error}")
    wrong = "" if report.verdict == "VALID" else f"{report.verdict}: {[str(e) for e in report.errors]} {report.missing}"
    status = "abandoned" if b'"status":"abandoned"' in sink.data else "ended"
    return Outcome(job, report.lines, status, wrong)


def run_batch(jobs: list[Job]) -> list[Outcome]:
    return [run(job) for job in jobs]


def batches(jobs: Iterator[Job]) -> Iterator[list[Job]]:
    batch: list[Job] = []
    for job in jobs:
        if batch and (len(batch) == BATCH or batch[0].group != job.group):
            yield batch
            batch = []
        batch.append(job)
    if batch:
        yield batch


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=1000)
    parser.add_argument("--random", type=int, default=10_000)
    parser.add_argument("--start", type=int, default=0, help="the first seed of the random rule sets")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args(argv)
    began = time.monotonic()
    counts: dict[str, list[int]] = {}
    failures: list[Outcome] = []
    jobs = [*batches(preset_jobs(args.seeds)), *batches(random_jobs(args.random, args.start))]
    with ProcessPoolExecutor(args.workers) as pool:
        for outcomes in pool.map(run_batch, jobs):
            for outcome in outcomes:
                count = counts.setdefault(outcome.job.group, [0, 0, 0, 0])
                count[0] += 1
                count[1] += outcome.lines
                count[2] += outcome.status == "abandoned"
                count[3] += bool(outcome.wrong)
                if outcome.wrong:
                    failures.append(outcome)
    print(f"{'group':<24}{'matches':>9}{'lines':>11}{'at max_deals':>14}{'wrong':>7}")
    for group, (matches, lines, abandoned, wrong) in counts.items():
        print(f"{group:<24}{matches:>9}{lines:>11}{abandoned:>14}{wrong:>7}")
    for outcome in failures[:20]:
        print(f"WRONG {outcome.wrong}\n  {msgspec.json.encode(msgspec.to_builtins(outcome.job)).decode()}")
    total = sum(count[0] for count in counts.values())
    print(f"matches: {total - len(failures)} passed, {len(failures)} failed, {time.monotonic() - began:.0f} s")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
