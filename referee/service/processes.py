"""Bots as local processes: each in a process group of its own, always ended as a group, always reaped."""

import asyncio
import contextlib
import os
import shlex
import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

SAMPLES: Final = ("random", "careful", "caller")
"""The sample bots of the Python client, by name."""

TERM_SECONDS: Final = 1.0
"""Time between asking a bot to end and ending it."""


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

    def __init__(self, bot: BotCommand, process: asyncio.subprocess.Process) -> None:
        self.bot: Final = bot
        self.process: Final = process

    @classmethod
    async def start(cls, bot: BotCommand, environment: Mapping[str, str]) -> "BotProcess":
        """Start a bot with these variables added to the environment; raises `StartError`."""
        try:
            process = await asyncio.create_subprocess_exec(
                *bot.argv,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                env={**os.environ, "PATH": _path(), **environment},
                start_new_session=True,
            )
        except OSError as error:
            reason = error.strerror or str(error)
            raise StartError(f"bot {bot.name}: cannot start {shlex.join(bot.argv)}: {reason}") from error
        return cls(bot, process)

    async def end(self) -> None:
        """End the bot and everything it started, politely first, and reap it."""
        self._signal(signal.SIGTERM)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.process.wait(), TERM_SECONDS)
        # Also when the bot itself has gone: its children may still be there.
        self._signal(signal.SIGKILL)
        await self.process.wait()

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)
