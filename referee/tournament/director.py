"""The director: plays an event from its spec to the end, or goes on with what an earlier director left.

Everything that is decided stands in the journal, and everything else follows from the spec, the event's seed and the
logs; so a director that is killed at any moment loses nothing but the time of its bots. Matches begin in schedule
order, as many at once as there are tables. Blocks are journaled in schedule order too, each when all of its logs are
final on disk, revealed and valid, so that the journal's results do not depend on how many tables there were.
"""

import asyncio
import contextlib
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import structlog

from referee.service.errors import HallError
from referee.service.rpc import version_text
from referee.service.seating import Seating
from referee.service.tls import Tls
from referee.tournament import rulings
from referee.tournament.checker import Checker
from referee.tournament.errors import DirectorError, TournamentError
from referee.tournament.folder import Folder
from referee.tournament.from_log import ResultError, absent
from referee.tournament.journal import (
    AnyLine,
    Begun,
    Block,
    Done,
    JournalError,
    Match,
    Result,
    Ruling,
    Stop,
    What,
)
from referee.tournament.ledger import ABSENCES, Ledger, fault_text
from referee.tournament.moment import now_text
from referee.tournament.observer import Figures, Observer
from referee.tournament.opening import Opening
from referee.tournament.outcome import Test, standings_digest
from referee.tournament.remote import Presence, invitation
from referee.tournament.results import MatchResult
from referee.tournament.runner import Crew, House, Outcome
from referee.tournament.runs import Run, Runs, judge, unfinished
from referee.tournament.schedule import ScheduledBlock, ScheduledMatch, block_seed, make_schedule
from referee.tournament.spec import Spec
from referee.tournament.tables import Tables

log = structlog.get_logger()

POLL_SECONDS: Final = 0.25
"""How often rulings are looked for, and figures told."""


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
        self._opening: Final = Opening(spec, spec_bytes, where, folder, self.ledger)
        self._where: Final = where
        self._observer: Final = observer
        self._wanted: Final = concurrency
        self._given_seed: Final = seed
        self._tokens: Final = tokens
        self._tls: Final = tls
        self._hidden: Final = hidden
        self._presence: Final = Presence([bot.name for bot in spec.bots if bot.remote])
        self._names: Final = self.schedule.bots
        self._house: House
        self._checker: Final = Checker()
        self._sequential: Final = Test(spec)
        self._runs: Final = Runs(self.ledger, folder, lambda run: self._spawn(asyncio.create_task(self._settle(run))))
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._tables: Final = Tables(spec)
        self._wake = asyncio.Event()
        self._draining = False
        self._stopping = False
        self._error: Exception | None = None
        self._began = 0.0
        self._rounds = 0

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
            self._opening.open(self._given_seed)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Give the folder back."""
        self._opening.close()
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
            self._opening.mode,
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
                await self._reveal_rest()
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
        for match in self._tables.waiting():
            if ending or any(self._names[bot] in self.ledger.withdrawn for bot in match.seats):
                self._house.call_off(match.match)

    async def _end(self) -> None:
        """Leave nothing running."""
        if self._stopping or self._error is not None:
            self._house.let_go()
            for task in list(self._tasks):
                task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._checker.close()
        self.spent["journal"] = self._opening.book.seconds
        self.spent |= {what: milliseconds / 1000 for what, milliseconds in self._house.spent.items()}
        self._observer.figures(self.figures())
        self._observer.close()

    async def _reveal_rest(self) -> None:
        """Reveal what an earlier director has left of blocks that do not count."""
        sets = self._house.server.hall.sets
        for deals in sets.names:
            sets.close(deals)
        await sets.wait()

    def _finish(self) -> None:
        """Everything is decided."""
        self._write(
            Done(
                at=now_text(),
                results=self.ledger.digest(),
                seed=self._opening.seed.hex(),
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

    def _write(self, *lines: AnyLine) -> None:
        self._opening.book.write(*lines)

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
                self._runs.set_aside(index)
            elif run is not None and run.ready:
                what, why, faulted = judge(run, self.spec, self.ledger)
                self._decide(run.block, what, why, run.results, faulted=faulted)
                self._runs.drop(index)
            else:
                return
            self._drop_absent()
            self._test()

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
            self._runs.set_aside_from(self.ledger.last)

    # -- rulings ---------------------------------------------------------------------------------------------------

    def _rule(self, line: Ruling) -> None:
        self._write(line)
        self._observer.ruling(line)
        if line.kind == "rerun" and isinstance(line.block, int):
            self._runs.set_aside(line.block)
        if line.kind in ("drop", "disqualify"):
            self._runs.withdrawn()
        if line.kind == "disqualify":
            self._test()

    # -- matches ---------------------------------------------------------------------------------------------------

    def _fill(self) -> None:
        """Begin matches while there are free tables."""
        while len(self._tables) < self.concurrency and not (
            self.ledger.paused or self.ledger.draining or self._draining or self._error
        ):
            found = self._runs.next(self.concurrency)
            if found is None:
                return
            run, match = found
            run.todo.remove(match)
            run.playing.add(match.number)
            self._tables.take(match)
            self._spawn(asyncio.create_task(self._play(run, match)))

    async def _take_up(self) -> None:
        """Go on with the matches that an earlier director left in the middle."""
        hall = self._house.server.hall
        crews: dict[str, Crew] = {}
        self._runs.stopped.update(match for match, _ in hall.store.unfinished() if hall.store.was_stopped(match))
        for match in unfinished(hall.store.unfinished()):
            scheduled = self._runs.scheduled(match)
            if scheduled is not None:
                crews[match] = await self._house.staff(scheduled)
        await self._house.gather(list(crews.values()), self._stop_waiting)
        if self._draining or self.ledger.draining:  # They stay as they stand, for the next director.
            for left in crews.values():
                self._house.dismiss_later(left, politely=False)
            return
        seatings = hall.take_up(version_text())
        self._runs.taken.update(seating.match for seating in seatings if seating.match in crews)
        for seating in seatings:
            crew = crews.pop(seating.match, None)
            if crew is None:
                continue
            run = self._runs.of_taken(self.ledger.set_up[seating.match], crew.match)
            self._tables.take(crew.match, seating)
            self._observer.match_started(crew.match, tuple(seating.bots))
            self._spawn(asyncio.create_task(self._go_on(run, crew, seating)))
        for crew in crews.values():
            self._house.dismiss_later(crew, politely=False)

    async def _play(self, run: Run, match: ScheduledMatch) -> None:
        replacement = run.block.replacement
        try:
            if match.match not in self.ledger.set_up:
                self._write(
                    Match(at=now_text(), block=match.block, match=match.match, number=match.number,
                          replacement=replacement)
                )  # fmt: skip
            self._observer.match_started(match, tuple(self._names[bot] for bot in match.seats))
            seed = block_seed(self._opening.seed, match.deals)
            outcome = await self._house.play(match, seed, declared=bool(self.spec.seed), seated=self._tables.seated)
        except (HallError, JournalError, TournamentError, OSError) as error:
            self._fail(error)
            outcome = Outcome("left")
        self._end_match(run, match, outcome)

    async def _go_on(self, run: Run, crew: Crew, seating: Seating) -> None:
        outcome = await self._house.go_on(seating, crew)
        self._end_match(run, crew.match, outcome)

    def _end_match(self, run: Run, match: ScheduledMatch, outcome: Outcome) -> None:
        seating = self._tables.free(match.match)
        run.playing.discard(match.number)
        self._wake.set()
        if self._stopping or self._error is not None:
            return
        if outcome.status == "left":
            if not run.has(match):
                # Of a fixed field only a candidate was dropped: what is left of the block may be over now.
                self._runs.settle_if_over(run)
            return
        if outcome.status == "broken":
            # The disk is full, or gone: whatever else is begun would end like this one.
            self._fail(DirectorError(f"match {match.match} was stopped: {outcome.why}; see to the disk, then go on"))
            return
        status = outcome.status if seating is None or outcome.status != "over" else seating.status
        if seating is not None and outcome.status == "over":
            self._rounds += seating.table.game.round
        self._observer.match_over(match, status)
        self._runs.end_match(run, match, outcome)

    # -- blocks ----------------------------------------------------------------------------------------------------

    async def _settle(self, run: Run) -> None:
        """Reveal the seed of a block that is over, check its logs, and take their results."""
        hall = self._house.server.hall
        begun = time.monotonic()
        for deals in {match.deals for match in run.block.matches}:
            with contextlib.suppress(HallError):  # Of one that was revealed already there is no set.
                hall.close_deals(deals)
        await hall.sets.wait()
        self._spend("reveal", begun)
        self._runs.stale.discard(run)
        if not self._runs.is_live(run):
            return
        for match in run.block.matches:
            if why := hall.sets.failed.get(match.match):
                self._fail(DirectorError(f"the seed of {match.match} was not revealed: {why}; see to the disk, then"
                                         " go on"))  # fmt: skip
                return
        begun = time.monotonic()
        try:
            for match in run.block.matches:
                outcome = run.outcomes.get(match.number)
                if outcome is None or outcome.status == "broken":
                    run.broken = outcome.why if outcome else f"{match.match} was not played"
                    break
                if outcome.status == "absent":
                    run.results.append(absent(match, self._names, outcome.absent, self._opening.mode))
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
        draining = self._draining or self.ledger.draining
        return Figures(
            blocks=blocks,
            blocks_total=self.ledger.last,
            matches=round(blocks * per_block) + self._runs.over,
            matches_total=round(self.ledger.last * per_block),
            rounds=self._rounds + self._tables.rounds(),
            seconds=now - self._began,
            concurrency=self.concurrency,
            tables=tuple(self._tables.shown()),
            faults=sum(sum(kinds.values()) for kinds in self.ledger.faults.values()),
            state="draining" if draining else "paused" if self.ledger.paused else "running",
        )
