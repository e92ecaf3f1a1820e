"""``make crash-tournament``: a tournament whose director is killed again and again, and what becomes of it.

    python -m tests.campaigns.crash_tournament --kills 20 --seed 1

The event of docs/examples/twelve.toml (twelve sample bots of graded strength, four at a table, Williams squares, two
matches at once) is played twice from the same secret seed: once undisturbed, and once with a SIGKILL of the director at
random moments, after each of which the same command is given again. Two seconds after each kill no bot may be left. In
the end both runs must have the same logs, the same results, the same standings and ratings, and be valid.
"""

import argparse
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from hashlib import sha256
from pathlib import Path
from typing import Final

from referee.tournament import journal, outcome
from referee.tournament.event import open_event
from referee.tournament.verify import verify_event

ROOT: Final = Path(__file__).parents[2]
SPEC: Final = ROOT / "docs/examples/twelve.toml"
LEFT_SECONDS: Final = 2.0
"""After a kill, no bot may be left for longer."""

PATIENCE: Final = 600.0
"""Seconds without a byte in any log after which the campaign fails."""

POLL: Final = 0.02
RUN: Final = "TOEP_CAMPAIGN"
"""A variable by which the processes of this campaign are known."""


class Failure(Exception):
    """Something that must not happen."""


def write_spec(folder: Path, blocks: int, rounds: int, bots: int, concurrency: int) -> Path:
    """The example's spec, smaller or larger, with a secret seed in a file."""
    text = SPEC.read_text()
    text = text.replace("blocks = 99", f"blocks = {blocks}").replace("{ rounds = 50 }", f"{{ rounds = {rounds} }}")
    text = text.replace("concurrency = 2", f'concurrency = {concurrency}\nseed_file = "seed"')
    head, *tables = text.split("[[bots]]")
    path = folder / "twelve.toml"
    path.write_text("[[bots]]".join([head, *tables[:bots]]))
    (folder / "seed").write_text(sha256(b"crash").hexdigest())
    (folder / "seed").chmod(0o600)
    return path


class Director:
    """A process of ``toep tournament run``."""

    def __init__(self, spec: Path, event: Path, run: str) -> None:
        self.event: Final = event
        self._run: Final = run
        self._errors: Final = event.with_suffix(".stderr").open("ab")
        self.process: Final = subprocess.Popen(
            [sys.executable, "-m", "referee", "tournament", "run", str(spec), "-o", str(event), "--quiet"],
            cwd=ROOT,
            env={**os.environ, RUN: run},
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
        )

    def until(self, size: int) -> bool:
        """Wait until the logs have so many bytes; False when the process has ended first. Raises `Failure` when nothing
        happens any more."""
        grown, now = time.monotonic(), 0
        while self.process.poll() is None:
            before, now = now, log_bytes(self.event)
            if now >= size:
                return True
            if now != before:
                grown = time.monotonic()
            elif time.monotonic() - grown > PATIENCE:
                raise Failure(f"no log has grown for {PATIENCE:.0f} s")
            time.sleep(POLL)
        return False

    def kill(self) -> int:
        """SIGKILL; returns how many of its bots are left after `LEFT_SECONDS`."""
        self.process.send_signal(signal.SIGKILL)
        if self.process.wait() != -signal.SIGKILL:
            raise Failure("the director ended by itself")
        self._errors.close()
        until = time.monotonic() + LEFT_SECONDS
        while time.monotonic() < until and bots_of(self._run):
            time.sleep(POLL)
        return len(bots_of(self._run))

    def wait(self) -> None:
        """Until it ends by itself, which it must do well."""
        self.until(sys.maxsize)
        code = self.process.wait()
        self._errors.close()
        if code:
            raise Failure(f"the director ended with {code}: {self.event.with_suffix('.stderr').read_text()[-500:]}")

    def reap(self) -> None:
        """Leave nothing behind, whatever happened."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._errors.close()


def log_bytes(event: Path) -> int:
    """Bytes in all logs of an event."""
    size = 0
    with contextlib.suppress(OSError):
        for entry in os.scandir(event / "logs"):
            with contextlib.suppress(OSError):
                size += entry.stat().st_size * entry.name.endswith(".toep")
    return size


def bots_of(run: str) -> list[int]:
    """The bots of one run that are alive."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            entries = (folder / "environ").read_bytes().split(b"\0")
            if f"{RUN}={run}".encode() in entries and any(entry.startswith(b"TOEP_BOT=") for entry in entries):
                found.append(int(folder.name))
    return found


def play(spec: Path, event: Path, sizes: list[int], rng: random.Random) -> tuple[int, int, list[int]]:
    """Play an event to its end; the director is killed when the logs have each of these sizes. Returns (kills, matches
    that were in the middle at them, bots left after each)."""
    run = uuid.uuid4().hex
    left: list[int] = []
    broken_off = 0
    for size in sizes:
        director = Director(spec, event, run)
        try:
            if not director.until(size):
                director.wait()
                return len(left), broken_off, left
            time.sleep(rng.random() / 2)
            if director.process.poll() is not None:
                director.wait()
                return len(left), broken_off, left
            left.append(director.kill())
            broken_off += sum(not is_over(path) for path in (event / "logs").glob("*.toep"))
        finally:
            director.reap()
    director = Director(spec, event, run)
    try:
        director.wait()
    finally:
        director.reap()
    return len(left), broken_off, left


def is_over(log: Path) -> bool:
    """Whether a log has an end."""
    return b'{"_":"end"' in log.read_bytes()[-4096:]


def standings_of(event: Path) -> dict[str, object]:
    """What the event came to: every number that the two runs must share."""
    found = open_event(event)
    done = found.ledger.done
    if done is None:
        raise Failure("the event is not over")
    results = [entry.line.result for entry in found.entries if isinstance(entry.line, journal.Result)]
    return {"results": done.results, "standings": done.standings, "records": results}


def print_standings(event: Path) -> None:
    """Points per round, with 95 % intervals, and whether those of neighbours are apart."""
    found = open_event(event)
    table = outcome.standings_of(found.ledger, found.spec)
    assert table is not None
    high, apart = float("-inf"), 0
    for row in table.bots:
        points, rating = row.points_per_round, row.rating
        if points is None or points.low is None or points.high is None:
            print(f"  {row.rank:>2}. {row.bot:<10} has no interval")
            continue
        apart += points.low > high
        high = points.high
        interval = f"{points.estimate:.3f} ({points.low:.3f} to {points.high:.3f})"
        print(f"  {row.rank:>2}. {row.bot:<10} {interval} points a round, rating {rating.mu:.2f} +- {rating.sigma:.2f}")
    print(f"  {apart - 1} of {len(table.bots) - 1} neighbours have intervals that are apart")


def campaign(
    folder: Path, *, kills: int, blocks: int, rounds: int, bots: int, concurrency: int, seed: int, say: bool = True
) -> list[str]:
    """Both runs; returns what is wrong."""
    spec = write_spec(folder, blocks, rounds, bots, concurrency)
    rng = random.Random(seed)
    begun = time.monotonic()
    play(spec, folder / "calm.event", [], rng)
    whole = log_bytes(folder / "calm.event")
    if say:
        print(f"undisturbed: {whole:,} bytes of logs, {time.monotonic() - begun:.0f} s", flush=True)
    sizes = sorted(rng.randrange(1, whole * 9 // 10) for _ in range(kills))
    begun = time.monotonic()
    done, broken_off, left = play(spec, folder / "rough.event", sizes, rng)
    wrong = []
    if done < kills:
        wrong.append(f"the event was over after {done} kills")
    if any(left):
        wrong.append(f"bots left {LEFT_SECONDS:.0f} s after kills: {left}")
    calm, rough = standings_of(folder / "calm.event"), standings_of(folder / "rough.event")
    wrong.extend(f"{what}: not those of the undisturbed run" for what in calm if calm[what] != rough[what])
    logs = sorted((folder / "calm.event" / "logs").glob("*.toep"))
    same = sum(path.read_bytes() == (folder / "rough.event" / "logs" / path.name).read_bytes() for path in logs)
    if same < len(logs):
        wrong.append(f"{len(logs) - same} logs are not those of the undisturbed run")
    verdicts = {}
    for name in ("calm", "rough"):
        report = verify_event(folder / f"{name}.event")
        verdicts[name] = report.verdict
        wrong.extend(f"{name}: {one.text()}" for one in report.wrong)
        if report.exit:
            wrong.append(f"{name}: {report.verdict}")
    extra = sorted(path.name for path in (folder / "rough.event" / "logs").iterdir() if path.suffix != ".toep")
    if extra:
        wrong.append(f"left behind: {extra}")
    if say:
        print(f"kills: {done}, matches in the middle at them: {broken_off}, {time.monotonic() - begun:.0f} s")
        print(f"bots left {LEFT_SECONDS:.0f} s after each kill: {' '.join(map(str, left)) or '-'}")
        print(f"logs: {len(logs)}, the same bytes: {same}; verified: {verdicts['calm']}, {verdicts['rough']}")
        print_standings(folder / "calm.event")
        for what in ("results", "standings"):
            print(f"{what:<9} undisturbed {calm[what]}")
            print(f"{'':<9} killed      {rough[what]}")
    return wrong


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--blocks", type=int, default=99)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--bots", type=int, default=12)
    parser.add_argument("--concurrency", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder for the events, which stay there")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(words)
    with tempfile.TemporaryDirectory(prefix="toep-crash-") as folder:
        where = args.keep or Path(folder)
        where.mkdir(parents=True, exist_ok=True)
        try:
            wrong = campaign(
                where, kills=args.kills, blocks=args.blocks, rounds=args.rounds, bots=args.bots,
                concurrency=args.concurrency, seed=args.seed,
            )  # fmt: skip
        except Failure as failure:
            wrong = [str(failure)]
    for line in wrong[:20]:
        print(f"WRONG {line}")
    if args.json:
        print(json.dumps(wrong))
    print(f"crash-tournament: {'passed' if not wrong else f'{len(wrong)} things are wrong'}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
