"""How an event stands, from its journal and its logs alone: while it runs, after a crash, and when it is over."""

import shlex
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct, structs

from referee.game.records import Round, Score
from referee.log.canonical import LineError
from referee.log.reader import decode, read_lines
from referee.log.records import End, Head
from referee.table.head import rounds_of
from referee.tournament.event import Event
from referee.tournament.folder import Folder
from referee.tournament.journal import Begun, Block, Ruling
from referee.tournament.observer import clock, ruling_text
from referee.tournament.outcome import order_of
from referee.tournament.statistics import intervals
from referee.tournament.statistics.blocks import Summary, summarise
from referee.tournament.statistics.intervals import Interval, Ratio
from referee.tournament.statistics.standings import Order

CONFIDENCE: Final = 0.95
NAME: Final = 24
"""Letters of a name at most, in a table."""

State = Literal["running", "paused", "draining", "stopped", "done"]


class Open(Struct, frozen=True, kw_only=True):
    """A match whose log has no end."""

    match: str
    block: int
    bots: list[str]
    round: int
    rounds: int
    """0: a game to the end."""
    total: list[int]
    """Points of the rounds that were scored, by seat."""


class BotStatus(Struct, frozen=True, kw_only=True):
    """One bot, by the results that count."""

    bot: str
    rank: int
    """From 1; bots that are level share it."""
    matches: int
    rounds: int
    points: int
    points_per_round: float
    low: float | None = None
    """From here ..."""
    high: float | None = None
    """... to here goes the 95 % interval of what the event is ordered by; None: there is none yet."""
    place: float = 0.0
    """Mean place; 0: it has played nothing that counts."""
    faults: dict[str, int]
    """By kind, of all results that there are."""
    out: str = ""
    """Why it plays no more."""


class Status(Struct, frozen=True, kw_only=True):
    """An event at one moment."""

    name: str
    state: State
    directors: int
    """How many have worked on it."""
    blocks: int
    """In the schedule, up to where the event stops."""
    decided: int
    counted: int
    dropped: int
    replaced: int
    """How often one was."""
    results: int
    """Matches with a result, of blocks that are not decided too."""
    rounds: int
    """Rounds that count."""
    seconds_left: int | None
    """As long as this director's blocks took on the average, by the journal; None: nobody can tell, or nobody plays."""
    order: Order
    """What the event is ordered by."""
    bots: list[BotStatus]
    """The best first."""
    open: list[Open]
    rulings: list[Ruling]
    trust: str
    isolation: str
    """What keeps local bots apart; empty as long as no director has found out."""
    results_digest: str
    """Over the results that count so far."""


def status_of(event: Event) -> Status:
    """How it stands now."""
    ledger = event.ledger
    blocks = list(ledger.counted())
    matches: Counter[str] = Counter()
    rounds: Counter[str] = Counter()
    points: Counter[str] = Counter()
    for block in blocks:
        for result in block.matches:
            for seat, bot in enumerate(result.bots):
                matches[bot] += 1
                rounds[bot] += result.rounds
                points[bot] += result.total[seat]
    order = order_of(event.spec)
    summaries = [summarise(block) for block in blocks]
    found = {bot: _intervals(summaries, bot) for bot in event.schedule.bots}
    ordering = {bot: one[order] for bot, one in found.items()}
    bots = [
        BotStatus(
            bot=bot,
            rank=0,
            matches=matches[bot],
            rounds=rounds[bot],
            points=points[bot],
            points_per_round=round(points[bot] / rounds[bot], 4) if rounds[bot] else 0.0,
            low=_rounded(one.low) if (one := ordering[bot]) else None,
            high=_rounded(one.high) if (one := ordering[bot]) else None,
            place=round(place.estimate, 4) if (place := found[bot]["places"]) else 0.0,
            faults=dict(ledger.faults[bot]) if bot in ledger.faults else {},
            out=ledger.disqualified.get(bot) or ledger.withdrawn.get(bot, ""),
        )
        for bot in event.schedule.bots
    ]
    keys = {one.bot: (not one.rounds, one.place if order == "places" else one.points_per_round) for one in bots}
    bots = [structs.replace(one, rank=1 + sum(key < keys[one.bot] for key in keys.values())) for one in bots]
    bots.sort(key=lambda one: (one.rank, one.bot))
    whats = Counter(line.what for line in ledger.decided.values())
    return Status(
        name=event.spec.name,
        state=(state := _state(event)),
        seconds_left=_seconds_left(event) if state == "running" else None,
        order=order,
        directors=ledger.begun,
        blocks=ledger.last,
        decided=sum(index < ledger.last for index in ledger.decided),
        counted=len(blocks),
        dropped=whats["dropped"],
        replaced=sum(ledger.tries.values()),
        results=len(ledger.results),
        rounds=sum(result.rounds for block in blocks for result in block.matches),
        bots=bots,
        open=open_matches(event),
        rulings=ledger.rulings,
        trust=event.spec.trust,
        isolation=ledger.event.isolation if ledger.event else "",
        results_digest=ledger.digest(),
    )


def _intervals(summaries: Sequence[Summary], bot: str) -> dict[Order, Interval | None]:
    """By what an event may be ordered by, the mean of a bot."""
    return {
        "points": _interval(intervals.ratios(summaries, bot, intervals.per_round)),
        "places": _interval(intervals.ratios(summaries, bot, intervals.mean_place)),
    }


def _interval(parts: Sequence[Ratio]) -> Interval | None:
    try:
        return intervals.ratio_interval(parts, CONFIDENCE)
    except ModuleNotFoundError:  # A machine on which events are looked at need not have what it takes to play one.
        linear = intervals.linearise(parts)
        return linear and Interval(estimate=linear[0], low=None, high=None, se=None, n=len(parts), df=None)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _seconds_left(event: Event) -> int | None:
    """By the blocks that were decided since the last director began."""
    began: str | None = None
    until, done = "", 0
    for entry in event.entries:
        line = entry.line
        if isinstance(line, Begun):
            began, done = line.at, 0
        elif isinstance(line, Block):
            until = line.at
            done += line.what != "replaced"
    if began is None or not done:
        return None
    seconds = (datetime.fromisoformat(until) - datetime.fromisoformat(began)).total_seconds()
    return round(seconds / done * max(0, event.ledger.last - event.ledger.frontier))


def _state(event: Event) -> State:
    if event.ledger.done is not None:
        return "done"
    if not Folder(event.folder.path).is_running():
        return "stopped"
    return "draining" if event.ledger.draining else "paused" if event.ledger.paused else "running"


def open_matches(event: Event) -> list[Open]:
    """The matches that were begun and have no end, as far as their logs say."""
    ledger, found = event.ledger, []
    for match, setup in ledger.set_up.items():
        if match in ledger.results or ledger.tries[setup.block] != setup.replacement:
            continue
        if setup.block in ledger.decided:
            continue
        head: Head | None = None
        number, total, over = 0, [0] * event.spec.seats, False
        try:
            with event.folder.log(match).open("rb") as stream:
                for raw in read_lines(stream):
                    if not raw.complete:
                        break
                    record = decode(raw)
                    if isinstance(record, Head):
                        head = record
                    elif isinstance(record, Round):
                        number = record.round
                    elif isinstance(record, Score):
                        total = [sum(pair) for pair in zip(total, record.points, strict=True)]
                    over = over or isinstance(record, End)
        except (OSError, LineError, ValueError):
            continue
        if head is not None and not over:
            bots = [seat.bot for seat in head.seats]
            found.append(
                Open(
                    match=match,
                    block=setup.block,
                    bots=bots,
                    round=number,
                    rounds=rounds_of(head.length),
                    total=total,
                )
            )
    return found


def text(status: Status, folder: Path | None = None) -> str:
    """The status for people. ``folder``: the event's, to say what may be done with it."""
    out = [
        f"event   {status.name}: {status.state}",
        f"blocks  {status.decided} of {status.blocks} decided: {status.counted} count, {status.dropped} dropped,"
        f" {status.replaced} replaced",
        f"matches {status.results} with a result, {status.rounds:,} rounds count",
        f"bots    trust {status.trust}, isolation {status.isolation or 'not known yet'}",
    ]
    if status.seconds_left is not None:
        out.append(f"left    about {clock(status.seconds_left)}, as fast as it went so far")
    for one in status.open:
        names = ", ".join(one.bots)
        rounds = f"{one.round}/{one.rounds}" if one.rounds else str(one.round)
        out.append(f"open    {one.match}: {names}, round {rounds}")
    width = min(NAME, max(len(bot.bot) for bot in status.bots))
    measure = "place " if status.order == "places" else "points"
    out.append(f"     {'bot':<{width}}  {measure}  95 %             rounds  faults")
    for bot in status.bots:
        name = bot.bot if len(bot.bot) <= width else bot.bot[: width - 3] + "..."
        mean = bot.place if status.order == "places" else bot.points_per_round
        within = "" if bot.low is None or bot.high is None else f"{bot.low:.3f} to {bot.high:.3f}"
        faults = ", ".join(f"{count} {kind}" for kind, count in sorted(bot.faults.items()))
        numbers = f"{mean:6.3f}  {within:<15} {bot.rounds:7,}" if bot.rounds else f"{'':<23} {'0':>7}"
        rank = str(bot.rank) if bot.rounds else ""
        line = f"{rank:>3}  {name:<{width}}  {numbers}  {faults}"
        out.append(f"{line.rstrip()}{f'  (out: {bot.out})' if bot.out else ''}")
    out.extend(ruling_text(ruling) for ruling in status.rulings)
    if folder is not None:
        where = shlex.quote(str(folder))
        out.append(f"report  toep tournament report {where}")
        out.append(f"verify  toep verify {where}")
    return "\n".join(out)
