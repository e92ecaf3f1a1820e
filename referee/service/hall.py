"""The hall: every match and every bot of one referee. Brings answers to tables and messages to bots.

Nothing here knows gRPC; the server hands over decoded requests and takes batches of bytes.
"""

import asyncio
import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import structlog

from referee.log.note import Signer
from referee.log.policy import needs_clock
from referee.log.writer import LogWriteError, LogWriter
from referee.service import edge, ending, taking_up
from referee.service.counts import Counts
from referee.service.deals import DealSet, DealSets
from referee.service.errors import HallError, cannot_write, check_name
from referee.service.guests import Guest, Guests
from referee.service.names import Names
from referee.service.options import MAX_BOTS, MAX_PARALLEL, RETRY_AFTER_MS
from referee.service.seating import Seating
from referee.service.session import Clock, Session
from referee.service.stalls import Stalls
from referee.service.store import DEAL_SET, SAFE_ID, Store
from referee.service.summary import OPEN, Summary
from referee.service.telemetry import log_refused
from referee.table.head import MatchPlan, make_head, rounds_of
from referee.table.messages import Ask, Message, Over, RefusalCode, Refused, Superseded, Update, seat_of
from referee.table.table import Out, Table
from referee.v1 import play_pb2

log = structlog.get_logger()


TICK_MS: Final = 20
"""From one look at the clocks to the next."""


class Hall:
    """All matches and sessions of one referee."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        signer: Signer | None = None,
        lobby_seconds: int = 0,
        *,
        names: Names | None = None,
        grace_seconds: int = 0,
        max_matches: int = 0,
    ) -> None:
        """``signer`` signs the seals of every match; without it logs are not signed. ``lobby_seconds``: how long a
        match that does not say so itself waits for its bots before it is cancelled; 0: for ever. ``names``: with which
        resume tokens are made; None: they are gone with the process, and no name is kept for its bot.
        ``grace_seconds``: after how long a bot that was lost has left; 0: only its clocks decide. ``max_matches``: how
        many may wait or be played at once; 0: any number."""
        self.store: Final = store
        self.counts: Final = Counts()
        self.stalls = Stalls(TICK_MS)
        """What this referee lost of everybody's time itself."""
        self.matches: Final[dict[str, Seating | Summary]] = {}
        """Every match since the start of the process; of one that is over, what may be asked about it."""
        self.listed: Final[list[Seating | Summary]] = []
        """The same in order: table ``n`` is at ``n - 1``."""
        self.ended: Final[Counter[str]] = Counter()
        """How many matches are over, by status."""
        self.sessions: Final[dict[str, Session]] = {}
        """By the names of bots, and the accounts of guests."""
        self.guests: Final = Guests()
        self.draining = ""
        self.idle: Final = asyncio.Event()
        """Set while no match is being played."""
        self.idle.set()
        self.sets: Final = DealSets(store, signer, self._revealed)
        self.names: Final = names or Names()
        self._clock = clock
        self._grace_ms = 1000 * grace_seconds
        self._max_matches = max_matches
        self.signer: Final = signer
        self._tables: dict[int, Seating] = {}
        """By number, the matches that are not over."""
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
        if self._max_matches and len(self._tables) >= self._max_matches:
            why = f"{len(self._tables)} matches wait or are played, and --max-matches is {self._max_matches}"
            raise HallError("RESOURCE_EXHAUSTED", f"{why}; try again when some are over", RETRY_AFTER_MS)
        for bot in plan.bots:
            check_name(bot)
        if plan.clock == "none" and (name := needs_clock(plan.conduct)):
            raise HallError("INVALID_ARGUMENT", f"conduct: {name} needs a clock: without times nobody can check it")
        held = plan.deals if not declared else ""
        if held and (known := self.sets.find(held)) is not None:
            if known.closed:
                raise HallError("FAILED_PRECONDITION", f"deals: the set {held} is closed; give another name")
            seed = known.seed
        head = make_head(plan, seed, declared=declared, key=self.signer.vkey if self.signer else "")
        if not SAFE_ID.match(head.match):
            raise HallError("INVALID_ARGUMENT", "match_id: 1 to 64 letters, digits, '.', '_' and '-' are allowed")
        if not DEAL_SET.match(head.deals):
            raise HallError("INVALID_ARGUMENT", "deals: 1 to 128 printable ASCII characters but no spaces are allowed")
        if head.match in self.matches:
            raise HallError("ALREADY_EXISTS", f"match {head.match} exists already; a match id is used once")
        number = len(self.listed) + 1
        try:
            writer = LogWriter(self.store.create(head.match), match=head.match, signer=self.signer)
        except LogWriteError as error:
            raise cannot_write(head.match, error) from error
        try:
            table = Table(
                head, seed, writer, hold=bool(held), memo=self.store.memo(head.match), blame=self.stalls.blame
            )
            if not declared:
                self.store.keep_seed(head.match, seed)
        except BaseException as error:
            writer.close()
            self.store.discard_log(head.match)
            if isinstance(error, LogWriteError):
                raise cannot_write(head.match, error) from error
            raise
        seating = Seating(number, table, list(plan.bots), declared, writer, edge.News(number, table.game), held)
        if held:
            self.sets.open(held, seed).playing.add(head.match)
        seating.accounts = self.guests.accounts(head.match, plan.bots)
        seating.sessions = [self.sessions.get(bot) for bot in seating.accounts]
        seating.created_at = self._clock()
        seating.lobby_seconds = self._lobby_seconds if lobby_seconds is None else lobby_seconds
        if seating.lobby_seconds:
            heapq.heappush(self._lobby, (seating.created_at + 1000 * seating.lobby_seconds, number))
        self.counts.created += 1
        self._list(seating)
        for session in filter(None, dict.fromkeys(seating.sessions)):
            self._seat(seating, session)
        self._start_if_complete(seating)
        return seating

    def _list(self, seating: Seating) -> None:
        self.matches[seating.match] = self._tables[seating.number] = seating
        self.listed.append(seating)

    def put_away(self, seating: Seating) -> None:
        """A match is over: what it was played with is not kept, or a referee would grow with every match."""
        summary = seating.summary(self._clock())
        self.matches[summary.match] = self.listed[summary.number - 1] = summary
        self.ended[summary.status] += 1
        self._tables.pop(summary.number, None)

    def _start_if_complete(self, seating: Seating) -> None:
        if seating.status == "waiting" and all(seating.sessions):
            self.begin(seating)
            self._run(seating, lambda: seating.table.start(self._clock()))

    def now(self) -> int:
        """Milliseconds of the clock that every time in here is of."""
        return self._clock()

    def take_up(self, engine: str = "") -> list[Seating]:
        """Go on with what an earlier process left; returns the matches that are played again, without their bots.

        ``engine``: this referee's name and version. A match that cannot be gone on with stays as it is, as abandoned.
        """
        return taking_up.take_up(self, engine)

    def place(self, table: Table, writer: LogWriter, *, declared: bool, held: str) -> Seating:
        """A place for a match of an earlier process, which does not run yet."""
        number = len(self.listed) + 1
        bots = [seat.bot for seat in table.head.seats]
        seating = Seating(number, table, bots, declared, writer, edge.News(number, table.game), held)
        seating.accounts = self.guests.accounts(seating.match, bots)
        seating.sessions = [None] * len(bots)
        seating.created_at = self._clock()
        self._list(seating)
        return seating

    def begin(self, seating: Seating) -> None:
        """From now on it is played."""
        seating.status = "playing"
        seating.began_at = self._clock()
        self._running[seating.number] = seating
        self.idle.clear()

    def come_back(self, seating: Seating) -> None:
        """The clocks of a match of an earlier process start; bots that are here already are seated, others awaited."""
        now = self._clock()
        seating.table.await_all(now)
        for bot in dict.fromkeys(seating.accounts):
            if session := self.sessions.get(bot):
                self._take_seat(seating, session)
            else:
                self.names.lose(bot, now)

    def let_go(self) -> None:
        """Leave every match that is being played as it stands, for the next process."""
        taking_up.let_go(self)

    def playing(self) -> list[Seating]:
        """The matches that are being played, oldest first."""
        return list(self._running.values())

    def open(self) -> list[Seating]:
        """The matches that are not over, oldest first."""
        return list(self._tables.values())

    def find(self, match: str) -> Seating | Summary:
        """A match by its id; raises `HallError`."""
        if match not in self.matches:
            raise HallError("NOT_FOUND", f"no match {match!r} on this referee")
        return self.matches[match]

    # -- bots ------------------------------------------------------------------------------------------------------

    def connect(
        self, bot: str, parallel: int, *, resume_token: bytes = b"", proven: bool = False, name: str = ""
    ) -> Session:
        """A bot dials in: it is seated where it is awaited, and gets the open asks of its running matches.

        ``resume_token``: that of a stream whose place this one takes; empty: it has none. ``proven``: a bearer token
        said who it is. ``name``: the bot that a guest plays for; ``bot`` is its account then. Raises `HallError`.
        """
        check_name(name or bot)
        self._check_whose(bot, resume_token, proven=proven, name=name or bot)
        if len(self.sessions) >= MAX_BOTS:
            why = f"{MAX_BOTS} bots are connected, which is all; try again later"
            raise HallError("RESOURCE_EXHAUSTED", why, RETRY_AFTER_MS)
        session = Session(bot, max(1, min(parallel, MAX_PARALLEL)), self._clock, self.counts)
        session.name = name or bot
        self.counts.streams += 1
        self.sessions[bot] = session
        self.names.forget(bot)
        try:
            self._take_seats(session)
        except BaseException:
            self.disconnect(session)  # Or its name would be taken for ever.
            raise
        return session

    def _check_whose(self, bot: str, resume_token: bytes, *, proven: bool, name: str) -> None:
        """Raise `HallError` for a name that is somebody else's. A stream whose resume token was shown makes way.

        ``name`` is what the message calls it.
        """
        if resume_token:
            if not self.names.proves(bot, resume_token):
                why = f"the resume token is not one of {name!r} at this referee: dial in without one"
                raise HallError("UNAUTHENTICATED", why)
            if old := self.sessions.get(bot):
                old.end("this bot dialled in again and showed its resume token: its new stream goes on")
                self.disconnect(old)
            return
        if bot in self.sessions:
            why = f"a bot named {name!r} is connected already: end that process, or give this one another name"
            raise HallError("ALREADY_EXISTS", why)
        kept = 0 if proven else self.names.kept_ms(bot, self._clock())
        if kept and any(bot in seating.accounts for seating in self._tables.values()):
            why = (
                f"the name {name!r} is kept for another {kept} ms for the bot that was lost under it, which comes back"
                " with its resume token: try again then, or give this one another name"
            )
            raise HallError("ALREADY_EXISTS", why, kept)

    def _take_seats(self, session: Session) -> None:
        for seating in list(self._tables.values()):
            self._take_seat(seating, session)

    def _take_seat(self, seating: Seating, session: Session) -> None:
        seats = seating.seats_of(session.bot)
        if not seats or seating.status not in OPEN:
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
        for seating in list(self._tables.values()):
            for seat, mine in enumerate(seating.sessions):
                if mine is session:
                    seating.sessions[seat] = None
                    if not session.left:
                        self.names.lose(session.bot, self._clock())
                    if seating.status == "playing":
                        self._link(seating, seat, up=False)

    def leave(self, bot: str) -> None:
        """A bot left for good: its seats in running matches are forfeited."""
        if session := self.sessions.get(bot):
            session.left = True
        for seating in list(self._running.values()):
            for seat in seating.seats_of(bot):
                self._run(seating, lambda: seating.table.on_leave(seat, self._clock()))  # noqa: B023 - called at once
                self._free_slots(seating)

    def _give_up(self, now: int) -> None:
        """Bots that were lost in a match and are not back in time have left."""
        for bot, since in list(self.names.lost.items()):
            if now - since >= self._grace_ms:
                self.names.forget(bot)
                mine = next((seating for seating in self._running.values() if bot in seating.accounts), None)
                if mine is not None:
                    log.info("bot given up", bot=mine.bots[mine.accounts.index(bot)], lost_ms=now - since)
                    self.leave(bot)

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
                self._refuse(session, number, ask)
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
                ending.broken(self, seating, error)
                continue
            for message in messages:
                self._deliver(seating, message, took)

    def _refuse(self, session: Session, table: int, ask: int) -> None:
        """An answer that is not this bot's to give, or comes when the match is over."""
        one = self.listed[table - 1] if 1 <= table <= len(self.listed) else None
        # Of one that is over the names are left; a guest has that of its bot.
        if isinstance(one, Seating):
            mine: Sequence[str] = one.accounts
            me = session.bot
        else:
            mine, me = () if one is None else one.bots, session.name
        if me not in mine:
            code, why = RefusalCode.WRONG_TABLE, "this bot does not sit at that table"
        elif seat_of(ask) < len(mine) and mine[seat_of(ask)] == me:
            code, why = RefusalCode.STALE, "this match is over"
        else:
            code, why = RefusalCode.WRONG_SEAT, "that ask belongs to another seat"
        self.counts.refusals[code] += 1
        session.push_refusal(table, Refused(0, ask, code, "", why, 0))

    def tick(self) -> None:
        """Deal with every deadline that has passed; due every `TICK_MS`."""
        now = self._clock()
        while self._lobby and self._lobby[0][0] <= now:
            seating = self._tables.get(heapq.heappop(self._lobby)[1])
            if seating and seating.status == "waiting":
                ending.cancelled(self, seating, "its bots did not come")
        if self._grace_ms and self.names.lost:
            self._give_up(now)
        for seating in list(self._running.values()):
            if seating.table.deadline <= now:
                try:
                    self._run(seating, lambda: seating.table.on_time(now))  # noqa: B023 - called at once
                except Exception as error:
                    # The clocks of all other tables must go on.
                    log.exception("internal error", match=seating.match)
                    ending.broken(self, seating, error)
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
            ending.broken(self, seating, error)
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
                log_refused(seating, message, session, took)
                if session:
                    session.push_refusal(number, message)
            case Superseded():
                if session := seating.sessions[message.seat]:
                    session.push_superseded(number, message)
            case Over():
                self.close(seating, message)

    def close(self, seating: Seating, over: Over) -> None:
        """The match is over. Nobody hears of it, or gets to see a seal, before the log is closed and on disk."""
        ending.over(self, seating, over)

    def close_deals(self, name: str) -> DealSet:
        """Take no more matches into a deal set; its logs get their seed when all of its matches are over."""
        deals = self.sets.close(name)
        if deals is None:
            raise HallError("NOT_FOUND", f"no deal set {name!r} is open on this referee")
        return deals

    def _revealed(self, match: str) -> None:
        if one := self.matches.get(match):
            one.on_disk = True

    def stop(self, seating: Seating) -> None:
        """It is not played any more."""
        self._running.pop(seating.number, None)
        self._free_slots(seating)
        seating.done.set()
        if not self._running:
            self.idle.set()

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
        for seating in list(self._tables.values()):
            if seating.status == "waiting":
                ending.cancelled(self, seating, "the referee ends")

    def cancel(self, match: str, why: str, absent: Sequence[int]) -> None:
        """Let a match never begin that waits in vain for the bots of these seats; nothing if it does not wait."""
        seating = self.find(match)
        if isinstance(seating, Seating) and seating.status == "waiting":
            ending.cancelled(self, seating, why)
            seating.absent = list(absent)

    def dismiss(self, guest: Guest) -> None:
        """A guest is not awaited any more, and not let in."""
        self.guests.dismiss(guest)
        self.names.forget(guest.account)
