"""The program under test: started as `toep play` starts a bot, listened to, and ended with everything it started."""

import asyncio
import contextlib
import os
import shlex
from collections.abc import Mapping, Sequence
from typing import Final

from referee.conformance.bot.words import plain_lines
from referee.service.processes import SAMPLES, BotCommand, BotProcess, sample_argv

KEPT: Final = 8 * 1024
"""Bytes at the end of what a program writes to standard error that are kept."""

SHOWN: Final = 8
"""Lines of it that are shown."""

CHUNK: Final = 64 * 1024
MOST_CHUNKS: Final = 64


def argv_of(words: Sequence[str]) -> tuple[str, ...]:
    """The command line that is meant; the name of a sample bot alone stands for its command."""
    return sample_argv(words[0]) if len(words) == 1 and words[0] in SAMPLES else tuple(words)


class Subject:
    """One program, running or not. To be used in ``async with``, which puts an end to it."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        """``environment``: the variables that tell it where to play."""
        self.command: Final = tuple(command)
        self.starts = 0
        """How often it has been started."""
        self.written = 0
        """Bytes that it wrote to standard error."""
        self.ended = asyncio.Event()
        """Set while it does not run."""
        self.ended.set()
        self.code: int | None = None
        """How the last run ended; None while it runs."""
        self._environment = environment
        self._process: BotProcess | None = None
        self._watcher: asyncio.Task[None] | None = None
        self._pipe = -1
        self._tail = b""

    async def __aenter__(self) -> "Subject":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.end()

    async def start(self) -> None:
        """Start it, again if it has ended; raises `StartError`."""
        await self.end()
        pipe, end = os.pipe()
        try:
            process = await BotProcess.start(
                BotCommand(shlex.join(self.command)[:60], self.command), self._environment, stderr=end
            )
        except BaseException:
            os.close(pipe)
            raise
        finally:
            os.close(end)
        os.set_blocking(pipe, False)
        asyncio.get_running_loop().add_reader(pipe, self._read)
        self._pipe, self._process = pipe, process
        self.starts += 1
        self.code = None
        self.ended.clear()
        self._watcher = asyncio.create_task(self._watch(process))

    async def _watch(self, process: BotProcess) -> None:
        self.code = await process.process.wait()
        self.ended.set()

    def _read(self) -> bool:
        """Take in what was written; False when there is no more for now."""
        try:
            data = os.read(self._pipe, CHUNK)
        except BlockingIOError:
            return False
        if not data:
            asyncio.get_running_loop().remove_reader(self._pipe)
            return False
        self.written += len(data)
        self._tail = (self._tail + data)[-KEPT:]
        return True

    def last_lines(self) -> list[str]:
        """The end of what it wrote to standard error."""
        for _ in range(MOST_CHUNKS):  # It may be writing all the time.
            if self._pipe < 0 or not self._read():
                break
        return plain_lines(self._tail, SHOWN)

    async def end(self) -> None:
        """End it and everything in its process group, politely first."""
        if self._process is None:
            return
        process, self._process = self._process, None
        await process.end()
        if self._watcher is not None:
            await self._watcher
        self.last_lines()
        asyncio.get_running_loop().remove_reader(self._pipe)
        with contextlib.suppress(OSError):
            os.close(self._pipe)
        self._pipe = -1
