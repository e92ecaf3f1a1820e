"""``make simulate``: whole referees in simulated time, with faults, each from one integer.

    python -m tests.simulation.run --seeds 1000 --start 0 --jobs 2
    python -m tests.simulation.run --seed 42 --trace

Prints the faults that were injected, every violation with the last events before it, and a verdict. A seed does the
same wherever and however often it is run.
"""

import argparse
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from tests.simulation.world import Outcome, simulate

SHOWN = 10
"""Violations that are printed with their trace."""


def one(seed: int, *, trace: bool) -> int:
    """One world; with its ``trace``."""
    outcome = simulate(seed, keep=trace)
    if trace:
        print("\n".join(outcome.trace))
    for violation in outcome.violations:
        print(f"VIOLATION {violation}")
    matches = ", ".join(f"{count} {status}" for status, count in sorted(outcome.matches.items())) or "none"
    print(f"seed {seed}: matches {matches}; {outcome.ms} ms; digest {outcome.digest[:16]}")
    print(f"simulate: {len(outcome.violations)} violations")
    return bool(outcome.violations)


def many(start: int, seeds: int, jobs: int) -> int:
    """Worlds from consecutive seeds."""
    began = time.monotonic()
    faults: Counter[str] = Counter()
    matches: Counter[str] = Counter()
    bad: list[Outcome] = []
    simulated = taken_up = 0
    with ProcessPoolExecutor(jobs) as pool:
        for outcome in pool.map(simulate, range(start, start + seeds), chunksize=5):
            faults.update(outcome.faults)
            matches.update(outcome.matches)
            simulated += outcome.ms
            taken_up += outcome.taken_up
            if outcome.violations:
                bad.append(outcome)
                print(f"seed {outcome.seed}: {outcome.violations[0].what}", file=sys.stderr)
    print("faults injected:")
    for kind, count in faults.most_common():
        print(f"{count:>9}  {kind}")
    print(
        "matches:  "
        + ", ".join(f"{count} {status}" for status, count in sorted(matches.items()))
        + f"; {taken_up} taken up"
    )
    violations = [violation for outcome in bad for violation in outcome.violations]
    for violation in violations[:SHOWN]:
        print(f"\nVIOLATION {violation}")
        print("\n".join(f"    {line}" for line in violation.trace))
        print(f"    again: python -m tests.simulation.run --seed {violation.seed} --trace")
    if len(violations) > SHOWN:
        print(f"\n... and {len(violations) - SHOWN} more")
    took = time.monotonic() - began
    print(
        f"simulate: {seeds} seeds from {start}, {simulated / 3_600_000:.1f} simulated hours, {sum(faults.values())}"
        f" faults, {len(violations)} violations in {len(bad)} seeds, {seeds * 60 / took:.0f} seeds a minute"
    )
    return bool(bad)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=1000)
    parser.add_argument("--start", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, help="this one only")
    parser.add_argument("--trace", action="store_true", help="with everything that happened")
    args = parser.parse_args(argv)
    if args.seed is not None:
        return one(args.seed, trace=args.trace)
    return many(args.start, args.seeds, args.jobs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
