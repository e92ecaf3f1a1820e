"""An event without its journal: what its spec and its logs still say.

The schedule says which log is that of which match and block; each log is checked as `toep verify` does it; and the spec
says what becomes of a block with a fault in it. So everything that is counted can be counted again. What only a journal
knows is missing: rulings, matches that never began (they have no log), and the event's seed. A block with a log missing
does not count, and where a block was played again the last try is the one that does.
"""

import re
from collections import defaultdict
from pathlib import Path
from typing import Final, NamedTuple

from referee.tournament.errors import TournamentError
from referee.tournament.event import Event, NoEventError
from referee.tournament.folder import Folder
from referee.tournament.from_log import ResultError, from_log
from referee.tournament.journal import Block, Match, Result, Stop, What
from referee.tournament.ledger import Ledger, is_faulted
from referee.tournament.outcome import Test
from referee.tournament.results import MatchResult
from referee.tournament.schedule import Schedule, ScheduledBlock, make_schedule
from referee.tournament.spec import parse_spec
from referee.tournament.spec_types import Spec
from referee.tournament.verify import Wrong, check_head, head_of, read_head

TRIES: Final = 1000
"""Tries of one block at most: more than anybody orders."""

NEVER: Final = "1970-01-01T00:00:00Z"
"""When something was decided: logs do not say."""


class FromLogs(NamedTuple):
    """What was found."""

    event: Event
    """Without lines of a journal; its ledger is as if there had been one."""
    wrong: list[Wrong]
    """Logs that are not what they should be; of others than finished ones nothing is said."""


def is_journaled(path: Path) -> bool:
    """Whether an event has its journal."""
    return Folder(path).is_event()


def event_of_logs(path: Path) -> FromLogs:
    """The event in a folder, from ``event.toml`` and ``logs``. Raises `TournamentError`."""
    folder = Folder(path)
    if not folder.logs.is_dir():
        raise NoEventError(f"{path}: there is no event here (no {folder.journal.name}, and no {folder.logs.name})")
    try:
        data = folder.spec.read_bytes()
    except OSError as error:
        raise NoEventError(
            f"{folder.spec}: {error.strerror}; without a journal the spec is needed to say whose logs these are"
        ) from None
    spec = parse_spec(data, folder.spec)
    schedule = make_schedule(spec)
    tries = _tries(folder, spec, schedule)
    reader = _Reader(folder, spec, schedule)
    ledger = Ledger(schedule)
    test = Test(spec)
    for index in range(max(tries, default=-1) + 1):
        last = max(tries[index], default=0)
        for number in range(last + 1):
            block = schedule.block(index, number)
            results = reader.read(block, number, ledger)
            what, fault = _outcome(spec, block, results, again=number < last)
            ledger.take(
                Block(
                    at=NEVER, block=index, deals=block.matches[0].deals, faulted=bool(fault), replacement=number,
                    what=what, why=fault,
                )
            )  # fmt: skip
        if answer := test.answer(ledger):
            ledger.take(Stop(at=NEVER, block=answer.block, why=answer.why))
            break
    return FromLogs(Event(folder, spec, schedule, [], ledger), reader.wrong)


def _tries(folder: Folder, spec: Spec, schedule: Schedule) -> dict[int, set[int]]:
    """By block, which tries of it have a log. Raises `TournamentError` for a log that no such match has."""
    name = re.compile(rf"{re.escape(spec.name)}-b(\d+)(?:r(\d+))?-\d+\.toep")
    found: dict[int, set[int]] = defaultdict(set)
    for log in sorted(folder.logs.glob("*.toep")):
        parts = name.fullmatch(log.name)
        block, number = (int(parts[1]), int(parts[2] or 0)) if parts else (-1, 0)
        known = 0 <= block < len(schedule.blocks) and number <= TRIES and schedule.block(block, number).matches
        if not known or log.stem not in {match.match for match in known}:
            raise TournamentError(f"{log}: {folder.spec.name} has no such match")
        found[block].add(number)
    return found


def _outcome(spec: Spec, block: ScheduledBlock, results: list[MatchResult], *, again: bool) -> tuple[What, str]:
    """What became of a block, and why."""
    fault = is_faulted(results)
    if again:
        return "replaced", fault
    if len(results) < len(block.matches):
        return "dropped", fault
    return ("counted" if not fault or spec.faulted == "keep" else "dropped"), fault


class _Reader:
    """Reads the logs of blocks, and notes what is wrong with them."""

    def __init__(self, folder: Folder, spec: Spec, schedule: Schedule) -> None:
        self._folder: Final = folder
        self._spec: Final = spec
        self._schedule: Final = schedule
        self.wrong: Final[list[Wrong]] = []

    def read(self, block: ScheduledBlock, number: int, ledger: Ledger) -> list[MatchResult]:
        """The results of a try of a block, which the ledger takes in. A match that has no end has none."""
        found = []
        commits = set()
        for match in block.matches:
            log = self._folder.log(match.match)
            if not log.exists():
                continue
            ledger.take(Match(at=NEVER, block=block.index, match=match.match, number=match.number, replacement=number))
            try:
                result = from_log(log, match, self._schedule.bots)
            except ResultError as error:
                if error.report is None or error.report.verdict != "INCOMPLETE":
                    line = error.report.errors[0].line if error.report and error.report.errors else 0
                    self.wrong.append(Wrong(str(log), line or 0, str(error)))
                continue
            head = head_of(self._spec, self._schedule, match, result.isolation, None)
            if wrong := check_head(str(log), head, secret=True):
                self.wrong.append(wrong)
                continue
            commits.add(getattr(read_head(str(log)), "commit", ""))
            ledger.take(Result(result=result))
            found.append(result)
        if len(commits) > 1:
            log = self._folder.log(block.matches[0].match)
            self.wrong.append(Wrong(str(log), 1, "commit: the matches of this block do not have the same seed"))
        return found
