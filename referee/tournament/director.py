"""The director: plays an event from its spec to the end, or goes on with what an earlier director left.

Everything that is decided stands in the journal, and everything else follows from the spec, the event's seed and the
logs; so a director that is killed at any moment loses nothing but the time of its bots. Matches begin in schedule
order, as many at once as there are tables. Blocks are journaled in schedule order too, each when all of its logs are
final on disk, revealed and valid, so that the journal's results do not depend on how many tables there were.
"""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec
import structlog

from referee.deal import SEED_SIZE, commit
from referee.log.reveal import RevealError, standing
from referee.service import isolation
from referee.service.errors import HallError
from referee.service.rpc import version_text
from referee.service.seating import Seating
from referee.service.tls import Tls
from referee.table.head import rounds_of
from referee.tournament import botfiles, rulings, trust
from referee.tournament.checker import Checker
from referee.tournament.errors import TournamentError
from referee.tournament.folder import Folder
from referee.tournament.from_log import ResultError, absent
from referee.tournament.journal import (
    AnyLine,
    Begun,
    Block,
    BotFiles,
    Done,
    Event,
    Journal,
    JournalError,
    Match,
    Result,
    Ruling,
    Stop,
    What,
    has_lines,
)
from referee.tournament.ledger import ABSENCES, Ledger, fault_text, is_faulted
from referee.tournament.moment import now_text
from referee.tournament.observer import Figures, Observer, Table
from referee.tournament.outcome import Test, standings_digest
from referee.tournament.remote import Presence, invitation
from referee.tournament.results import MatchResult
from referee.tournament.runner import Crew, House, Outcome, check_bots, command_of
from referee.tournament.schedule import ScheduledBlock, ScheduledMatch, block_seed, digest, make_schedule
from referee.tournament.spec import Spec

log = structlog.get_logger()

POLL_SECONDS: Final = 0.25
"""How often rulings are looked for, and figures told."""

AHEAD: Final = 64
"""Blocks behind the first undecided one that may be begun, besides four for each table."""


class DirectorError(TournamentError):
    """An event that cannot be begun, or cannot go on."""


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


class Director:
    """One event. `prepare`, then `run`; `stop` may be called at any time."""

    def __init__(
        self,
        spec: Spec,
        spec_bytes: bytes,
        where: Path,
        folder: Folder,
        observer: Observer,
        *,
        concurrency: int | None = None,
        seed: bytes | None = None,
        tokens: Mapping[str, str] | None = None,
        tls: Tls | None = None,
        hidden: Sequence[Path] = (),
    ) -> None:
        """``where``: the folder that paths of the spec are seen from; ``concurrency``: instead of the spec's;
        ``seed``: the secret seed of a new event, None: from the operating system; ``tokens``: of remote bots, None:
        whoever can connect may play as any of them; ``hidden``: files that no bot may read, besides those of the
        spec."""
        self.spec: Final = spec
        self.folder: Final = folder
        self.schedule: Final = make_schedule(spec)
        self.ledger = Ledger(self.schedule)
        self.spent: dict[str, float] = {}
        """Seconds by what they were spent on, summed over tables."""
        self._bytes: Final = spec_bytes
        self._where: Final = where
        self._observer: Final = observer
        self._wanted: Final = concurrency
        self._given_seed: Final = seed
        self._tokens: Final = tokens
        self._tls: Final = tls
        self._hidden: Final = hidden
        self._presence: Final = Presence([bot.name for bot in spec.bots if bot.remote])
        self._names: Final = self.schedule.bots
        self._declared: Final = bool(spec.seed)
        self._seed = b""
        self._mode: isolation.Mode = "none"
        self._journal: Journal
        self._house: House
        self._checker: Final = Checker()
        self._sequential: Final = Test(spec)
        self._runs: Final[dict[int, Run]] = {}
        self._stale: Final[set[Run]] = set()
        """Tries of blocks that do not count any more, whose matches are finished all the same."""
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._tables: Final[dict[str, tuple[ScheduledMatch, Seating | None, float]]] = {}
        self._taken: Final[set[str]] = set()
        """Matches that were taken up."""
        self._wake = asyncio.Event()
        self._draining = False
        self._stopping = False
        self._error: Exception | None = None
        self._began = 0.0
        self._rounds = 0
        self._over = 0
        """Matches that are over, of blocks that are not decided."""

    # -- before and after ------------------------------------------------------------------------------------------

    @property
    def concurrency(self) -> int:
        """Matches at once: as ruled, as told, or as the spec has it."""
        return self.ledger.concurrency or self._wanted or self.spec.concurrency

    def prepare(self) -> None:
        """Take the folder, and begin the journal or read it. Raises `TournamentError`, `JournalError`, `OSError`."""
        self.folder.make()
        self.folder.lock()
        try:
            # A journal without a whole line is what is left of a director that has not begun.
            if has_lines(self.folder.journal) or any(self.folder.logs.iterdir()):
                self._reopen()
            else:
                self._begin_event()
        except BaseException:
            self.close()
            raise

    def _begin_event(self) -> None:
        self._mode = isolation.choose(self.spec.isolation)
        trust.check(self.spec, self.schedule, self._mode)
        check_bots(self.spec, self._mode, self._where)
        if self._declared:
            self._seed = bytes.fromhex(self.spec.seed)
        else:
            self._seed = self._given_seed or secrets.token_bytes(SEED_SIZE)
            self.folder.keep_seed(self._seed)
        self.folder.keep(self.folder.spec, self._bytes, 0o644)
        self.folder.journal.unlink(missing_ok=True)
        self._journal = Journal.create(self.folder.journal)
        self._write(
            Event(
                at=now_text(),
                bots=tuple(self._files_now().values()),
                commit=commit(self._seed),
                engine=version_text(),
                isolation=self._mode,
                name=self.spec.name,
                open_seed=self.spec.seed or msgspec.UNSET,
                schedule=digest(self.schedule),
                spec=sha256(self._bytes).hexdigest(),
            )
        )
        self.folder.sync()

    def _reopen(self) -> None:
        self._journal, entries = Journal.reopen(self.folder.journal)
        self.ledger.follow(self.folder.journal, entries)
        event = self.ledger.event
        if event is None:
            raise JournalError(self.folder.journal, 0, "it has no line that says what the event is")
        if event.spec != sha256(self._bytes).hexdigest() or event.spec != self.folder.spec_digest():
            raise DirectorError(
                f"{self.folder.path}: this event was begun with another spec, which is {self.folder.spec}: put that"
                " back, or give the new event a folder of its own (-o DIR)"
            )
        if event.schedule != digest(self.schedule):
            raise DirectorError(f"{self.folder.path}: this version makes another schedule of the spec: go on with"
                                f" {event.engine}")  # fmt: skip
        self._mode = isolation.choose(event.isolation)
        if self._is_to_be_played():
            check_bots(self.spec, self._mode, self._where, self.ledger.withdrawn)
        if self._declared:
            self._seed = bytes.fromhex(self.spec.seed)
        else:
            self._seed = bytes.fromhex(self.ledger.seed) if self.ledger.seed else self.folder.read_seed()
        if commit(self._seed) != event.commit:
            raise DirectorError(f"{self.folder.seed}: this is not the seed that the event was begun with")
        if self._is_to_be_played():
            self._check_files()

    def _is_to_be_played(self) -> bool:
        """Whether there are blocks that are not decided."""
        return self.ledger.done is None and self.ledger.frontier < self.ledger.last

    def _files_now(self) -> dict[str, BotFiles]:
        files = {}
        for bot in self.spec.bots:
            command = None if bot.remote else command_of(bot, self._where)
            argv = command.argv if command else ()
            files[bot.name] = botfiles.files_of(bot, argv, self._where / bot.folder, botfiles.search_path())
        return files

    def _check_files(self) -> None:
        """Raise `DirectorError` when a bot is not what it was."""
        for bot in self.spec.bots:
            if bot.remote or bot.name in self.ledger.withdrawn:
                continue
            argv = command_of(bot, self._where).argv
            now = botfiles.files_of(bot, argv, self._where / bot.folder, botfiles.search_path())
            what = botfiles.changed(self.ledger.files[bot.name], now, argv)
            if what and bot.name in self.ledger.accepting:
                why = "its files were changed, as the organiser allows"
                self._write(Ruling(at=now_text(), bot=bot.name, by="director", files=now.files, kind="accept", why=why))
            elif what:
                raise DirectorError(
                    f"bot {bot.name}: {what} was changed since the event began: put it back, or allow it with"
                    f" `toep tournament rule {self.folder.path} accept {bot.name} --why TEXT`"
                )

    def close(self) -> None:
        """Give the folder back."""
        if journal := getattr(self, "_journal", None):
            journal.close()
        self.folder.unlock()

    @property
    def draining(self) -> bool:
        """Whether it was told to stop."""
        return self._draining

    def stop(self) -> None:
        """Finish the running matches, and begin no more; asked a second time, leave them as they stand."""
        if self._draining:
            self._stopping = True
        self._draining = True
        self._wake.set()

    # -- the loop --------------------------------------------------------------------------------------------------

    async def run(self) -> bool:
        """Play; returns whether the event is over. Raises `TournamentError`, `JournalError`, `OSError`, `HallError`;
        whatever happens, no bot is left, and the event can go on."""
        self._began = time.monotonic()
        rulings.settle(self.folder, self.ledger, self._write, running=False)
        if self.ledger.done is not None:
            return True
        self._write(Begun(at=now_text(), concurrency=self.concurrency, engine=version_text()))
        self._observer.begun(self.ledger)
        # The director before this one may have ended between a decision and what follows from it.
        self._drop_absent()
        self._test()
        house = House(
            self.spec,
            self.folder,
            self._mode,
            self._where,
            tokens=self._tokens,
            tls=self._tls,
            secrets=self._hidden,
            say=self._observer.say,
        )
        async with house:
            self._house = house
            self._invite()
            try:
                await self._take_up()
                await self._loop()
            except BaseException:
                self._stopping = True
                raise
            finally:
                await self._end()
        if self._error is not None:
            raise self._error
        return self.ledger.done is not None

    def _invite(self) -> None:
        """Say where remote bots dial in."""
        if remote := [bot.name for bot in self.spec.bots if bot.remote and bot.name not in self.ledger.withdrawn]:
            open_to_all, encrypted = self._tokens is None, self._tls is not None
            for line in invitation(remote, self._house.address, tokens=not open_to_all, encrypted=encrypted):
                self._observer.say(line)

    def _say_who_is_here(self) -> None:
        for line in self._presence.changes(self._house.server.hall.sessions):
            self._observer.say(line)

    def _stop_waiting(self) -> bool:
        """Whether bots of matches that are to go on are not waited for any longer."""
        self._say_who_is_here()
        rulings.settle(self.folder, self.ledger, self._rule, running=True)
        return self._draining or self.ledger.draining

    async def _loop(self) -> None:
        while self._error is None and not self._stopping:
            self._say_who_is_here()
            rulings.settle(self.folder, self.ledger, self._rule, running=True)
            self._journal_ready()
            if self.ledger.frontier >= self.ledger.last and not self._tasks:
                self._finish()
                return
            self._call_off()
            self._fill()
            if not self._tasks and (self._draining or self.ledger.draining):
                return
            self._observer.figures(self.figures())
            self._wake.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), POLL_SECONDS)

    def _call_off(self) -> None:
        """Do not wait for bots that need not come any more."""
        ending = self._draining or self.ledger.draining
        for match, seating, _ in list(self._tables.values()):
            gone = any(self._names[bot] in self.ledger.withdrawn for bot in match.seats)
            if seating is not None and seating.status == "waiting" and (ending or gone):
                self._house.call_off(match.match)

    async def _end(self) -> None:
        """Leave nothing running."""
        if self._stopping or self._error is not None:
            self._house.let_go()
            for task in list(self._tasks):
                task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._checker.close()
        self.spent |= {what: milliseconds / 1000 for what, milliseconds in self._house.spent.items()}
        self._observer.figures(self.figures())
        self._observer.close()

    def _finish(self) -> None:
        """Everything is decided."""
        self._write(
            Done(
                at=now_text(),
                results=self.ledger.digest(),
                seed=self._seed.hex(),
                standings=standings_digest(self.ledger, self.spec),
            )
        )
        self.folder.drop_seed()
        self._house.over = True

    def _spawn(self, work: "asyncio.Task[None]") -> None:
        self._tasks.add(work)
        work.add_done_callback(self._spawned)

    def _spawned(self, work: "asyncio.Task[None]") -> None:
        self._tasks.discard(work)
        self._wake.set()
        if not work.cancelled() and isinstance(error := work.exception(), Exception):
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        """Nothing more is begun; the event ends with this error, and can go on later."""
        self._error = self._error or error
        self._wake.set()

    # -- the journal -----------------------------------------------------------------------------------------------

    def _write(self, *lines: AnyLine, sync: bool = True) -> None:
        begun = time.monotonic()
        for line in self._journal.append(*lines, sync=sync):
            self.ledger.take(line)
        self.spent["journal"] = self.spent.get("journal", 0.0) + time.monotonic() - begun

    def _journal_ready(self) -> None:
        """Journal every block that is over and whose turn it is."""
        while (index := self.ledger.frontier) < self.ledger.last:
            why = self.ledger.out(index)
            run = self._runs.get(index)
            if why:
                if run is not None and not run.idle():
                    run.todo.clear()
                    if run.playing:
                        return
                self._decide(self.ledger.block(index), "dropped", why, [], faulted=False)
            elif run is not None and run.ready:
                self._judge(run)
            else:
                return
            self._drop_run(index)
            self._drop_absent()
            self._test()

    def _judge(self, run: Run) -> None:
        """What becomes of a block that was played."""
        results = run.results
        fault = is_faulted(results)
        why = run.broken or fault
        whole = not run.broken and all(result.status != "absent" for result in results)
        index = run.block.index
        if not why or (whole and self.spec.faulted == "keep"):
            self._decide(run.block, "counted", why, results, faulted=bool(why))
        elif self.spec.faulted == "replace" and self.ledger.replaced(index) < self.spec.replacements:
            self._decide(run.block, "replaced", why, results, faulted=True)
        else:
            self._decide(run.block, "dropped", why, results, faulted=True)

    def _decide(
        self, block: ScheduledBlock, what: What, why: str, results: list[MatchResult], *, faulted: bool
    ) -> None:
        new = [result for result in results if result.match not in self.ledger.results]
        line = Block(
            at=now_text(),
            block=block.index,
            deals=block.matches[0].deals if block.matches else "",
            faulted=faulted,
            replacement=self.ledger.tries[block.index],
            what=what,
            why=why,
        )
        self._write(*(Result(result=result) for result in new), line)
        for result in new:
            self._observer.result(result)
            for bot, faults, kinds in zip(result.bots, result.faults, result.fault_kinds, strict=True):
                if faults:
                    what_for = fault_text(result, kinds.late, kinds.left, kinds.refused)
                    self._observer.fault(result.match, bot, what_for)
        self._observer.block(line)

    def _drop_run(self, index: int) -> None:
        run = self._runs.pop(index, None)
        if run is not None:
            self._over -= len(run.outcomes)

    def _drop_absent(self) -> None:
        """A bot that does not come again and again costs everybody else time: it is dropped."""
        for bot in self._names:
            if self.ledger.overdue(bot):
                self._rule(
                    Ruling(at=now_text(), bot=bot, by="director", kind="drop", why=f"absent {ABSENCES} times in a row")
                )

    def _test(self) -> None:
        """End the event where its sequential test has an answer."""
        answer = self._sequential.answer(self.ledger) if self.ledger.stop is None else None
        if answer is not None:
            self._write(Stop(at=now_text(), block=answer.block, why=answer.why))
            self._observer.say(f"stopped behind block {answer.block}: {answer.why}")
            for index in [index for index in self._runs if index >= self.ledger.last]:
                self._set_aside(index)

    # -- rulings ---------------------------------------------------------------------------------------------------

    def _rule(self, line: Ruling) -> None:
        self._write(line)
        self._observer.ruling(line)
        if line.kind == "rerun" and isinstance(line.block, int):
            self._set_aside(line.block)
        if line.kind in ("drop", "disqualify"):
            for index, run in self._runs.items():
                if not self.ledger.out(index):
                    # Of a fixed field only this candidate's own matches are not played.
                    run.block = self.ledger.block(index)
                    left = {match.match for match in run.block.matches}
                    run.todo = [match for match in run.todo if match.match in left]
                    self._settle_if_over(run)
        if line.kind == "disqualify":
            self._test()

    def _set_aside(self, index: int) -> None:
        """A try of a block does not count any more; what runs of it is finished."""
        run = self._runs.get(index)
        self._drop_run(index)
        if run is not None:
            run.todo.clear()
            if run.playing:
                self._stale.add(run)
            elif not run.settling:
                self._settle_if_over(run)

    # -- matches ---------------------------------------------------------------------------------------------------

    def _fill(self) -> None:
        """Begin matches while there are free tables."""
        while len(self._tables) < self.concurrency and not (
            self.ledger.paused or self.ledger.draining or self._draining or self._error
        ):
            found = self._next()
            if found is None:
                return
            run, match = found
            run.todo.remove(match)
            run.playing.add(match.number)
            self._tables[match.match] = match, None, time.monotonic()
            self._spawn(asyncio.create_task(self._play(run, match)))

    def _next(self) -> tuple[Run, ScheduledMatch] | None:
        """The next match in schedule order."""
        first = self.ledger.frontier
        for index in range(first, min(self.ledger.last, first + AHEAD + 4 * self.concurrency)):
            if index in self.ledger.decided or self.ledger.out(index):
                continue
            run = self._open(index)
            if run.todo:
                return run, run.todo[0]
        return None

    def _open(self, index: int) -> Run:
        """The run of a block; a new one knows what an earlier director has left of it."""
        run = self._runs.get(index)
        if run is None:
            block = self.ledger.block(index)
            run = self._runs[index] = Run(block, [])
            for match in block.matches:
                if match.match in self._taken:
                    run.playing.add(match.number)
                    continue
                outcome = self._left_over(match)
                if outcome is None:
                    run.todo.append(match)
                else:
                    run.outcomes[match.number] = outcome
                    self._over += 1
            self._cut_short(run)
            self._settle_if_over(run)
        return run

    def _left_over(self, match: ScheduledMatch) -> Outcome | None:
        """What an earlier director has left of a match that is not being played; None: nothing."""
        known = self.ledger.results.get(match.match)
        if known is not None and known.status == "absent":
            return Outcome("absent", frozenset(seat for seat, count in enumerate(known.faults) if count))
        path = self.folder.log(match.match)
        try:
            stage = standing(path).stage
        except FileNotFoundError:
            return None
        except (OSError, RevealError) as error:
            return Outcome("broken", why=f"the log of {match.match} cannot be gone on with: {error}")
        if stage == "begun":
            return Outcome("broken", why=f"{match.match} was broken off and cannot be gone on with")
        return Outcome("over")

    async def _take_up(self) -> None:
        """Go on with the matches that an earlier director left in the middle."""
        hall = self._house.server.hall
        crews: dict[str, Crew] = {}
        for match, path in hall.store.unfinished():
            scheduled = self._scheduled(match)
            if scheduled is not None and _is_begun(path):
                crews[match] = await self._house.staff(scheduled)
        await self._house.gather(list(crews.values()), self._stop_waiting)
        if self._draining or self.ledger.draining:  # They stay as they stand, for the next director.
            for left in crews.values():
                self._house.dismiss_later(left, politely=False)
            return
        seatings = hall.take_up(version_text())
        self._taken.update(seating.match for seating in seatings if seating.match in crews)
        for seating in seatings:
            crew = crews.pop(seating.match, None)
            if crew is None:
                continue
            setup = self.ledger.set_up[seating.match]
            live = self.ledger.tries[setup.block] == setup.replacement and setup.block not in self.ledger.decided
            live = live and setup.block < self.ledger.last and not self.ledger.out(setup.block)
            run = self._open(setup.block) if live else self._orphan(setup, crew.match)
            self._tables[seating.match] = crew.match, seating, time.monotonic()
            self._observer.match_started(crew.match, tuple(seating.bots))
            self._spawn(asyncio.create_task(self._go_on(run, crew, seating)))
        for crew in crews.values():
            self._house.dismiss_later(crew, politely=False)

    def _orphan(self, setup: Match, match: ScheduledMatch) -> Run:
        """The run of a match whose block was decided in the meantime: it is finished, and does not count."""
        run = Run(self.schedule.block(setup.block, setup.replacement), [], playing={match.number})
        self._stale.add(run)
        return run

    def _scheduled(self, match: str) -> ScheduledMatch | None:
        """A match that an earlier director has set up, as it was scheduled."""
        setup = self.ledger.set_up.get(match)
        if setup is None:
            return None
        block = self.schedule.block(setup.block, setup.replacement)
        return next((one for one in block.matches if one.match == match), None)

    async def _play(self, run: Run, match: ScheduledMatch) -> None:
        replacement = run.block.replacement
        try:
            if match.match not in self.ledger.set_up:
                self._write(
                    Match(at=now_text(), block=match.block, match=match.match, number=match.number,
                          replacement=replacement)
                )  # fmt: skip
            self._observer.match_started(match, tuple(self._names[bot] for bot in match.seats))
            seed = block_seed(self._seed, match.deals)
            outcome = await self._house.play(match, seed, declared=self._declared, seated=self._seated)
        except (HallError, JournalError, TournamentError, OSError) as error:
            self._fail(error)
            outcome = Outcome("left")
        self._end_match(run, match, outcome)

    def _seated(self, seating: Seating) -> None:
        """A match was set up."""
        match, _, since = self._tables[seating.match]
        self._tables[seating.match] = match, seating, since

    async def _go_on(self, run: Run, crew: Crew, seating: Seating) -> None:
        outcome = await self._house.go_on(seating, crew)
        self._end_match(run, crew.match, outcome)

    def _end_match(self, run: Run, match: ScheduledMatch, outcome: Outcome) -> None:
        _, seating, _ = self._tables.pop(match.match)
        run.playing.discard(match.number)
        self._wake.set()
        if self._stopping or self._error is not None:
            return
        if outcome.status == "left":
            if match.match not in {one.match for one in run.block.matches}:
                # Of a fixed field only a candidate was dropped: what is left of the block may be over now.
                self._settle_if_over(run)
            return
        if outcome.status == "broken":
            # The disk is full, or gone: whatever else is begun would end like this one.
            self._fail(DirectorError(f"match {match.match} was stopped: {outcome.why}; see to the disk, then go on"))
            return
        run.outcomes[match.number] = outcome
        status = outcome.status if seating is None or outcome.status != "over" else seating.status
        if self._runs.get(match.block) is run:
            self._over += 1
        if seating is not None and outcome.status == "over":
            self._rounds += seating.table.game.round
        self._observer.match_over(match, status)
        self._cut_short(run)
        self._settle_if_over(run)

    def _cut_short(self, run: Run) -> None:
        """A block of which a match never began cannot count: the matches behind that one are not played."""
        gone = [number for number, outcome in run.outcomes.items() if outcome.status != "over"]
        if gone:
            run.todo = [match for match in run.todo if match.number < min(gone)]

    # -- blocks ----------------------------------------------------------------------------------------------------

    def _settle_if_over(self, run: Run) -> None:
        if run.idle() and not run.settling:
            run.settling = True
            self._spawn(asyncio.create_task(self._settle(run)))

    async def _settle(self, run: Run) -> None:
        """Reveal the seed of a block that is over, check its logs, and take their results."""
        hall = self._house.server.hall
        begun = time.monotonic()
        for deals in {match.deals for match in run.block.matches}:
            with contextlib.suppress(HallError):  # Of one that was revealed already there is no set.
                hall.close_deals(deals)
        await hall.sets.wait()
        self._spend("reveal", begun)
        self._stale.discard(run)
        if self._runs.get(run.block.index) is not run:
            return
        begun = time.monotonic()
        try:
            for match in run.block.matches:
                outcome = run.outcomes.get(match.number)
                if outcome is None or outcome.status == "broken":
                    run.broken = outcome.why if outcome else f"{match.match} was not played"
                    break
                if outcome.status == "absent":
                    run.results.append(absent(match, self._names, outcome.absent, self._mode))
                    break
                run.results.append(await self._checker.check(self.folder.log(match.match), match, self._names))
        except ResultError as error:
            self._fail(DirectorError(f"a log of this event is not valid, so that nothing may rest on it: {error}"))
            return
        finally:
            self._spend("verify", begun)
        run.ready = True
        self._wake.set()

    def _spend(self, what: str, begun: float) -> None:
        self.spent[what] = self.spent.get(what, 0.0) + time.monotonic() - begun

    # -- figures ---------------------------------------------------------------------------------------------------

    def figures(self) -> Figures:
        """How far it is."""
        now = time.monotonic()
        per_block = self.schedule.matches / max(1, len(self.schedule.blocks))
        blocks = self.ledger.frontier
        tables, running = [], 0
        for match, seating, since in self._tables.values():
            bots = tuple(self._names[bot] for bot in match.seats)
            rounds = rounds_of(self.spec.length)
            if seating is None:
                tables.append(
                    Table(match.match, match.block, bots, 0, rounds, (0,) * len(bots), "waiting", now - since)
                )
            else:
                game = seating.table.game
                total = tuple(game.totals())
                tables.append(
                    Table(match.match, match.block, bots, game.round, rounds, total, seating.status, now - since)
                )
                running += max(0, game.round - 1)
        draining = self._draining or self.ledger.draining
        return Figures(
            blocks=blocks,
            blocks_total=self.ledger.last,
            matches=round(blocks * per_block) + self._over,
            matches_total=round(self.ledger.last * per_block),
            rounds=self._rounds + running,
            seconds=now - self._began,
            concurrency=self.concurrency,
            tables=tuple(tables),
            faults=sum(sum(kinds.values()) for kinds in self.ledger.faults.values()),
            state="draining" if draining else "paused" if self.ledger.paused else "running",
        )


def _is_begun(path: Path) -> bool:
    """Whether a log has a head but no end."""
    try:
        return standing(path).stage == "begun"
    except (OSError, RevealError):
        return False
