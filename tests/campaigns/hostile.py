"""``make hostile``: bots that misbehave, each in one way, and whether the referee does what it should about it.

    python -m tests.campaigns.hostile illegal-card snoops

One line a bot: what was expected and what came of it. The bots and what is expected of the referee stand in
`clients/hostile`; how they are run, in `tests/support/hostile`. In the end nothing may be left of any of them.
"""

import argparse
import asyncio
import os
import secrets
import sys
import tempfile
import textwrap
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import msgspec

from referee.service.isolation import Mode, why_not
from tests.support.hostile.bots import Hostile, Problem, Verdict, differences, hostile_bots, summary
from tests.support.hostile.dialling import serving
from tests.support.hostile.left import MARK, none_left
from tests.support.hostile.local import played
from tests.support.hostile.timed import timed
from tests.support.isolated import python_for
from tests.support.wire import eventually

PROBLEMS = (Problem, TimeoutError, OSError)


class Report:
    """Prints a line a bot, and keeps count."""

    def __init__(self, verbose: bool) -> None:
        self.verbose = verbose
        self.failed: list[str] = []

    async def check(self, bot: Hostile, run: Callable[[], Awaitable[Verdict]], isolation: str = "") -> None:
        """Run a bot, and hold what came of it against what was expected."""
        if isolation and bot.isolated is not None:
            bot = msgspec.structs.replace(bot, name=f"{bot.name}, {isolation}", expect=bot.isolated)
        start = time.monotonic()
        try:
            actual = await run()
        except PROBLEMS as error:
            self.line(bot, f"{type(error).__name__}: {error}", [str(error)])
            return
        self.line(bot, summary(actual), differences(bot.expect, actual))
        if self.verbose or differences(bot.expect, actual):
            print(" " * 26 + f"| {time.monotonic() - start:.1f} s")
            for line in actual.told:
                print(textwrap.indent(line, " " * 26 + "| "))

    def line(self, bot: Hostile, actual: str, different: list[str]) -> None:
        """One bot."""
        verdict = "NOT EQUAL: " + "; ".join(different) if different else "equal"
        print(f"{bot.name:<24}  expected: {summary(bot.expect)}  actual: {actual}  {verdict}", flush=True)
        if different:
            self.failed.append(bot.name)


async def run_all(
    bots: list[Hostile], folder: Path, report: Report, workers: int, modes: Sequence[str] = ()
) -> list[str]:
    """Run these bots, those for which it matters also isolated in these ways; returns what they have left behind."""
    mark = secrets.token_hex(8)
    environ = {**os.environ, MARK: mark}
    before = len(os.listdir("/proc/self/fd"))
    room = asyncio.Semaphore(workers)

    async def one(bot: Hostile, run: Callable[[], Awaitable[Verdict]], isolation: str = "") -> None:
        async with room:
            await report.check(bot, run, isolation)

    for bot in (bot for bot in bots if bot.runs == "clock"):
        await report.check(bot, lambda: timed(bot, folder))  # noqa: B023 - called at once
    left = []
    async with asyncio.TaskGroup() as group:
        for bot in (bot for bot in bots if bot.runs == "play"):
            group.create_task(one(bot, lambda bot=bot: played(bot, folder, environ)))  # type: ignore[misc]
        for bot in (bot for bot in bots if bot.isolated is not None):
            for isolation in modes:
                run = lambda bot=bot, isolation=isolation: played(bot, folder, environ, isolation)  # noqa: E731
                group.create_task(one(bot, run, isolation))
    if any(bot.runs == "serve" for bot in bots):
        async with serving(folder, environ) as referee:
            async with asyncio.TaskGroup() as group:
                for bot in (bot for bot in bots if bot.runs == "serve" and not bot.match.alone):
                    group.create_task(one(bot, lambda bot=bot: referee.run(bot)))  # type: ignore[misc]
            for bot in (bot for bot in bots if bot.runs == "serve" and bot.match.alone):
                await report.check(bot, lambda: referee.run(bot))  # noqa: B023 - called at once
            left += await referee.left()
    left += [f"process {process}" for process in await none_left(mark)]
    try:
        await eventually(lambda: len(asyncio.all_tasks()) == 1)
        await eventually(lambda: len(os.listdir("/proc/self/fd")) <= before + FIRST_USE)
    except TimeoutError:
        left += [f"task {task.get_name()}" for task in asyncio.all_tasks() - {asyncio.current_task()}]
        left += [f"{len(os.listdir('/proc/self/fd')) - before} descriptors"]
    return left


FIRST_USE = 12
"""Descriptors that gRPC opens once in a process, and keeps."""


SHELTERS: tuple[Mode, ...] = ("uid", "sandbox")


def modes_here() -> list[str]:
    """The ways to isolate bots that can be had here; for the others it says why not."""
    found: list[str] = []
    for mode in SHELTERS:
        reason = why_not(mode)
        if not reason and not python_for(mode)[0]:
            reason = "no interpreter that another user may use"
        if reason:
            print(f"not isolated by {mode}: {reason}")
        else:
            found.append(mode)
    return found


HEADER = """\
| bot | what it does | how it runs | status, log, effect | what its author reads |
|---|---|---|---|---|
"""


def table(bots: list[Hostile]) -> str:
    """The bots as a table for the page about them."""
    rows = []
    for bot in bots:
        told = "; ".join(f"`{line}`" for line in bot.expect.told) or "nothing"
        rows.append(f"| `{bot.name}` | {bot.about} | {bot.runs} | {summary(bot.expect)} | {told} |\n")
        if bot.isolated is not None:
            told = "; ".join(f"`{line}`" for line in bot.isolated.told)
            rows.append(f"| `{bot.name}` | The same. | play, isolated | {summary(bot.isolated)} | {told} |\n")
    return HEADER + "".join(rows)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these bots")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--verbose", action="store_true", help="show what the author of each bot is told")
    args = parser.parse_args(argv)
    known = hostile_bots()
    bots = [known[name] for name in args.names] or list(known.values())
    report = Report(args.verbose)
    with tempfile.TemporaryDirectory(prefix="toep-hostile-") as folder:
        left = asyncio.run(run_all(bots, Path(folder), report, args.workers, modes_here()))
    for what in left:
        print(f"LEFT BEHIND  {what}")
    print(f"left behind: {len(left) or 'no process, port, descriptor or task'}")
    failed = f"NOT AS EXPECTED: {', '.join(report.failed)}" if report.failed else "all as expected"
    print(f"hostile: {len(bots)} bots, {failed}")
    return bool(report.failed or left)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
