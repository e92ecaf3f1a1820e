"""The hall: every match and every bot of one referee. Brings answers to tables and messages to bots.

Nothing here knows gRPC; the server hands over decoded requests and takes batches of bytes.
"""

import asyncio
import contextlib
import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import structlog
from msgspec import UNSET
from msgspec.structs import replace

from referee.deal import SEED_SIZE
from referee.log.note import Signer
from referee.log.records import MAX_LINE
from referee.log.writer import LogWriteError, LogWriter, MemorySink
from referee.ruleset import RulesetError
from referee.service import edge
from referee.service.counts import Counts
from referee.service.deals import DealSet, DealSets
from referee.service.options import MAX_BOTS, MAX_NAME, MAX_PARALLEL, MAX_REFUSED_LINES, RETRY_AFTER_MS
from referee.service.session import Clock, Session
from referee.service.store import DEAL_SET, SAFE_ID, Store
from referee.table.head import MatchPlan, make_head, rounds_of
from referee.table.messages import Ask, Message, Over, RefusalCode, Refused, Superseded, Update, seat_of
from referee.table.resume import ResumeError, Unfinished, read_unfinished, resume
from referee.table.table import Out, Table
from referee.v1 import play_pb2

log = structlog.get_logger()

HEAD: Final = b'{"_":"head",'


class HallError(Exception):
    """Something was asked of the hall that it refuses. ``code`` is the name of a gRPC status code.

    ``retry_ms``: after how many milliseconds it may be worth asking again; 0: it is not.
    """

    def __init__(self, code: str, message: str, retry_ms: int = 0) -> None:
        super().__init__(message)
        self.code: Final = code
        self.retry_ms: Final = retry_ms


@dataclass(eq=False)
class Seating:
    """A match in this hall."""

    number: int
    """The table's number on the wire."""
    table: Table
    bots: list[str]
    declared: bool
    """The seed is public, so that there is none to keep."""
    writer: LogWriter
    news: edge.News
    deals: str = ""
    """The deal set that its seed is held back for; empty: it is revealed at the end of the match."""
    sessions: list[Session | None] = field(default_factory=list)
    status: str = "waiting"
    on_disk: bool = False
    """The log is whole and on disk, so that it and its seals may be shown; never while the match runs."""
    refused: int = 0
    lobby_seconds: int = 0
    """After how many seconds of waiting for its bots it is cancelled; 0: never."""
    created_at: int = 0
    """When it was set up, in milliseconds of the hall's clock."""
    began_at: int | None = None
    """When it began; None: it waits, or never did."""
    cancelled_at: int | None = None
    """When it was cancelled, without ever having begun."""
    absent: list[int] = field(default_factory=list)
    """The seats whose bots were not there then."""
    done: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the match is over, however it ended."""

    @property
    def match(self) -> str:
        """The match's id."""
        return self.table.head.match

    def awaited(self) -> list[int]:
        """The seats whose bots it waits for; of a match that was cancelled before it began, those that kept it."""
        if self.status != "waiting":
            return self.absent
        return [seat for seat, session in enumerate(self.sessions) if session is None]

    def waited(self, now: int) -> int:
        """Milliseconds that it waits, or did before it began or was cancelled."""
        if self.began_at is not None:
            now = self.began_at
        elif self.cancelled_at is not None:
            now = self.cancelled_at
        return now - self.created_at

    def seats_of(self, bot: str) -> list[int]:
        """Where a bot sits; more than one seat when it plays against itself."""
        return [seat for seat, name in enumerate(self.bots) if name == bot]


class Hall:
    """All matches and sessions of one referee."""

    def __init__(self, store: Store, clock: Clock, signer: Signer | None = None, lobby_seconds: int = 0) -> None:
        """``signer`` signs the seals of every match; without it logs are not signed. ``lobby_seconds``: how long a
        match that does not say so itself waits for its bots before it is cancelled; 0: for ever."""
        self.store: Final = store
        self.counts: Final = Counts()
        self.matches: Final[dict[str, Seating]] = {}
        """Every match since the start of the process, oldest first."""
        self.sessions: Final[dict[str, Session]] = {}
        self.draining = ""
        self.idle: Final = asyncio.Event()
        """Set while no match is being played."""
        self.idle.set()
        self.sets: Final = DealSets(store, signer, self._revealed)
        self._clock = clock
        self._signer = signer
        self._tables: dict[int, Seating] = {}
        self._running: dict[int, Seating] = {}
        self._lobby_seconds = lobby_seconds
        self._lobby: list[tuple[int, int]] = []
        """(time, table) of the matches that are cancelled if they still wait then; a heap."""

    # -- matches ---------------------------------------------------------------------------------------------------

    def create(self, plan: MatchPlan, seed: bytes, *, declared: bool, lobby_seconds: int | None = None) -> Seating:
        """Set up a match; it starts at once if its bots are all here.

        ``lobby_seconds``: after how many seconds it is cancelled if they are not; 0: never, None: as the hall does. A
        secret seed of a match in a named deal set is that of the set, and it is held back until `close_deals`. Raises
        `HallError`, and `referee.ruleset.RulesetError` for rules that cannot be played.
        """
        if self.draining:
            raise HallError("UNAVAILABLE", f"no new matches: {self.draining}")
        for bot in plan.bots:
            check_name(bot)
        held = plan.deals if not declared else ""
        if held and (known := self.sets.find(held)) is not None:
            if known.closed:
                raise HallError("FAILED_PRECONDITION", f"deals: the set {held} is closed; give another name")
            seed = known.seed
        head = make_head(plan, seed, declared=declared, key=self._signer.vkey if self._signer else "")
        if not SAFE_ID.match(head.match):
            raise HallError("INVALID_ARGUMENT", "match_id: 1 to 64 letters, digits, '.', '_' and '-' are allowed")
        if not DEAL_SET.match(head.deals):
            raise HallError("INVALID_ARGUMENT", "deals: 1 to 128 printable ASCII characters but no spaces are allowed")
        if head.match in self.matches:
            raise HallError("ALREADY_EXISTS", f"match {head.match} exists already; a match id is used once")
        number = len(self._tables) + 1
        try:
            writer = LogWriter(self.store.create(head.match), match=head.match, signer=self._signer)
        except LogWriteError as error:
            raise _cannot_write(head.match, error) from error
        try:
            table = Table(head, seed, writer, hold=bool(held), memo=self.store.memo(head.match))
            if not declared:
                self.store.keep_seed(head.match, seed)
        except BaseException as error:
            writer.close()
            self.store.discard_log(head.match)
            if isinstance(error, LogWriteError):
                raise _cannot_write(head.match, error) from error
            raise
        seating = Seating(number, table, list(plan.bots), declared, writer, edge.News(number, table.game), held)
        if held:
            self.sets.open(held, seed).playing.add(head.match)
        seating.sessions = [self.sessions.get(bot) for bot in plan.bots]
        seating.created_at = self._clock()
        seating.lobby_seconds = self._lobby_seconds if lobby_seconds is None else lobby_seconds
        if seating.lobby_seconds:
            heapq.heappush(self._lobby, (seating.created_at + 1000 * seating.lobby_seconds, number))
        self.counts.created += 1
        self.matches[head.match] = seating
        self._tables[number] = seating
        for bot in dict.fromkeys(plan.bots):
            if session := self.sessions.get(bot):
                self._seat(seating, session)
        self._start_if_complete(seating)
        return seating

    def _start_if_complete(self, seating: Seating) -> None:
        if seating.status == "waiting" and all(seating.sessions):
            seating.status = "playing"
            seating.began_at = self._clock()
            self._running[seating.number] = seating
            self.idle.clear()
            self._run(seating, lambda: seating.table.start(self._clock()))

    def now(self) -> int:
        """Milliseconds of the clock that every time in here is of."""
        return self._clock()

    def take_up(self, engine: str = "") -> list[Seating]:
        """Go on with what an earlier process left; returns the matches that are played again, without their bots.

        ``engine``: this referee's name and version. A match that cannot be gone on with stays as it is, as abandoned.
        """
        seeds = dict(self.store.seeds())
        known: set[str] = set()
        taken: list[Seating] = []
        for match, path in self.store.unfinished():
            if match in self.matches:
                continue
            try:
                if self.store.was_stopped(match):
                    raise ResumeError("its players were told that it was stopped")
                data = path.read_bytes()
                if b"\n" not in data and HEAD.startswith(data[: len(HEAD)]):
                    self.store.discard(match)
                    log.warning("a match that had not begun is gone", match=match)
                    continue
                seating = self._take_up(match, read_unfinished(data), seeds.get(match), engine)
            except (OSError, ResumeError) as error:
                known.add(match)
                why = error.strerror or str(error) if isinstance(error, OSError) else str(error)
                log.error("match not taken up", match=match, error=why)
                self._keep_broken(match, path)
                continue
            if seating is not None:
                known.add(match)
                taken.append(seating)
        self.sets.take_up(known)
        for seating in taken:
            if (over := seating.table.over) is not None:
                self._over(seating, over)
            else:
                self._come_back(seating)
        return taken

    def _take_up(self, match: str, left: Unfinished, seed: bytes | None, engine: str) -> Seating | None:
        """A match whose log is not finished; None when only its seed is missing, which is for `DealSets`."""
        head = left.head
        if head.match != match:
            raise ResumeError(f"it is the log of match {head.match}")
        declared = head.open_seed is not UNSET
        if not declared and left.final:
            return None
        if head.open_seed is not UNSET:
            seed = bytes.fromhex(head.open_seed)
        if seed is None:
            raise ResumeError("its seed is not here")
        held = head.deals if head.deals != match and not declared else ""
        if held and (others := self.sets.find(held)) is not None and others.seed != seed:
            raise ResumeError(f"another match of the deal set {held} has another seed")
        memo, sink = self.store.memo(match), self.store.reopen(match)
        try:
            table, writer, kept = resume(
                left,
                seed,
                sink,
                signer=self._signer,
                engine=engine,
                hold=bool(held),
                refusals=memo.read(),
                memo=memo,
            )
            self.store.cut_torn(match, left.size)
            memo.replace(kept)
            writer.flush()
        except BaseException:
            with contextlib.suppress(LogWriteError):
                sink.close()
            raise
        seating = self._register(table, writer, declared=declared, held=held, status="playing")
        self._running[seating.number] = seating
        self.idle.clear()
        if held:
            self.sets.open(held, seed).playing.add(match)
        lines = writer.lines - len(left.lines)
        log.info("match taken up", match=match, bots=seating.bots, lines=len(left.lines), completed=lines)
        return seating

    def _register(self, table: Table, writer: LogWriter, *, declared: bool, held: str, status: str) -> Seating:
        """A place for a match of an earlier process."""
        number = len(self._tables) + 1
        bots = [seat.bot for seat in table.head.seats]
        seating = Seating(number, table, bots, declared, writer, edge.News(number, table.game), held, status=status)
        seating.sessions = [None] * len(bots)
        seating.created_at = seating.began_at = self._clock()
        self.matches[seating.match] = seating
        self._tables[number] = seating
        return seating

    def _come_back(self, seating: Seating) -> None:
        """Its clocks start, and bots that are here already are seated."""
        seating.table.await_all(self._clock())
        for session in list(self.sessions.values()):
            if session.bot in seating.bots:
                self._take_seat(seating, session)

    def _keep_broken(self, match: str, path: Path) -> None:
        """A match that cannot be gone on with is listed as abandoned, if its log says whose it was."""
        try:
            with path.open("rb") as file:
                head = read_unfinished(file.readline(MAX_LINE + 1)).head
            if head.match == match:
                unsigned = replace(head, key=UNSET)
                writer = LogWriter(MemorySink(), match=match)
                table = Table(unsigned, bytes(SEED_SIZE), writer)
                self._register(table, writer, declared=True, held="", status="abandoned").done.set()
        except (OSError, ResumeError, RulesetError):
            pass  # Nothing can be said of it.

    def let_go(self) -> None:
        """Leave every match that is being played as it stands, for the next process."""
        for seating in list(self._running.values()):
            seating.status = "abandoned"
            self._stopped(seating)
            with contextlib.suppress(LogWriteError):
                seating.writer.close()

    def find(self, match: str) -> Seating:
        """A match by its id; raises `HallError`."""
        if match not in self.matches:
            raise HallError("NOT_FOUND", f"no match {match!r} on this referee")
        return self.matches[match]

    # -- bots ------------------------------------------------------------------------------------------------------

    def connect(self, bot: str, parallel: int) -> Session:
        """A bot dials in: it is seated where it is awaited, and gets the open asks of its running matches."""
        check_name(bot)
        if bot in self.sessions:
            raise HallError("ALREADY_EXISTS", f"a bot named {bot!r} is connected already; give this one another name")
        if len(self.sessions) >= MAX_BOTS:
            why = f"{MAX_BOTS} bots are connected, which is all; try again later"
            raise HallError("RESOURCE_EXHAUSTED", why, RETRY_AFTER_MS)
        session = Session(bot, max(1, min(parallel, MAX_PARALLEL)), self._clock, self.counts)
        self.counts.streams += 1
        self.sessions[bot] = session
        try:
            self._take_seats(session)
        except BaseException:
            self.disconnect(session)  # Or its name would be taken for ever.
            raise
        return session

    def _take_seats(self, session: Session) -> None:
        for seating in list(self.matches.values()):
            self._take_seat(seating, session)

    def _take_seat(self, seating: Seating, session: Session) -> None:
        seats = seating.seats_of(session.bot)
        if not seats or seating.status not in ("waiting", "playing"):
            return
        for seat in seats:
            seating.sessions[seat] = session
        self._seat(seating, session)
        if seating.status == "playing":
            session.push(seating.news.message([]))
            for seat in seats:
                self._link(seating, seat, up=True)
        else:
            self._start_if_complete(seating)

    def disconnect(self, session: Session) -> None:
        """A bot's stream is gone; its clocks run on."""
        if self.sessions.get(session.bot) is session:
            del self.sessions[session.bot]
        for seating in list(self.matches.values()):
            for seat, mine in enumerate(seating.sessions):
                if mine is session:
                    seating.sessions[seat] = None
                    if seating.status == "playing":
                        self._link(seating, seat, up=False)

    def leave(self, bot: str) -> None:
        """A bot left for good: its seats in running matches are forfeited."""
        for seating in list(self._running.values()):
            for seat in seating.seats_of(bot):
                self._run(seating, lambda: seating.table.on_leave(seat, self._clock()))  # noqa: B023 - called at once
                self._free_slots(seating)

    def _link(self, seating: Seating, seat: int, *, up: bool) -> None:
        self._run(seating, lambda: seating.table.on_link(seat, up, self._clock()))

    def _seat(self, seating: Seating, session: Session) -> None:
        head = seating.table.head
        for seat in seating.seats_of(session.bot):
            seated = play_pb2.Seated(
                table=seating.number,
                match_id=head.match,
                seat=seat,
                bots=seating.bots,
                rules=edge.rule_options(head.rules),
                rounds=rounds_of(head.length),
                conduct=edge.conduct_message(head.conduct),
            )
            session.push(play_pb2.PlayResponse(seated=(seated,)).SerializeToString())

    # -- play ------------------------------------------------------------------------------------------------------

    def receive(self, session: Session, answers: Iterable[play_pb2.Answer]) -> None:
        """A batch of answers from one bot."""
        now = self._clock()
        tables, counts = self._tables, self.counts
        for answer in answers:
            counts.answers += 1
            number, ask = answer.table, answer.ask
            seat = seat_of(ask)
            seating = tables.get(number)
            if seating is None or seat >= len(seating.bots) or seating.sessions[seat] is not session:
                self._refuse(session, seating, number, ask)
                continue
            took: int | None = None
            if sent := session.answered(number, seat, ask):
                took = now - sent.sent_at
                counts.latency[took.bit_length()] += 1
                counts.latency_ms += took
            try:
                messages = seating.table.on_act(seat, ask, edge.read_answer(answer, seat), now)
            except Exception as error:
                # One broken table is no reason to drop the bot's other tables.
                self._fail(seating, error)
                continue
            for message in messages:
                self._deliver(seating, message, took)

    def _refuse(self, session: Session, seating: Seating | None, table: int, ask: int) -> None:
        """An answer that is not this bot's to give."""
        if seating is None or session.bot not in seating.bots:
            code, why = RefusalCode.WRONG_TABLE, "this bot does not sit at that table"
        elif seat_of(ask) in seating.seats_of(session.bot):
            # Only a bot that dialled in again after the end is not at its table any more.
            code, why = RefusalCode.STALE, "this match is over"
        else:
            code, why = RefusalCode.WRONG_SEAT, "that ask belongs to another seat"
        self.counts.refusals[code] += 1
        session.push_refusal(table, Refused(0, ask, code, "", why, 0))

    def tick(self) -> None:
        """Deal with every deadline that has passed."""
        now = self._clock()
        while self._lobby and self._lobby[0][0] <= now:
            seating = self._tables[heapq.heappop(self._lobby)[1]]
            if seating.status == "waiting":
                self._cancel(seating, "its bots did not come")
        for seating in list(self._running.values()):
            if seating.table.deadline <= now:
                try:
                    self._run(seating, lambda: seating.table.on_time(now))  # noqa: B023 - called at once
                except Exception as error:
                    # The clocks of all other tables must go on.
                    log.exception("internal error", match=seating.match)
                    self._fail(seating, error)
                self._free_slots(seating)

    def _free_slots(self, seating: Seating) -> None:
        """Asks that are void, or whose time is over, keep no bot from being asked something else."""
        over = seating.status != "playing"
        for session in filter(None, dict.fromkeys(seating.sessions)):
            for (number, seat), ask in list(session.in_flight.items()):
                if number == seating.number and (over or not seating.table.is_open(seat, ask.id)):
                    session.answered(number, seat, ask.id)

    def _run(self, seating: Seating, step: Callable[[], Out]) -> None:
        """Let a table work, and deliver what it says. A log that cannot be written stops the match."""
        try:
            messages = step()
        except LogWriteError as error:
            self._fail(seating, error)
            return
        for message in messages:
            self._deliver(seating, message)

    def _deliver(self, seating: Seating, message: Message, took: int | None = None) -> None:
        """Pass on what a table says; ``took``: the milliseconds that the answer it says it to had taken."""
        number = seating.number
        if type(message) is Ask:  # By far the most frequent.
            if session := seating.sessions[message.seat]:
                session.push_ask(seating, message)
            return
        match message:
            case Update():
                self.counts.told(message.records)
                data = seating.news.message(message.records)
                for session in dict.fromkeys(seating.sessions):
                    if session:
                        session.push(data)
            case Refused():
                seating.refused += 1
                self.counts.refusals[message.code] += 1
                session = seating.sessions[message.seat]
                self._log_refused(seating, message, session, took)
                if session:
                    session.push_refusal(number, message)
            case Superseded():
                if session := seating.sessions[message.seat]:
                    session.push_superseded(number, message)
            case Over():
                self._over(seating, message)

    def _log_refused(self, seating: Seating, refused: Refused, session: Session | None, took: int | None) -> None:
        if session:
            session.refused += 1
            if session.refused > MAX_REFUSED_LINES:
                return
        log.info(
            "refused",
            match=seating.match,
            seat=refused.seat,
            bot=seating.bots[refused.seat],
            code=refused.code.name,
            rule=refused.rule,
            tries_left=refused.tries_left,
            took_ms=took,
        )
        if session and session.refused == MAX_REFUSED_LINES:
            log.warning("no more of this bot's refusals are logged", bot=session.bot, after=MAX_REFUSED_LINES)

    def _over(self, seating: Seating, over: Over) -> None:
        """The match is over. Nobody hears of it, or gets to see a seal, before the log is closed and on disk."""
        try:
            seating.writer.close()
        except LogWriteError as error:
            self._fail(seating, error)
            return
        seating.status = over.status
        self._stopped(seating)
        self.store.memo(seating.match).drop()
        if seating.deals:
            self.sets.over(seating.deals, seating.match, final=True)
        else:
            seating.on_disk = True
            self.store.open_up(seating.match)
            if not seating.declared:
                self.store.drop_seed(seating.match)
        self._tell_over(seating, over.status, over.rank, over.total)
        log.info(
            "match over",
            match=seating.match,
            status=over.status,
            bots=seating.bots,
            total=over.total,
            rank=over.rank,
            faults=seating.table.faults,
            **self._figures(seating),
        )

    def _figures(self, seating: Seating) -> dict[str, int]:
        """Counts and durations of a match, for its last line in the referee's own log."""
        began = seating.began_at
        return {
            "rounds": seating.table.game.round,
            "deals": seating.table.game.deals,
            "lines": seating.writer.lines,
            "refused": seating.refused,
            "waited_ms": seating.waited(self._clock()),
            "played_ms": 0 if began is None else self._clock() - began,
        }

    def _fail(self, seating: Seating, error: Exception) -> None:
        """Nothing may happen that is not logged: the match stops here."""
        if seating.status != "playing":
            return
        seating.status = "abandoned"
        self._stopped(seating)
        with contextlib.suppress(LogWriteError):
            seating.writer.close()
        if seating.deals:
            self.sets.over(seating.deals, seating.match, final=False)
        if isinstance(error, LogWriteError):
            why = error.strerror or str(error)
            log.error("match stopped: its log cannot be written", match=seating.match, error=why)
        if not self.store.stop(seating.match):
            log.error("that a match was stopped cannot be noted", match=seating.match)
        log.info("match over", match=seating.match, status="abandoned", bots=seating.bots, **self._figures(seating))
        self._tell_over(seating, "abandoned", [], seating.table.game.totals())

    def close_deals(self, name: str) -> DealSet:
        """Take no more matches into a deal set; its logs get their seed when all of its matches are over."""
        deals = self.sets.close(name)
        if deals is None:
            raise HallError("NOT_FOUND", f"no deal set {name!r} is open on this referee")
        return deals

    def _revealed(self, match: str) -> None:
        if seating := self.matches.get(match):
            seating.on_disk = True

    def _stopped(self, seating: Seating) -> None:
        self._running.pop(seating.number, None)
        self._free_slots(seating)
        seating.done.set()
        if not self._running:
            self.idle.set()

    def _tell_over(self, seating: Seating, status: str, rank: list[int], total: list[int]) -> None:
        over = play_pb2.MatchOver(
            table=seating.number, match_id=seating.match, status=edge.STATUS[status], rank=rank, total=total
        )
        data = play_pb2.PlayResponse(over=(over,)).SerializeToString()
        for session in dict.fromkeys(seating.sessions):
            if session:
                session.push(data)

    # -- closing down ----------------------------------------------------------------------------------------------

    def drain(self, why: str) -> None:
        """Take no new matches and tell every bot."""
        self.draining = why
        data = play_pb2.PlayResponse(draining=play_pb2.Draining(reason=why)).SerializeToString()
        for session in self.sessions.values():
            session.push(data)

    def abandon_all(self) -> None:
        """Stop every match that is being played; matches that wait for bots leave no log."""
        for seating in list(self._running.values()):
            self._run(seating, seating.table.abandon)
        for seating in self.matches.values():
            if seating.status == "waiting":
                self._cancel(seating, "the referee ends")

    def _cancel(self, seating: Seating, why: str) -> None:
        """A match that never began leaves no log; those of its bots that are here are told."""
        seating.absent = seating.awaited()
        seating.status = "abandoned"
        seating.cancelled_at = self._clock()
        with contextlib.suppress(LogWriteError):
            seating.writer.close()
        self.store.discard(seating.match)
        if seating.deals:
            self.sets.over(seating.deals, seating.match, final=False)
        seating.done.set()
        self._tell_over(seating, "abandoned", [], seating.table.game.totals())
        awaited = [seating.bots[seat] for seat in seating.absent]
        waited = seating.waited(seating.cancelled_at)
        log.info("match cancelled", match=seating.match, why=why, awaited=awaited, waited_ms=waited)


def _cannot_write(match: str, error: LogWriteError) -> HallError:
    code = "ALREADY_EXISTS" if isinstance(error.__cause__, FileExistsError) else "FAILED_PRECONDITION"
    return HallError(code, f"cannot write the log of match {match}: {error.strerror}")


def check_name(bot: str) -> None:
    """Raise `HallError` unless this can be a bot's name."""
    if not 1 <= len(bot) <= MAX_NAME or not bot.isprintable() or not bot.isascii():
        raise HallError("INVALID_ARGUMENT", f"bot: a name has 1 to {MAX_NAME} printable ASCII characters")
