"""Events with bots that dial in: over loopback and TLS, late, lost, turned away, and after the director was killed."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from toep_client import Act, Bot, BotError, Match, Trouble, View

from referee.service import tls
from referee.service.isolation import Mode
from referee.tournament import rulings
from referee.tournament.folder import Folder
from referee.tournament.rulings import Request
from referee.tournament.verify import verify_event
from tests.support.certs import Authority
from tests.support.dialling import (
    PATIENCE,
    TOKENS,
    Notes,
    Steady,
    address_of,
    dial,
    dialled,
    directing,
    leaked,
    ledger_of,
    write,
)
from tests.support.isolated import needs, open_folder, python_for

ROOT: Final = Path(__file__).parents[2]

# -- events that go well -----------------------------------------------------------------------------------------------


@pytest.mark.asyncio
@pytest.mark.parametrize(("encrypted", "mode"), [(False, "none"), (True, "none"), (True, "sandbox")])
async def test_bots_stay_for_all_of_their_matches(tmp_path: Path, encrypted: bool, mode: Mode) -> None:
    """Local bots, isolated or not, dial in beside them without encryption."""
    needs(mode)
    authority = Authority(tmp_path / "certs")
    pair = authority.pair("referee")
    files = {"tls_cert": "certs/referee.pem", "tls_key": "certs/referee.key"} if encrypted else {}
    path = write(tmp_path, isolation=mode, **files)
    notes, ann, bob = Notes(), Steady(), Steady()
    more = {"tls": True, "tls_ca": str(authority.ca)} if encrypted else {}
    encryption = tls.load(pair.cert, pair.key) if encrypted else None
    with directing(path, notes, tls=encryption) as director:
        async with dialled({"ann": ann, "bob": bob}, address_of(path), **more):
            assert await director.run()
    assert (len(ann.matches), len(bob.matches)) == (2, 2)
    assert notes.faults == []
    assert sum("ann has dialled in" in line for line in notes.said) == 1
    assert f"({'encrypted' if encrypted else 'not encrypted'}): ann, bob" in notes.said[0]
    assert verify_event(tmp_path / "e.event").verdict == "VALID"
    assert leaked(path, notes) == []


@pytest.mark.asyncio
async def test_bots_of_other_users_dial_in_beside_remote_ones() -> None:
    needs("uid")
    python, variables = python_for("uid")
    if not python:
        pytest.skip("no interpreter here is open to other users")
    with open_folder() as folder:
        path = write(folder, isolation="uid", address="unix:sock")
        words = json.dumps([python, "-m", "toep_client", "caller"])
        inline = ", ".join(f"{key} = {json.dumps(value)}" for key, value in variables.items())
        text = path.read_text().replace('command = "caller"', f"command = {words}\nenvironment = {{ {inline} }}")
        path.write_text(text)
        with directing(path, Notes()) as director:
            async with dialled({"ann": Steady(), "bob": Steady()}, f"unix:{folder}/sock"):
                assert await director.run()
        ledger = ledger_of(path)
        assert (dict(ledger.faults), len(list(ledger.counted()))) == ({}, 3)
        assert verify_event(folder / "e.event").verdict == "VALID"


@pytest.mark.asyncio
async def test_your_own_bots_need_no_tokens_on_this_machine(tmp_path: Path) -> None:
    path = write(tmp_path, tokens="", trust="own", address="unix:sock")
    bots: dict[str, Bot] = {"ann": Steady(), "bob": Steady()}
    notes = Notes()
    with directing(path, notes, tokens=None) as director:
        async with dialled(bots, f"unix:{tmp_path}/sock", token=None):
            assert await director.run()
    assert notes.said[0].startswith(f"remote bots dial in at unix:{tmp_path}/sock (")
    assert verify_event(tmp_path / "e.event").verdict == "VALID"


# -- events that do not ------------------------------------------------------------------------------------------------


@pytest.mark.asyncio
@pytest.mark.slow
async def test_a_bot_that_never_comes_is_dropped_and_a_wrong_token_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, local="cor dee eve", lobby_seconds=8, concurrency=4)
    notes, ann = Notes(), Steady()

    async def impostor() -> str:
        with pytest.raises(Trouble) as caught:
            await dial("bob", Steady(), address_of(path), token=TOKENS["ann"])
        return str(caught.value)

    with directing(path, notes) as director:
        async with dialled({"ann": ann}, address_of(path)):
            wrong = asyncio.create_task(impostor())
            assert await director.run()
            said = await wrong
    assert "does not let in 'bob'" in said
    assert TOKENS["ann"] not in said
    ledger = ledger_of(path)
    assert {bot: dict(kinds) for bot, kinds in ledger.faults.items()} == {"bob": {"absent": 3}}
    assert [(ruling.kind, ruling.bot, ruling.by) for ruling in notes.rulings] == [("drop", "bob", "director")]
    counted = [set(match.bots) for block in ledger.counted() for match in block.matches]
    assert len(counted) == 6  # Of ten pairs, those without bob.
    assert len(ann.matches) >= 3
    assert verify_event(tmp_path / "e.event").verdict == "VALID"
    assert leaked(path, notes) == []


class Fainting(Steady):
    """Crashes in the middle of its first match, at its third act."""

    def __init__(self) -> None:
        super().__init__()
        self.acts = 0
        self.sat: list[str] = []

    def seated(self, match: Match) -> None:
        self.sat.append(match.match_id)

    def act(self, view: View) -> Act:
        self.acts += 1
        if self.acts == 3:
            raise ConnectionAbortedError
        return view.legal[0]


@pytest.mark.asyncio
async def test_a_bot_that_is_lost_in_mid_match_comes_back_and_goes_on(tmp_path: Path) -> None:
    path = write(tmp_path)
    notes, ann, bob = Notes(), Fainting(), Steady()

    async def twice() -> None:
        with pytest.raises(BotError, match="act"):
            await dial("ann", ann, address_of(path))
        await dial("ann", ann, address_of(path))

    with directing(path, notes) as director:
        async with dialled({"bob": bob}, address_of(path)):
            again = asyncio.create_task(twice())
            assert await director.run()
            await again
    assert notes.faults == []
    assert len(ann.matches) == 2
    assert any(count == 2 for count in Counter(ann.sat).values())  # It was seated again where it had been before.
    assert verify_event(tmp_path / "e.event").verdict == "VALID"


def eventually(what: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < until
        time.sleep(0.02)


@contextmanager
def processes() -> Iterator[Callable[..., "subprocess.Popen[str]"]]:
    """Starts processes, and leaves none."""
    started: list[subprocess.Popen[str]] = []

    def start(words: list[str], **variables: str) -> "subprocess.Popen[str]":
        one = subprocess.Popen(
            [sys.executable, *words], cwd=ROOT, env={**os.environ, **variables}, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        started.append(one)
        return one

    try:
        yield start
    finally:
        for one in started:
            one.kill()
            one.communicate()


@pytest.mark.slow
@pytest.mark.parametrize(("how", "encrypted"), [(signal.SIGKILL, False), (signal.SIGTERM, True)])
def test_bots_come_back_to_the_next_director(tmp_path: Path, how: signal.Signals, encrypted: bool) -> None:
    authority = Authority(tmp_path / "certs")
    authority.pair("referee")
    files = {"tls_cert": "certs/referee.pem", "tls_key": "certs/referee.key"} if encrypted else {}
    path = write(tmp_path, length=40, blocks=12, lobby_seconds=30, **files)
    logs = tmp_path / "e.event" / "logs"
    words = ["-m", "referee", "tournament", "run", str(path), "--plain"]
    with processes() as start:
        director = start(words)
        eventually(lambda: (tmp_path / "e.event" / "journal.jsonl").exists() and logs.is_dir())
        bots = []
        assert director.stderr is not None
        while "each is told:" not in (line := director.stderr.readline()):
            assert line
        for name in TOKENS:
            where = {"TOEP_ADDRESS": address_of(path), "TOEP_BOT": name, "TOEP_TOKEN": TOKENS[name]}
            where |= {"TOEP_TLS_CA": str(authority.ca)} if encrypted else {}
            bots.append(start(["-m", "toep_client", "caller"], TOEP_RECONNECT_SECONDS="60", **where))
        eventually(lambda: len(list(logs.glob("*.toep"))) > 3)
        director.send_signal(how)
        said = director.communicate(timeout=PATIENCE)[1]
        assert director.returncode == (-signal.SIGKILL if how == signal.SIGKILL else 4), said
        assert all(bot.poll() is None for bot in bots)
        second = start(words)
        said = second.communicate(timeout=PATIENCE)[1]
        assert second.returncode == 0, said
        ends = [bot.communicate(timeout=PATIENCE)[1] for bot in bots]
        assert [bot.returncode for bot in bots] == [0, 0], ends
    ledger = ledger_of(path)
    assert not ledger.faults
    assert len(list(ledger.counted())) == 12
    assert verify_event(tmp_path / "e.event").verdict == "VALID"
    assert leaked(path, Notes()) == []


async def until(what: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while True:
            if what():
                return
            await asyncio.sleep(0.02)


def waits(path: Path) -> bool:
    """Whether a match waits for its bots: it was set up, and has no log yet."""
    journal = path.parent / "e.event" / "journal.jsonl"
    return journal.exists() and b'"_":"match"' in journal.read_bytes()


@pytest.mark.asyncio
async def test_a_match_that_waits_for_ever_ends_with_its_bot(tmp_path: Path) -> None:
    """With lobby_seconds = 0 it is for the organiser to drop who does not come."""
    path = write(tmp_path, lobby_seconds=0)
    notes, ann = Notes(), Steady()
    with directing(path, notes) as director:
        async with dialled({"ann": ann}, address_of(path)):
            running = asyncio.create_task(director.run())
            await until(lambda: waits(path))
            request = Request(kind="drop", bot="bob", why="he is ill")
            await asyncio.to_thread(rulings.rule, Folder(tmp_path / "e.event"), request, ledger_of(path))
            assert await running
    ledger = ledger_of(path)
    assert not ledger.faults
    assert [{*match.bots} for block in ledger.counted() for match in block.matches] == [{"ann", "cor"}]
    assert verify_event(tmp_path / "e.event").verdict == "VALID"


@pytest.mark.asyncio
@pytest.mark.parametrize("by", ["signal", "ruling"])
async def test_a_director_that_is_to_end_does_not_wait_for_bots(tmp_path: Path, by: str) -> None:
    path = write(tmp_path, lobby_seconds=0)
    with directing(path, Notes()) as director:
        running = asyncio.create_task(director.run())
        await until(lambda: waits(path))
        if by == "signal":
            director.stop()
        else:
            request = Request(kind="drain")
            await asyncio.to_thread(rulings.rule, Folder(tmp_path / "e.event"), request, ledger_of(path))
        assert not await running
    assert not ledger_of(path).faults
    bots: dict[str, Bot] = {"ann": Steady(), "bob": Steady()}
    with directing(path, Notes()) as director:
        async with dialled(bots, address_of(path)):
            assert await director.run()
    assert not ledger_of(path).faults
    assert verify_event(tmp_path / "e.event").verdict == "VALID"


class Stuck(Steady):
    """Does not answer from its third act on."""

    def __init__(self) -> None:
        super().__init__()
        self.acts = 0
        self.stuck = asyncio.Event()

    async def act(self, view: View) -> Act:  # type: ignore[override]
        self.acts += 1
        if self.acts >= 3:
            self.stuck.set()
            await asyncio.Event().wait()
        return view.legal[0]


@pytest.mark.asyncio
async def test_a_director_that_waits_for_bots_of_a_broken_off_match_can_be_told_to_end(tmp_path: Path) -> None:
    path = write(tmp_path, lobby_seconds=3600, concurrency=1)
    ann, bob = Stuck(), Steady()
    with directing(path, Notes()) as director:
        dialling = [
            asyncio.create_task(dial(name, bot, address_of(path))) for name, bot in (("ann", ann), ("bob", bob))
        ]
        running = asyncio.create_task(director.run())
        await ann.stuck.wait()
        director.stop()
        director.stop()
        assert not await running
        for task in dialling:
            task.cancel()
        await asyncio.gather(*dialling, return_exceptions=True)
    notes = Notes()
    with directing(path, notes) as director:
        running = asyncio.create_task(director.run())
        await until(lambda: notes.said)
        director.stop()
        assert not await running
    bots: dict[str, Bot] = {"ann": Steady(), "bob": Steady()}
    with directing(path, Notes()) as director:
        async with dialled(bots, address_of(path)):
            assert await director.run()
    assert not ledger_of(path).faults
    assert verify_event(tmp_path / "e.event").verdict == "VALID"
