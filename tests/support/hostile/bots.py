"""The hostile bots, as `expected.json` has them, and what is expected of the referee."""

from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import Struct

ROOT: Final = Path(__file__).parents[3]
FOLDER: Final = ROOT / "clients" / "hostile"
ORGANISER: Final = "organiser"
OPPONENTS: Final = ("ann", "bob")
SEAT: Final = 1
"""Where a hostile bot sits: it leads to the first trick."""

PATIENCE: Final = 60.0
"""Seconds after which a bot, a match or a referee counts as hung."""


class Setting(Struct, forbid_unknown_fields=True):
    """The match that a bot plays."""

    rules: str = "short"
    options: dict[str, str | int | bool] = {}
    rounds: int = 4
    act_ms: int = 10_000
    window_ms: int = 2_000
    faults: int = 10
    secret: bool = False
    """With a seed that nobody was told, as usual; else an open one, so that every run is the same."""
    hello_seconds: float = 10.0
    """How long the referee waits for a Hello, where it can be told so (`clock`)."""
    alone: bool = False
    """It keeps the machine so busy that those who must be quick are run before it, not beside it."""
    matches: int = 1
    """How many matches it plays, one after the other; more than one are a deal set, on a secret seed."""


class Verdict(Struct, forbid_unknown_fields=True):
    """What came of a bot, or should."""

    status: str
    """How the match ended: `complete`, `forfeited`, `abandoned`; `waiting`: it did not begin."""
    effect: str = ""
    """On the score: see `effect_of`."""
    log: dict[str, int | str] = {}
    """What the log says of the bot besides acts: `late bot`, `forfeit faults`, `R-CARD-01`... how often; `some`: once
    or more."""
    faults: int | str = 0
    """How often the referee acted for it."""
    told: list[str] = []
    """What its author must read, on standard error of the bot or of `toep play`; of an outcome, everything."""


class Hostile(Struct, forbid_unknown_fields=True):
    """A hostile bot, as `expected.json` has it."""

    name: str
    about: str
    runs: Literal["play", "serve", "clock"]
    expect: Verdict
    match: Setting = msgspec.field(default_factory=Setting)
    isolated: Verdict | None = None
    """What is to come of it where `toep play` isolates bots, by users or in sandboxes, if that is something else."""

    @property
    def module(self) -> str:
        """The name of its file, without `.py`."""
        return self.name.replace("-", "_")


def hostile_bots() -> dict[str, Hostile]:
    """All of them by name."""
    bots = msgspec.json.decode((FOLDER / "expected.json").read_bytes(), type=list[Hostile])
    return {bot.name: bot for bot in bots}


class Problem(Exception):
    """A run that has no outcome: something hung, or a log is not valid."""


def summary(verdict: Verdict) -> str:
    """A verdict in a few words, without what was told."""
    counts = [f"{code} x{count}" if count != "some" else f"some {code}" for code, count in sorted(verdict.log.items())]
    faults = f"faults x{verdict.faults}" if verdict.faults else ""
    return ", ".join(filter(None, [verdict.status, *counts, faults, verdict.effect]))


def differences(expected: Verdict, actual: Verdict) -> list[str]:
    """What is not as expected; nothing if all is."""
    found = []
    if (expected.status, expected.effect) != (actual.status, actual.effect):
        found.append(f"{expected.status}, {expected.effect} expected, {actual.status}, {actual.effect} found")
    counts = {**expected.log, "faults": expected.faults}
    there = {**actual.log, "faults": actual.faults}
    # On a machine that has other things to do the referee blames itself, rightly.
    house = sum(int(there.pop(f"late {why}", 0)) for why in ("host", "referee"))
    if "late" in counts:
        # Whether the link was down by then is a matter of a moment.
        there["late"] = house + sum(int(there.pop(f"late {why}", 0)) for why in ("bot", "link"))
    elif house:
        whose = "late link" if "late link" in counts else "late bot"
        there[whose] = int(there.get(whose, 0)) + house
    for code in sorted({*counts, *there}):
        wanted, got = counts.get(code, 0), there.get(code, 0)
        if wanted != got and not (wanted == "some" and got):
            found.append(f"{code}: {wanted} expected, {got} found")
    text = "\n".join(actual.told)
    found.extend(f"not told: {line}" for line in expected.told if line not in text)
    return found
