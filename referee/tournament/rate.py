"""How many rounds a second this machine plays of an event: a few matches with the event's own bots."""

import asyncio
import contextlib
import secrets
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from referee.deal import SEED_SIZE
from referee.service import local
from referee.service.hall import HallError
from referee.service.isolation import Mode
from referee.service.processes import BotCommand, StartError, sample_argv
from referee.service.store import Store
from referee.table.head import MatchPlan
from referee.tournament.errors import TournamentError
from referee.tournament.plan import Rate
from referee.tournament.runner import command_of
from referee.tournament.schedule import Schedule
from referee.tournament.spec_types import Spec

STAND_IN: Final = "careful"
"""The sample bot that sits where a remote bot will."""

LONGEST_SECONDS: Final = 120.0
"""After so long it is given up."""

FAILURES: Final = (local.LocalError, StartError, HallError, OSError)
"""What may come of a match that cannot be played."""


class RateError(TournamentError):
    """No match could be played."""


async def measure(
    spec: Spec, schedule: Schedule, folder: Path, isolation: Mode, *, seconds: float, say: Callable[[str], None]
) -> Rate:
    """Play matches of the schedule, as many at once as the event has, until no more begin after ``seconds``.

    ``folder``: where paths of the spec are seen from; ``say`` gets a line for whatever a person should know. The logs
    go to a folder that is removed. Raises `RateError`.
    """
    commands = [
        BotCommand(bot.name, sample_argv(STAND_IN)) if bot.remote else command_of(bot, folder) for bot in spec.bots
    ]
    where = Path(tempfile.mkdtemp(prefix="toep-rate-"))
    begun = time.monotonic()
    done: list[int] = []
    waiting = (match for block in schedule.blocks for match in block.matches)

    async def table() -> None:
        while time.monotonic() - begun < seconds and (match := next(waiting, None)) is not None:
            bots = [commands[bot] for bot in match.seats]
            plan = MatchPlan(
                rules=spec.rules,
                bots=[bot.name for bot in bots],
                length=spec.length,
                conduct=spec.conduct,
                clock=spec.clock,
                match=match.match,
            )
            seed = secrets.token_bytes(SEED_SIZE)
            result = await local.play(Store(where), plan, bots, seed, declared=False, say=say, isolation=isolation)
            done.append(result.rounds)

    try:
        async with asyncio.timeout(LONGEST_SECONDS), asyncio.TaskGroup() as group:
            for _ in range(min(spec.concurrency, schedule.matches)):
                group.create_task(table())
    except TimeoutError:
        if not done:
            raise RateError(f"no match was over after {LONGEST_SECONDS:.0f} s; say the rate with --rate") from None
    except ExceptionGroup as errors:
        for error in errors.exceptions:
            if not isinstance(error, FAILURES):
                raise
        raise RateError(f"a match could not be played: {errors.exceptions[0]}") from None
    finally:
        with contextlib.suppress(OSError):
            shutil.rmtree(where)
    took = time.monotonic() - begun
    return Rate(rounds_per_second=sum(done) / took, source="measured", matches=len(done), seconds=took)
