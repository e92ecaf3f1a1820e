"""Bots as processes: command lines, and ending all that a bot has started."""

import ast
import asyncio
import os
import shlex
import sys
from pathlib import Path

import pytest

from referee.service import processes
from referee.service.processes import BotCommand, BotProcess, StartError, parse_bots, sample_argv
from tests.support.wire import eventually

ROOT = Path(__file__).parents[2]
STUBBORN = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = os.fork()
if child == 0:
    # The grandchild's parent may go; it stays.
    while True:
        time.sleep(60)
print_to = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT)
os.write(print_to, f"{os.getpid()} {child}".encode())
os.close(print_to)
os.rename(sys.argv[1], sys.argv[2])
if sys.argv[3] == "go":
    os._exit(0)
while True:
    time.sleep(60)
"""


def alive(pid: int) -> bool:
    """Whether a process is there and not a zombie."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.asyncio
@pytest.mark.parametrize("leader", ["stay", "go"])
async def test_a_bot_ends_with_everything_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leader: str
) -> None:
    """A grandchild that ignores SIGTERM, with and without the process that was started in between."""
    monkeypatch.setattr(processes, "TERM_SECONDS", 0.1)
    ready = tmp_path / "ready"
    argv = (sys.executable, "-c", STUBBORN, str(tmp_path / "half"), str(ready), leader)
    bot = await BotProcess.start(BotCommand("bot", argv), {})
    await eventually(ready.exists)
    pids = [int(word) for word in ready.read_text().split()]
    assert alive(pids[1])
    await bot.end()
    assert bot.process.returncode is not None
    # The kernel may take a moment over the one that is not ours to reap.
    await eventually(lambda: not any(map(alive, pids)))
    await bot.end()


DAEMON = """
import subprocess, sys, os
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"], start_new_session=True)
with open(sys.argv[1] + ".half", "w") as file:
    file.write(str(child.pid))
os.rename(sys.argv[1] + ".half", sys.argv[1])
os._exit(0)
"""


@pytest.mark.asyncio
async def test_a_child_in_a_session_of_its_own_ends_too(tmp_path: Path) -> None:
    """No signal to the bot's process group reaches it, and its parent has gone."""
    ready = tmp_path / "ready"
    bot = await BotProcess.start(BotCommand("bot", (sys.executable, "-c", DAEMON, str(ready))), {})
    other = await BotProcess.start(BotCommand("other", (sys.executable, "-c", "import time; time.sleep(3600)")), {})
    try:
        await eventually(ready.exists)
        child = int(ready.read_text())
        assert alive(child)
        await bot.end()
        await eventually(lambda: not alive(child))
        assert alive(other.process.pid)
    finally:
        await other.end()


@pytest.mark.asyncio
async def test_a_child_that_is_being_started_is_seen_a_moment_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a program is loaded its process has no environment, and nothing else may tell whose it is."""
    ready = tmp_path / "ready"
    bot = await BotProcess.start(BotCommand("bot", (sys.executable, "-c", DAEMON, str(ready))), {})
    await eventually(ready.exists)
    await bot.process.wait()
    child = int(ready.read_text())
    seen, find = asyncio.Event(), BotProcess._all
    monkeypatch.setattr(BotProcess, "_all", lambda self: find(self) if seen.is_set() else {})
    asyncio.get_running_loop().call_later(0.003, seen.set)
    await bot.end()
    await eventually(lambda: not alive(child))


@pytest.mark.asyncio
async def test_a_bot_that_ends_when_asked_is_not_waited_for(tmp_path: Path) -> None:
    argv = (sys.executable, "-c", "import time; time.sleep(60)")
    bot = await BotProcess.start(BotCommand("bot", argv), {})
    async with asyncio.timeout(processes.TERM_SECONDS):
        await bot.end()
    assert bot.process.returncode == -15


@pytest.mark.asyncio
async def test_a_bot_has_its_own_session_and_environment(tmp_path: Path) -> None:
    heard = "os.getsid(0), os.environ['TOEP_BOT'], repr(sys.stdin.read())"
    code = f"import os, sys; print({heard}, file=open(sys.argv[1], 'w'))"
    said = tmp_path / "said"
    bot = await BotProcess.start(BotCommand("ann", (sys.executable, "-c", code, str(said))), {"TOEP_BOT": "ann"})
    assert await bot.process.wait() == 0
    assert said.read_text() == f"{bot.process.pid} ann ''\n"
    assert os.getsid(0) != bot.process.pid
    await bot.end()


@pytest.mark.asyncio
@pytest.mark.parametrize("argv", [("./no-such-bot",), ("/",), ("no-such-command-anywhere", "x")])
async def test_a_command_that_cannot_be_started(argv: tuple[str, ...]) -> None:
    with pytest.raises(StartError, match=f"bot ann: cannot start {argv[0]}"):
        await BotProcess.start(BotCommand("ann", argv), {})


@pytest.mark.parametrize(
    ("texts", "bots"),
    [
        (["random"], ["random: SAMPLE random"]),
        (
            ["random", "random", "careful"],
            ["random: SAMPLE random", "random-2: SAMPLE random", "careful: SAMPLE careful"],
        ),
        (["ann=random", "ann=caller"], ["ann: SAMPLE random", "ann-2: SAMPLE caller"]),
        (["python3 my_bot.py"], ["python3: python3 my_bot.py"]),
        (["./bots/first.sh --fast"], ["first: ./bots/first.sh --fast"]),
        (["bob=./b.sh 'two words'"], ["bob: ./b.sh 'two words'"]),
        (["random extra"], ["random: random extra"]),
        (["./bot --seed=7"], ["bot: ./bot --seed=7"]),
        (["my bot=x"], ["my: my bot=x"]),
        (["x", "x-2=y", "x"], ["x: x", "x-2: y", "x-3: x"]),
        (["./b@t"], ["b-t: ./b@t"]),
    ],
    ids=" ".join,
)
def test_bots_of_a_command_line(texts: list[str], bots: list[str]) -> None:
    sample = shlex.join(sample_argv("x")[:-1])
    found = [f"{bot.name}: {shlex.join(bot.argv)}" for bot in parse_bots(texts)]
    assert [text.replace(sample, "SAMPLE") for text in found] == bots


@pytest.mark.parametrize("text", ["", "  ", "ann=", "ann= ", "./bot 'open"])
def test_a_bot_that_is_none(text: str) -> None:
    with pytest.raises(ValueError, match="--bot"):
        parse_bots([text])


def test_nothing_is_forked_beside_threads_of_grpc() -> None:
    """Their handlers run at a fork, start threads anew in the child, and these abort it when files are closed there.

    Python forks, rather than doing what has no handlers, for each of these arguments. (The keeper has no threads.)
    """
    forking = {"preexec_fn", "user", "group", "extra_groups"}
    found = []
    for file in sorted(ROOT.glob("referee/**/*.py")) + sorted(ROOT.glob("tests/**/*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and forking & {word.arg for word in node.keywords}:
                named = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if named in {"run", "Popen", "create_subprocess_exec", "create_subprocess_shell", "check_output"}:
                    found.append(f"{file.relative_to(ROOT)}:{node.lineno}")
            if isinstance(node, ast.Attribute) and ast.unparse(node) == "os.fork" and file.name != "keeper.py":
                found.append(f"{file.relative_to(ROOT)}:{node.lineno}")
    assert found == []
