"""The bridge: lets a program play that only reads and writes lines of JSON.

The program is started once, and gets one JSON object a line on its standard input. Those with ``"type":"ask"`` want one
line in return: an act such as ``{"_":"play","card":"Th"}``, or the index of one in the ask's ``legal``. The others
(``"seated"``, ``"refused"``, ``"over"``) want none. Its standard error goes to the terminal.
"""

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Final

from toep_client.acts import Act, Malformed, from_plain, to_plain
from toep_client.bot import Bot
from toep_client.connection import one_line, play
from toep_client.entry import INTERRUPTED
from toep_client.errors import LOST, USAGE, Trouble
from toep_client.news import Over, Refusal
from toep_client.settings import TOKEN, Settings
from toep_client.view import Match, View

LINE_BYTES: Final = 1 << 20
"""The longest line that is read."""

SHOWN: Final = 200
"""How much of a bad line is shown."""

GRACE_SECONDS: Final = 0.5
"""Time for the program to end by itself when its input is closed."""

TERMINATED: Final = 128 + signal.SIGTERM
HELP: Final = """usage: toep bridge -- CMD [ARGUMENT...]

Plays as a program that reads and writes lines of JSON. Where to play is said by the environment, as for every bot:
TOEP_ADDRESS, TOEP_BOT, and optionally TOEP_TOKEN (which the program does not get to see), TOEP_PARALLEL, TOEP_MATCHES.

example:
  TOEP_ADDRESS=127.0.0.1:7777 TOEP_BOT=anna toep bridge -- ./first.sh"""


def read_act(line: bytes, legal: Sequence[Act]) -> Act:
    """The act that a program's line means. Raises `ValueError`, with a message for its author, when it means none."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError("it is not JSON") from None
    if isinstance(value, dict):
        return from_plain(value)
    if type(value) is not int:
        raise ValueError("it is neither an act nor an index into legal")
    if not 0 <= value < len(legal):
        raise ValueError(f"there are {len(legal)} legal acts, counted from 0")
    return legal[value]


class Bridge(Bot):
    """A bot that asks a child process. To be used in ``async with``, which starts the child and puts an end to it."""

    parallel = 1

    def __init__(self, command: Sequence[str]) -> None:
        self._command: Sequence[str] = command
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> "Bridge":
        environ = {name: value for name, value in os.environ.items() if name != TOKEN}
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env=environ,
                start_new_session=True,
                limit=LINE_BYTES,
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise Trouble(USAGE, f"cannot start {self._command[0]!r}: {reason}") from error
        return self

    async def __aexit__(self, *_: object) -> None:
        """Closes the child's input, gives it a moment to end by itself, and kills what is left of its group."""
        process = self._child()
        if process.stdin is not None:
            process.stdin.close()
        try:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), GRACE_SECONDS)
        finally:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()

    async def act(self, view: View) -> Act:
        """Puts one ask to the child. Raises `Trouble` when it has died."""
        self._tell("ask", view.plain())
        line = await self._line()
        try:
            return read_act(line, view.legal)
        except ValueError as error:
            shown = one_line(line[:SHOWN].decode(errors="replace").strip())
            where = f"match {view.match_id}, seat {view.seat}, ask {view.ask} ({view.kind})"
            print(f"bad line from {self._command[0]}: {where}: {error}: {shown}", file=sys.stderr, flush=True)
            return Malformed()

    def seated(self, match: Match) -> None:
        self._tell("seated", {**asdict(match), "rules": dict(match.rules)})

    def refused(self, view: View | None, refusal: Refusal) -> None:
        act = None if refusal.act is None else to_plain(refusal.act)
        seat = None if view is None else view.seat
        self._tell("refused", {**asdict(refusal), "act": act, "seat": seat})

    def over(self, over: Over) -> None:
        self._tell("over", asdict(over))

    def _child(self) -> asyncio.subprocess.Process:
        if self._process is None:
            raise RuntimeError("a bridge is used in async with")
        return self._process

    def _tell(self, kind: str, body: Mapping[str, object]) -> None:
        stdin = self._child().stdin
        if stdin is not None and not stdin.is_closing():
            stdin.write(json.dumps({"type": kind, **body}, separators=(",", ":")).encode() + b"\n")

    async def _line(self) -> bytes:
        process = self._child()
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("the child has no pipes")
        try:
            await process.stdin.drain()
            line = await process.stdout.readline()
        except ConnectionError:
            line = b""
        except ValueError:
            raise Trouble(LOST, f"{self._command[0]} wrote a line of more than {LINE_BYTES} bytes") from None
        if line.endswith(b"\n"):
            return line
        raise Trouble(LOST, f"{self._command[0]} {await self._end()} before it had answered")

    async def _end(self) -> str:
        """How the child ended, in words."""
        try:
            code = await asyncio.wait_for(self._child().wait(), GRACE_SECONDS)
        except TimeoutError:
            return "closed its output"
        return f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"


async def bridge(command: Sequence[str], settings: Settings) -> None:
    """Plays as a program. Raises `Trouble` when it cannot be started or dies, and like `play`.

    On SIGTERM it is cancelled, so that the program, which is in a session of its own, does not outlive it.
    """
    task = asyncio.current_task()
    if task is not None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    try:
        async with Bridge(command) as bot:
            await play(bot, settings)
    finally:
        asyncio.get_running_loop().remove_signal_handler(signal.SIGTERM)


def main(argv: Sequence[str]) -> int:
    """``toep bridge -- CMD``: plays as a program that speaks JSON lines; returns the exit code of the process.

    0 the work is done; 1 the program died or the connection was lost; 2 a wrong command line, variable or address.
    """
    command = list(argv)
    if command in (["-h"], ["--help"]):
        print(HELP)
        return 0
    if command[:1] == ["--"]:
        command = command[1:]
    if not command or command[0].startswith("-"):
        print(HELP, file=sys.stderr)
        return USAGE
    try:
        asyncio.run(bridge(command, Settings.from_environ(os.environ)))
    except Trouble as trouble:
        print(trouble, file=sys.stderr)
        return trouble.code
    except KeyboardInterrupt:
        return INTERRUPTED
    except asyncio.CancelledError:
        return TERMINATED
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
