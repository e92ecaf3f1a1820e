"""Checking a whole event from its folder: its journal, every log, every result, and what follows from them.

Nothing in the folder is trusted but what can be computed again: the journal's chain, the schedule from the spec, each
log by the validator, each result from its log, each block's seed from the event's, and in the end the digests of the
results that count and of the standings.
"""

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal

from msgspec import UNSET, Struct
from msgspec.structs import fields

from referee.deal import commit
from referee.log.reader import decode, open_log, read_lines
from referee.log.records import AnyRecord, Head
from referee.table.head import MatchPlan, make_head
from referee.tournament import journal as lines
from referee.tournament.event import NoEventError
from referee.tournament.folder import Folder, FolderError
from referee.tournament.from_log import ResultError, absent, from_log
from referee.tournament.journal import Entry, JournalError
from referee.tournament.ledger import Ledger, LedgerError, is_faulted
from referee.tournament.outcome import Test, standings_digest
from referee.tournament.results import Isolation, MatchResult, encode
from referee.tournament.schedule import Schedule, ScheduledMatch, block_seed, digest, make_schedule
from referee.tournament.spec import SpecError, parse_spec
from referee.tournament.spec_types import Spec

Verdict = Literal["VALID", "INVALID", "UNREADABLE", "INCOMPLETE"]
EXIT: Final[dict[Verdict, int]] = {"VALID": 0, "INVALID": 1, "UNREADABLE": 2, "INCOMPLETE": 4}
FREE: Final = ("engine", "key")
"""What a log's head may have that no spec knows of."""


class Wrong(Struct, frozen=True):
    """Something that is not as it must be."""

    file: str
    line: int
    """1-based; 0: it is about the whole file."""
    why: str

    def text(self) -> str:
        """``FILE:LINE: why``."""
        return f"{self.file}:{self.line}: {self.why}" if self.line else f"{self.file}: {self.why}"


class EventReport(Struct, frozen=True, kw_only=True):
    """What there is to say about an event."""

    event: str
    """Its folder."""
    verdict: Verdict
    exit: int
    name: str = ""
    lines: int = 0
    """Of the journal."""
    blocks: int = 0
    """That count."""
    matches: int = 0
    """Whose results were computed again from their logs."""
    rounds: int = 0
    """That count."""
    results: str = ""
    """The digest of the results that count."""
    standings: str = ""
    """The digest of the standings."""
    checked: list[str] = []
    """What was checked."""
    wrong: list[Wrong] = []
    """What is wrong, the first thing first."""
    missing: list[str] = []
    """What a complete event would have besides."""


class Job(Struct, frozen=True):
    """One log, and what it must be the log of."""

    match: ScheduledMatch
    head: Head
    secret: bool
    """The seed is not known yet: the commitment is not compared."""
    line: int
    """Of the journal, with the result."""
    result: MatchResult


class LogCheck(Struct, frozen=True):
    """Checks logs against what the journal says; see `referee.cli.workers.Checker`."""

    jobs: dict[str, Job]
    """By file."""
    bots: tuple[str, ...]
    journal: str

    def check(self, file: str) -> list[Wrong]:
        """What is wrong with one log, or with the result that the journal has of it."""
        job = self.jobs[file]
        try:
            found = from_log(Path(file), job.match, self.bots)
            if wrong := check_head(file, job.head, secret=job.secret):
                return [wrong]
        except ResultError as error:
            finding = error.report.errors[0] if error.report and error.report.errors else None
            return [Wrong(file, (finding.line or 0) if finding else 0, str(error))]
        except Exception as error:
            return self.lost(file, f"{type(error).__name__}: {error}")
        if encode(found) != encode(job.result):
            return [Wrong(self.journal, job.line, f"the result of {job.match.match} is not what its log says")]
        return []

    def lost(self, file: str, why: str) -> list[Wrong]:
        """The check did not come to its end."""
        return [Wrong(file, 0, f"the check failed: {why}")]

    def close(self) -> None:
        """There are no more logs."""


def read_head(file: str) -> AnyRecord:
    """The first line of a log that is valid."""
    with open_log(file) as stream:
        return decode(next(read_lines(stream)))


def check_head(file: str, wanted: Head, *, secret: bool) -> Wrong | None:
    """What is wrong with the head of a log. ``secret``: its seed is not known, so its commitment is not compared."""
    head = read_head(file)
    for field in fields(Head):
        name = field.encode_name
        if name in FREE or (name in ("commit", "open_seed") and secret):
            continue
        if getattr(head, field.name, UNSET) != getattr(wanted, field.name):
            what = "the seed is not the one that the event's seed gives" if name == "commit" else "not as the spec"
            return Wrong(file, 1, f"{name}: {what}")
    return None


CheckAll = Callable[[list[str], LogCheck], Iterable[list[Wrong]]]
"""Checks files with a `LogCheck`, in order."""


def one_by_one(files: list[str], check: LogCheck) -> Iterator[list[Wrong]]:
    """In this process."""
    return map(check.check, files)


def verify_event(path: Path, check_all: CheckAll = one_by_one) -> EventReport:
    """Check the event in a folder. Never raises for what is wrong with it."""
    folder = Folder(path)
    try:
        return _verify(folder, check_all)
    except JournalError as error:
        verdict: Verdict = "INVALID" if error.line else "UNREADABLE"
        return _report(folder, verdict, wrong=[Wrong(str(error.path), error.line, error.why)])
    except SpecError as error:
        return _report(folder, "INVALID", wrong=[Wrong(error.path, error.line, error.why)])
    except (FolderError, NoEventError) as error:
        return _report(folder, "UNREADABLE", missing=[str(error)])


def _report(folder: Folder, verdict: Verdict, **more: object) -> EventReport:
    return EventReport(event=str(folder.path), verdict=verdict, exit=EXIT[verdict], **more)  # type: ignore[arg-type]


def _verify(folder: Folder, check_all: CheckAll) -> EventReport:
    if not folder.is_event():
        raise NoEventError(f"{folder.path}: there is no event here")
    entries = lines.read(folder.journal)
    missing = ["the end of the journal's last line"] if lines.is_torn(folder.journal) else []
    if not entries:
        raise NoEventError(f"{folder.journal}: it has no line")
    event = entries[0].line
    assert isinstance(event, lines.Event)
    checked = [f"journal: {len(entries)} lines, each linked to the one before"]
    try:
        data = folder.spec.read_bytes()
    except OSError as error:
        raise FolderError(f"{folder.spec}: {error.strerror}") from None
    if sha256(data).hexdigest() != event.spec:
        return _report(folder, "INVALID", checked=checked, wrong=[
            Wrong(str(folder.spec), 0, "this is not the spec that the event was begun with")
        ])  # fmt: skip
    spec = parse_spec(data, folder.spec)
    schedule = make_schedule(spec)
    if digest(schedule) != event.schedule:
        return _report(folder, "INVALID", checked=checked, wrong=[
            Wrong(str(folder.journal), 1, f"this version makes another schedule of the spec than {event.engine}")
        ])  # fmt: skip
    checked.append(f"spec and schedule: {len(schedule.blocks)} blocks, made again from {folder.spec.name}")
    ledger = Ledger(schedule)
    results: dict[str, Entry] = {}
    wrong = list(_follow(folder, spec, ledger, entries, results))
    seed, more = _seed(folder, event, ledger, entries[-1].number)
    wrong += more
    if not wrong:
        wrong += _absent(folder, ledger, results)
        jobs = _jobs(folder, spec, ledger, results, seed)
        check = LogCheck(jobs, schedule.bots, str(folder.journal))
        for found in check_all(list(jobs), check):
            wrong += found
        checked.append(f"logs: {len(jobs)}, each valid, and each result computed again from its log")
        if seed:
            checked.append("seeds: the event's opens its commitment, and gives that of each block")
    standings = ""
    if not wrong:
        standings = standings_digest(ledger, spec)
        wrong += _ending(folder, ledger, standings)
        checked.append("digests: results that count, standings")
    if ledger.done is None:
        missing.append("the end of the event")
    counted = list(ledger.counted())
    verdict: Verdict = "INVALID" if wrong else "INCOMPLETE" if missing else "VALID"
    return _report(
        folder, verdict, name=spec.name, lines=len(entries), blocks=len(counted), matches=len(results),
        rounds=sum(result.rounds for block in counted for result in block.matches), results=ledger.digest(),
        standings=standings, checked=checked, wrong=wrong, missing=missing,
    )  # fmt: skip


def _follow(
    folder: Folder, spec: Spec, ledger: Ledger, entries: list[Entry], results: dict[str, Entry]
) -> Iterator[Wrong]:
    """Fold the journal in, line by line, and check each decision by what stood before it; stops at the first fault."""
    test = Test(spec)
    for entry in entries:
        line = entry.line
        why = ""
        if isinstance(line, lines.Block):
            why = _stopped(test, ledger) or _decision(spec, ledger, line)
        elif isinstance(line, lines.Result):
            results[line.result.match] = entry
        elif isinstance(line, lines.Stop):
            answer = test.answer(ledger)
            if ledger.stop is not None or answer != (line.block, line.why):
                at = f"behind block {answer.block}: {answer.why}" if answer else "it has no answer yet"
                why = f"the sequential test does not stop like this: {at}"
        elif isinstance(line, lines.Done):
            why = _stopped(test, ledger)
        if not why:
            try:
                ledger.take(line)
            except LedgerError as error:
                why = str(error)
        if why:
            yield Wrong(str(folder.journal), entry.number, why)
            return


def _stopped(test: Test, ledger: Ledger) -> str:
    """Why the journal must say that the event stops before it says anything else; empty: it need not."""
    answer = test.answer(ledger) if ledger.stop is None else None
    return f"the event goes on although {answer.why}" if answer else ""


def _decision(spec: Spec, ledger: Ledger, line: lines.Block) -> str:
    """Why a block cannot be decided like this; empty: it can."""
    if line.block != ledger.frontier:
        return f"block {line.block} is decided before block {ledger.frontier}"
    if out := ledger.out(line.block):
        return "" if line.what == "dropped" else f"block {line.block} is {line.what}, but {out}"
    block = ledger.block(line.block)
    results = [ledger.results[match.match] for match in block.matches if match.match in ledger.results]
    whole = len(results) == len(block.matches) and all(result.status != "absent" for result in results)
    fault = is_faulted(results)
    if bool(fault) is not line.faulted and whole:
        return f"block {line.block}: {fault or 'nobody was at fault in it'}"
    again = ledger.replaced(line.block) < spec.replacements
    if whole and (not fault or spec.faulted == "keep"):
        right = "counted"
    elif spec.faulted == "replace" and again:
        right = "replaced"
    else:
        right = "dropped"
    return "" if line.what == right else f"block {line.block} is {line.what}; by the spec it is {right}"


def _seed(folder: Folder, event: lines.Event, ledger: Ledger, last: int) -> tuple[bytes | None, list[Wrong]]:
    """The event's seed, if it is known."""
    text = ledger.seed or (event.open_seed if isinstance(event.open_seed, str) else "")
    if not text:
        return None, []
    seed = bytes.fromhex(text)
    if commit(seed) != event.commit:
        return None, [Wrong(str(folder.journal), last, "the seed does not open the event's commitment")]
    return seed, []


def _scheduled(schedule: Schedule, ledger: Ledger, match: str) -> ScheduledMatch | None:
    setup = ledger.set_up.get(match)
    if setup is None:
        return None
    block = schedule.block(setup.block, setup.replacement)
    return next((one for one in block.matches if one.match == match), None)


def _absent(folder: Folder, ledger: Ledger, results: dict[str, Entry]) -> Iterator[Wrong]:
    """Results of matches that never began: they are as such results are, and there is no log."""
    schedule = ledger.schedule
    for match, entry in results.items():
        result = ledger.results[match]
        scheduled = _scheduled(schedule, ledger, match)
        if scheduled is None:
            yield Wrong(str(folder.journal), entry.number, f"no match {match} was set up")
        elif result.status == "absent":
            gone = {seat for seat, count in enumerate(result.faults) if count}
            if not gone or absent(scheduled, schedule.bots, gone, result.isolation) != result:
                yield Wrong(str(folder.journal), entry.number, f"{match} cannot have this result")
            elif folder.log(match).exists():
                yield Wrong(str(folder.log(match)), 0, f"{match} has a log, and the journal says that it never began")


def _jobs(folder: Folder, spec: Spec, ledger: Ledger, results: dict[str, Entry], seed: bytes | None) -> dict[str, Job]:
    """What each log is to be held against, by file."""
    jobs: dict[str, Job] = {}
    event, schedule = ledger.event, ledger.schedule
    assert event is not None
    for match, entry in results.items():
        result = ledger.results[match]
        scheduled = _scheduled(schedule, ledger, match)
        if result.status == "absent" or scheduled is None:
            continue
        head = head_of(spec, schedule, scheduled, event.isolation, seed)
        jobs[str(folder.log(match))] = Job(scheduled, head, seed is None, entry.number, result)
    return jobs


def head_of(
    spec: Spec, schedule: Schedule, scheduled: ScheduledMatch, isolation: Isolation, seed: bytes | None
) -> Head:
    """The head that the log of a match must have. ``seed``: the event's; None: it is not known, and nor is what follows
    from it."""
    plan = MatchPlan(
        rules=spec.rules,
        bots=[schedule.bots[bot] for bot in scheduled.seats],
        length=spec.length,
        conduct=spec.conduct,
        clock=spec.clock,
        match=scheduled.match,
        deals=scheduled.deals,
        isolation=isolation,
    )
    own = block_seed(seed, scheduled.deals) if seed else bytes(32)
    return make_head(plan, own, declared=bool(spec.seed))


def _ending(folder: Folder, ledger: Ledger, standings: str) -> Iterator[Wrong]:
    done = ledger.done
    if done is None:
        return
    last = len(lines.read(folder.journal))
    if ledger.frontier < ledger.last:
        yield Wrong(str(folder.journal), last, f"the event is over, and block {ledger.frontier} is not decided")
    if done.results != ledger.digest():
        yield Wrong(str(folder.journal), last, "results: not the digest of the results that count")
    if done.standings != standings:
        yield Wrong(str(folder.journal), last, "standings: not the digest of the standings that follow")


def text(report: EventReport) -> str:
    """The report for people, ending in the verdict."""
    out = [one.text() for one in report.wrong]
    if report.name:
        out.append(f"event   {report.name}")
    out.extend(f"checked {what}" for what in report.checked)
    if report.name:
        out.append(f"counts  {report.blocks} blocks, {report.matches} matches with a result, {report.rounds:,} rounds")
    if report.results:
        out.append(f"results {report.results}")
    if report.standings:
        out.append(f"standings {report.standings}")
    out.extend(f"missing {what}" for what in report.missing)
    out.append(report.verdict)
    return "\n".join(out)
