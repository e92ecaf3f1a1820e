"""A match between local bots: the referee in this process, each bot in a process of its own, gRPC in between."""

import asyncio
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from referee.log.note import Signer
from referee.service.isolation import Mode, Quarters
from referee.service.processes import BotCommand, BotProcess
from referee.service.seating import Seating
from referee.service.server import Server
from referee.service.store import Store
from referee.table.head import MatchPlan

POLL_SECONDS: Final = 0.02
CONNECT_SECONDS: Final = 60.0
"""Time for every bot to dial in after its start."""

GOODBYE_SECONDS: Final = 2.0
"""Time for bots to go by themselves after the match."""


class LocalError(Exception):
    """A local match could not be played."""


@dataclass(frozen=True)
class Result:
    """How a local match ended."""

    match: str
    status: str
    bots: list[str]
    rank: list[int]
    total: list[int]
    rounds: int
    refused: int
    faults: list[int]


async def play(
    store: Store,
    plan: MatchPlan,
    bots: Sequence[BotCommand],
    seed: bytes,
    *,
    declared: bool,
    say: Callable[[str], None],
    signer: Signer | None = None,
    isolation: Mode = "none",
    private: Sequence[Path] = (),
) -> Result:
    """Play one match and return its result; when this returns or raises, no bot is left.

    ``say`` gets one line for everything a person should know on the way; ``signer`` signs the log's seals;
    ``isolation`` keeps bots from the referee and from each other, and from the files ``private``. Raises `LocalError`,
    `IsolationError`, `StartError`, and what `Hall.create` and `Server.start` raise.
    """
    with Quarters(isolation, logs=store.folder, secrets=tuple(private)) as quarters:
        isolated = msgspec.structs.replace(plan, isolation=isolation)
        return await _play(store, isolated, bots, seed, quarters, declared=declared, say=say, signer=signer)


async def _play(
    store: Store,
    plan: MatchPlan,
    bots: Sequence[BotCommand],
    seed: bytes,
    quarters: Quarters,
    *,
    declared: bool,
    say: Callable[[str], None],
    signer: Signer | None,
) -> Result:
    tokens = {bot.name: secrets.token_urlsafe(24) for bot in bots}
    organiser = secrets.token_urlsafe(24)
    server = Server(store, address=quarters.listen, tokens=tokens, organiser=organiser, signer=signer)
    processes: list[BotProcess] = []
    watchers: list[asyncio.Task[None]] = []
    try:
        address = quarters.address(await server.start())
        quarters.open()
        seating = server.hall.create(plan, seed, declared=declared)
        quarters.secrets += (store.log_path(seating.match), store.seed_path(seating.match))
        for bot in bots:
            environment = {
                "TOEP_ADDRESS": address, "TOEP_BOT": bot.name, "TOEP_TOKEN": tokens[bot.name], "TOEP_MATCHES": "1",
            }  # fmt: skip
            processes.append(await BotProcess.start(bot, environment, quarters=quarters))
        watchers = [asyncio.create_task(_watch(process, server, seating, say)) for process in processes]
        await _wait_for_all(seating, processes)
        await server.hall.idle.wait()
        if not seating.on_disk:
            raise LocalError("the match was stopped: its log could not be written")
        await asyncio.wait(watchers, timeout=GOODBYE_SECONDS)
        return _result(seating)
    finally:
        for watcher in watchers:
            watcher.cancel()
        await asyncio.gather(*watchers, return_exceptions=True)
        await asyncio.gather(*(process.end() for process in processes))
        await server.stop()


async def _wait_for_all(seating: Seating, processes: Sequence[BotProcess]) -> None:
    """Until the match has begun; raises `LocalError` when a bot never comes."""
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            while seating.status == "waiting":
                for process in processes:
                    if process.process.returncode is not None:
                        code = process.process.returncode
                        raise LocalError(f"bot {process.bot.name} ended with code {code} before the match began")
                await asyncio.sleep(POLL_SECONDS)
    except TimeoutError:
        missing = [bot for bot, session in zip(seating.bots, seating.sessions, strict=True) if session is None]
        raise LocalError(f"not connected after {CONNECT_SECONDS:.0f} s: {', '.join(missing)}") from None


async def _watch(process: BotProcess, server: Server, seating: Seating, say: Callable[[str], None]) -> None:
    """A bot whose process is gone will not come back: its seats are forfeited."""
    code = await process.process.wait()
    if seating.status == "playing":
        say(f"bot {process.bot.name} ended with code {code} in the middle of the match; its seat is forfeited")
        server.hall.leave(process.bot.name)


def _result(seating: Seating) -> Result:
    over = seating.table.over
    assert over is not None
    return Result(
        match=seating.match,
        status=over.status,
        bots=seating.bots,
        rank=over.rank,
        total=over.total,
        rounds=seating.table.game.round,
        refused=seating.refused,
        faults=seating.table.faults,
    )
