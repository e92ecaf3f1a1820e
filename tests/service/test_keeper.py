"""What a process leaves that is killed while it has bots: nothing, two seconds later."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from referee.service import keeper
from referee.service.isolation import Mode, Quarters
from referee.service.owner import MARK, OWNER, Owner
from referee.service.processes import BotCommand, BotProcess
from referee.service.users import User
from tests.support.isolated import needs, open_folder
from tests.support.wire import eventually

SECONDS = 2.0
"""Within which everything must be gone."""

OWNER_PROGRAM = """
import asyncio, os, sys
from pathlib import Path
from referee.service.isolation import Quarters
from referee.service.owner import OWNER
from referee.service.processes import BotCommand, BotProcess

async def main():
    with Quarters(sys.argv[1]) as quarters:
        bots = [
            await BotProcess.start(BotCommand("bot", ("/bin/sh", "-c", text), Path("/")), {}, quarters=quarters)
            for text in sys.argv[2:]
        ]
        print(os.getpid(), OWNER.keeper, *(bot.process.pid for bot in bots), flush=True)
        await asyncio.sleep(3600)

asyncio.run(main())
"""

BASE = f"9{os.getpid()}."
"""How many seconds are slept here, apart from the fraction: no other process of tests sleeps as long."""

PLAIN = f"sleep {BASE}34"
STUBBORN = f"trap '' TERM HUP; while :; do sleep {BASE}35; done"
DAEMON = f"setsid sleep {BASE}36 & sleep {BASE}37"
"""Leaves the process group, and keeps its environment."""

NAMELESS = f"env -i setsid sleep {BASE}38 & sleep {BASE}39"
"""Leaves the process group and loses its environment, but not its parent."""

ORPHAN = f"(env -i setsid sleep {BASE}40 &) ; sleep {BASE}41"
"""Loses everything."""


def sleepers() -> set[str]:
    """The last words of the commands of this module that are running."""
    return set(sleeping().values())


def sleeping() -> dict[int, str]:
    """The same, by process id."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().decode(errors="replace").rstrip("\0").split("\0")
        except OSError:
            continue
        if words[0] == "sleep" and words[-1].startswith(BASE):
            found[int(process.name)] = words[-1]
    return found


def alive(pid: int) -> bool:
    """Whether a process is there and not a zombie."""
    return bool(keeper.when_begun(pid))


@pytest.fixture(autouse=True)
def no_leftovers() -> Iterator[None]:
    """Each test is about its own processes."""
    yield
    for pid in sleeping():
        keeper.kill(pid)


@contextmanager
def owner(mode: Mode, *bots: str) -> Iterator[tuple[subprocess.Popen[str], list[int]]]:
    """A process that has started these bots, and the ids of itself, its keeper and the bots."""
    command = [sys.executable, "-c", OWNER_PROGRAM, mode, *bots]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process, [int(word) for word in process.stdout.readline().split()]
        finally:
            process.kill()


async def gone(condition: Callable[[], object]) -> float:
    """Wait until something is so, for two seconds at most; how long it took."""
    begun = time.monotonic()
    async with asyncio.timeout(SECONDS):
        await eventually(condition)
    return time.monotonic() - begun


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("mode", "bots"),
    [
        ("none", [PLAIN, STUBBORN, DAEMON, NAMELESS]),
        ("uid", [PLAIN, STUBBORN, DAEMON, NAMELESS, ORPHAN]),
        ("sandbox", [PLAIN, STUBBORN, DAEMON, NAMELESS, ORPHAN]),
    ],
)
async def test_nothing_outlives_an_owner_that_was_killed(
    mode: Mode, bots: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No process, and no folder."""
    needs(mode)
    assert sleepers() == set()
    with open_folder() as folder:
        monkeypatch.setenv("TMPDIR", str(folder))
        await killed(mode, bots, folder)


async def killed(mode: Mode, bots: list[str], folder: Path) -> None:
    """Kill the owner of these bots, whose temporary files are in this folder."""
    with owner(mode, *bots) as (process, pids):
        expected = {word.strip(";&") for bot in bots for word in bot.split() if word.startswith(BASE)}
        await eventually(lambda: sleepers() == expected)
        assert len(os.listdir(folder)) == {"none": 0, "uid": len(bots), "sandbox": 1}[mode]
        process.send_signal(signal.SIGKILL)
        await gone(lambda: not sleepers() and not any(map(alive, pids)))
        assert os.listdir(folder) == []


@pytest.mark.asyncio
@pytest.mark.parametrize("mode", ["none", "uid", "sandbox"])
async def test_nothing_is_left_of_a_bot_that_is_ended(mode: Mode) -> None:
    """The owner lives, and so does another bot."""
    needs(mode)
    assert sleepers() == set()
    lost = [] if mode == "none" else [ORPHAN]
    with Quarters(mode) as quarters:
        there = [
            await BotProcess.start(BotCommand("bot", ("/bin/sh", "-c", text), Path("/")), {}, quarters=quarters)
            for text in (NAMELESS, DAEMON, *lost, PLAIN)
        ]
        try:
            wanted = 2 * len(there) - 1
            await eventually(lambda: len(sleepers()) == wanted)
            for bot in there[:-1]:
                await bot.end()
            await gone(lambda: sleepers() == {PLAIN.split()[1]})
        finally:
            await asyncio.gather(*(bot.end() for bot in there))
        await gone(lambda: not sleepers())


@pytest.mark.asyncio
async def test_the_keeper_ends_with_an_owner_that_ends_by_itself() -> None:
    with owner("none", PLAIN) as (process, pids):
        assert all(map(alive, pids))
        process.terminate()
        await gone(lambda: not any(map(alive, pids[1:])))


@pytest.mark.asyncio
async def test_bots_have_no_end_of_the_pipe() -> None:
    """Else a bot that lives on would keep the keeper from seeing that the owner is gone."""
    bot = await BotProcess.start(BotCommand("bot", ("sleep", f"{BASE}42")), {})
    try:
        folder = Path(f"/proc/{bot.process.pid}/fd")
        await eventually(lambda: "sleep" in Path(f"/proc/{bot.process.pid}/stat").read_text())
        # While it is loaded it has its libraries open.
        await eventually(lambda: sorted(os.listdir(folder)) == ["0", "1", "2"])
        await eventually(lambda: sorted(os.listdir(f"/proc/{OWNER.keeper}/fd")) == ["0", "1", "2"])
    finally:
        await bot.end()


@pytest.mark.asyncio
async def test_a_keeper_that_was_killed_is_replaced() -> None:
    one = Owner()
    environ = {MARK: one.new_mark()}
    pid = os.posix_spawn("/bin/sleep", ["sleep", f"{BASE}43"], environ, setsid=True)  # noqa: ASYNC221 - not waited for
    try:
        one.add(pid, 0)
        first = one.keeper
        os.kill(first, signal.SIGKILL)
        await eventually(lambda: not alive(first))
        one.add(pid, 0)
        assert one.keeper != first
        assert alive(one.keeper)
        os.close(one._pipe)  # What the end of this process would do.
        await gone(lambda: not alive(pid) and not alive(one.keeper))
    finally:
        os.kill(pid, signal.SIGKILL)
        for child in (pid, one.keeper):
            os.waitpid(child, 0)  # noqa: ASYNC222 - it has ended
        one._pipe = -1


def test_a_bot_that_has_ended_is_forgotten() -> None:
    """Its number may be somebody else's by then."""
    one = Owner()
    one.add(2**22 + 1, 0)
    one.remove(2**22 + 1)
    one.remove(2**22 + 1)
    assert one._bots == {}
    os.close(one._pipe)
    os.waitpid(one.keeper, 0)


def test_a_fork_has_a_keeper_of_its_own() -> None:
    one = Owner()
    mark = one.new_mark()
    one._of = -1
    assert one.new_mark().partition("-")[0] != mark.partition("-")[0]


def test_what_is_found(tmp_path: Path) -> None:
    """By its mark, by its group, by its parent; and nothing without any of them."""
    script = f"env -i setsid sleep {BASE}44 & echo; wait"
    environ = {"PATH": os.environ["PATH"], MARK: "ours-1"}
    with subprocess.Popen(["sh", "-c", script], stdout=subprocess.PIPE, env=environ, start_new_session=True) as shell:
        assert shell.stdout is not None
        shell.stdout.readline()
        try:
            for found in (
                keeper.doomed(f"{MARK}=ours-".encode(), set(), set()),
                keeper.doomed(b"", {shell.pid}, set()),
            ):
                assert shell.pid in found
                assert found[shell.pid] == keeper.when_begun(shell.pid)
                assert len(found) == 2
            assert keeper.doomed(f"{MARK}=others-".encode(), set(), set()) == {}
            assert keeper.doomed(b"", set(), set()) == {}
        finally:
            for pid in keeper.doomed(b"", {shell.pid}, set()):
                keeper.kill(pid)
    assert keeper.when_begun(shell.pid) == b""
    keeper.kill(shell.pid)


def test_a_user_that_somebody_else_has_by_now_is_not_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The owner is killed; before its keeper looks, nothing of its bots is left, and another referee has their user."""
    ended: list[int] = []
    monkeypatch.setattr(keeper, "end_user", ended.append)
    monkeypatch.setattr(keeper, "LOCK_SECONDS", 0.0)
    monkeypatch.setattr(keeper.lock_user, "__defaults__", (str(tmp_path),))
    looked: list[set[int]] = []

    def doomed(_: bytes, __: set[int], users: set[int]) -> dict[int, bytes]:
        looked.append(set(users))
        return {} if len(looked) > 1 else {2**22 + 1: b"1"}

    monkeypatch.setattr(keeper, "doomed", lambda *_: {})
    theirs = User.take(tmp_path)
    monkeypatch.setattr(keeper, "doomed", doomed)
    (tmp_path / str(theirs.number + 1)).touch()
    keeper.sweep(b"", {2**22 + 1: theirs.number, 2**22 + 2: theirs.number + 1})
    assert set(ended) == {theirs.number + 1}
    assert looked[-1] == {theirs.number + 1}
    theirs.give_back()


def test_users_of_the_system_are_never_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("it would be ended"))
    for user in (-1, 0, 999):
        keeper.end_user(user)
