"""Bots as local processes: each in a process group of its own, always ended as a group, always reaped."""

import asyncio
import contextlib
import os
import secrets
import shlex
import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

SAMPLES: Final = ("random", "careful", "caller")
"""The sample bots of the Python client, by name."""

TERM_SECONDS: Final = 1.0
"""Time between asking a bot to end and ending it."""

MARK: Final = "TOEP_PROCESS"
"""A variable that is different for each bot. What the bot starts inherits it, also in a session of its own."""

STRAY_SECONDS: Final = 1.0
"""Time for what a bot has started to be gone after it was killed."""


class StartError(OSError):
    """A bot's command could not be started."""


@dataclass(frozen=True)
class BotCommand:
    """A bot to start: the name it plays under, and its command line."""

    name: str
    argv: tuple[str, ...]


def sample_argv(name: str) -> tuple[str, ...]:
    """The command of a sample bot."""
    return (sys.executable, "-m", "toep_client", name)


def parse_bots(texts: Sequence[str]) -> list[BotCommand]:
    """Bots from a command line: ``random``, ``python3 my_bot.py`` or ``NAME=COMMAND``; names are made unique.

    Raises `ValueError` with what is wrong.
    """
    bots: list[BotCommand] = []
    for text in texts:
        name, command = _split_name(text)
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise ValueError(f"--bot {text!r}: {error}") from None
        if not words:
            raise ValueError(f"--bot {text!r}: a command is missing")
        argv = sample_argv(words[0]) if words[0] in SAMPLES and len(words) == 1 else tuple(words)
        wanted = name or _plain(words[0])
        taken = {bot.name for bot in bots}
        unique = wanted
        for number in range(2, len(texts) + 2):
            if unique not in taken:
                break
            unique = f"{wanted}-{number}"
        bots.append(BotCommand(unique, argv))
    return bots


def _split_name(text: str) -> tuple[str, str]:
    name, sign, command = text.partition("=")
    if sign and name and all(character.isalnum() or character in "-_." for character in name):
        return name, command
    return "", text


def _plain(word: str) -> str:
    stem = os.path.splitext(os.path.basename(word))[0]
    return "".join(character if character.isalnum() or character in "-_." else "-" for character in stem) or "bot"


def _path() -> str:
    """Where bots look for programs: first where this interpreter is, so that ``toep bridge`` is found there."""
    return os.pathsep.join((os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)))


class BotProcess:
    """One running bot."""

    def __init__(self, bot: BotCommand, process: asyncio.subprocess.Process, mark: str) -> None:
        self.bot: Final = bot
        self.process: Final = process
        self._mark = mark

    @classmethod
    async def start(cls, bot: BotCommand, environment: Mapping[str, str], *, stderr: int | None = None) -> "BotProcess":
        """Start a bot with these variables added to the environment; raises `StartError`.

        ``stderr``: the file descriptor that its standard error goes to (default: this process's own).
        """
        mark = secrets.token_hex(8)
        try:
            process = await asyncio.create_subprocess_exec(
                *bot.argv,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=stderr,
                env={**os.environ, "PATH": _path(), **environment, MARK: mark},
                start_new_session=True,
            )
        except OSError as error:
            reason = error.strerror or str(error)
            raise StartError(f"bot {bot.name}: cannot start {shlex.join(bot.argv)}: {reason}") from error
        return cls(bot, process, mark)

    async def end(self) -> None:
        """End the bot and everything it started, politely first, and reap it."""
        self._signal(signal.SIGTERM)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.process.wait(), TERM_SECONDS)
        # Also when the bot itself has gone: its children may still be there.
        self._signal(signal.SIGKILL)
        await self.process.wait()
        await self._end_strays()

    async def _end_strays(self) -> None:
        """End what has left the bot's process group, as far as it can be told from its environment."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(STRAY_SECONDS):
                while strays := _marked(self._mark):
                    for pid in strays:
                        with contextlib.suppress(ProcessLookupError):
                            os.kill(pid, signal.SIGKILL)
                    await asyncio.sleep(0.01)

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)


def _marked(mark: str) -> list[int]:
    """The processes of this user with a mark in their environment; none where there is no ``/proc``."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        # One that has ended, or is somebody else's, cannot be read.
        with contextlib.suppress(OSError):
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
    return found
