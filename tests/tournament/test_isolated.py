"""Events with bots that are kept apart: what they see, what they may use, and what is said about it."""

import asyncio
import json
import shlex
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import pytest

from referee.cli.main import run
from referee.service import isolation
from referee.service.isolation import Mode
from referee.tournament.director import Director
from referee.tournament.errors import TournamentError
from referee.tournament.event import open_event
from referee.tournament.folder import Folder
from referee.tournament.observer import Silent
from referee.tournament.spec import parse_spec
from referee.tournament.verify import verify_event
from tests.support.isolated import needs, open_folder, python_for

HEAD: Final = """
name = "e"
length = {{ rounds = 2 }}
seats = 3
trust = "{trust}"
duplicates = "{duplicates}"
isolation = "{mode}"
blocks = 1
clock = "none"
seed_file = "seed"
rules = "short"

[conduct]
act_ms = 600000
window_ms = 600000
"""

BOT: Final = """
import json, os, sys, threading
from toep_client import Act, Bot, View, run

def tried(act):
    try:
        return act()
    except BaseException as error:
        return type(error).__name__

def read(name):
    with open(name, "rb") as file:
        return len(file.read())

def crowd():
    event = threading.Event()
    try:
        for _ in range(200):
            threading.Thread(target=event.wait, daemon=True).start()
        return "200 threads"
    finally:
        event.set()

def fill():
    return len(bytearray(512 * 1024 * 1024))

class Spy(Bot):
    def act(self, view: View) -> Act:
        if not vars(self).get("looked"):
            self.looked = True
            names = json.loads(os.environ["LOOK_AT"])
            found = {"user": os.getuid(), "memory": tried(fill), "crowd": tried(crowd),
                     "read": {name: tried(lambda: read(name)) for name in names},
                     "running": tried(lambda: read(os.environ["EVENT"] + "/logs/" + view.match_id + ".toep")),
                     "list": tried(lambda: sorted(os.listdir(os.environ["EVENT"]))), "variables": sorted(os.environ)}
            print(json.dumps(found), file=sys.stderr, flush=True)
        return view.legal[0]

if "chatter" in sys.argv:
    print("x" * 100_000, file=sys.stderr, flush=True)
run(Spy())
"""


@pytest.fixture
def yard() -> Iterator[Path]:
    """A folder that every user may enter."""
    with open_folder() as folder:
        yield folder


def write(yard: Path, mode: Mode) -> Path:
    """An event of three bots: one in the spec's folder, one in a folder of its own with a file to read, one that talks
    too much."""
    python, variables = python_for(mode)
    if not python:
        pytest.skip("no interpreter here is open to other users")
    for name in ("near", "apart", "chatter"):
        (yard / name).mkdir()
        (yard / name / "bot.py").write_text(BOT)
        (yard / name / "notes.txt").write_text("mine")
    (yard / "near.py").write_text(BOT)
    (yard / "opened.txt").write_text("for apart")
    (yard / "seed").write_text(sha256(b"test").hexdigest())
    (yard / "seed").chmod(0o600)
    event = yard / "e.event"
    look = [event / "event.seed", event / "event.toml", event / "journal.jsonl", event / "bots" / "near.stderr",
            yard / "seed", yard / "e.toml", yard / "apart" / "notes.txt", yard / "chatter" / "notes.txt",
            yard / "opened.txt"]  # fmt: skip
    variables = {**variables, "EVENT": str(event), "LOOK_AT": json.dumps(list(map(str, look)))}
    trust, duplicates = ("isolated", "rotation") if mode == "sandbox" else ("strangers", "none")
    text = HEAD.format(trust=trust, duplicates=duplicates, mode=mode)
    for name, folder, words, limits, reads in (
        ("near", ".", "near.py", "{}", []),
        ("apart", "apart", "bot.py", "{ memory_mb = 256, processes = 60 }", ["opened.txt"]),
        ("chatter", "chatter", "bot.py chatter", "{ output_kb = 2 }", []),
    ):
        inline = ", ".join(f"{key} = {json.dumps(value)}" for key, value in variables.items())
        text += (
            f'\n[[bots]]\nname = "{name}"\nfolder = "{folder}"\ncommand = "{shlex.quote(python)} {words}"\n'
            f"limits = {limits}\nreads = {json.dumps(reads)}\nenvironment = {{ {inline} }}\n"
        )
    path = yard / "e.toml"
    path.write_text(text)
    return path


class Notes(Silent):
    """Remembers what it is told."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, text: str) -> None:
        self.said.append(text)


def director(path: Path, notes: Silent) -> Director:
    data = path.read_bytes()
    seed = bytes.fromhex((path.parent / "seed").read_text())
    return Director(parse_spec(data, path), data, path.parent, Folder(path.parent / "e.event"), notes, seed=seed)


def play(path: Path, notes: Silent) -> None:
    one = director(path, notes)
    one.prepare()
    try:
        assert asyncio.run(one.run())
    finally:
        one.close()


def saw(path: Path, bot: str) -> list[dict[str, Any]]:
    """What a bot reported, a line for each match."""
    lines = (path.parent / "e.event" / "bots" / f"{bot}.stderr").read_text().splitlines()
    return [json.loads(line) for line in lines if line.startswith("{")]


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["uid", "sandbox"])
def test_bots_see_nothing_of_the_event_and_keep_to_their_limits(
    yard: Path, mode: Mode, capsys: pytest.CaptureFixture[str]
) -> None:
    needs(mode)
    path = write(yard, mode)
    play(path, Silent())
    event, matches = yard / "e.event", 3 if mode == "sandbox" else 1
    report = verify_event(event)
    assert (report.verdict, report.wrong) == ("VALID", [])
    check_what_is_said(event, mode, capsys)
    near, apart = saw(path, "near"), saw(path, "apart")
    assert len(near) == len(apart) == matches

    refused = {"PermissionError", "FileNotFoundError"}
    for one in (*near, *apart):
        for name in (event / "event.seed", event / "bots" / "near.stderr", yard / "seed"):
            assert one["read"][str(name)] in (refused if mode == "uid" else {*refused, 0}), name
        assert one["running"] in refused
        assert not [name for name in one["variables"] if name.startswith("TOEP_") and name not in (
            "TOEP_ADDRESS", "TOEP_BOT", "TOEP_TOKEN", "TOEP_MATCHES", "TOEP_PROCESS")]  # fmt: skip
    if mode == "sandbox":
        for one in near:
            assert one["list"] == []
            assert one["read"][str(event / "journal.jsonl")] == "FileNotFoundError"
        for one in apart:
            assert one["list"] == "FileNotFoundError"
            assert one["read"][str(yard / "e.toml")] == "FileNotFoundError"
            assert one["read"][str(yard / "chatter" / "notes.txt")] == "FileNotFoundError"
            assert one["read"][str(yard / "apart" / "notes.txt")] == len("mine")
            assert one["read"][str(yard / "opened.txt")] == len("for apart")

    for one in apart:
        assert (one["memory"], one["crowd"]) == ("MemoryError", "RuntimeError")
    for one in near:
        assert one["memory"] == 512 * 1024 * 1024
        assert one["crowd"] == "200 threads"
    talk = (event / "bots" / "chatter.stderr").read_text()
    assert talk.count("the rest of its standard error is dropped") == matches
    assert talk.count("x") == 2048 * matches


def check_what_is_said(event: Path, mode: Mode, capsys: pytest.CaptureFixture[str]) -> None:
    """The isolation stands wherever somebody would look for it."""
    logs = list((event / "logs").glob("*.toep"))
    assert {json.loads(log.read_text().splitlines()[0])["isolation"] for log in logs} == {mode}
    assert all(result.isolation == mode for result in open_event(event).ledger.results.values())
    assert open_event(event).ledger.event.isolation == mode  # type: ignore[union-attr]
    for command in ("status", "report"):
        assert run(["tournament", command, "--json", str(event)]) == 0
        assert f'"isolation":"{mode}"' in capsys.readouterr().out.replace(" ", ""), command
    assert run(["tournament", "status", str(event)]) == 0
    assert f"isolation {mode}" in capsys.readouterr().out


def test_a_bot_that_other_users_cannot_start_is_refused_before_anything_is_played(yard: Path) -> None:
    needs("uid")
    path = write(yard, "uid")
    (yard / "apart").chmod(0o700)
    with pytest.raises(TournamentError, match=r"bot apart: isolation uid: .*/apart is closed to others: open it"):
        director(path, Silent()).prepare()
    assert not (yard / "e.event" / "journal.jsonl").exists()


def test_processes_cannot_be_limited_where_nothing_is_isolated(yard: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(yard, "none")
    path.write_text(path.read_text().replace('isolation = "none"', 'isolation = "auto"'))
    monkeypatch.setattr(isolation, "why_not", lambda mode: "" if mode == "none" else "not here")
    with pytest.raises(TournamentError, match="bot apart: isolation none: how many processes"):
        director(path, Silent()).prepare()


@pytest.mark.slow
def test_why_a_bot_does_not_start_is_said_once(yard: Path) -> None:
    path = yard / "e.toml"
    text = HEAD.format(trust="strangers", duplicates="none", mode="none").replace("seats = 3", "seats = 2")
    text = text.replace("blocks = 1", "blocks = 4\nlobby_seconds = 3600")
    for name, command in (("ann", "no-such-program"), ("bob", "caller")):
        text += f'\n[[bots]]\nname = "{name}"\ncommand = "{command}"\n'
    path.write_text(text)
    (yard / "seed").write_text(sha256(b"test").hexdigest())
    (yard / "seed").chmod(0o600)
    notes = Notes()
    play(path, notes)
    assert [line for line in notes.said if "no-such-program" in line] == [
        "bot ann: cannot start no-such-program: No such file or directory"
    ]
