"""``make rate``: how many rounds a second a whole tournament plays on this machine, and what the time goes into.

    python -m tests.campaigns.rate --rounds 4800 --concurrency 1,2,8

Four bots that need next to no time of their own, four at a table, Williams squares, a fresh process for each bot and
match, journal, verification and all. The same event from the same seed is played at each number of tables at once, and
must have the same logs each time.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from referee.tournament.journal import FILE

BOTS: Final = 4
SQUARE: Final = 4
"""Matches of a block."""

SEED: Final = "5a" * 32
SPEC: Final = """\
name = "rate"
rules = {{ preset = "cafe", toep_who = "on_turn" }}
length = {{ rounds = {rounds} }}
seats = 4
duplicates = "williams"
trust = "own"
isolation = "none"
clock = "none"
blocks = {blocks}
seed = "{seed}"

[conduct]
act_ms = 600000
window_ms = 600000

[format]
kind = "round-robin"
"""
FIGURE: Final = re.compile(r"^(spent|processor) +(\w+) +([0-9.]+) s$", re.MULTILINE)


class Failure(Exception):
    """An event that could not be played, or was another one."""


@dataclass(frozen=True)
class Played:
    """One event at so many tables."""

    tables: int
    rounds: int
    seconds: float
    spent: dict[str, float]
    """Seconds by what they were spent on, summed over tables."""

    processor: dict[str, float]
    """The processor's seconds: of the director, and of all bots."""

    logs: str
    """A hash of all logs."""


def spec_text(rounds: int, blocks: int) -> str:
    """The event: so many rounds a match."""
    bots = "".join(
        f'\n[[bots]]\nname = "bot-{number}"\ncommand = "python -m toep_client.samples.graded 11"\n'
        for number in range(BOTS)
    )
    return SPEC.format(rounds=rounds, blocks=blocks, seed=SEED) + bots


def play(spec: Path, event: Path, tables: int) -> Played:
    """Play the event by the command line, as an organiser does. Raises `Failure`."""
    words = [sys.executable, "-m", "referee", "tournament", "run", str(spec), "-o", str(event), "--quiet", "--spent"]
    begun = time.monotonic()
    done = subprocess.run([*words, "--concurrency", str(tables)], capture_output=True, text=True, check=False)
    seconds = time.monotonic() - begun
    if done.returncode != 0:
        raise Failure(f"exit code {done.returncode} at {tables} tables: {done.stderr[-500:]}")
    figures: dict[str, dict[str, float]] = {"spent": {}, "processor": {}}
    for kind, what, value in FIGURE.findall(done.stdout):
        figures[kind][what] = float(value)
    lines = [json.loads(line) for line in (event / FILE).read_bytes().splitlines()]
    results = [line["result"] for line in lines if line["_"] == "result"]
    rounds = sum(len(result["rounds_points"]) for result in results)
    logs = sha256()
    for file in sorted((event / "logs").glob("*.toep")):
        logs.update(sha256(file.name.encode() + file.read_bytes()).digest())
    return Played(tables, rounds, seconds, figures["spent"], figures["processor"], logs.hexdigest())


def told(played: Played) -> str:
    """A few lines for people."""
    per = 1000 / played.rounds
    parts = ", ".join(f"{what} {seconds * per:.1f}" for what, seconds in played.spent.items())
    used = ", ".join(f"{who} {seconds * per:.1f}" for who, seconds in played.processor.items())
    return (
        f"{played.tables} at once: {played.rounds} rounds in {played.seconds:.1f} s, "
        f"{played.rounds / played.seconds:.1f} rounds a second\n"
        f"  ms a round, summed over tables: {parts}\n"
        f"  ms of processor a round: {used}; there were {played.seconds * (os.cpu_count() or 1) * per:.1f}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=4800, help="of the whole event")
    parser.add_argument("--match", type=int, default=100, help="rounds a match")
    parser.add_argument("--concurrency", default="1,2,8", help="tables at once, one event for each")
    args = parser.parse_args()
    blocks = max(1, args.rounds // (args.match * SQUARE))
    found = set()
    with tempfile.TemporaryDirectory(prefix="toep-rate-") as name:
        folder = Path(name)
        spec = folder / "rate.toml"
        spec.write_text(spec_text(args.match, blocks))
        for tables in map(int, args.concurrency.split(",")):
            played = play(spec, folder / f"at-{tables}", tables)
            found.add(played.logs)
            print(told(played), flush=True)
    if len(found) != 1:
        print("FAILED: not the same logs at each number of tables")
        return 1
    print(f"OK: {blocks * SQUARE} matches of {args.match} rounds, the same logs each time")
    return 0


if __name__ == "__main__":
    sys.exit(main())
