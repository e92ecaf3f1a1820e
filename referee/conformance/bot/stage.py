"""One step's stage: a real hall, the kit's players, the tap, and the bot that is tested; and what counts as a failure.

Whatever a step is about, it fails when the bot is late with an act, gives up its tries, answers what was not asked, or
goes while a match is on.
"""

import asyncio
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

from msgspec import Struct

from referee.conformance.bot.door import BOT, FOREVER_MS, Door
from referee.conformance.bot.opponents import Opponents, Script, meek
from referee.conformance.bot.subject import Subject
from referee.conformance.bot.tap import FREE, Put, Tamper, Tap
from referee.conformance.bot.words import code_name
from referee.log.records import Conduct, Rounds
from referee.ruleset import Ruleset
from referee.service.clock import monotonic_ms
from referee.service.hall import Hall
from referee.service.seating import Seating
from referee.service.store import Store
from referee.table.head import MatchPlan
from referee.v1 import play_pb2

POLL_SECONDS: Final = 0.01
SEED: Final = bytes(range(32))
ANSWERS_SHOWN: Final = 5
MUCH: Final = 1024 * 1024
"""Bytes on standard error in one step that are too many."""

STRAYS: Final = 5
"""Answers to what was not asked that end a step; fewer may be an accident."""

WINDOW_SHARE: Final = 0.2
"""The time for a window, as a share of that for an act: what the default policy has."""

MOST_DEALS: Final = 40


class Failed(Exception):
    """The step is over. ``advice`` is one sentence on what to do; ``table`` where it went wrong, 0 when anywhere."""

    def __init__(self, why: str, advice: str, table: int = 0) -> None:
        super().__init__(why)
        self.why: Final = why
        self.advice: Final = advice
        self.table: Final = table


class Remark(Struct, frozen=True):
    """Something that is not right, and no failure."""

    why: str
    advice: str


class Patience(Struct, frozen=True):
    """How long the kit waits."""

    act_seconds: float = 10.0
    """For an act that is required."""
    deadline: bool = True
    """False: for ever, because somebody looks at the bot in a debugger."""
    connect_seconds: float = 30.0
    goodbye_seconds: float = 10.0
    step_seconds: float = 120.0

    @property
    def act_ms(self) -> int:
        """For an act, in milliseconds."""
        return round(1000 * self.act_seconds) if self.deadline else FOREVER_MS

    @property
    def window_ms(self) -> int:
        """For a window, in milliseconds."""
        return max(1, round(WINDOW_SHARE * self.act_ms))

    def limit(self, seconds: float) -> float | None:
        """So many seconds, or None when there are no deadlines."""
        return seconds if self.deadline else None


LATE: Final = "Answer every ask, also one that may be passed, within its budget_ms, counted from when it came."
STRAY: Final = "Copy `table` and `ask` from the ask into its answer, and answer each ask once."
EARLY: Final = "Play on until MatchOver has come for every match, and only then say Leave and end."
CRASH: Final = "Mend what its last lines on standard error show; start it by hand if they show nothing."
HELLO: Final = "Dial TOEP_ADDRESS, and send a Hello with protocol 1 and the name in TOEP_BOT before anything else."
TOKEN: Final = "Send the metadata `authorization: Bearer TOKEN`, with the value of TOEP_TOKEN."  # noqa: S105 - the name of a variable
QUIET: Final = "Write less to standard error: a line for what a person must know, and none for each ask."
LOST: Final = (
    "When the stream is lost, dial in again or end with exit code 1, so that whoever started it does it again."
)
ADVICE: Final = {
    play_pb2.REFUSAL_CODE_MALFORMED: "Set one act in every answer, with cards and numbers that the schema has.",
    play_pb2.REFUSAL_CODE_NOT_ASKED: "Answer with an act that the ask takes: a card of `legal`, or an act of `may`.",
    play_pb2.REFUSAL_CODE_ILLEGAL: "Play only cards of the ask's `legal`, and do only what its `may` has.",
}


class Stage:
    """To be used in ``async with``, which leaves no process, no port and no file behind."""

    def __init__(self, command: Sequence[str], patience: Patience, tamper: Tamper | None = None) -> None:
        self.tap: Final = Tap(tamper)
        self.patience: Final = patience
        self.remarks: Final[list[Remark]] = []
        self.tables: Final[list[Seating]] = []
        self.late_advice = LATE
        self.crash_advice = CRASH
        self._command = command
        self._stack = AsyncExitStack()
        self._came = False

    async def __aenter__(self) -> "Stage":
        folder = tempfile.mkdtemp(prefix="toep-conform-")
        self._stack.callback(shutil.rmtree, folder, ignore_errors=True)
        try:
            store = Store(Path(folder))
            self._stack.callback(store.close)
            self.hall = Hall(store, monotonic_ms)
            self._stack.callback(self.hall.abandon_all)
            self.opponents = await self._stack.enter_async_context(Opponents(self.hall))
            self.door = await self._stack.enter_async_context(
                Door(self.hall, self.tap, deadline=self.patience.deadline)
            )
        except BaseException:
            await self._stack.aclose()
            raise
        self.tap.running = self.running
        self.subject = Subject(self._command, {})
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.subject.end()
        await self._stack.aclose()

    # -- setting up ------------------------------------------------------------------------------------------------

    def table(
        self,
        rules: Ruleset,
        seats: int,
        seat: int,
        *,
        script: Script = meek,
        seed: bytes = SEED,
        rounds: int = 1,
        act_ms: int = 0,
        window_ms: int = 0,
    ) -> Seating:
        """A match that waits for the bot at this seat; ``rounds`` = 0: a game to the end. Times: 0 is the usual."""
        patience = self.patience
        plan = MatchPlan(
            rules=rules,
            bots=self.opponents.names(BOT, seat, seats),
            length=Rounds(rounds=rounds) if rounds else "game",
            conduct=Conduct(
                act_ms=act_ms or patience.act_ms,
                window_ms=window_ms or patience.window_ms,
                faults=0,
                max_deals=MOST_DEALS,
            ),
            clock="none",
            match=f"conform-{len(self.tables) + 1}",
            deals="conform",
        )
        seating = self.hall.create(plan, seed, declared=True)
        self.opponents.take(seating, script)
        self.tables.append(seating)
        return seating

    async def start(self, matches: int = 0) -> None:
        """Start the bot, and wait until it is there; ``matches`` in TOEP_MATCHES (default: as many as there are)."""
        self.subject = Subject(self._command, self.door.environment(matches or len(self.tables)))
        welcomed = self.tap.welcomed
        await self.subject.start()
        await self.connected(welcomed)

    async def connected(self, welcomed: int) -> None:
        """Wait for the bot to say hello, which so many have been welcomed before."""
        limit = self.patience.limit(self.patience.connect_seconds)
        began = time.monotonic()
        # One that has come may be gone again before anybody looks.
        while BOT not in self.hall.sessions and self.tap.welcomed == welcomed and not self._played():
            late = limit is not None and time.monotonic() - began > limit
            if (late or self.subject.ended.is_set()) and self.tap.turned_away:
                advice = TOKEN if "UNAUTHENTICATED" in self.tap.turned_away else HELLO
                raise Failed(f"the referee turned it away: {self.tap.turned_away}", advice)
            if self.subject.ended.is_set():
                raise Failed(f"it {self._end()} before it had said hello", CRASH)
            if late:
                raise Failed(f"it did not say hello within {limit:.0f} s", HELLO)
            await asyncio.sleep(POLL_SECONDS)
        self._came = True

    # -- playing ---------------------------------------------------------------------------------------------------

    def running(self) -> bool:
        """Whether some match is not over."""
        return any(seating.status in ("waiting", "playing") for seating in self.tables)

    def _played(self) -> bool:
        return not self.running()

    async def played(self) -> None:
        """Wait for the end of every match, then look at what was refused. Raises `Failed`."""
        await self.until(self._played)
        self.judge()

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until something is so; raises `Failed` as soon as it cannot come to be any more."""
        limit = self.patience.limit(self.patience.step_seconds)
        began = time.monotonic()
        while True:
            self._check()
            if condition():
                return
            if self.running() and self._came and BOT not in self.hall.sessions:
                await self._gone()
            if limit is not None and time.monotonic() - began > limit:
                idle = len(self.idle_windows())
                raise Failed(f"the step was not over after {limit:.0f} s; {idle} windows were not answered", LATE)
            await asyncio.sleep(POLL_SECONDS)

    def _check(self) -> None:
        tap = self.tap
        if tap.left_early:
            raise Failed("it said Leave while a match was on, and so lost it", EARLY)
        if tap.strays and (tap.lates or len(tap.strays) >= STRAYS):
            answer = tap.strays[0]
            why = f"it answered table {answer.table}, ask {answer.ask}, which was not open for it"
            raise Failed(f"{why}; {len(tap.strays)} such answers", STRAY)
        if tap.lates:
            table, seat = tap.lates[0]
            put = next((one for one in reversed(self._puts(table, seat)) if one.required and _late(one)), None)
            which = f"ask {put.ask.ask} ({put.kind}), within {put.ask.budget_ms} ms" if put else "an ask in time"
            raise Failed(f"at table {table} it did not answer {which}: the referee had to act", self.late_advice, table)
        for refusal in tap.refusals:
            if refusal.code not in FREE and not refusal.tries_left:
                raise Failed(f"its tries were used up: {_refusal(refusal)}", ADVICE[refusal.code], refusal.table)

    def _puts(self, table: int, seat: int) -> list[Put]:
        return [put for put in self.tap.puts.values() if (put.ask.table, put.ask.seat) == (table, seat)]

    async def back_or_gone(self) -> None:
        """After its line broke: wait until the bot is there again, or has ended. Raises `Failed`."""
        limit = self.patience.limit(self.patience.connect_seconds)
        began = time.monotonic()
        while BOT not in self.hall.sessions and not self.subject.ended.is_set():
            if limit is not None and time.monotonic() - began > limit:
                raise Failed(f"its line broke, and after {limit:.0f} s it had neither dialled in again nor ended", LOST)
            await asyncio.sleep(POLL_SECONDS)

    async def _gone(self) -> None:
        """The bot's stream is over in the middle of a match: say how."""
        try:
            async with asyncio.timeout(2):
                await self.subject.ended.wait()
        except TimeoutError:
            raise Failed("it hung up in the middle of a match", EARLY) from None
        advice = self.crash_advice if self.subject.code else EARLY
        raise Failed(f"it {self._end()} in the middle of a match", advice)

    def _end(self) -> str:
        code = self.subject.code or 0
        return f"ended with exit code {code}" if code >= 0 else f"was killed by signal {-code}"

    def idle_windows(self) -> list[Put]:
        """Asks that might be passed, and were left until their time was over."""
        return [put for put in self.tap.puts.values() if not put.required and put.answer is None and _late(put)]

    def judge(self) -> None:
        """After the matches: what was not right, though it went well in the end."""
        tap = self.tap
        costly = [refusal for refusal in tap.refusals if refusal.code not in FREE]
        if costly:
            first = costly[0]
            self.remark(f"{len(costly)} answers were refused at first: {_refusal(first)}", ADVICE[first.code])
        if strays := [*tap.strays, *tap.doubles]:
            answer = strays[0]
            why = f"it answered what was not open for it: table {answer.table}, ask {answer.ask}"
            self.remark(f"{why}; {len(strays)} such answers", STRAY)
        elif slow := [put for put in tap.answered() if _late(put)]:
            self.remark(f"{len(slow)} answers came when their time was over: {slow[0].words()}", LATE)
        self.noise()

    def noise(self) -> None:
        """Remark on much that was written to standard error."""
        self.subject.last_lines()
        if self.subject.written > MUCH:
            self.remark(f"it wrote {self.subject.written / MUCH:.0f} MB to standard error", QUIET)

    def remark(self, why: str, advice: str) -> None:
        """Keep a warning."""
        self.remarks.append(Remark(why, advice))

    async def goodbye(self) -> None:
        """Wait for the bot to leave and to end well, by itself. Raises `Failed`."""
        limit = self.patience.limit(self.patience.goodbye_seconds)
        try:
            async with asyncio.timeout(limit):
                await self.subject.ended.wait()
        except TimeoutError:
            said = "it said Leave and did not end" if self.tap.left else "it was still there"
            raise Failed(f"{said} {limit:.0f} s after its last match", LEAVE) from None
        if self.subject.code:
            raise Failed(f"it {self._end()} after its last match", "End with exit code 0 when the work is done.")
        if not self.tap.left:
            self.remark("it hung up without a Leave", "Send Leave before the stream is closed.")


LEAVE: Final = "Say Leave and end once TOEP_MATCHES matches are over, and also when Draining has come and none is on."


def _late(put: Put) -> bool:
    waited = put.ms if put.ms is not None else (time.monotonic() - put.at) * 1000
    return waited >= put.ask.budget_ms


def _refusal(refusal: play_pb2.Refusal) -> str:
    rule = f", {refusal.rule}" if refusal.rule else ""
    return f"table {refusal.table}, ask {refusal.ask}: {code_name(refusal.code)}{rule}: {refusal.message}"
