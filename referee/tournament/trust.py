"""Who may see the same deal twice.

Whoever plays a deal from a second seat knows hidden cards, if it remembers the first time. The organiser's own bots are
trusted not to (``own``), bots in a sandbox cannot (``isolated``: a process of its own for each match, without files or
a network that would outlive it), and from strangers it must not be expected: each of them meets a deal once. The
references of a fixed field are the organiser's own by definition; they see a deal once for each candidate. A remote bot
is always the same process, so it never sees a deal twice.
"""

from collections import Counter
from typing import TYPE_CHECKING, Final

from referee.tournament.errors import TrustError
from referee.tournament.seatings import repeats
from referee.tournament.spec_types import Isolation, Pair, RoundRobin, Spec

if TYPE_CHECKING:
    from referee.tournament.schedule import Schedule

KEEPS_NOTHING: Final[Isolation] = "sandbox"
"""The isolation under which nothing that a bot has seen outlives its match."""


def check(spec: Spec, schedule: "Schedule", isolation: Isolation) -> None:
    """Raise `TrustError` if the schedule would show a bot a deal that it may remember.

    ``isolation`` is what local bots really get on this machine, whatever the spec asks for.
    """
    times: Counter[int] = Counter()
    for shape in schedule.shapes():
        for bot, count in shape.items():
            times[bot] = max(times[bot], count)
    for bot, count in sorted(times.items()):
        if why := refusal(spec, bot, count, isolation):
            raise TrustError(spec.bots[bot].name, why)


def meetings(spec: Spec) -> list[int]:
    """By bot, how often it meets one deal at most, by the spec alone."""
    if spec.duplicates != "fixed-field":
        return [repeats(spec.duplicates, spec.seats)] * len(spec.bots)
    candidates = candidates_of(spec)
    return [1 if bot in candidates else len(candidates) for bot in range(len(spec.bots))]


def refusal(spec: Spec, bot: int, times: int, isolation: Isolation) -> str:
    """Why a bot may not meet one deal so many times, and what to change; empty if it may."""
    if times < 2:
        return ""
    who = spec.bots[bot]
    seen = f'duplicates = "{spec.duplicates}" shows {who.name} each deal {times} times'
    if who.remote:
        return (
            f"{seen}, and a remote bot remembers it: it is the same process all the time; write "
            f"{_other_seatings(spec)}, or let the director start the bot with a command"
        )
    if spec.duplicates == "fixed-field" and bot not in candidates_of(spec):
        return ""
    if spec.trust == "strangers":
        return (
            f'{seen}, so it knows hidden cards if it remembers, and trust = "strangers" expects that; write '
            f'{_other_seatings(spec)}, or trust = "isolated" (bots in a sandbox), or trust = "own" if all of these '
            "bots are yours"
        )
    if spec.trust == "isolated" and isolation != KEEPS_NOTHING:
        return (
            f'{seen}, which trust = "isolated" allows in a sandbox only, and here bots get isolation "{isolation}": '
            f"run it where `toep doctor` finds a sandbox, or write {_other_seatings(spec)}"
        )
    return ""


def candidates_of(spec: Spec) -> list[int]:
    """The candidates of a gauntlet or a pair, by their place among the bots; none in a round robin."""
    if isinstance(spec.format, RoundRobin):
        return []
    names = [bot.name for bot in spec.bots]
    return [names.index(candidate) for candidate in spec.format.candidates]


def _other_seatings(spec: Spec) -> str:
    """The seatings that show nobody a deal twice, in this format."""
    paired = isinstance(spec.format, Pair) and spec.seats == 2
    if isinstance(spec.format, RoundRobin) or paired or spec.duplicates == "fixed-field":
        return 'duplicates = "none"'
    return 'duplicates = "fixed-field" or "none"'
