"""The simulation itself: that worlds hold, that a seed does the same always, and that faults are found."""

import os
import subprocess
import sys

import pytest

from tests.simulation.planted import PLANTED
from tests.simulation.world import TAIL, simulate

SEEDS = range(60)
PARTS = 4


@pytest.mark.parametrize("part", range(PARTS))
def test_worlds_hold(part: int) -> None:
    for seed in SEEDS[part::PARTS]:
        assert [str(violation) for violation in simulate(seed).violations] == []


def test_a_seed_does_the_same_always() -> None:
    """Also in another process, where everything lies elsewhere and strings hash otherwise."""
    here = simulate(0)
    assert simulate(0).digest == here.digest
    assert simulate(1).digest != here.digest
    command = [sys.executable, "-m", "tests.simulation.run", "--seed", "0", "--trace"]
    there = subprocess.run(
        command, env={**os.environ, "PYTHONHASHSEED": "7"}, capture_output=True, text=True, check=True, timeout=60
    )
    assert f"digest {here.digest[:16]}" in there.stdout
    assert there.stdout.splitlines()[0] == simulate(0, keep=True).trace[0]


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fault = PLANTED[name]
    fault.plant(monkeypatch)
    violations = simulate(fault.seed).violations
    assert any(fault.says in violation.what for violation in violations), [str(one) for one in violations]
    assert all(0 < len(violation.trace) <= TAIL and "!!" in violation.trace[-1] for violation in violations)
    assert all(violation.seed == fault.seed for violation in violations)
