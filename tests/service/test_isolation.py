"""Bots that are isolated: what they can reach, what they may use, and what is told where it cannot be had."""

import asyncio
import errno
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.log.records import Head, Rounds
from referee.ruleset import resolve
from referee.service import isolation, local
from referee.service.isolation import IsolationError, Mode, Quarters, choose
from referee.service.limits import Limits
from referee.service.owner import MARK, OWNER
from referee.service.processes import BotCommand, BotProcess, StartError, parse_bots
from referee.service.sandbox import Hidden, Inmate, SandboxError, sandboxed
from referee.service.seccomp import no_keys
from referee.service.server import BindError, Server
from referee.service.store import Store
from referee.service.users import FIRST, LAST, NoUserError, User, closed_to_others
from referee.table.head import MatchPlan, make_head
from referee.validate import validate_path
from tests.support.isolated import needs, open_folder, python_for
from tests.support.tables import records_of
from tests.support.wire import SEED, eventually

SHORT = resolve({"preset": "short"})
ISOLATED: list[Mode] = ["uid", "sandbox"]

LOOK = """
import json, os, signal, socket, sys
def tried(act):
    try:
        return act()
    except Exception as error:
        return type(error).__name__
def reaches(port):
    with socket.create_connection(("127.0.0.1", port), 1):
        return True
def write(path):
    with open(path, "w") as file:
        return file.write("x")
words = json.loads(sys.argv[1])
print(json.dumps({
    "user": os.getuid(), "groups": os.getgroups(), "home": os.environ["HOME"],
    "read": {name: tried(lambda: open(name).read()) for name in words["read"]},
    "write": {name: tried(lambda: write(name)) for name in words["write"]},
    "kill": {pid: tried(lambda: os.kill(pid, signal.SIGKILL)) for pid in words["kill"]},
    "environ": {pid: tried(lambda: open(f"/proc/{pid}/environ").read()) for pid in words["kill"]},
    "home write": tried(lambda: write(os.environ["HOME"] + "/file")),
    "processes": sum(name.isdigit() for name in os.listdir("/proc")),
    "net": tried(lambda: reaches(words["port"])), "variables": sorted(os.environ), "folder": sorted(os.listdir()),
}), file=sys.stderr)
"""


@pytest.fixture
def yard() -> Iterator[Path]:
    """A folder that every user may enter."""
    with open_folder() as folder:
        yield folder


async def ran(argv: tuple[str, ...], quarters: Quarters, folder: Path, **more: Any) -> tuple[int, str]:
    """The exit code of a program, and what it wrote to standard error."""
    with (folder / ".said").open("w+b") as said:
        bot = BotCommand("bot", argv, folder, **more)
        process = await BotProcess.start(bot, {}, quarters=quarters, stderr=said.fileno())
        try:
            async with asyncio.timeout(30):
                code = await process.process.wait()
                # Its output may still be on its way.
                if process._output is not None:
                    await process._output
        finally:
            await process.end()
        said.seek(0)
        return code, said.read().decode(errors="replace")


async def look(mode: Mode, folder: Path, **words: Any) -> dict[str, Any]:
    """What a bot finds."""
    python = python_for(mode)[0] or pytest.skip("no interpreter that another user may use")
    logs = words.pop("logs", folder)
    hidden = tuple(words.pop("hidden", ()))
    words = {"read": [], "write": [], "kill": [], "port": 1, **words}
    with Quarters(mode, logs=logs, secrets=hidden) as quarters:
        code, said = await ran((python, "-c", LOOK, json.dumps(words)), quarters, folder)
    assert code == 0, said
    found: dict[str, Any] = json.loads(said)
    return found


@pytest.mark.asyncio
@pytest.mark.parametrize("mode", ISOLATED)
async def test_logs_seeds_and_secrets_are_out_of_reach(mode: Mode, yard: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those that lie in the bot's own folder, which it can read otherwise, and not write to."""
    needs(mode)
    monkeypatch.setenv("MY_SECRET", "x")
    store = Store(yard)
    store.create("m").close()
    store.keep_seed("m", SEED)
    (yard / "key").touch(mode=0o600)
    (yard / "key").write_text("secret")
    (yard / "plain").write_text("hello")
    secret = [str(yard / name) for name in ("m.toep", "m.toep.seed", "key")]
    found = await look(
        mode,
        yard,
        read=["plain", *secret],
        write=["plain", "new", "/usr/new"],
        kill=[os.getpid()],
        hidden=[yard / "key"],
    )
    assert found["read"].pop("plain") == "hello"
    if mode == "uid":
        assert found["read"] == dict.fromkeys(secret, "PermissionError")
        assert FIRST <= found["user"] <= LAST
        assert found["home"].startswith("/tmp/")
    else:
        assert found["read"] == {secret[0]: "FileNotFoundError", secret[1]: "FileNotFoundError", secret[2]: ""} or (
            found["read"][secret[2]] == "FileNotFoundError"
        )
        assert "m.toep" not in found["folder"]
        assert found["processes"] <= 3
        assert found["net"] != "True"
    assert found["user"] != 0
    assert found["groups"] in ([], [found["user"]])
    assert all(isinstance(error, str) for error in found["write"].values()), found["write"]
    assert all(isinstance(error, str) for error in found["kill"].values())
    assert not any("\0" in text for text in found["environ"].values())
    assert found["home write"] == 1
    assert MARK in found["variables"]
    assert "MY_SECRET" not in found["variables"]
    assert (yard / "plain").read_text() == "hello"
    if found["home"] != "/tmp":
        assert os.path.basename(found["home"]) not in os.listdir("/tmp")
    store.close()


@pytest.mark.asyncio
async def test_what_comes_into_the_folder_of_logs_later_is_not_seen(yard: Path) -> None:
    """Such as refused answers, which are kept beside a log."""
    needs("sandbox")
    (yard / "early").touch()
    with (yard / ".said").open("w+b") as said, Quarters("sandbox", logs=yard) as quarters:
        command = BotCommand("bot", ("/bin/sh", "-c", "sleep 0.2; ls >&2"), yard)
        bot = await BotProcess.start(command, {}, quarters=quarters, stderr=said.fileno())
        (yard / "m.toep.refused").write_text("secret")
        assert await bot.process.wait() == 0
        await bot.end()
        said.seek(0)
        assert said.read() == b"early\n"


@pytest.mark.asyncio
async def test_a_sandbox_has_no_network(yard: Path) -> None:
    needs("sandbox")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert (await look("none", yard, port=port))["net"] is True
        assert (await look("sandbox", yard, port=port))["net"] == "ConnectionRefusedError"


KEYS = """
import ctypes, sys
kernel = ctypes.CDLL(None, use_errno=True)
for number in map(int, sys.argv[1:]):
    kernel.syscall(number, 0, 0, 0, 0, 0)
    print(ctypes.get_errno(), file=sys.stderr)
"""


@pytest.mark.asyncio
async def test_the_keys_of_a_user_are_no_memory_for_bots_in_a_sandbox(yard: Path) -> None:
    needs("sandbox")
    machine = os.uname().machine
    if not no_keys(machine):
        pytest.skip(f"no filter of system calls for {machine}")
    numbers = {"x86_64": (248, 249, 250, 0x40000000 + 250), "aarch64": (217, 218, 219)}[machine]
    with Quarters("sandbox") as quarters:
        code, said = await ran((sys.executable, "-c", KEYS, *map(str, numbers)), quarters, yard)
    assert (code, said.split()) == (0, [str(errno.ENOSYS)] * len(numbers))


def test_a_machine_without_a_filter() -> None:
    assert no_keys("pdp11") == b""
    assert len(no_keys("aarch64")) == len(no_keys("x86_64")) == 80


@pytest.mark.asyncio
@pytest.mark.parametrize("mode", ISOLATED)
async def test_another_bot_cannot_be_killed_nor_looked_into(mode: Mode, yard: Path) -> None:
    needs(mode)
    with Quarters(mode) as quarters:
        victim = await BotProcess.start(BotCommand("ann", ("sleep", "60"), Path("/")), {}, quarters=quarters)
        try:
            pid = victim.process.pid
            await eventually(lambda: b"sleep\0" in Path(f"/proc/{pid}/cmdline").read_bytes())
            found = await look(mode, yard, kill=[pid])
            error = "PermissionError" if mode == "uid" else "ProcessLookupError"
            assert found["kill"][str(pid)] == error
            assert "TOEP" not in found["environ"][str(pid)]
            assert victim.process.returncode is None
        finally:
            await victim.end()


@pytest.mark.asyncio
async def test_each_bot_has_a_user_of_its_own_and_gives_it_back(yard: Path) -> None:
    needs("uid")
    with Quarters("uid") as quarters:
        bots = [
            await BotProcess.start(BotCommand("bot", ("sleep", "60"), Path("/")), {}, quarters=quarters)
            for _ in range(3)
        ]

        def owners() -> set[int]:
            return {os.stat(f"/proc/{bot.process.pid}").st_uid for bot in bots}

        await eventually(lambda: all(FIRST <= number <= LAST for number in owners()))
        numbers = owners()
        assert len(numbers) == 3
        await asyncio.gather(*(bot.end() for bot in bots))
        one = User.take()
        assert one.number <= min(numbers)
        one.give_back()
        one.give_back()


def test_a_user_that_somebody_has_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By an account, by a process, by another referee."""
    taken = {FIRST + 1}
    monkeypatch.setattr("pwd.getpwuid", lambda number: number if number == FIRST else {}[number])
    monkeypatch.setattr("referee.service.keeper.doomed", lambda _, __, found: found & taken)
    one = User.take(tmp_path / "locks")
    assert one.number == FIRST + 2
    other = User.take(tmp_path / "locks")
    assert other.number == FIRST + 3
    one.give_back()
    assert User.take(tmp_path / "locks").number == FIRST + 2
    taken.update(range(FIRST, LAST + 1))
    with pytest.raises(NoUserError, match="are taken"):
        User.take(tmp_path / "locks")
    with pytest.raises(NoUserError, match="cannot keep track"):
        User.take(tmp_path / "no" / "locks")


def test_what_other_users_cannot_reach(yard: Path) -> None:
    (yard / "closed").mkdir(mode=0o700)
    (yard / "closed" / "bot").touch()
    assert closed_to_others(str(yard / "closed" / "bot")) == str(yard / "closed")
    (yard / "closed").chmod(0o711)
    assert closed_to_others(str(yard / "closed" / "bot")) == ""
    (yard / "closed" / "bot").chmod(0o600)
    assert closed_to_others(str(yard / "closed" / "bot")) == str(yard / "closed" / "bot")
    assert closed_to_others(str(yard / "none")) == ""


@pytest.mark.asyncio
async def test_a_bot_that_another_user_cannot_reach_is_told_of(yard: Path) -> None:
    needs("uid")
    (yard / "closed").mkdir(mode=0o700)
    with Quarters("uid") as quarters, pytest.raises(StartError, match=r"closed is closed to others: open it"):
        await BotProcess.start(BotCommand("bot", ("sleep", "1"), yard / "closed"), {}, quarters=quarters)


def test_a_seed_file_that_bots_could_read_is_refused(yard: Path) -> None:
    (yard / "seed").write_text("0" * 64)
    with pytest.raises(IsolationError, match="chmod 600"), Quarters("uid", secrets=(yard / "seed",)):
        pass
    (yard / "seed").chmod(0o600)
    with Quarters("uid", secrets=(yard / "seed",)):
        pass


@pytest.mark.asyncio
@pytest.mark.parametrize("mode", ["none", *ISOLATED])
async def test_a_match_says_how_its_bots_were_isolated(mode: Mode, yard: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a script by its relative path, which has a module beside it, and its log in the same folder."""
    needs(mode)
    python, variables = python_for(mode)
    if not python:
        pytest.skip("no interpreter that another user may use")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    (yard / "bots").mkdir()
    (yard / "bots" / "mine.py").write_text(
        "from toep_client import Bot\nclass Mine(Bot):\n    def act(self, view):\n        return view.legal[0]\n"
    )
    (yard / "bots" / "my_bot.py").write_text("from mine import Mine\nfrom toep_client import run\nrun(Mine())\n")
    monkeypatch.chdir(yard)
    bots = parse_bots([f"{name}={python} bots/my_bot.py" for name in ("ann", "bob")])
    plan = MatchPlan(rules=SHORT, bots=["ann", "bob"], length=Rounds(rounds=1))
    said: list[str] = []
    store = Store(yard)
    result = await local.play(
        store, plan, bots, secrets.token_bytes(32), declared=False, say=said.append, isolation=mode
    )
    assert (result.status, result.faults, said) == ("complete", [0, 0], [])
    log = store.log_path(result.match)
    head = records_of(log.read_bytes())[0]
    assert isinstance(head, Head)
    assert head.isolation == mode
    report = validate_path(log)
    assert report.exit == 0
    assert ("W012" in {warning.code for warning in report.warnings}) == (mode == "none")


def test_a_head_has_the_isolation_of_its_plan() -> None:
    plan = MatchPlan(rules=SHORT, bots=["ann", "bob"])
    assert make_head(plan, SEED, declared=True).isolation == "none"
    plan = MatchPlan(rules=SHORT, bots=["ann", "bob"], isolation="sandbox")
    assert make_head(plan, SEED, declared=True).isolation == "sandbox"


HOG = "x = [bytearray(1 << 20) for _ in range(400)]"
FORKS = "import os\nwhile True:\n    if os.fork() == 0:\n        import time; time.sleep(60)"
OPENS = "files = [open('/dev/null') for _ in range(100)]"
CORE = "import resource, sys; sys.exit(7 if resource.getrlimit(resource.RLIMIT_CORE) == (0, 0) else 1)"


@pytest.mark.asyncio
@pytest.mark.parametrize("mode", ["none", *ISOLATED])
@pytest.mark.parametrize(
    ("code", "limits", "error"),
    [
        (HOG, Limits(memory_mb=200), "MemoryError"),
        (FORKS, Limits(processes=10), "BlockingIOError"),
        (OPENS, Limits(files=50), "Too many open files"),
    ],
    ids=["memory", "processes", "files"],
)
async def test_limits(mode: Mode, yard: Path, code: str, limits: Limits, error: str) -> None:
    needs(mode)
    python = python_for(mode)[0] or pytest.skip("no interpreter that another user may use")
    with Quarters(mode) as quarters:
        if limits.processes and mode == "none":
            with pytest.raises(StartError, match="only with isolation uid or sandbox"):
                await ran((python, "-c", code), quarters, yard, limits=limits)
            return
        exit_code, said = await ran((python, "-c", code), quarters, yard, limits=limits)
        assert exit_code == 1
        assert error in said
        assert await ran((python, "-c", CORE), quarters, yard) == (7, "")


@pytest.mark.asyncio
@pytest.mark.parametrize("mode", ISOLATED)
async def test_the_end_of_a_bot_does_not_reach_the_next_with_its_user(mode: Mode, yard: Path) -> None:
    """What ends all processes of a user is itself at an end before anybody else can have that user."""
    needs(mode)
    leaves_one = ("/bin/sh", "-c", "setsid sleep 60 & exit 3")
    with Quarters(mode) as quarters:
        # Whatever the keeper were asked to do it would do late.
        await ran(("true",), quarters, yard)
        os.kill(OWNER.keeper, signal.SIGSTOP)
        try:
            assert (await ran(leaves_one, quarters, yard))[0] == 3
            bot = await BotProcess.start(BotCommand("bot", ("sleep", "0.3"), yard), {}, quarters=quarters)
        finally:
            os.kill(OWNER.keeper, signal.SIGCONT)
        try:
            assert await bot.process.wait() == 0
        finally:
            await bot.end()


@pytest.mark.asyncio
async def test_output_is_passed_on_up_to_a_limit(yard: Path) -> None:
    argv = ("/bin/sh", "-c", "head -c 1024 /dev/zero >&2; head -c 3000000 /dev/zero >&2; exit 3")
    code, said = await ran(argv, Quarters(), yard, limits=Limits(output_kb=2))
    note = "\nbot bot: the rest of its standard error is dropped\n"
    assert (code, said) == (3, "\0" * 2048 + note)
    code, said = await ran(("/bin/sh", "-c", "echo hi >&2"), Quarters(), yard, limits=Limits(output_kb=1))
    assert (code, said) == (0, "hi\n")


@pytest.mark.parametrize("name", ["memory_mb", "processes", "files", "output_kb"])
def test_a_limit_that_is_none(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name}: -1 is less than 0"):
        Limits(**{name: -1})


@pytest.mark.asyncio
async def test_a_folder_and_variables_of_its_own(yard: Path) -> None:
    (yard / "bot").write_text('#!/bin/sh\necho "$PWD $SPECIAL" >&2\n')
    (yard / "bot").chmod(0o755)
    code, said = await ran(("./bot",), Quarters(), yard, environment={"SPECIAL": "x"})
    assert (code, said) == (0, f"{yard} x\n")
    with pytest.raises(StartError, match=r"its folder .*/none is not there"):
        await BotProcess.start(BotCommand("bot", ("./bot",), yard / "none"), {})


@pytest.mark.parametrize(
    ("here", "chosen"), [((), "none"), (("uid",), "uid"), (("sandbox",), "sandbox"), (("uid", "sandbox"), "sandbox")]
)
def test_the_strongest_that_works(here: tuple[Mode, ...], chosen: Mode, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "why_not", lambda mode: "" if mode in here else "broken")
    assert choose("auto") == chosen
    for mode in ("uid", "sandbox"):
        if mode in here:
            assert choose(mode) == mode
        else:
            with pytest.raises(IsolationError, match=f"isolation {mode} is not to be had: broken; there is"):
                choose(mode)


@pytest.fixture
def fresh_probes() -> Any:
    """What works is found out anew, before and after."""
    isolation.forget_probes()
    yield
    isolation.forget_probes()


def test_what_cannot_be_had_is_an_error_of_use(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "referee", "play", "--bot", "random", "--bot", "random", "--isolation", "sandbox"]
    environ = {**os.environ, "PATH": "/no/such/folder"}
    done = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("toep play: isolation sandbox is not to be had: bwrap is not installed")
    assert list(tmp_path.iterdir()) == []


def test_users_take_root(monkeypatch: pytest.MonkeyPatch, fresh_probes: None) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(IsolationError, match="only root can"):
        choose("uid")


@pytest.mark.parametrize(
    ("script", "reason"),
    [("echo no namespaces >&2; exit 1", r"bwrap does not work \(no namespaces\)"), ("exit 5", "exit code 5")],
)
def test_a_bwrap_that_does_not_work_is_not_used(
    script: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh_probes: None
) -> None:
    """As in containers that may not have namespaces."""
    (tmp_path / "bwrap").write_text(f"#!/bin/sh\n{script}\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(IsolationError, match=reason):
        choose("sandbox")


def words(folder: Path, logs: Path, *files: Path, argv: tuple[str, ...] = ("/bin/true",)) -> list[str]:
    """The command line of a sandbox."""
    inmate = Inmate(argv=argv, folder=str(folder))
    return sandboxed(inmate, "bwrap", socket=None, hidden=Hidden(logs, files))


def pairs(found: list[str], word: str) -> set[str]:
    """What comes two words after a word: where things are mounted."""
    return {found[place + 2] for place, text in enumerate(found) if text == word}


def test_the_folder_of_logs_is_shown_without_logs(tmp_path: Path) -> None:
    for name in ("m.toep", "m.toep.seed", "m.toep.refused", "referee.lock", "bot.py", "key"):
        (tmp_path / name).touch()
    (tmp_path / "link").symlink_to("m.toep")
    shown = pairs(words(tmp_path, tmp_path, tmp_path / "key"), "--ro-bind")
    assert {name for name in os.listdir(tmp_path) if str(tmp_path / name) in shown} == {"bot.py"}


def test_a_folder_of_logs_within_the_bots_is_empty(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    (logs / "bot").mkdir(parents=True)
    (logs / "m.toep").touch()
    found = words(tmp_path, logs)
    assert str(tmp_path) in pairs(found, "--ro-bind")
    assert found[found.index(str(logs)) - 1] == "--tmpfs"
    assert str(logs / "m.toep") not in found
    link = tmp_path.parent / f"{tmp_path.name}-link"
    link.symlink_to(tmp_path)
    found = words(link, logs)
    assert pairs(found, "--symlink") >= {str(link)}
    assert not {path for path in pairs(found, "--ro-bind") if path.startswith(str(link))}
    (logs / "bot" / "bot.py").touch()
    found = words(tmp_path, logs, argv=("/bin/true", "logs/bot/bot.py"))
    assert found.index(str(logs)) < found.index(str(logs / "bot"))


def test_a_folder_that_is_closed_is_empty(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir()
    (tmp_path / "closed" / "file").touch()
    inmate = Inmate(argv=("/bin/true", "closed/file"), folder=str(tmp_path))
    found = sandboxed(inmate, "bwrap", socket=None, hidden=Hidden(folders=(tmp_path / "closed",)))
    assert found.index(str(tmp_path)) < found.index(str(tmp_path / "closed"))
    assert found[found.index(str(tmp_path / "closed")) - 1] == "--tmpfs"
    assert str(tmp_path / "closed" / "file") not in found


@pytest.mark.asyncio
async def test_a_bot_in_a_folder_of_logs_can_be_reached(yard: Path) -> None:
    """Such a folder is emptied, and then the bot's own is put there again."""
    needs("sandbox")
    (yard / "logs" / "deep" / "bot").mkdir(parents=True)
    (yard / "logs" / "m.toep").touch()
    (yard / "logs" / "deep" / "bot" / "run.sh").write_text("ls logs; ls logs/deep/bot >&2; ls logs >&2")
    with Quarters("sandbox", logs=yard / "logs") as quarters:
        code, said = await ran(("/bin/sh", "logs/deep/bot/run.sh"), quarters, yard)
    assert (code, said) == (0, "run.sh\ndeep\n")


def test_a_script_is_shown_with_its_project(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "dist").mkdir(parents=True)
    (project / "package.json").touch()
    script = project / "dist" / "bot.js"
    script.touch()
    (tmp_path / "here").mkdir()
    assert str(project) in pairs(words(tmp_path / "here", tmp_path, argv=("/bin/true", str(script))), "--ro-bind")


def test_too_much_beside_the_logs_is_told_of(tmp_path: Path) -> None:
    for number in range(3000):
        (tmp_path / f"file{number}").touch()
    with pytest.raises(SandboxError, match="keep logs in a folder of their own"):
        words(tmp_path, tmp_path)


@pytest.mark.asyncio
async def test_a_referee_listens_beside_on_a_socket(tmp_path: Path) -> None:
    """Bots that dial in, and bots in sandboxes, at one table."""
    local_address = f"unix:{tmp_path}/referee.sock"
    server = Server(Store(tmp_path), beside=[local_address])
    bots: list[BotProcess] = []
    address = await server.start()
    try:
        plan = MatchPlan(rules=SHORT, bots=["ann", "bob"], length=Rounds(rounds=1))
        seating = server.hall.create(plan, SEED, declared=True)
        for bot, where in zip(parse_bots(["ann=careful", "bob=careful"]), (address, local_address), strict=True):
            environ = {"TOEP_ADDRESS": where, "TOEP_BOT": bot.name, "TOEP_MATCHES": "1"}
            bots.append(await BotProcess.start(bot, environ))
        await eventually(lambda: seating.status == "complete")
    finally:
        await asyncio.gather(*(bot.end() for bot in bots))
        await server.stop()
    with pytest.raises(BindError, match="no unix:PATH in a folder"):
        await Server(Store(tmp_path), beside=[f"unix:{tmp_path}/no/socket"]).start()


@pytest.mark.asyncio
async def test_command_lines_have_no_secrets(yard: Path) -> None:
    """Everybody on a machine can read them; tokens are in the environment."""
    needs("sandbox")
    with Quarters("sandbox") as quarters:
        command = BotCommand("bot", ("sleep", "60"), yard, {"MINE": "s3cret"})
        bot = await BotProcess.start(command, {"TOEP_TOKEN": "s3cret"}, quarters=quarters)
        try:
            line = Path(f"/proc/{bot.process.pid}/cmdline")
            await eventually(lambda: b"/bwrap\0" in line.read_bytes() and b"s3cret" not in line.read_bytes())
        finally:
            await bot.end()
