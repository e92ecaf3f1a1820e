"""The blocks that a director plays just now: which match is next, and what is there of each block already."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from referee.log.reveal import RevealError, standing
from referee.tournament.folder import Folder
from referee.tournament.journal import Match, What
from referee.tournament.ledger import Ledger, is_faulted
from referee.tournament.results import MatchResult
from referee.tournament.runner import Outcome
from referee.tournament.schedule import ScheduledBlock, ScheduledMatch
from referee.tournament.spec_types import Spec

AHEAD: Final = 64
"""Blocks behind the first undecided one that may be begun, besides four for each table."""


@dataclass(eq=False)
class Run:
    """A block that is being played."""

    block: ScheduledBlock
    todo: list[ScheduledMatch]
    outcomes: dict[int, Outcome] = field(default_factory=dict)
    """By the match's number in the block."""
    playing: set[int] = field(default_factory=set)
    settling: bool = False
    ready: bool = False
    """All of it is over, and its results are there."""
    results: list[MatchResult] = field(default_factory=list)
    broken: str = ""
    """Why one of its matches has no result, and never will."""

    def idle(self) -> bool:
        """Nothing of it is played, or to be played."""
        return not self.todo and not self.playing

    def has(self, match: ScheduledMatch) -> bool:
        """Whether a match is one of its block, as it is now."""
        return any(one.match == match.match for one in self.block.matches)

    def cut_short(self) -> None:
        """A block of which a match never began cannot count: the matches behind that one are not played."""
        gone = [number for number, outcome in self.outcomes.items() if outcome.status != "over"]
        if gone:
            self.todo = [match for match in self.todo if match.number < min(gone)]


def judge(run: Run, spec: Spec, ledger: Ledger) -> tuple[What, str, bool]:
    """What becomes of a block that was played, why, and whether there was a fault in it."""
    fault = is_faulted(run.results)
    why = run.broken or fault
    whole = not run.broken and all(result.status != "absent" for result in run.results)
    if not why or (whole and spec.faulted == "keep"):
        return "counted", why, bool(why)
    if spec.faulted == "replace" and ledger.replaced(run.block.index) < spec.replacements:
        return "replaced", why, True
    return "dropped", why, True


class Runs:
    """Those of one event."""

    def __init__(self, ledger: Ledger, folder: Folder, settle: Callable[[Run], None]) -> None:
        """``settle`` is called with a run of which nothing is played, or to be played, any more."""
        self.over = 0
        """Matches that are over, of blocks that are not decided."""
        self.stale: Final[set[Run]] = set()
        """Tries of blocks that do not count any more, whose matches are finished all the same."""
        self.taken: Final[set[str]] = set()
        """Matches that were taken up."""
        self.stopped: Final[set[str]] = set()
        """Matches whose players were told that they are over before their logs were on the disk."""
        self._ledger: Final = ledger
        self._folder: Final = folder
        self._settle: Final = settle
        self._runs: Final[dict[int, Run]] = {}

    def get(self, index: int) -> Run | None:
        """The run of a block; None: it has none."""
        return self._runs.get(index)

    def is_live(self, run: Run) -> bool:
        """Whether what it comes to decides its block."""
        return self._runs.get(run.block.index) is run

    def next(self, concurrency: int) -> tuple[Run, ScheduledMatch] | None:
        """The next match in schedule order."""
        ledger = self._ledger
        first = ledger.frontier
        for index in range(first, min(ledger.last, first + AHEAD + 4 * concurrency)):
            if index in ledger.decided or ledger.out(index):
                continue
            run = self.open(index)
            if run.todo:
                return run, run.todo[0]
        return None

    def open(self, index: int) -> Run:
        """The run of a block; a new one knows what an earlier director has left of it."""
        run = self._runs.get(index)
        if run is None:
            block = self._ledger.block(index)
            # Of a fixed field a candidate may be out whose match was taken up: the deals are not open before its end.
            scheduled = self._ledger.schedule.block(index, block.replacement)
            playing = {match.number for match in scheduled.matches if match.match in self.taken}
            run = self._runs[index] = Run(block, [], playing=playing)
            for match in block.matches:
                if match.number in playing:
                    continue
                outcome = self._left_over(match)
                if outcome is None:
                    run.todo.append(match)
                else:
                    run.outcomes[match.number] = outcome
                    self.over += 1
            run.cut_short()
            self.settle_if_over(run)
        return run

    def _left_over(self, match: ScheduledMatch) -> Outcome | None:
        """What an earlier director has left of a match that is not being played; None: nothing."""
        known = self._ledger.results.get(match.match)
        if known is not None and known.status == "absent":
            return Outcome("absent", frozenset(seat for seat, count in enumerate(known.faults) if count))
        path = self._folder.log(match.match)
        if match.match in self.stopped:
            return Outcome("broken", why=f"{match.match} was stopped: its log could not be written")
        try:
            stage = standing(path).stage
        except FileNotFoundError:
            return None
        except (OSError, RevealError) as error:
            return Outcome("broken", why=f"the log of {match.match} cannot be gone on with: {error}")
        if stage == "begun":
            return Outcome("broken", why=f"{match.match} was broken off and cannot be gone on with")
        return Outcome("over")

    def scheduled(self, match: str) -> ScheduledMatch | None:
        """A match that an earlier director has set up, as it was scheduled."""
        setup = self._ledger.set_up.get(match)
        if setup is None:
            return None
        block = self._ledger.schedule.block(setup.block, setup.replacement)
        return next((one for one in block.matches if one.match == match), None)

    def of_taken(self, setup: Match, match: ScheduledMatch) -> Run:
        """The run of a match that is taken up. If its block was decided in the meantime, or does not take it any more,
        it is finished, and does not count."""
        ledger = self._ledger
        live = ledger.tries[setup.block] == setup.replacement and setup.block not in ledger.decided
        if live and setup.block < ledger.last and not ledger.out(setup.block):
            return self.open(setup.block)
        run = Run(ledger.schedule.block(setup.block, setup.replacement), [], playing={match.number})
        self.stale.add(run)
        return run

    def settle_if_over(self, run: Run) -> None:
        """Settle a run once, when nothing of it is played, or to be played."""
        if run.idle() and not run.settling:
            run.settling = True
            self._settle(run)

    def end_match(self, run: Run, match: ScheduledMatch, outcome: Outcome) -> None:
        """A match is over, or never began."""
        run.outcomes[match.number] = outcome
        if self.is_live(run):
            self.over += 1
        run.cut_short()
        self.settle_if_over(run)

    def drop(self, index: int) -> None:
        """A block is decided."""
        run = self._runs.pop(index, None)
        if run is not None:
            self.over -= len(run.outcomes)

    def set_aside(self, index: int) -> None:
        """A try of a block does not count any more; what runs of it is finished."""
        run = self._runs.get(index)
        self.drop(index)
        if run is not None:
            run.todo.clear()
            if run.playing:
                self.stale.add(run)
            elif not run.settling:
                self.settle_if_over(run)

    def set_aside_from(self, last: int) -> None:
        """The same for all blocks from one on."""
        for index in [index for index in self._runs if index >= last]:
            self.set_aside(index)

    def withdrawn(self) -> None:
        """A bot plays no more: of a fixed field only that candidate's own matches are not played."""
        for index, run in self._runs.items():
            if not self._ledger.out(index):
                run.block = self._ledger.block(index)
                run.todo = [match for match in run.todo if run.has(match)]
                self.settle_if_over(run)


def unfinished(paths: Iterator[tuple[str, Path]]) -> Iterator[str]:
    """The matches among these whose logs have a head but no end."""
    for match, path in paths:
        try:
            if standing(path).stage == "begun":
                yield match
        except (OSError, RevealError):
            continue
