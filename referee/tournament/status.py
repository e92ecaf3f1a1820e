"""How an event stands, from its journal and its logs alone: while it runs, after a crash, and when it is over."""

from collections import Counter
from typing import Literal

from msgspec import Struct

from referee.game.records import Round, Score
from referee.log.canonical import LineError
from referee.log.reader import decode, read_lines
from referee.log.records import End, Head
from referee.table.head import rounds_of
from referee.tournament.event import Event
from referee.tournament.folder import Folder
from referee.tournament.journal import Ruling
from referee.tournament.observer import ruling_text

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
    matches: int
    rounds: int
    points: int
    points_per_round: float
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
    bots: list[BotStatus]
    """Fewest points per round first."""
    open: list[Open]
    rulings: list[Ruling]
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
    bots = [
        BotStatus(
            bot=bot,
            matches=matches[bot],
            rounds=rounds[bot],
            points=points[bot],
            points_per_round=round(points[bot] / rounds[bot], 4) if rounds[bot] else 0.0,
            faults=dict(ledger.faults[bot]) if bot in ledger.faults else {},
            out=ledger.disqualified.get(bot) or ledger.withdrawn.get(bot, ""),
        )
        for bot in event.schedule.bots
    ]
    bots.sort(key=lambda one: (not one.rounds, one.points_per_round, one.bot))
    whats = Counter(line.what for line in ledger.decided.values())
    return Status(
        name=event.spec.name,
        state=_state(event),
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
        results_digest=ledger.digest(),
    )


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


def text(status: Status) -> str:
    """The status for people."""
    out = [
        f"event   {status.name}: {status.state}",
        f"blocks  {status.decided} of {status.blocks} decided: {status.counted} count, {status.dropped} dropped,"
        f" {status.replaced} replaced",
        f"matches {status.results} with a result, {status.rounds:,} rounds count",
    ]
    for one in status.open:
        names = ", ".join(one.bots)
        rounds = f"{one.round}/{one.rounds}" if one.rounds else str(one.round)
        out.append(f"open    {one.match}: {names}, round {rounds}")
    width = max(len(bot.bot) for bot in status.bots)
    for bot in status.bots:
        faults = ", ".join(f"{count} {kind}" for kind, count in sorted(bot.faults.items()))
        line = f"  {bot.bot:<{width}}  {bot.points_per_round:7.4f} points per round, {bot.rounds:,} rounds"
        out.append(line + (f", faults: {faults}" if faults else "") + (f" (out: {bot.out})" if bot.out else ""))
    out.extend(ruling_text(ruling) for ruling in status.rulings)
    return "\n".join(out)
