"""How an event stands by its journal: which blocks are decided, what counts, which rulings are in force.

Everything that a director, a status, a report or a check needs to know of an event beyond its logs is folded here from
the lines of the journal, one after another, so that all of them mean the same.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec import UNSET

from referee.tournament.journal import (
    AnyLine,
    Begun,
    Block,
    BotFiles,
    Done,
    Entry,
    Event,
    JournalError,
    Match,
    Result,
    Ruling,
    Stop,
)
from referee.tournament.results import MatchResult, digest
from referee.tournament.schedule import Schedule, ScheduledBlock
from referee.tournament.statistics.blocks import Block as CountedBlock

ABSENCES: Final = 3
"""Matches in a row, in the order of the journal, that never began for want of a bot before the bot is dropped."""


class LedgerError(Exception):
    """A line that cannot follow in this place."""


class Ledger:
    """The journal, read so far."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule: Final = schedule
        """As the spec has it."""
        self.current = schedule
        """What is left of it when bots have dropped out."""
        self.event: Event | None = None
        self.begun = 0
        """How many directors have worked on it."""
        self.results: Final[dict[str, MatchResult]] = {}
        """Every result, by match."""
        self.set_up: Final[dict[str, Match]] = {}
        """Every match that was set up, by its id."""
        self.tries: Final[Counter[int]] = Counter()
        """By block: which try is the running or the last one, from 0."""
        self.decided: Final[dict[int, Block]] = {}
        """By block: what became of it, once that is final."""
        self.played: Final[dict[int, ScheduledBlock]] = {}
        """By block that counts: what of it counts."""
        self.accepting: Final[set[str]] = set()
        """Bots that may be made of something else when the event goes on."""
        self.seed = ""
        """The event's seed, hex, once the journal has it."""
        self.files: Final[dict[str, BotFiles]] = {}
        """What each bot is made of, as far as it is allowed."""
        self.faults: Final[dict[str, Counter[str]]] = defaultdict(Counter)
        """By bot and kind: every fault there was, also in blocks that do not count."""
        self.withdrawn: Final[dict[str, str]] = {}
        """Bots that play no more, and why."""
        self.disqualified: Final[dict[str, str]] = {}
        """Bots with whom no block counts, and why."""
        self.paused = False
        self.draining = False
        self.concurrency: int | None = None
        """As ruled; None: nothing was."""
        self.stop: Stop | None = None
        self.done: Done | None = None
        self.rulings: Final[list[Ruling]] = []
        self.requests: Final[set[str]] = set()
        """Requests for rulings that were granted."""
        self._absences: Final[Counter[str]] = Counter()
        self._cancelled: frozenset[int] = frozenset()
        self._frontier = 0
        self._faulted_tries: Final[Counter[int]] = Counter()

    def take_all(self, lines: Iterable[AnyLine]) -> "Ledger":
        """Fold lines in; returns this."""
        for line in lines:
            self.take(line)
        return self

    def follow(self, journal: Path, entries: Iterable[Entry]) -> "Ledger":
        """Fold the lines of a journal in; returns this. Raises `JournalError`, which names the line."""
        for entry in entries:
            try:
                self.take(entry.line)
            except LedgerError as error:
                raise JournalError(journal, entry.number, str(error)) from None
        return self

    def take(self, line: AnyLine) -> None:
        """Fold one line in. Raises `LedgerError`."""
        self._check(line)
        match line:
            case Event():
                self.event = line
                self.files.update((one.bot, one) for one in line.bots)
            case Begun():
                self.begun += 1
                self.draining = False
                self.accepting.clear()
            case Match():
                self.set_up[line.match] = line
            case Result():
                self._take_result(line.result)
            case Block():
                self._take_block(line)
            case Ruling():
                self._take_ruling(line)
            case Stop():
                self.stop = line
            case Done():
                self.done = line
                self.seed = line.seed

    def _check(self, line: AnyLine) -> None:
        """Raise `LedgerError` for a line about something that this event does not have."""
        block = getattr(line, "block", UNSET)
        if block is not UNSET and not 0 <= block < len(self.schedule.blocks):
            raise LedgerError(f"there is no block {block}")
        bot = getattr(line, "bot", UNSET)
        if bot is not UNSET and bot not in self.schedule.bots:
            raise LedgerError(f"there is no bot {bot}")
        if isinstance(line, Match) and not 0 <= line.replacement <= self.tries[line.block]:
            raise LedgerError(f"block {line.block} has no try {line.replacement} yet")

    def _take_result(self, result: MatchResult) -> None:
        if result.match in self.results:
            raise LedgerError(f"match {result.match} has a result already")
        known = set(result.bots) <= set(self.schedule.bots) and len(set(result.bots)) == len(result.bots)
        lists = (result.faults, result.fault_kinds, result.total, result.rank, result.luck, *result.rounds_points)
        if not known or any(len(one) != len(result.bots) for one in lists):
            raise LedgerError(f"the result of {result.match} is not one of this event's bots")
        self.results[result.match] = result
        for bot, faults, kinds in zip(result.bots, result.faults, result.fault_kinds, strict=True):
            gone = result.status == "absent" and faults
            self._absences[bot] = self._absences[bot] + 1 if gone else self._absences[bot] * (result.status == "absent")
            for kind in ("late", "left", "refused"):
                if count := getattr(kinds, kind):
                    self.faults[bot]["absent" if gone else kind] += count

    def _take_block(self, line: Block) -> None:
        if line.block in self.decided or line.replacement != self.tries[line.block]:
            raise LedgerError(f"block {line.block}, try {line.replacement}, is not what is decided here")
        if line.what == "counted":
            missing = [match.match for match in self.block(line.block).matches if match.match not in self.results]
            if missing:
                raise LedgerError(f"block {line.block} counts, and {missing[0]} has no result")
        if line.what == "replaced":
            self.tries[line.block] += 1
            self._faulted_tries[line.block] += 1
        else:
            self.decided[line.block] = line
            if line.what == "counted":
                self.played[line.block] = self.block(line.block)

    def _take_ruling(self, line: Ruling) -> None:
        self.rulings.append(line)
        if line.request is not UNSET:
            self.requests.add(line.request)
        if line.kind in ("pause", "resume"):
            self.paused = line.kind == "pause"
        elif line.kind == "drain":
            self.draining = True
        elif line.kind == "concurrency" and line.number is not UNSET:
            self.concurrency = line.number
        elif line.kind == "rerun" and line.block is not UNSET:
            self.decided.pop(line.block, None)
            self.played.pop(line.block, None)
            self.tries[line.block] += 1
            self._faulted_tries[line.block] = 0
            self._frontier = min(self._frontier, line.block)
        elif line.bot is not UNSET:
            if line.kind == "accept" and line.files is UNSET:
                self.accepting.add(line.bot)
            elif line.kind == "accept" and line.files is not UNSET:
                self.accepting.discard(line.bot)
                self.files[line.bot] = BotFiles(bot=line.bot, files=line.files)
            elif line.kind in ("drop", "disqualify"):
                self._withdraw(line.bot, line.why)
                if line.kind == "disqualify":
                    self.disqualified[line.bot] = line.why
        if line.kind in ("rerun", "disqualify"):
            self.done = None

    def _withdraw(self, bot: str, why: str) -> None:
        if bot in self.withdrawn:
            return
        self.withdrawn[bot] = why
        self.current = self.current.without(self.schedule.bots.index(bot), self.frontier)
        self._cancelled = frozenset(self.current.cancelled)

    # -- what follows ----------------------------------------------------------------------------------------------

    @property
    def frontier(self) -> int:
        """The first block that is not decided; as many as there are when all of them are."""
        while self._frontier in self.decided:
            self._frontier += 1
        return self._frontier

    @property
    def last(self) -> int:
        """The first block that is not played any more: behind the last one, or behind where the test has stopped."""
        return len(self.schedule.blocks) if self.stop is None else self.stop.block + 1

    def block(self, index: int) -> ScheduledBlock:
        """The try of a block that is to be played, or was last."""
        return self.current.block(index, self.tries[index])

    def out(self, index: int) -> str:
        """Why a block is not played: a bot that it needs plays no more; empty: it is."""
        if index not in self._cancelled:
            return ""
        table = {self.schedule.bots[bot] for bot in self.schedule.block(index).table}
        return "; ".join(f"{bot} plays no more ({why})" for bot, why in self.withdrawn.items() if bot in table)

    def replaced(self, index: int) -> int:
        """How often a block was replaced because of a fault, since it was last ordered to be played again."""
        return self._faulted_tries[index]

    def overdue(self, bot: str) -> bool:
        """Whether a bot was absent so often in a row that it is dropped."""
        return self._absences[bot] >= ABSENCES and bot not in self.withdrawn

    def counted(self) -> Iterator[CountedBlock]:
        """The blocks that count, in schedule order."""
        for index in sorted(self.played):
            block = self.played[index]
            if index >= self.last or any(self.schedule.bots[bot] in self.disqualified for bot in block.table):
                continue
            matches = [self.results[match.match] for match in block.matches]
            yield CountedBlock(index=index, matches=matches, faulted=self.decided[index].faulted)

    def digest(self) -> str:
        """Over the results that count, in schedule order."""
        return digest([result for block in self.counted() for result in block.matches])


def is_faulted(results: Sequence[MatchResult]) -> str:
    """Why a block is faulted: the first fault in it, in words; empty: it is not."""
    for result in results:
        for bot, faults, kinds in zip(result.bots, result.faults, result.fault_kinds, strict=True):
            if faults:
                return f"{bot} {fault_text(result, kinds.late, kinds.left, kinds.refused)} in {result.match}"
        if result.status == "abandoned":
            return f"{result.match} was abandoned"
    return ""


def fault_text(result: MatchResult, late: int, left: int, refused: int) -> str:
    """What a bot is charged with, in words."""
    if result.status == "absent":
        return "did not come"
    parts = [
        text
        for count, text in (
            (late, f"was late {times(late)}"),
            (left, "was gone" if left == 1 else f"was gone {times(left)}"),
            (refused, f"had all its tries refused {times(refused)}"),
        )
        if count
    ]
    return " and ".join(parts)


def times(count: int) -> str:
    """``once``, ``twice``, ``3 times``."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
