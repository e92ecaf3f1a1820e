"""Bots as local processes: each in a process group of its own, always ended with all it started, always reaped."""

import asyncio
import contextlib
import os
import shlex
import shutil
import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from referee.service.isolation import Quarters, Start
from referee.service.keeper import doomed, kill, when_begun
from referee.service.limits import Limits, limit
from referee.service.owner import MARK, OWNER
from referee.service.sandbox import becoming

SAMPLES: Final = ("random", "careful", "caller")
"""The sample bots of the Python client, by name."""

TERM_SECONDS: Final = 1.0
"""Time between asking a bot to end and ending it."""

STRAY_SECONDS: Final = 1.0
"""Time for what a bot has started to be gone after it was killed."""

LOOK_AGAIN_SECONDS: Final = 0.01
"""Time for what is just being started to be known by its environment."""

SHELL: Final = "/bin/sh"
GATE: Final = 'read -r go || exit 1; exec "$@" </dev/null'
"""What a bot's process runs first: it waits for a line, so that it is limited, and known to the keeper, before the bot
begins; it costs a millisecond or two. Should this process be killed first, the bot never begins."""

CHUNK: Final = 64 * 1024


class StartError(OSError):
    """A bot's command could not be started."""


@dataclass(frozen=True)
class BotCommand:
    """A bot to start: the name it plays under, and its command line."""

    name: str
    argv: tuple[str, ...]
    folder: Path | None = None
    """Its working folder; None: that of this process."""

    environment: Mapping[str, str] = field(default_factory=dict)
    """More variables."""

    limits: Limits = field(default_factory=Limits)
    reads: tuple[Path, ...] = ()
    """More files and folders that it may read in a sandbox."""


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

    def __init__(self, bot: BotCommand, process: asyncio.subprocess.Process, mark: str, start: Start) -> None:
        self.bot: Final = bot
        self.process: Final = process
        self._mark: Final = f"{MARK}={mark}".encode()
        self._start: Final = start
        self._output: asyncio.Task[None] | None = None
        self._ended = False

    @classmethod
    async def start(
        cls,
        bot: BotCommand,
        environment: Mapping[str, str],
        *,
        stderr: int | None = None,
        quarters: Quarters = Quarters(),  # noqa: B008 - without isolation there is nothing in them
    ) -> "BotProcess":
        """Start a bot with these variables added to the environment; raises `StartError`.

        ``stderr``: the file descriptor that its standard error goes to (default: this process's own).
        """
        path = _path()
        mark = OWNER.new_mark()
        start: Start | None = None
        capped = bot.limits.output_kb > 0
        try:
            program = _find(bot.argv[0], bot.folder, path)
            # It looks at all processes, and at folders: the loop has answers to take meanwhile.
            start = await asyncio.to_thread(
                quarters.prepare,
                bot.argv,
                program,
                None if bot.folder is None else str(bot.folder),
                {**bot.environment, **environment, MARK: mark},
                path=path,
                reads=bot.reads,
                limits=bot.limits,
            )
            process = await asyncio.create_subprocess_exec(
                *(SHELL, "-c", GATE, "sh", *start.argv),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.PIPE if capped else stderr,
                cwd=start.folder,
                env=start.environment,
                start_new_session=True,
                umask=0o077 if start.limited else -1,
            )
        except OSError as error:
            if start is not None:
                start.give_back()
            reason = error.strerror or str(error)
            raise StartError(f"bot {bot.name}: cannot start {shlex.join(bot.argv)}: {reason}") from error
        running = cls(bot, process, mark, start)
        try:
            OWNER.add(process.pid, start.user.number if start.user else 0)
            if not start.limited:
                limit(process.pid, bot.limits)
            if capped:
                running._output = asyncio.create_task(running._pass_on(2 if stderr is None else os.dup(stderr)))
            assert process.stdin is not None
            # It may have been killed already.
            with contextlib.suppress(ConnectionError):
                process.stdin.write(b"\n")
                await process.stdin.drain()
                process.stdin.close()
                await process.stdin.wait_closed()
        except BaseException:
            await running.end()
            raise
        return running

    async def end(self) -> None:
        """End the bot and everything it started, politely first, and reap it."""
        if self._ended:
            return
        # While its parent is there, a child is known by it, whatever became of its environment.
        known = await asyncio.to_thread(self._all)
        self._signal(signal.SIGTERM)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.process.wait(), TERM_SECONDS)
        # Also when the bot itself has gone: its children may still be there.
        self._signal(signal.SIGKILL)
        await self.process.wait()
        await self._end_strays(known)
        if self._output is not None:
            self._output.cancel()
            await asyncio.gather(self._output, return_exceptions=True)
        self._ended = True
        OWNER.remove(self.process.pid)
        self._start.give_back()

    def _all(self) -> dict[int, bytes]:
        """Everything of this bot that can be found."""
        user = self._start.user
        if user is not None:
            return doomed(b"", {self.process.pid}, {user.number})
        return doomed(self._mark, {self.process.pid}, set())

    def _left(self, known: Mapping[int, bytes]) -> set[int]:
        """What is still there of what was known, and of what can be found."""
        return {*self._all(), *(pid for pid, begun in known.items() if when_begun(pid) == begun)}

    async def _end_strays(self, known: Mapping[int, bytes]) -> None:
        """End what has left the bot's process group, as far as it can be told."""
        if self._start.user is None:
            await asyncio.sleep(LOOK_AGAIN_SECONDS)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(STRAY_SECONDS):
                while strays := await asyncio.to_thread(self._left, known):
                    if self._start.user is not None:
                        await _end_user(self._start.user.number)
                    for pid in strays:
                        kill(pid)
                    await asyncio.sleep(0.01)

    def _signal(self, number: signal.Signals) -> None:
        # One under another user may not be ours to signal, if we are no longer root.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, number)

    async def _pass_on(self, out: int) -> None:
        """Pass standard error on, up to the limit, and drop the rest."""
        assert self.process.stderr is not None
        left = self.bot.limits.output_kb * 1024
        try:
            while data := await self.process.stderr.read(CHUNK):
                if left > 0 and not _write(out, data[:left]):
                    left = 0
                if 0 < left < len(data):
                    _write(out, f"\nbot {self.bot.name}: the rest of its standard error is dropped\n".encode())
                left = max(0, left - len(data))
        finally:
            if out != 2:
                os.close(out)


async def _end_user(user: int) -> None:
    """End all processes of a user at one stroke, which no process that forks can run away from. Needs root.

    When this returns nothing ends any more: the next bot may have that user.
    """
    process = await asyncio.create_subprocess_exec(
        *(*becoming(user), SHELL, "-c", "kill -KILL -1"),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        env={},
    )
    try:
        await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def _write(out: int, data: bytes) -> bool:
    """Whether it could be written, all of it."""
    while data:
        try:
            data = data[os.write(out, data) :]
        except OSError:
            return False
    return True


def _find(word: str, folder: Path | None, path: str) -> str:
    """The program that a word means, as the system would find it; raises `OSError`."""
    if folder is not None and not folder.is_dir():
        raise FileNotFoundError(2, f"its folder {folder} is not there")
    where = folder or Path()
    if os.sep in word:
        found = word if os.path.isabs(word) else os.path.abspath(where / word)
        if os.path.isfile(found) and os.access(found, os.X_OK):
            return found
        raise OSError(2, os.strerror(13 if os.path.exists(found) else 2))
    program = shutil.which(word, path=path)
    if program is None:
        raise OSError(2, os.strerror(2))
    return os.path.abspath(program)
