"""What came of a bot, from the log of its match."""

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET

from referee.game.records import Act, Forfeit, Penalty, Record, Void
from referee.log.records import End, Head, Late, Refused, Reveal, Seal
from referee.log.writer import LogWriter, MemorySink
from referee.table.inprocess import run_to_end
from referee.table.table import Table
from referee.validate import Report, validate_path
from tests.support.hostile.bots import SEAT, Problem, Verdict
from tests.support.tables import meek as meek_act
from tests.support.tables import records_of


def verdict_on(log: Path, told: list[str]) -> Verdict:
    """What a log says about the bot at `SEAT`; raises `Problem` unless the log is valid."""
    report: Report = validate_path(log)
    if report.exit != 0:
        raise Problem(f"the log is {report.verdict}: {report.errors or report.missing}")
    records = records_of(log.read_bytes())
    end = next(record for record in records if isinstance(record, End))
    counts: Counter[str] = Counter()
    for record in records:
        code = ""
        match record:
            case Refused():
                code = record.code
            case Late():
                code = f"late {record.verdict}"
            case Forfeit():
                code = f"forfeit {record.why}"
            case Penalty():
                code = f"penalty {record.why}"
            case Void():
                counts[f"void, {record.why}"] += 1
        if code:
            # A seat that has done nothing must never be blamed; if it is, this shows.
            counts[code if record.seat == SEAT else f"another seat: {code}"] += 1  # type: ignore[attr-defined]
    faults = sum(map(by_referee, of_the_bot(records)))
    said = [f"toep verify: {one.code} {one.message}" for one in report.warnings]
    return Verdict(end.status, effect_of(records, end), dict(counts), faults, told + said)


def effect_of(records: list[Record], end: End) -> str:
    """What being hostile did to the score.

    `harms others`: another seat is blamed for something; `none`: the match is that of a polite bot; `refusals only`: it
    is, but for lines that say what was refused; `own acts`: the bot did other things, all of them legal; `acted for`:
    the referee did some for it; `out`: its seat is forfeited and the last.
    """
    mine = of_the_bot(records)
    if any(isinstance(record, Forfeit) for record in mine):
        last = end.rank[SEAT] == max(end.rank) and end.rank.count(end.rank[SEAT]) == 1
        return "out" if last else "forfeited, but not the last"
    if any(isinstance(record, Forfeit | Late | Refused) and record not in mine for record in records):
        return "harms others"
    if any(map(by_referee, mine)):
        return "acted for"
    if essence(records) != essence(polite_match(records)):
        return "own acts"
    return "refusals only" if any(isinstance(record, Refused) for record in mine) else "none"


def of_the_bot(records: list[Record]) -> list[Record]:
    """The records that are about the bot's seat."""
    return [record for record in records if getattr(record, "seat", None) == SEAT]


def by_referee(record: Record) -> bool:
    """Whether the referee acted in a seat's place."""
    return isinstance(record, Act) and getattr(record, "by", UNSET) is not UNSET


def polite_match(records: list[Record]) -> list[Record]:
    """The match of the same head and seed, if everybody is polite."""
    head = next(record for record in records if isinstance(record, Head))
    seed = bytes.fromhex(next(record for record in records if isinstance(record, Reveal)).seed)
    sink = MemorySink()
    open_head = msgspec.structs.replace(head, key=UNSET)
    run_to_end(Table(open_head, seed, LogWriter(sink, match=head.match)), lambda _, ask: meek_act(ask))
    return records_of(bytes(sink.data))


def essence(records: list[Record]) -> list[dict[str, Any]]:
    """Cards, acts and scores, without times and without anything that depends on the number of a line."""
    found = []
    for record in records:
        if not isinstance(record, Head | Late | Refused | Reveal | Seal):
            plain = msgspec.to_builtins(record)
            found.append({name: value for name, value in plain.items() if name not in ("ms", "n", "salt")})
    return found
