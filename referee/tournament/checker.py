"""Checking logs beside the tables: a process of its own that reads a log, and says what the match came to.

A check takes as long as a good part of a match, and the loop in which the tables' clocks run must not wait for it. The
process reads jobs from standard input and answers on standard output, one JSON line each; when its owner is gone it
reads the end of the file, and is gone too.
"""

import asyncio
import contextlib
import sys
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from referee.tournament.from_log import ResultError, from_log
from referee.tournament.results import MatchResult
from referee.tournament.schedule import ScheduledMatch

LINE: Final = 64 * 1024 * 1024
"""Bytes of an answer at most."""


class Job(Struct, frozen=True):
    """A log to be checked."""

    path: str
    match: ScheduledMatch
    bots: tuple[str, ...]


class Answer(Struct, frozen=True):
    """What came of it."""

    result: MatchResult | None = None
    error: str = ""


def answer(job: Job) -> Answer:
    """Check one log."""
    try:
        return Answer(from_log(Path(job.path), job.match, job.bots))
    except ResultError as error:
        return Answer(error=str(error))
    except Exception as error:
        return Answer(error=f"the check of {job.path} failed: {type(error).__name__}: {error}")


class Checker:
    """The process, from the side of its owner; started with the first log."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._turn: Final = asyncio.Lock()

    async def check(self, path: Path, match: ScheduledMatch, bots: tuple[str, ...]) -> MatchResult:
        """The result of a log; raises `ResultError`."""
        async with self._turn:
            for _ in range(2):
                try:
                    found = await self._ask(Job(str(path), match, bots))
                except (OSError, EOFError):
                    await self._end()
                    continue
                if found.result is None:
                    raise ResultError(found.error)
                return found.result
        raise ResultError(f"{path}: the process that checks it ended twice")

    async def _ask(self, job: Job) -> Answer:
        if self._process is None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", __name__,
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
                limit=LINE, start_new_session=True,
            )  # fmt: skip
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(msgspec.json.encode(job) + b"\n")
        await stdin.drain()
        line = await stdout.readline()
        if not line.endswith(b"\n"):
            raise EOFError
        return msgspec.json.decode(line, type=Answer)

    async def _end(self) -> None:
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
            self._process = None

    async def close(self) -> None:
        """There are no more logs."""
        await self._end()


def main() -> None:
    """Answer jobs until there are no more."""
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(msgspec.json.encode(answer(msgspec.json.decode(line, type=Job))) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
