"""Programs that speak JSON lines."""

import asyncio
import os
import sys
from pathlib import Path

import pytest
from toep_client import Act, Malformed, Match, Over, Pass, Play, Refusal, Settings, Signal, Stay, Toep, Trouble
from toep_client import bridge as bridging
from toep_client.bridge import Bridge, bridge, read_act
from toep_client.settings import ADDRESS, BOT, TOKEN

from referee.v1 import acts_pb2, play_pb2

from .conftest import Hosting, Line, Maker

PROGRAMS = Path(__file__).parents[2] / "clients" / "bridge"
FIRST = [str(PROGRAMS / "first.sh")]
LOWEST = [sys.executable, str(PROGRAMS / "lowest.py")]
LEGAL: list[Act] = [Play("9h"), Play("Th"), Toep()]


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


@pytest.mark.parametrize(
    ("line", "act"),
    [
        (b"0\n", Play("9h")),
        (b" 2 \n", Toep()),
        (b'{"_":"play","card":"Jc"}\n', Play("Jc")),
        (b'{"_":"signal","sign":"sing"}\n', Signal("sing")),
        (b'{"_": "pass", "until": "round"}\n', Pass("round")),
    ],
)
def test_lines_that_mean_an_act(line: bytes, act: Act) -> None:
    assert read_act(line, LEGAL) == act


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"\n", "not JSON"),
        (b"toep\n", "not JSON"),
        (b"\xff\xfe\n", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"9" * 10_000, "not JSON"),
        (b"3\n", "there are 3 legal acts"),
        (b"-1\n", "there are 3 legal acts"),
        (b"true\n", "neither an act nor an index"),
        (b"0.0\n", "neither an act nor an index"),
        (b'"toep"\n', "neither an act nor an index"),
        (b"[0]\n", "neither an act nor an index"),
        (b"null\n", "neither an act nor an index"),
        (b'{"type":"ask"}\n', '"_" must be one of'),
        (b'{"_":"play"}\n', "needs 'card'"),
    ],
)
def test_lines_that_mean_none(line: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_act(line, LEGAL)


@pytest.mark.asyncio
async def test_the_sample_programs(make: Maker) -> None:
    card = make.view(make.ask("Tc Jh 9h", "Tc Jh 9h", (acts_pb2.ACT_KIND_TOEP,)))
    may = (acts_pb2.ACT_KIND_STAY, acts_pb2.ACT_KIND_FOLD)
    toep = make.view(make.ask("Tc", "", may, play_pb2.ASK_KIND_ANSWER))
    window = make.view(make.ask("Tc", "", (acts_pb2.ACT_KIND_TOEP, acts_pb2.ACT_KIND_PASS)))
    async with Bridge(FIRST) as bot:
        bot.seated(make.match())
        assert [await bot.act(view) for view in (card, toep, window)] == [Play("Tc"), Stay(), Pass()]
    async with Bridge(LOWEST) as bot:
        bot.seated(make.match())
        assert [await bot.act(view) for view in (card, toep, window)] == [Play("Jh"), Stay(), Pass()]


ECHO = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    print(line, end="", file=sys.stderr, flush=True)
    if message["type"] == "ask":
        print(0, flush=True)
"""


@pytest.mark.asyncio
async def test_what_a_program_is_told(make: Maker, capfd: pytest.CaptureFixture[str]) -> None:
    view = make.view(make.ask("9h", "9h"))
    async with Bridge(python(ECHO)) as bot:
        bot.seated(make.match())
        await bot.act(view)
        bot.refused(view, Refusal(7, 40, "illegal", "R-SUIT-01", "Follow suit.", 2, Play("9h")))
        bot.refused(None, Refusal(9, 1, "stale", "", "Too late.", 0))
        bot.over(Over(7, "match-7", "complete", (1, 2), (0, 3), (1,)))
    lines = capfd.readouterr().err.splitlines()
    assert lines[0] == (
        '{"type":"seated","table":7,"match_id":"match-7","seat":1,"names":["ann","bob","cor","dee"],'
        '"rules":{"folded_cards":"win","limit":10,"armoede":false},"rounds":0}'
    )
    assert lines[1].startswith('{"type":"ask","table":7,"match_id":"match-7","seat":1,')
    assert '"legal":[{"_":"play","card":"9h"}]' in lines[1]
    assert lines[2] == (
        '{"type":"refused","table":7,"ask":40,"code":"illegal","rule":"R-SUIT-01","message":"Follow suit.",'
        '"tries_left":2,"act":{"_":"play","card":"9h"},"seat":1}'
    )
    assert '"act":null,"seat":null}' in lines[3]
    assert lines[4] == (
        '{"type":"over","table":7,"match_id":"match-7","status":"complete","rank":[1,2],"total":[0,3],"seats":[1]}'
    )
    assert len(lines) == 5


@pytest.mark.asyncio
async def test_a_bad_line_is_shown_and_sent_as_what_it_is(make: Maker, capfd: pytest.CaptureFixture[str]) -> None:
    async with Bridge(python('input(); print("toep\\x1b[2J"); input()')) as bot:
        assert await bot.act(make.view(make.ask("9h", "9h"))) == Malformed()
    error = capfd.readouterr().err
    assert "match match-7, seat 1, ask 40 (card): it is not JSON: toep [2J\n" in error


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import sys; input(); sys.exit(3)", "ended with exit code 3 before it had answered"),
        ("input(); print(0, end='')", "ended with exit code 0 before it had answered"),
        ("import os; input(); os.kill(os.getpid(), 9)", "was killed by signal 9 before it had answered"),
        ("input(); print('x' * 2**21)", "wrote a line of more than 1048576 bytes"),
    ],
)
async def test_a_dead_program_is_told(make: Maker, code: str, message: str) -> None:
    async with Bridge(python(code)) as bot:
        with pytest.raises(Trouble, match=message) as caught:
            await bot.act(make.view(make.ask("9h", "9h")))
    assert caught.value.code == 1


STUBBORN = """
import os, signal, subprocess, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
code = "import signal, sys; print('up', flush=True); signal.pause()"
grandchild = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
grandchild.stdout.readline()
input()
print(0, flush=True)
signal.pause()
"""


@pytest.mark.asyncio
async def test_the_whole_group_is_killed_and_reaped(make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridging, "GRACE_SECONDS", 0.0)
    async with Bridge(python(STUBBORN)) as bot:
        await bot.act(make.view(make.ask("9h", "9h")))
        process = bot._child()
        assert os.getpgid(process.pid) == process.pid != os.getpgid(0)
    assert process.returncode == -9
    with pytest.raises(ChildProcessError):
        os.waitpid(process.pid, os.WNOHANG)  # noqa: ASYNC222 - does not wait


@pytest.mark.asyncio
async def test_a_program_does_not_outlive_a_bridge_that_is_told_to_end(
    hosting: Hosting, make: Maker, tmp_path: Path
) -> None:
    """The program writes its process id, and never answers."""
    note = tmp_path / "pid"
    os.mkfifo(note)

    async def script(line: Line) -> None:
        await line.welcome()
        await line.say(seated=[make.seated()], updates=[make.update()], asks=[make.ask("9h", "9h")])
        await line.goodbye()

    code = f"import os, signal; input(); open({str(note)!r}, 'w').write(str(os.getpid())); signal.pause()"
    async with hosting(script) as referee:
        environ = {**os.environ, ADDRESS: referee.address, BOT: "bob"}
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "toep_client", "bridge", "--", *python(code), env=environ
        )
        child = int(await asyncio.to_thread(note.read_text))
        process.terminate()
        assert await process.wait() == 143
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


@pytest.mark.asyncio
async def test_a_program_does_not_see_the_token(make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TOKEN, "s3cret")
    code = f"import os; input(); print(int({TOKEN!r} in os.environ), flush=True); input()"
    async with Bridge(python(code)) as bot:
        assert await bot.act(make.view(make.ask("9h Th", "9h Th"))) == Play("9h")


@pytest.mark.asyncio
@pytest.mark.parametrize("command", [["/nowhere/to/be/found"], ["/"], ["a\0b"]])
async def test_a_program_that_cannot_be_started(command: list[str]) -> None:
    with pytest.raises(Trouble, match="cannot start") as caught:
        async with Bridge(command):
            pass
    assert caught.value.code == 2


@pytest.mark.asyncio
async def test_a_bridged_visit(hosting: Hosting, make: Maker) -> None:
    async def script(line: Line) -> None:
        await line.welcome()
        await line.say(seated=[make.seated()], updates=[make.update()], asks=[make.ask("9h", "9h")])
        await line.hear()
        await line.say(over=[make.over()])
        await line.goodbye()

    async with hosting(script) as referee:
        await bridge(FIRST, Settings(address=referee.address, bot="bob", matches=1))
    assert referee.heard[0].hello.parallel == 1
    assert referee.heard[1].answers[0].play.card == 31
    assert referee.heard[2].HasField("leave")


def test_the_command_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert bridging.main(["--help"]) == 0
    assert "example:" in capsys.readouterr().out
    assert bridging.main([]) == bridging.main(["--"]) == bridging.main(["--what"]) == 2
    monkeypatch.setenv(ADDRESS, f"unix:{tmp_path}/none.sock")
    monkeypatch.setenv(BOT, "bob")
    capsys.readouterr()
    assert bridging.main(["--", *FIRST]) == 2
    assert "no referee answers" in capsys.readouterr().err


def test_a_bridge_is_entered_first() -> None:
    with pytest.raises(RuntimeError, match="async with"):
        Bridge(FIRST).seated(Match(1, "m", 0, (), {}, 0))
