"""What an event will be, before it is: matches, who meets whom how often, hours, disk."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Final, Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from referee.log.records import Rounds
from referee.log.writer import MemorySink
from referee.table.head import MatchPlan, rounds_of
from referee.table.inprocess import write_match
from referee.tournament import trust
from referee.tournament.schedule import Schedule, digest
from referee.tournament.spec_types import Duplicates, Isolation, Spec

SAMPLE_ROUNDS: Final = 50
"""Rounds, at most, of the match that the size of a log is measured with."""

_SAMPLE_SEED: Final = bytes(range(32))


class BotPlan(Struct, frozen=True, kw_only=True):
    """What is ahead of one bot."""

    name: str
    blocks: int
    byes: int
    """Blocks in which it waits."""

    matches: int
    by_seat: list[int]
    """Matches in each seat."""

    opponents: dict[str, int]
    """By the name of each other bot, the matches that both sit in."""

    meets_a_deal: int
    """How often it meets one deal, at most."""


class Size(Struct, frozen=True, kw_only=True):
    """How large logs are, measured with one match between random players under the rules of the spec."""

    bytes_per_round: float
    measured_rounds: int
    measured_bytes: int


class Rate(Struct, frozen=True, kw_only=True):
    """How fast the event goes on."""

    rounds_per_second: float
    """Of all tables together."""

    source: Literal["given", "measured"]
    matches: int = 0
    """Matches that it was measured with."""

    seconds: float = 0.0
    """How long that took."""


class EventPlan(Struct, frozen=True, kw_only=True):
    """An event, counted. Rounds are estimates where games go to their end; ``rounds_are`` says so."""

    event: str
    format: str
    duplicates: Duplicates
    seats: int
    blocks: int
    once_through: int
    """Blocks after which every table has had its turn."""

    matches: int
    rounds: int
    rounds_are: Literal["exact", "estimated"]
    concurrency: int
    bots: list[BotPlan]
    pairs: tuple[int, int]
    """The fewest and the most matches that two bots sit in together, of pairs that ever meet."""

    trust: str
    isolation_asked: str
    isolation_here: str
    """What bots get on this machine; empty: what was asked for cannot be had here."""

    size: Size
    disk_bytes: int
    rate: Rate | UnsetType = UNSET
    hours: float | UnsetType = UNSET
    schedule: str = ""
    """The schedule's digest."""

    notes: list[str] = []
    """What is worth knowing before it starts."""


def measure_size(spec: Spec) -> Size:
    """Play one match in this process, and measure its log; always with the same result."""
    length = Rounds(rounds=min(spec.length.rounds, SAMPLE_ROUNDS)) if isinstance(spec.length, Rounds) else spec.length
    sink = MemorySink()
    names = [bot.name for bot in spec.bots[: spec.seats]]
    plan = MatchPlan(
        rules=spec.rules, bots=names, length=length, conduct=spec.conduct, clock=spec.clock, match="sample"
    )
    write_match(plan, _SAMPLE_SEED, sink)
    rounds = max(1, rounds_of(length) or bytes(sink.data).count(b'{"_":"round"'))
    return Size(bytes_per_round=len(sink.data) / rounds, measured_rounds=rounds, measured_bytes=len(sink.data))


def make_plan(
    spec: Spec, schedule: Schedule, once_through: int, isolation: Isolation | None, rate: Rate | None = None
) -> EventPlan:
    """Count an event. ``isolation``: what local bots get here; None: what the spec asks for cannot be had."""
    size = measure_size(spec)
    exact = isinstance(spec.length, Rounds)
    rounds = schedule.matches * (rounds_of(spec.length) or size.measured_rounds)
    bots = _count(spec, schedule)
    met = [count for bot in bots for count in bot.opponents.values() if count]
    plan = EventPlan(
        event=spec.name,
        format=str(spec.format.__struct_config__.tag),
        duplicates=spec.duplicates,
        seats=spec.seats,
        blocks=len(schedule.blocks),
        once_through=once_through,
        matches=schedule.matches,
        rounds=rounds,
        rounds_are="exact" if exact else "estimated",
        concurrency=spec.concurrency,
        bots=bots,
        pairs=(min(met, default=0), max(met, default=0)),
        trust=spec.trust,
        isolation_asked=spec.isolation,
        isolation_here=isolation or "",
        size=size,
        disk_bytes=round(rounds * size.bytes_per_round),
        schedule=digest(schedule),
        notes=_notes(spec, schedule, once_through),
    )
    if rate is None:
        return plan
    return replace(plan, rate=rate, hours=rounds / rate.rounds_per_second / 3600)


def _count(spec: Spec, schedule: Schedule) -> list[BotPlan]:
    many = range(len(spec.bots))
    blocks: Counter[int] = Counter()
    seats = [[0] * spec.seats for _ in many]
    together: Counter[tuple[int, int]] = Counter()
    meets: Counter[int] = Counter()
    for block in schedule.blocks:
        blocks.update(block.table)
        met: Counter[int] = Counter()
        for match in block.matches:
            met.update(match.seats)
            for seat, bot in enumerate(match.seats):
                seats[bot][seat] += 1
            for one, other in combinations(match.seats, 2):
                together[min(one, other), max(one, other)] += 1
        for bot, times in met.items():
            meets[bot] = max(meets[bot], times)
    return [
        BotPlan(
            name=spec.bots[bot].name,
            blocks=blocks[bot],
            byes=len(schedule.blocks) - blocks[bot],
            matches=sum(seats[bot]),
            by_seat=seats[bot],
            opponents={
                spec.bots[other].name: together[min(bot, other), max(bot, other)] for other in many if other != bot
            },
            meets_a_deal=meets[bot],
        )
        for bot in many
    ]


def _notes(spec: Spec, schedule: Schedule, once_through: int) -> list[str]:
    notes = []
    if spec.seed:
        notes.append("the seed is declared: whoever reads the spec knows all cards")
    if len(schedule.blocks) % once_through and len(schedule.blocks) > once_through:
        notes.append(f"not every table comes equally often: that takes a multiple of {once_through:,} blocks")
    elif len(schedule.blocks) < once_through:
        notes.append(f"{len(schedule.blocks):,} of {once_through:,} tables come, chosen so that nobody is far ahead")
    if isinstance(spec.length, Rounds) and spec.length.rounds % spec.seats:
        notes.append(
            f"the deal goes round the table: with a multiple of {spec.seats} rounds every seat deals equally often"
        )
    if spec.length == "game":
        notes.append("games go to their end: rounds, hours and disk are estimates from one game of random players")
    if spec.duplicates == "fixed-field":
        references = [bot.name for place, bot in enumerate(spec.bots) if place not in trust.candidates_of(spec)]
        notes.append(f"these see deals more than once, and are trusted: {', '.join(references)}")
    return notes


def text(plan: EventPlan) -> str:
    """A plan for people."""
    rounds = f"{plan.rounds:,}" if plan.rounds_are == "exact" else f"about {plan.rounds:,}"
    per_block = f"{plan.matches / plan.blocks:g}" if plan.blocks else "no"
    size = plan.size
    lines = [
        f"event {plan.event}: {plan.format}, {len(plan.bots)} bots, tables of {plan.seats}",
        f"blocks     {plan.blocks:,} (duplicates {plan.duplicates}: {per_block} matches to a block)",
        f"matches    {plan.matches:,}, {plan.concurrency} at once",
        f"rounds     {rounds}",
        f"time       {_time(plan)}",
        f"disk       about {_bytes(plan.disk_bytes)}: {size.bytes_per_round:,.0f} bytes a round, measured with "
        f"{size.measured_rounds} rounds of random players",
        f"trust      {plan.trust}",
        f"isolation  {plan.isolation_asked}; "
        + (f"here that is {plan.isolation_here}" if plan.isolation_here else "that cannot be had here"),
        f"schedule   {plan.schedule}",
        "",
        *_table(plan),
        "",
        f"two bots that meet sit at {_between(*plan.pairs)} matches together",
    ]
    return "\n".join([*lines, *(f"note: {note}" for note in plan.notes)])


def _time(plan: EventPlan) -> str:
    if plan.rate is UNSET or plan.hours is UNSET:
        return "no rate is known; --measure finds one out, --rate says it"
    how = "measured" if plan.rate.source == "measured" else "said to be"
    rate = f"at {plan.rate.rounds_per_second:,.1f} rounds a second, {how}"
    if plan.rate.source == "measured":
        rate += f" with {plan.rate.matches} matches in {plan.rate.seconds:.1f} s"
    return f"about {_duration(plan.hours)} {rate}"


def _duration(hours: float) -> str:
    if hours < 1 / 60:
        return f"{hours * 3600:.0f} seconds"
    return f"{hours * 60:.0f} minutes" if hours < 1 else f"{hours:,.1f} hours"


def _bytes(number: float) -> str:
    for unit in ("bytes", "kB", "MB"):
        if number < 1000:
            return f"{number:,.0f} {unit}" if unit == "bytes" else f"{number:,.1f} {unit}"
        number /= 1000
    return f"{number:,.1f} GB"


def _between(low: int, high: int) -> str:
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _table(plan: EventPlan) -> list[str]:
    rows = [["bot", "matches", "blocks", "byes", "by seat", "opponents", "meets a deal"]]
    for bot in plan.bots:
        met = [count for count in bot.opponents.values() if count]
        rows.append(
            [
                bot.name,
                f"{bot.matches:,}",
                f"{bot.blocks:,}",
                f"{bot.byes:,}",
                " ".join(map(str, bot.by_seat)),
                f"{len(met)}, each {_between(min(met), max(met))}" if met else "none",
                _times(bot.meets_a_deal),
            ]
        )
    return _columns(rows)


def _times(number: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(number, f"{number} times")


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
