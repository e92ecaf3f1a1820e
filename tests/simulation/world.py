"""A world: one referee after another, its tables, bots, links and disk, all drawn from one integer.

Real are the servicer, the hall, its sessions, tables, logs, deal sets and the store; simulated are the time, the links
(`network`), the bots (`bots`) and what the disk does (`disk`). Every actor draws from a generator of its own, so that a
change to one of them leaves the others as they are.
"""

import asyncio
import contextlib
import hashlib
import random
import sys
import tempfile
import traceback
from collections import Counter, deque
from collections.abc import Coroutine, Iterable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import structlog
from msgspec import UNSET
from msgspec.structs import replace

from referee.log.note import Signer
from referee.log.records import Conduct, Length, Rounds
from referee.ruleset import PRESETS, RulesetError
from referee.service.errors import HallError
from referee.service.hall import TICK_MS, Hall
from referee.service.names import KEY_SIZE, Names
from referee.service.rpc import RefereeService, handler
from referee.service.seating import Seating
from referee.service.session import Session
from referee.service.stalls import Own, Stalls
from referee.service.summary import Summary
from referee.table.head import MatchPlan
from referee.v1 import play_pb2 as wire
from tests.campaigns.matches import random_rules
from tests.simulation.bots import Bot, Manners
from tests.simulation.clock import SimLoop, Standstill
from tests.simulation.disk import Died, Disk, SimStore
from tests.simulation.invariants import Book, Witness, judge
from tests.simulation.network import Stream, Weather

NAMES: Final = ("ann", "bob", "cor", "dee", "eve", "fay")
GHOST: Final = "ghost"
"""A bot that never comes."""

KEY: Final = Signer("club.example/referee", bytes(range(32)))
ENGINE: Final = "toep sim"
TICK: Final = 0.02
TAIL: Final = 30
"""Events of a trace that are shown with a violation."""

MOST: Final = 5
"""Violations of one world that are kept."""

HOUR: Final = 3_600_000
FATAL: Final = ("disk: disk full", "disk: write error", "disk: sync error", "disk: close error")
CURRENT: Final[ContextVar[Stream]] = ContextVar("stream")
"""The stream whose call is being served."""


@dataclass(frozen=True)
class Violation:
    """Something that must not be."""

    seed: int
    ms: int
    what: str
    trace: tuple[str, ...]

    def __str__(self) -> str:
        return f"seed {self.seed} at {self.ms} ms: {self.what}"


@dataclass
class Outcome:
    """What became of a world."""

    seed: int
    violations: list[Violation]
    faults: Counter[str]
    matches: Counter[str]
    taken_up: int
    ms: int
    digest: str
    """Of everything that happened, in order."""
    trace: list[str] = field(default_factory=list)


@dataclass
class Planned:
    """A match to be set up."""

    plan: MatchPlan
    declared: bool
    at_ms: int
    lobby: int


class WatchedHall(Hall):
    """The real hall, with a witness at its doors."""

    world: "World"
    witness: Witness

    def connect(self, bot: str, parallel: int, **whose: Any) -> Session:
        self.witness.connected(CURRENT.get())
        return super().connect(bot, parallel, **whose)

    def receive(self, session: Session, answers: Iterable[wire.Answer]) -> None:
        stream = CURRENT.get()
        for answer in answers:
            self.world.note(f"{stream} answers table {answer.table}, ask {answer.ask}: {answer.WhichOneof('act')}")
            self.witness.takes(stream, answer)
            super().receive(session, [answer])


class _Blame(Stalls):
    """Says whose doing lateness was, as often as the world has it that the referee stands still."""

    def __init__(self, world: "World") -> None:
        super().__init__(TICK_MS)
        self._world = world
        self._rng = world.rng("blame")

    def blame(self, since: int, until: int) -> Own | None:
        if not self._world.stalls or self._rng.random() < 0.7:
            return None
        self._world.fault("lateness is the house's own", "")
        return self._rng.choice(("host", "referee"))


class Referee:
    """One process of the referee."""

    def __init__(self, world: "World") -> None:
        self.hall = WatchedHall(
            SimStore(world.disk, durable=world.durable), world.loop.ms, world.signer, names=Names(bytes(KEY_SIZE))
        )
        self.hall.world = world
        self.hall.stalls = _Blame(world)
        self.hall.witness = self.witness = Witness(
            world.loop.ms, world.report, world.hidden_seeds, durable=world.durable
        )
        self.service = RefereeService(self.hall)
        methods: Any = handler(self.service)
        self.play = methods.service(_Call("/referee.v1.RefereeService/Play")).stream_stream
        self.streams: list[Stream] = []
        self._world = world
        self._ticker = world.loop.create_task(self._tick())

    async def _tick(self) -> None:
        rng, world = self._world.rng("ticker"), self._world
        while True:
            late = 0.0
            if world.stalls and rng.random() < 0.002:
                late = rng.randint(1, world.stalls) / 1000
                world.fault("referee busy: tick late", "")
            await asyncio.sleep(TICK + late)
            self.hall.tick()

    def take_up(self) -> None:
        """Go on with what an earlier process left; the tables of matches that are played again get their books."""
        world, books = self._world, self._world.books
        for path in self.hall.store.folder.glob("*.toep"):
            book = books[path.name.removesuffix(".toep")]
            if book.failed:
                data = path.read_bytes()
                book.restart(data[: data.rfind(b"\n") + 1])
            book.resumed()
        for seating in self.hall.take_up(ENGINE):
            book = books[seating.match]
            if book.failed and book.told_over:
                world.report(f"{seating.match}: goes on although its players were told that it was stopped")
            book.crashed = book.failed = False
            world.note(f"match {seating.match} is table {seating.number} now")
            world.taken_up += 1
        for one in self.hall.listed:
            self.witness.tables[one.number] = books[one.match]

    def serve(self, stream: Stream) -> None:
        """A call comes in."""
        self.streams.append(stream)
        stream.task = self._world.loop.create_task(self._serve(stream))

    async def _serve(self, stream: Stream) -> None:
        CURRENT.set(stream)
        try:
            await self.play(None, stream)
        except Died:
            return
        except asyncio.CancelledError:
            if not stream.broken:
                self._world.report(f"{stream}: its call was cancelled, though its link is whole")
        except Exception as error:
            if not stream.code:
                self._world.report(f"{stream}: {type(error).__name__}: {error}")
        stream.finished()

    async def stop(self) -> None:
        """As `Server.stop`: end what runs, then every stream."""
        self.hall.abandon_all()
        self._ticker.cancel()
        await asyncio.gather(self._ticker, return_exceptions=True)
        await asyncio.sleep(0.5)
        self.witness.stopped(self.streams)
        for stream in self.streams:
            stream.cut("")
            stream.kill()
        await asyncio.gather(*(stream.task for stream in self.streams if stream.task), return_exceptions=True)
        await self.hall.sets.wait()
        self.hall.store.close()


@dataclass
class _Call:
    method: str
    invocation_metadata: tuple[()] = ()


class World:
    """Everything, from one seed."""

    def __init__(self, seed: int, loop: SimLoop, folder: Path, *, keep: bool = False) -> None:
        """``keep`` the whole trace."""
        self.seed: Final = seed
        self.loop: Final = loop
        self.violations: Final[list[Violation]] = []
        self.faults: Final[Counter[str]] = Counter()
        self.books: Final[dict[str, Book]] = {}
        self.seeds: Final[dict[str, bytes]] = {}
        self.trace: Final[deque[str]] = deque(maxlen=None if keep else TAIL)
        self.disk: Final = Disk(folder, self.rng("disk"), self._wrote, self.fault)
        self.down = False
        """No referee takes calls."""
        self.dead = False
        """What its process still seems to do did not happen."""
        self.stalls = 0
        self.limit_ms = HOUR
        self.bots: Final[dict[str, Bot]] = {}
        self.weather: Final[dict[str, Weather]] = {}
        self.planned: Final[list[Planned]] = []
        self.closed_sets: Final[set[str]] = set()
        self._digest = hashlib.sha256()
        self._dials = 0
        self._events: list[tuple[int, Coroutine[Any, Any, None]]] = []
        self.taken_up = 0
        """Matches that went on after a crash."""
        self.durable = self.rng("durable").random() < 0.3
        self.signer = KEY if self.rng("signer").random() < 0.3 else None
        self._draw()
        self.referee = Referee(self)

    def rng(self, actor: str) -> random.Random:
        """A generator for one actor."""
        return random.Random(f"{self.seed}/{actor}")

    # -- what is noted ---------------------------------------------------------------------------------------------

    def note(self, what: str) -> None:
        line = f"{self.loop.ms():>8} {what}"
        self.trace.append(line)
        self._digest.update(line.encode())

    def fault(self, kind: str, who: str) -> None:
        """A fault was injected."""
        if not kind:
            return
        self.faults[kind] += 1
        self.note(f"-- {kind} {who}")
        if kind in FATAL and who in self.books:
            self.books[who].failed = True

    def report(self, what: str) -> None:
        """An invariant does not hold."""
        self.note(f"!! {what}")
        if len(self.violations) < MOST:
            self.violations.append(Violation(self.seed, self.loop.ms(), what, tuple(self.trace)[-TAIL:]))

    def hidden_seeds(self) -> Iterator[bytes]:
        """Seeds that nobody may see."""
        for match, seed in self.seeds.items():
            yield seed
            yield seed.hex().encode()
            del match

    def _wrote(self, match: str, data: bytes) -> None:
        book = self.books[match]
        self.note(f"log of {match}: {data.count(10)} lines")
        book.write(data)

    # -- what there is ---------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        """Draw who plays what, and what goes wrong."""
        rng = self.rng("plan")
        wild = rng.choice((0.0, 0.3, 1.0, 1.0))
        """How much goes wrong: some worlds are quiet."""
        names = NAMES[: rng.randint(2, len(NAMES))]
        for name in names:
            self._draw_bot(name, rng, wild)
        count = rng.randint(1, 4)
        for number in range(count):
            self._draw_match(f"m-{number}", names, rng, wild)
        most = max(max(one.plan.conduct.act_ms, one.plan.conduct.window_ms) for one in self.planned)
        self.patience_ms = 60_000 + count * 8 * 3 * most
        """For longer than that nothing stands still."""
        for name in names:
            self._at(rng.randint(0, 1500), self._connect(name))
        for one in self.planned:
            self._at(one.at_ms, self._create(one))
        for name in sorted({one.plan.deals for one in self.planned} - {""}):
            self._at(rng.randint(2000, 30_000), self._close_deals(name))
        if rng.random() < 0.6 * wild:
            self.stalls = rng.choice((40, 300, 1500))
        for _ in range(rng.choice((0, 0, 1, 1, 2)) if wild else 0):
            event = rng.choice(
                (self._drain, self._cancel, self._crash, self._crash, self._restart, self._disk_fault, self._disk_fault)
            )
            self._at(rng.randint(100, rng.choice((2000, 6000, 20_000))), event(rng))

    def _draw_bot(self, name: str, rng: random.Random, wild: float) -> None:
        def rate(most: float, chance: float = 0.35) -> float:
            return rng.random() * most if rng.random() < chance * wild else 0.0

        self.weather[name] = Weather(
            delay=rng.choice(((0, 0), (0, 5), (1, 40), (20, 150))),
            breaks=rate(0.04),
            notice=rng.choice((0, 20, 500, 3000)),
            stalls=rate(0.02, 0.2),
            stall=rng.choice((50, 2000, 20_000, 10 * HOUR)),
            slow_writes=rng.choice((0, 0, 5, 200)) if wild else 0,
        )
        manners = Manners(
            eager=rng.choice((0.02, 0.2, 0.6)),
            ahead=rng.choice((0.0, 0.3, 0.9)),
            think=rng.choice((0, 10, 60)),
            edge=rate(0.3),
            silent=rate(0.2),
            illegal=rate(0.3),
            malformed=rate(0.2),
            double=rate(0.4),
            stale=rate(0.4),
            astray=rate(0.2),
            shuffles=rate(0.5),
            resigns=rate(0.02),
            leaves=rate(0.02, 0.15),
            abuses=rate(0.02, 0.15),
            parallel=rng.choice((1, 1, 2, 8)),
            returns=1.0 if rng.random() < 0.7 else rng.random(),
            pause=rng.choice((20, 500, 5000)),
            forgets=rate(0.5, 0.5),
        )
        self.bots[name] = Bot(name, manners, self.rng(f"bot {name}"), self._dial, self.fault)

    def _draw_match(self, match: str, names: tuple[str, ...], rng: random.Random, wild: float) -> None:
        rules = random_rules(rng) if rng.random() < 0.6 else rng.choice(list(PRESETS.values()))
        rules = replace(rules, limit=min(rules.limit, 5))
        seats = max(rules.min_players, min(8, rng.choice((2, 3, 4, 4, 5, 8))))
        bots = [rng.choice(names) for _ in range(seats)]
        if len(names) >= seats and rng.random() < 0.7:
            bots = rng.sample(names, seats)
        if rng.random() < 0.1 * wild:
            bots[0] = GHOST
        conduct = Conduct(
            act_ms=rng.choice((60, 250, 1000, 5000)) if wild else 5000,
            window_ms=rng.choice((30, 250, 1000)) if wild else 5000,
            faults=rng.choice((0, 1, 3, 10)),
            tries=rng.choice((1, 2, 3)),
            max_deals=6,
        )
        # A generator of its own, so that seeds of before meet the same matches.
        own = self.rng(f"conduct {match}")
        conduct = replace(
            conduct,
            late_faults=own.choice((UNSET, UNSET, 2)),
            link_faults=own.choice((UNSET, UNSET, 2)),
            refused_faults=own.choice((UNSET, UNSET, 2)),
            left=own.choice((UNSET, UNSET, "wait")),
            stall=own.choice((UNSET, "excuse", "void")),
        )
        length: Length = "game" if rng.random() < 0.3 else Rounds(rounds=rng.randint(1, 3))
        plan = MatchPlan(
            rules=rules, bots=bots, length=length, conduct=conduct, clock=rng.choice(("ms", "none")), match=match,
            deals=rng.choice(("", "", "set-1")), engine=ENGINE,
        )  # fmt: skip
        at_ms = rng.choice((0, rng.randint(0, 3000), rng.randint(0, 15_000)))
        self.planned.append(Planned(plan, rng.random() < 0.4, at_ms, rng.choice((0, 0, 5))))

    def _at(self, ms: int, event: Coroutine[Any, Any, None]) -> None:
        self._events.append((ms, event))

    # -- what happens ----------------------------------------------------------------------------------------------

    def _dial(self, bot: Bot) -> Stream:
        self._dials += 1
        stream = Stream(
            self._dials,
            bot.name,
            bot,
            weather=self.weather[bot.name],
            rng=self.rng(f"link {bot.name} {self._dials}"),
            written=self._sends,
            fault=self.fault,
        )
        self.note(f"{stream} dials")
        if self.down:
            self.loop.call_later(0.01, stream.cut, "dialled in vain")
        else:
            self.referee.serve(stream)
        return stream

    def _sends(self, stream: Stream, data: bytes) -> None:
        if self.dead or stream not in self.referee.streams:
            return
        batch = wire.PlayResponse.FromString(data)
        self.note(f"to {stream}: {_told(batch)}")
        self.referee.witness.sends(stream, data)
        for over in batch.over:
            file = self.disk.files.get(over.match_id)
            book = self.books[over.match_id]
            if file and not (book.failed or book.crashed) and (not file.closed or file.synced < len(file.data)):
                self.report(f"{over.match_id} is said to be over, but its log is not on disk")

    async def _connect(self, name: str) -> None:
        self.bots[name].connect()

    async def _create(self, planned: Planned) -> None:
        with contextlib.suppress(Died):
            self._set_up(planned)

    def _set_up(self, planned: Planned) -> None:
        plan, hall = planned.plan, self.referee.hall
        if self.down:
            self.fault("match not set up: referee is down", plan.match)
            return
        seed = hashlib.sha256(f"{self.seed}/{plan.deals or plan.match}".encode()).digest()
        book = self.books[plan.match] = Book(plan.match, list(plan.bots), self.report, self.loop.ms)
        try:
            if not planned.declared:
                self.seeds[plan.match] = seed
            seating = hall.create(plan, seed, declared=planned.declared, lobby_seconds=planned.lobby)
        except (HallError, RulesetError) as error:
            self.fault(f"match refused: {getattr(error, 'code', 'rules')}", plan.match)
            del self.books[plan.match]
            self.seeds.pop(plan.match, None)
            return
        self.note(f"match {plan.match} is table {seating.number}: {plan.bots}")
        self.referee.witness.tables[seating.number] = book

    async def _close_deals(self, name: str) -> None:
        self.closed_sets.add(name)
        self.note(f"set {name} is closed")
        with contextlib.suppress(HallError):
            self.referee.hall.close_deals(name)

    async def _drain(self, rng: random.Random) -> None:
        self.fault("referee drained", "")
        self.referee.hall.drain("the referee is closing down")

    async def _cancel(self, rng: random.Random) -> None:
        running = [one for one in self.referee.hall.open() if one.status == "playing"]
        if running and not self.down:
            seating = rng.choice(running)
            self.fault("match cancelled", seating.match)
            self.books[seating.match].cancelled = True
            with contextlib.suppress(Died):
                self.referee.hall._run(seating, seating.table.abandon)

    async def _disk_fault(self, rng: random.Random) -> None:
        disk = self.disk
        files = [file for file in disk.files.values() if not file.closed]
        match rng.randrange(6):
            case 0:
                disk.free = rng.randint(0, 8000)
            case 1:
                disk.slow_ms = rng.choice((100, 5000, 60_000))
            case 2:
                disk.refusal_rate = rng.random()
            case 3 if files:
                file = rng.choice(files)
                file.fail_at = len(file.data) + rng.randint(0, 3000)
            case 4 if files:
                rng.choice(files).sync_fails = True
            case 5 if files:
                rng.choice(files).close_fails = True

    async def _crash(self, rng: random.Random) -> None:
        """The referee is gone from one moment to the next, perhaps while it writes, and another one is started."""
        power = rng.random() < 0.5
        if self.down:
            return
        if rng.random() < 0.5:
            self.disk.dies_after = rng.randint(1, 4000)
            self.disk.dies = lambda match: self._die(
                rng, f"{'power cut' if power else 'referee killed'} in a write", power
            )
        else:
            self._die(rng, "power cut" if power else "referee killed", power)

    def _die(self, rng: random.Random, kind: str, power: bool) -> None:
        self.fault(kind, "")
        self.down = self.dead = True
        for stream in self.referee.streams:
            stream.cut("")
            stream.broken = True
        self._begin(self._rise(rng, power))

    async def _rise(self, rng: random.Random, power: bool) -> None:
        for task in asyncio.all_tasks():
            if task is not asyncio.current_task() and task.get_name() != "main":
                task.cancel()
        lost = self.disk.crash(power=power, durable=self.durable)
        for match, left in lost.items():
            self._is_left(self.books[match], left, all_told=self.durable or not power)
        await self._start_another(rng)
        for match, left in lost.items():
            book = self.books[match]
            if book.crashed and b"\n" in left and not (book.end or book.failed) and (self.durable or not power):
                self.report(f"{match}: not taken up, though everything was left")

    async def _restart(self, rng: random.Random) -> None:
        """The referee is stopped in good order, and another one goes on with its matches."""
        if self.down:
            return
        self.fault("referee restarted", "")
        old, self.down = self.referee, True
        playing = [one.match for one in old.hall.matches.values() if one.status == "playing"]
        old.hall.let_go()
        for match in playing:
            self.books[match].crashed = True  # What is answered from now on may come to nothing.
        await old.stop()
        for match in playing:
            self.books[match].restart(bytes(self.books[match].data))
        await self._start_another(rng)
        for match in playing:
            book = self.books[match]
            if book.crashed and not (book.end or book.failed):
                self.report(f"{match}: not taken up after a restart")

    async def _start_another(self, rng: random.Random) -> None:
        await asyncio.sleep(rng.randint(0, 3000) / 1000)
        self.referee = Referee(self)
        self.referee.take_up()
        self.down = self.dead = False
        for name in sorted(self.closed_sets):
            with contextlib.suppress(HallError):
                self.referee.hall.close_deals(name)

    def _is_left(self, book: Book, left: bytes, *, all_told: bool) -> None:
        """After a crash: the disk has a part of what was written, and what bots were told of must be in it."""
        told = self.referee.witness.told(book)
        if not bytes(book.data).startswith(left):
            self.report(f"{book.match}: the disk keeps what was never written")
        book.crashed = True
        book.restart(left[: left.rfind(b"\n") + 1])
        if all_told and told > len(book.public) and not book.failed:
            self.report(f"{book.match}: bots were told of {told} events, the disk has {len(book.public)}")

    # -- from beginning to end -------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Live through it, and check what is left."""
        for ms, event in self._events:
            self.loop.call_later(ms / 1000, self._begin, event)
        last = max(ms for ms, _event in self._events)
        while self.loop.ms() <= last or self.down or not self._at_rest():
            await asyncio.sleep(0.1)
            if self.loop.ms() > self.limit_ms:
                self.report("matches are still being played after all this time")
                break
            if self._stands_still():
                break
        self.note("the referee is stopped")
        self.disk.dies_after = -1
        for seating in self.referee.hall.open():
            if seating.status == "waiting" and not seating.awaited():
                self.report(f"{seating.match} waits, though its bots are all there")
            if seating.status == "playing":
                self.books[seating.match].cancelled = True
        for bot in self.bots.values():
            bot.gone = True
        await self.referee.stop()
        await asyncio.sleep(30)  # The ends hear of it.
        self._check()

    def _begin(self, event: Coroutine[Any, Any, None]) -> None:
        self.loop.create_task(event, name="main")

    def _at_rest(self) -> bool:
        return not self.referee.hall.playing()

    def _stands_still(self) -> bool:
        now = self.loop.ms()
        for seating in self.referee.hall.playing():
            book = self.books[seating.match]
            if now - book.written_ms > self.patience_ms:
                self.report(f"{seating.match} stands still since {book.written_ms} ms")
                return True
        return False

    def _check(self) -> None:
        """After the end."""
        hall = self.referee.hall
        for match, book in self.books.items():
            self._check_log(match, book, hall.matches.get(match))
        if files := self.disk.open_files():
            self.report(f"files are open after the end: {files}")
        if hall.sessions or hall._running or not hall.idle.is_set():
            self.report(f"after the end there are sessions {list(hall.sessions)}, matches {list(hall._running)}")
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        if others:
            self.report(f"after the end there are tasks: {others}")

    def _check_log(self, match: str, book: Book, seating: Seating | Summary | None) -> None:
        path, plain = self.disk.folder / f"{match}.toep", bytes(book.data)
        began = bool(plain)
        if not path.exists():
            if began and not book.crashed:
                self.report(f"{match}: its log is gone")
            return
        data = path.read_bytes()
        if not data.startswith(plain):
            self.report(f"{match}: the log on disk is not what was written")
        if not began:
            if not (book.failed or book.crashed):
                self.report(f"{match}: an empty log was left behind")
            return
        held = book.head is not None and self.referee.hall.sets.find(book.head.deals) is not None
        if wrong := judge(book, data, held):
            self.report(wrong)
        if not (held or book.failed or book.crashed):
            if path.with_name(path.name + ".seed").exists():
                self.report(f"{match}: its seed was left behind")
            if seating and seating.status == "abandoned" and not (book.cancelled or book.end):
                self.report(f"{match}: broken off without a reason")

    def outcome(self) -> Outcome:
        matches = Counter(one.status for one in self.referee.hall.matches.values())
        return Outcome(
            self.seed,
            self.violations,
            self.faults,
            matches,
            self.taken_up,
            self.loop.ms(),
            self._digest.hexdigest(),
            list(self.trace),
        )


def _told(batch: wire.PlayResponse) -> str:
    """A message in a trace."""
    parts = [f"seat {one.seat} of table {one.table}" for one in batch.seated]
    for update in batch.updates:
        events = " ".join(f"{event.WhichOneof('event')}" for event in update.events)
        parts.append(f"table {update.table} [{events}]")
    parts += [f"refused {one.table}/{one.ask} {wire.RefusalCode.Name(one.code)[13:]}" for one in batch.refusals]
    parts += [f"superseded {one.table}/{one.ask}" for one in batch.superseded]
    parts += [f"ask {one.table}/{one.ask} {wire.AskKind.Name(one.kind)[9:]} {one.budget_ms} ms" for one in batch.asks]
    parts += [f"over {one.table}" for one in batch.over]
    if batch.HasField("welcome"):
        parts.append("welcome")
    if batch.HasField("draining"):
        parts.append("draining")
    return ", ".join(parts)


def _last_frames(error: BaseException | None) -> str:
    """Where an error came from."""
    frames = traceback.extract_tb(error.__traceback__)[-3:] if error else []
    return " < ".join([repr(error), *(f"{frame.name}:{frame.lineno}" for frame in reversed(frames))])


@contextlib.contextmanager
def _quiet(world: World) -> Iterator[None]:
    """The referee's own log goes into the trace, as far as it tells of trouble."""

    def keep(_: Any, method: str, event: Any) -> Any:
        if method in ("error", "exception", "critical", "warning"):
            what = {key: value for key, value in event.items() if key not in ("call", "rpc", "id", "exc_info")}
            world.note(f"referee: {what}")
            if event.get("event") == "internal error":
                world.report(f"internal error: {_last_frames(sys.exc_info()[1])}")
        raise structlog.DropEvent

    before = structlog.get_config()
    structlog.configure(processors=[keep], cache_logger_on_first_use=False)
    try:
        yield
    finally:
        structlog.configure(**before)


def simulate(seed: int, *, keep: bool = False) -> Outcome:
    """One world, from its beginning to its end. ``keep`` the whole trace."""
    moments = random.Random(f"{seed}/threads")
    loop = SimLoop(lambda: moments.randint(0, 50) / 1000)
    try:
        with tempfile.TemporaryDirectory() as folder:
            return loop.run_until_complete(_live(seed, loop, Path(folder), keep))
    finally:
        loop.close()


async def _live(seed: int, loop: SimLoop, folder: Path, keep: bool) -> Outcome:
    world = World(seed, loop, folder, keep=keep)
    if (task := asyncio.current_task()) is not None:
        task.set_name("main")

    def failed(_: Any, context: dict[str, Any]) -> None:
        if isinstance(context.get("exception"), Died):
            return
        world.report(f"unhandled: {context.get('message')}: {context.get('exception')!r}")

    loop.set_exception_handler(failed)
    with _quiet(world):
        try:
            await world.run()
        except Standstill:
            world.report("everybody waits for ever")
        await asyncio.sleep(0)
    return world.outcome()
