"""Putting the questions of a log to a bot once more, over the real protocol, and comparing what it answers."""

import asyncio
import shutil
import tempfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final, Literal

from msgspec import Struct

from referee.cards import NAMES, names
from referee.conformance.bot.door import BOT, FOREVER_MS, Door
from referee.conformance.bot.recorded import TABLE, Question, Recorded, Retelling, Tell
from referee.conformance.bot.subject import Subject
from referee.conformance.bot.tap import Tap
from referee.conformance.bot.words import act_words, kind_name, may_words, same_act
from referee.game.records import Play
from referee.service import edge
from referee.service.clock import monotonic_ms
from referee.service.errors import HallError, check_name
from referee.service.hall import Hall
from referee.service.session import Session
from referee.service.store import Store
from referee.table.head import rounds_of
from referee.table.messages import RefusalCode, Refused, Superseded
from referee.table.steps import Answer, Pass
from referee.table.table import Malformed
from referee.v1 import play_pb2

CONNECT_SECONDS: Final = 30.0
GOODBYE_SECONDS: Final = 5.0
Outcome = Literal["same", "different", "unknown"]


class AgainError(Exception):
    """The bot cannot be asked."""


class Compared(Struct, frozen=True, kw_only=True):
    """One question, what was recorded, and what was answered now."""

    line: int
    """The line of the log that came of it; for a pass, before which it was."""
    ask: int
    kind: str
    outcome: Outcome
    recorded: str
    now: str
    view: tuple[str, ...]
    """What the bot was shown, a line each."""


class Report(Struct, frozen=True, kw_only=True):
    """What came of a log."""

    log: str
    match: str
    seat: int
    verdict: Literal["same", "different"]
    exit: int
    same: int
    different: int
    unknown: int
    """Answers that the log does not have."""
    stopped: str
    """Why not every question was put; empty when every one was."""
    stderr: tuple[str, ...]
    differences: tuple[Compared, ...]


class _Gone(Exception):
    """The bot is not there any more."""


class _Room(Hall):
    """The hall of one bot, whose questions come from elsewhere."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, monotonic_ms)
        self.came: Final[asyncio.Queue[Session]] = asyncio.Queue()
        self.heard: Final[asyncio.Queue[play_pb2.Answer | None]] = asyncio.Queue()
        """Answers; None when the bot has gone."""

    def connect(self, bot: str, parallel: int, **whose: Any) -> Session:
        session = super().connect(bot, parallel, **whose)
        self.came.put_nowait(session)
        return session

    def disconnect(self, session: Session) -> None:
        super().disconnect(session)
        self.heard.put_nowait(None)

    def receive(self, session: Session, answers: Iterable[play_pb2.Answer]) -> None:
        for answer in answers:
            self.heard.put_nowait(answer)


class Replayer:
    """One log, one seat, one bot."""

    def __init__(
        self,
        recorded: Recorded,
        seat: int,
        *,
        stop: bool = False,
        deadline: bool = True,
        tell: Callable[[Compared], None] = lambda _: None,
    ) -> None:
        """``stop`` at the first difference; ``tell`` hears of each. Raises `RecordedError` when there is no seat."""
        self._retelling = Retelling(recorded, seat)
        self._recorded = recorded
        self._seat = seat
        self._stop = stop
        self._deadline = deadline
        self._tell = tell
        self._counts: dict[Outcome, int] = {"same": 0, "different": 0, "unknown": 0}
        self._differences: list[Compared] = []

    async def run(self, log: str, command: Sequence[str]) -> Report:
        """Ask a bot everything. Raises `AgainError`, `RecordedError`, and what a bot's start raises."""
        folder = tempfile.mkdtemp(prefix="toep-replay-")
        async with AsyncExitStack() as stack:
            stack.callback(shutil.rmtree, folder, ignore_errors=True)
            store = Store(Path(folder))
            stack.callback(store.close)
            room = _Room(store)
            door = await stack.enter_async_context(Door(room, Tap(), deadline=self._deadline, bot=self._name()))
            subject = await stack.enter_async_context(Subject(command, door.environment(1)))
            await subject.start()
            session = await self._welcome(room, subject, door)
            stopped = ""
            try:
                stopped = await self._ask_all(room, session)
            except _Gone:
                stopped = await self._how(subject)
            else:
                await self._goodbye(session, subject)
            lines = tuple(subject.last_lines())
        different = bool(self._counts["different"] or (stopped and not self._stopped_by_us))
        return Report(
            log=log,
            match=self._recorded.head.match,
            seat=self._seat,
            verdict="different" if different else "same",
            exit=int(different),
            stopped=stopped,
            stderr=lines if stopped and not self._stopped_by_us else (),
            differences=tuple(self._differences),
            **self._counts,
        )

    @property
    def _stopped_by_us(self) -> bool:
        return self._stop and self._counts["different"] > 0

    def _name(self) -> str:
        name = self._recorded.head.seats[self._seat].bot
        try:
            check_name(name)
        except HallError:
            return BOT
        return name

    async def _welcome(self, room: _Room, subject: Subject, door: Door) -> Session:
        """Wait for the bot, and tell it where it sits."""
        ended = asyncio.create_task(subject.ended.wait())
        came = asyncio.create_task(room.came.get())
        try:
            limit = CONNECT_SECONDS if self._deadline else None
            await asyncio.wait((ended, came), timeout=limit, return_when=asyncio.FIRST_COMPLETED)
            if not came.done():
                said = " ".join(subject.last_lines()[-1:]) or door.tap.turned_away
                how = f"it ended with exit code {subject.code}" if ended.done() else f"it did not come in {limit} s"
                raise AgainError(f"the bot said no hello: {how}{f': {said}' if said else ''}")
            session = came.result()
        finally:
            for task in (ended, came):
                task.cancel()
            await asyncio.gather(ended, came, return_exceptions=True)
        head = self._recorded.head
        seated = play_pb2.Seated(
            table=TABLE,
            match_id=head.match,
            seat=self._seat,
            bots=[seat.bot for seat in head.seats],
            rules=edge.rule_options(head.rules),
            rounds=rounds_of(head.length),
            conduct=edge.conduct_message(head.conduct),
        )
        session.push(play_pb2.PlayResponse(seated=(seated,)).SerializeToString())
        return session

    async def _ask_all(self, room: _Room, session: Session) -> str:
        """Tell and ask everything; returns why it was stopped."""
        story = self._retelling.story()
        said: Answer | Malformed | None = None
        try:
            item = next(story)
            while True:
                if isinstance(item, Tell):
                    session.push(item.data)
                    said = None
                else:
                    said = await self._ask(room, session, item)
                    if self._stopped_by_us:
                        return "stopped at the first difference"
                item = story.send(said)
        except StopIteration:
            return ""

    async def _ask(self, room: _Room, session: Session, question: Question) -> Answer | Malformed | None:
        """One question; returns what was answered."""
        ask = question.ask
        if not question.put:
            self._compare(question, None, "pass (it had declined ahead)")
            return None
        if not self._deadline:
            ask.budget_ms = FOREVER_MS
        session.push(play_pb2.PlayResponse(asks=(ask,)).SerializeToString())
        answer = await self._heard(room, session, ask)
        if answer is None:
            self._compare(question, None, f"no answer within {ask.budget_ms} ms")
            return None
        said = edge.read_answer(answer, self._seat)
        now = act_words(said)
        if fault := self._fault(question, said):
            now = f"{now} ({fault})"
        same = self._compare(question, said, now)
        if question.refusal is not None:
            session.push(play_pb2.PlayResponse(refusals=(question.refusal,)).SerializeToString())
        elif fault:
            code = play_pb2.REFUSAL_CODE_ILLEGAL
            refusal = play_pb2.Refusal(table=TABLE, ask=ask.ask, code=code, message=fault)
            session.push(play_pb2.PlayResponse(refusals=(refusal,)).SerializeToString())
        elif answer.WhichOneof("act") != "decline" and not same:
            session.push_superseded(TABLE, Superseded(ask.seat, ask.ask))
        return said

    async def _heard(self, room: _Room, session: Session, ask: play_pb2.Ask) -> play_pb2.Answer | None:
        """The answer to an ask, or None when there is none in time. Raises `_Gone`."""
        limit = ask.budget_ms / 1000 if self._deadline else None
        try:
            async with asyncio.timeout(limit):
                while True:
                    answer = await room.heard.get()
                    if answer is None:
                        raise _Gone
                    if (answer.table, answer.ask) == (ask.table, ask.ask):
                        return answer
                    stale = Refused(0, answer.ask, RefusalCode.STALE, "", "this ask is not open", 0)
                    session.push_refusal(answer.table, stale)
        except TimeoutError:
            return None

    def _fault(self, question: Question, said: Answer | Malformed) -> str:
        """Why an answer would be refused; empty when it would not be."""
        if isinstance(said, Malformed):
            return said.why
        ask = question.ask
        words = list(may_words(ask))
        kind = str(said.__struct_config__.tag) if not hasattr(said, "until") else "pass"
        if kind == "play":
            legal = getattr(said, "card", "") in names(ask.legal)
            refusal = None if legal else question.game.check(said)  # type: ignore[arg-type]
            return "" if legal else f"illegal, {refusal.rule}: {refusal.why}" if refusal else "not asked"
        if kind == "pass":
            return "" if "pass" in words else "an act is required here"
        if kind != "resign" and kind not in words:
            return "not asked"
        refusal = question.game.check(said)  # type: ignore[arg-type]
        return f"illegal, {refusal.rule}: {refusal.why}" if refusal else ""

    def _compare(self, question: Question, said: Answer | Malformed | None, now: str) -> bool:
        recorded = question.recorded
        outcome: Outcome = "unknown"
        if recorded is not None:
            if said is not None and same_act(recorded, said):
                outcome = "same"
            elif not (question.early and isinstance(said, Pass | Play)):
                outcome = "different"
        self._counts[outcome] += 1
        if outcome == "different":
            assert recorded is not None
            refused = f", refused: {question.refusal.rule or 'by the protocol'}" if question.refusal else ""
            found = Compared(
                line=question.line,
                ask=question.ask.ask,
                kind=kind_name(question.ask.kind),
                outcome=outcome,
                recorded=act_words(recorded) + refused,
                now=now,
                view=tuple(view_lines(question, [seat.bot for seat in self._recorded.head.seats])),
            )
            self._differences.append(found)
            self._tell(found)
        return outcome == "same"

    async def _goodbye(self, session: Session, subject: Subject) -> None:
        """The match is over; the bot has a moment to leave by itself."""
        end, game = self._recorded.end, self._retelling.game
        over = play_pb2.MatchOver(
            table=TABLE,
            match_id=self._recorded.head.match,
            status=edge.STATUS[end.status if end else "abandoned"],
            rank=end.rank if end else game.ranks(),
            total=end.total if end else game.totals(),
        )
        session.push(play_pb2.PlayResponse(over=(over,)).SerializeToString())
        try:
            async with asyncio.timeout(GOODBYE_SECONDS):
                await subject.ended.wait()
        except TimeoutError:
            pass

    async def _how(self, subject: Subject) -> str:
        """How a bot went before the end."""
        try:
            async with asyncio.timeout(GOODBYE_SECONDS):
                await subject.ended.wait()
        except TimeoutError:
            return "the bot hung up before the end"
        return f"the bot ended with exit code {subject.code} before the end"


def view_lines(question: Question, bots: Sequence[str]) -> list[str]:
    """What a seat sees at a question, for people."""
    game, ask = question.game, question.ask
    seats = range(game.seats)
    trick = [f"{bots[seat]} {NAMES[card]}" for seat, card in game.trick]
    inside = [f"{bots[seat]} (seat {seat})" for seat in seats if game.in_round >> seat & 1]
    return [
        f"round {game.round}, trick {game.trick_number}, dealer {bots[game.dealer]}, stake {game.stake}",
        f"in the round: {', '.join(inside)}",
        f"points: {' '.join(str(game.points(seat)) for seat in seats)}",
        f"trick: {', '.join(trick) or 'nothing yet'}",
        f"hand: {' '.join(names(ask.hand)) or 'not to be seen'}",
        f"may: {', '.join(may_words(ask))}",
    ]
