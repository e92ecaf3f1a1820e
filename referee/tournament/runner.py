"""Playing the matches of an event: the referee in this process, and for every match fresh processes of its local bots.

A bot's process is started for one match, is known by a token of its own (`referee.service.guests`), and is ended with
all that it has started when the match is over.
"""

import asyncio
import contextlib
import os
import re
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, Self

import structlog
from msgspec import UNSET, to_builtins

from referee.service.guests import Guest
from referee.service.isolation import SOCKET, Mode, Quarters, obstacle
from referee.service.limits import Limits
from referee.service.names import Names
from referee.service.owner import OWNER
from referee.service.processes import SAMPLES, BotCommand, BotProcess, StartError, sample_argv
from referee.service.rpc import version_text
from referee.service.seating import Seating
from referee.service.server import Server
from referee.service.store import Store
from referee.service.tls import Tls
from referee.table.head import MatchPlan
from referee.tournament.botfiles import search_path
from referee.tournament.errors import TournamentError
from referee.tournament.folder import Folder
from referee.tournament.schedule import ScheduledMatch
from referee.tournament.spec_types import Bot, Spec

log = structlog.get_logger()

POLL_SECONDS: Final = 0.02
GOODBYE_SECONDS: Final = 2.0
"""Time for bots to go by themselves after the match."""

PREPARE_SECONDS: Final = 60.0
"""Time for bots to come back to a match that goes on, where the spec has no ``lobby_seconds``."""

STDERR_BYTES: Final = 8 * 1024 * 1024
"""What is kept of a bot's standard error from all of its matches."""

NO_SEED: Final = bytes(32)


@dataclass
class Outcome:
    """How a match ended. ``broken``: its log has no end, and never will."""

    status: Literal["over", "absent", "broken", "left"]
    absent: frozenset[int] = frozenset()
    """The seats whose bots did not come."""
    why: str = ""


@dataclass
class Crew:
    """The processes of one match."""

    match: ScheduledMatch
    guests: dict[int, Guest] = field(default_factory=dict)
    """By the bot's place in the spec."""
    processes: dict[int, BotProcess] = field(default_factory=dict)
    failed: dict[int, str] = field(default_factory=dict)
    """Bots that could not be started, and why."""


class House:
    """A referee for one event, and its bots. ``async with House(...) as house``."""

    def __init__(
        self,
        spec: Spec,
        folder: Folder,
        mode: Mode,
        where: Path,
        *,
        tokens: Mapping[str, str] | None = None,
        tls: Tls | None = None,
        secrets: Sequence[Path] = (),
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        """``where``: the folder that paths of the spec are seen from; ``mode``: how local bots are kept apart;
        ``tokens``: of remote bots, None: whoever can connect may play as any of them; ``secrets``: files that bots
        must not read, besides those of the spec; ``say`` gets what a person should know."""
        self.spec: Final = spec
        self.folder: Final = folder
        self.mode: Final = mode
        self.names: Final = tuple(bot.name for bot in spec.bots)
        self.commands: Final = [None if bot.remote else command_of(bot, where) for bot in spec.bots]
        self.spent: Final[Counter[str]] = Counter()
        """Milliseconds by what they were spent on, summed over tables."""
        self._remote = any(bot.remote for bot in spec.bots)
        path = spec.address.removeprefix("unix:")
        self._wanted = spec.address if path == spec.address else f"unix:{where / path}"
        # What a bot wrote to standard error would be a memory.
        named = [where / file for file in (spec.seed_file, spec.tokens, spec.tls_key) if file]
        hidden = dict.fromkeys((folder.seed, *named, *secrets))
        within = where.resolve().is_relative_to(folder.path.resolve())
        self._quarters = Quarters(
            mode,
            logs=folder.logs,
            secrets=tuple(hidden),
            closed=(folder.bots, folder.rulings) if within else (folder.path,),
        )
        self._tokens = None if self._remote and tokens is None else dict(tokens or {})
        self._say = say
        self._said: set[tuple[int, str]] = set()
        self._tls = tls
        self._endings: set[asyncio.Task[None]] = set()
        self.server: Server
        self._address = ""
        self._private = ""
        self._hurry = False
        self._called_off: set[str] = set()
        self.over = False
        """The event is over, which its remote bots are to be told."""

    async def __aenter__(self) -> Self:
        self._quarters.__enter__()
        try:
            beside = self._beside() if self._remote else ""
            store = Store(self.folder.logs)
            self.server = Server(
                store,
                address=self._wanted if self._remote else self._quarters.listen,
                beside=(beside,) if beside else (),
                tokens=self._tokens,
                organiser=os.urandom(16).hex(),
                tls=self._tls if self._remote else None,
                # A director that comes after this one knows its remote bots again.
                names=Names(store.resume_key()) if self._remote else None,
            )
            await self.server.start()
            self._address = self._quarters.address(beside or self.server.address)
            self._quarters.open()
            if self._private:
                os.chmod(beside.removeprefix("unix:"), 0o666)  # noqa: S103 - whoever finds it needs a token
        except BaseException:
            self._tidy()
            self._quarters.__exit__(None, None, None)
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            await asyncio.gather(*self._endings, return_exceptions=True)
            if self.over:
                await self._farewell()
            await self.server.stop()
        finally:
            self._tidy()
            self._quarters.__exit__(kind, error, traceback)

    async def _farewell(self) -> None:
        """Tell remote bots that there is nothing more to come, and let them go by themselves."""
        self.server.hall.drain("the event is over")
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GOODBYE_SECONDS):
                while True:
                    if not self.server.hall.sessions:
                        return
                    await asyncio.sleep(POLL_SECONDS)

    def _beside(self) -> str:
        """Where local bots dial in when the referee listens elsewhere for remote ones."""
        if self.mode == "sandbox":
            return self._quarters.listen
        self._private = tempfile.mkdtemp(prefix="toep-", dir="/tmp")
        OWNER.add_folder(self._private)
        os.chmod(self._private, 0o711)  # noqa: S103
        return f"unix:{self._private}/{SOCKET}"

    def _tidy(self) -> None:
        if self._private:
            shutil.rmtree(self._private, ignore_errors=True)
            OWNER.remove_folder(self._private)
            self._private = ""

    @property
    def address(self) -> str:
        """Where remote bots dial in."""
        return self.server.address

    # -- bots ------------------------------------------------------------------------------------------------------

    async def staff(self, match: ScheduledMatch) -> Crew:
        """Start the local bots of a match, and have their seats kept for them."""
        crew = Crew(match)
        for bot in dict.fromkeys(match.seats):
            if self.commands[bot] is not None:
                crew.guests[bot] = self.server.hall.guests.admit(self.names[bot])
        self.server.hall.guests.reserve(match.match, self.accounts(crew))
        return crew

    def accounts(self, crew: Crew) -> list[str]:
        """By seat, whose sessions play a match."""
        return [crew.guests[bot].account if bot in crew.guests else self.names[bot] for bot in crew.match.seats]

    async def start(self, crew: Crew) -> None:
        """Start the processes of a crew."""
        for bot, guest in crew.guests.items():
            command = self.commands[bot]
            assert command is not None
            environment = {
                "TOEP_ADDRESS": self._address, "TOEP_BOT": guest.bot, "TOEP_TOKEN": guest.token, "TOEP_MATCHES": "1",
            }  # fmt: skip
            stderr = self._stderr(guest.bot)
            try:
                process = await BotProcess.start(command, environment, stderr=stderr, quarters=self._quarters)
            except StartError as error:
                crew.failed[bot] = why = error.strerror or str(error)
                if (bot, why) not in self._said:
                    self._said.add((bot, why))
                    self._say(why)
                log.warning("bot not started", bot=guest.bot, match=crew.match.match, error=str(error))
            else:
                crew.processes[bot] = process
            finally:
                os.close(stderr)

    def _stderr(self, bot: str) -> int:
        """Where a bot's standard error goes."""
        path = self.folder.bots / f"{re.sub(r'[^A-Za-z0-9._-]', '_', bot)}.stderr"
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
        try:
            fd = os.open(path, flags, 0o600)
            if os.fstat(fd).st_size < STDERR_BYTES:
                return fd
            os.close(fd)
        except OSError:
            pass  # It is no reason not to play.
        return os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)

    async def dismiss(self, crew: Crew, *, politely: bool = True) -> None:
        """End a crew, with all that it has started."""
        for guest in crew.guests.values():
            self.server.hall.dismiss(guest)
        self.server.hall.guests.cancel(crew.match.match)
        if politely and crew.processes and not self._hurry:
            leaving = [asyncio.create_task(one.process.wait()) for one in crew.processes.values()]
            await asyncio.wait(leaving, timeout=GOODBYE_SECONDS)
            for task in leaving:
                task.cancel()
        await asyncio.gather(*(one.end() for one in crew.processes.values()))

    def dismiss_later(self, crew: Crew, *, politely: bool = True) -> None:
        """The same, without waiting for it; the house waits at the end."""
        task = asyncio.create_task(self.dismiss(crew, politely=politely))
        self._endings.add(task)
        task.add_done_callback(self._endings.discard)

    # -- matches ---------------------------------------------------------------------------------------------------

    def plan(self, match: ScheduledMatch) -> MatchPlan:
        """What the referee is told of a match."""
        return MatchPlan(
            rules=self.spec.rules,
            bots=[self.names[bot] for bot in match.seats],
            length=self.spec.length,
            conduct=self.spec.conduct,
            clock=self.spec.clock,
            match=match.match,
            deals=match.deals,
            engine=version_text(),
            isolation=self.mode,
        )

    async def play(
        self, match: ScheduledMatch, seed: bytes, *, declared: bool, seated: Callable[[Seating], None]
    ) -> Outcome:
        """Play a match from its beginning; no bot of it is left in the end. ``seated`` is told when it was set up.
        Raises `HallError`."""
        begun = time.monotonic()
        crew = await self.staff(match)
        try:
            seating = self.server.hall.create(
                self.plan(match), seed, declared=declared, lobby_seconds=self.spec.lobby_seconds
            )
            seated(seating)
            await self.start(crew)
            outcome = await self._attend(seating, crew)
            self._time("start", seating.began_at, begun)
            return outcome
        finally:
            self.dismiss_later(crew)

    def let_go(self) -> None:
        """Leave every match as it stands, for the next director; bots are not waited for."""
        self._hurry = True
        self.server.hall.let_go()

    def call_off(self, match: str) -> None:
        """Let a match that waits for its bots not begin, without anybody being at fault; its outcome is ``left``."""
        one = self.server.hall.find(match)
        if one.status == "waiting":
            self._called_off.add(match)
            self.server.hall.cancel(match, "it was called off", absent=())

    async def go_on(self, seating: Seating, crew: Crew) -> Outcome:
        """Play a match that was taken up to its end; its crew is there already."""
        try:
            return await self._attend(seating, crew)
        finally:
            self.dismiss_later(crew)

    async def gather(self, crews: Sequence[Crew], enough: Callable[[], bool] = lambda: False) -> None:
        """Start the bots of matches that are to be taken up, and wait until they have come or are not going to, or it
        is ``enough``."""
        await asyncio.gather(*(self.start(crew) for crew in crews))
        sessions = self.server.hall.sessions
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self.spec.lobby_seconds or PREPARE_SECONDS):
                while True:
                    if enough() or all(self._settled(crew, sessions) for crew in crews):
                        return
                    await asyncio.sleep(POLL_SECONDS)

    def _settled(self, crew: Crew, sessions: Mapping[str, object]) -> bool:
        """Whether everybody of a match is here, or has gone for good."""
        for bot, account in zip(crew.match.seats, self.accounts(crew), strict=True):
            process = crew.processes.get(bot)
            gone = bot in crew.failed or (process is not None and process.process.returncode is not None)
            if account not in sessions and not gone:
                return False
        return True

    async def _attend(self, seating: Seating, crew: Crew) -> Outcome:
        """Wait for the end of a match, and tell the hall of bots whose processes have ended."""
        hall = self.server.hall
        watchers = [
            asyncio.create_task(self._watch(seating, crew.guests[bot].account, process))
            for bot, process in crew.processes.items()
        ]
        for bot, why in crew.failed.items():
            self._gone(seating, crew.guests[bot].account, f"it could not be started: {why}")
        try:
            await seating.done.wait()
        finally:
            for watcher in watchers:
                watcher.cancel()
            await asyncio.gather(*watchers, return_exceptions=True)
        if seating.began_at is not None:
            self._time("play", hall.now(), None, seating.began_at)
        if seating.match in self._called_off:
            return Outcome("left")
        if seating.cancelled_at is not None:
            return Outcome("absent", frozenset(seating.absent))
        if seating.failed or seating.table.over is None:
            return Outcome("broken", why=seating.failed or "its log could not be written")
        return Outcome("over")

    async def _watch(self, seating: Seating, account: str, process: BotProcess) -> None:
        code = await process.process.wait()
        self._gone(seating, account, f"it ended with code {code}")

    def _gone(self, seating: Seating, account: str, why: str) -> None:
        """A bot's process is gone, and will not come back."""
        hall = self.server.hall
        if seating.status == "playing":
            bots = [seating.bots[seat] for seat in seating.seats_of(account)]
            log.info("bot gone in mid-match", match=seating.match, bots=bots, why=why)
            hall.leave(account)
        elif seating.status == "waiting":
            for seat in seating.seats_of(account):
                seating.sessions[seat] = None
            hall.cancel(seating.match, why, absent=seating.seats_of(account))

    def _time(self, what: str, until_ms: int | None, begun: float | None, begun_ms: int = 0) -> None:
        """Add to what was spent."""
        if begun is not None:
            self.spent[what] += round(1000 * (time.monotonic() - begun))
            if until_ms is not None:
                self.spent[what] -= self.server.hall.now() - until_ms
        elif until_ms is not None:
            self.spent[what] += until_ms - begun_ms


def command_of(bot: Bot, where: Path) -> BotCommand:
    """How a local bot is started; ``where``: the folder that paths of the spec are seen from."""
    assert bot.command is not UNSET
    words = tuple(bot.command)
    argv = sample_argv(words[0]) if len(words) == 1 and words[0] in SAMPLES else words
    return BotCommand(
        bot.name,
        argv,
        folder=where / bot.folder,
        environment=bot.environment,
        limits=Limits(**to_builtins(bot.limits)),
        reads=tuple(where / path for path in bot.reads),
    )


def check_bots(spec: Spec, mode: Mode, where: Path, withdrawn: Container[str] = ()) -> None:
    """Raise `TournamentError` for a local bot that cannot be started in the mode, whatever it is; one whose program is
    missing is told of when it is to play."""
    for bot in spec.bots:
        if bot.remote or bot.name in withdrawn:
            continue
        command = command_of(bot, where)
        program = shutil.which(command.argv[0], path=search_path()) or command.argv[0]
        limits = command.limits
        if why := obstacle(mode, os.path.join(where / bot.folder, program), str(where / bot.folder), limits):
            raise TournamentError(f"bot {bot.name}: isolation {mode}: {why}")
