"""Whole events with real bots: the same logs at any number of tables, faults, changes, rulings, kills, checks."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from referee.cli.main import run
from referee.tournament import rulings
from referee.tournament.director import Director
from referee.tournament.errors import DirectorError
from referee.tournament.event import open_event
from referee.tournament.folder import BusyError, Folder
from referee.tournament.journal import Ruling
from referee.tournament.observer import Figures, Plain, Silent, figures_text
from referee.tournament.results import MatchResult
from referee.tournament.rulings import Request
from referee.tournament.spec import parse_spec
from referee.tournament.status import status_of
from referee.tournament.status import text as status_text
from referee.tournament.verify import verify_event
from tests.campaigns.crash_tournament import bots_of, campaign

ROOT = Path(__file__).parents[2]
PATIENCE = 120.0
HEAD = """
name = "e"
length = { rounds = 3 }
seats = 3
duplicates = "rotation"
trust = "own"
isolation = "none"
clock = "none"
blocks = 1
seed_file = "seed"
rules = "short"

[conduct]
act_ms = 600000
window_ms = 600000
"""
BOTS = {"ann": "random", "bob": "caller", "cor": "python -m toep_client.samples.graded 5"}


def write(folder: Path, bots: dict[str, str], **changes: object) -> Path:
    """A spec in a folder, with its secret seed."""
    text = HEAD
    for key, value in changes.items():
        lines = [line for line in text.splitlines() if not line.startswith(f"{key} = ")]
        text = "\n".join([f"{key} = {json.dumps(value)}", *lines])
    for name, command in bots.items():
        text += f"\n[[bots]]\nname = {json.dumps(name)}\ncommand = {json.dumps(command)}\n"
    (folder / "seed").write_text(sha256(b"test").hexdigest())
    path = folder / "e.toml"
    path.write_text(text)
    return path


def director(path: Path, observer: Silent | None = None, concurrency: int = 2, folder: str = "e.event") -> Director:
    data = path.read_bytes()
    spec = parse_spec(data, path)
    seed = bytes.fromhex((path.parent / "seed").read_text())
    where = Folder(path.parent / folder)
    return Director(spec, data, path.parent, where, observer or Silent(), concurrency=concurrency, seed=seed)


def play(one: Director) -> bool:
    one.prepare()
    try:
        return asyncio.run(one.run())
    finally:
        one.close()


class Notes(Silent):
    """Remembers what it is told."""

    def __init__(self) -> None:
        self.faults: list[tuple[str, str]] = []
        self.results: list[MatchResult] = []
        self.rulings: list[Ruling] = []
        self.figured: Figures | None = None

    def result(self, result: MatchResult) -> None:
        self.results.append(result)

    def fault(self, match: str, bot: str, what: str) -> None:
        self.faults.append((bot, what))

    def ruling(self, ruling: Ruling) -> None:
        self.rulings.append(ruling)

    def figures(self, figures: Figures) -> None:
        self.figured = figures


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an event that is over; tests change copies of it."""
    folder = tmp_path_factory.mktemp("event")
    assert play(director(write(folder, BOTS), concurrency=1))
    return folder


@pytest.fixture
def event(home: Path, tmp_path: Path) -> Path:
    shutil.copytree(home, tmp_path / "home")
    return tmp_path / "home" / "e.event"


def logs_of(event: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (event / "logs").glob("*.toep")}


# -- an event that goes well -----------------------------------------------------------------------------------------


def test_the_same_logs_at_any_number_of_tables(home: Path) -> None:
    notes = Notes()
    assert play(director(home / "e.toml", notes, concurrency=3, folder="wide.event"))
    narrow, wide = open_event(home / "e.event"), open_event(home / "wide.event")
    assert logs_of(home / "e.event") == logs_of(home / "wide.event")
    assert narrow.ledger.done is not None
    assert wide.ledger.done is not None
    assert narrow.ledger.done.results == wide.ledger.done.results
    assert narrow.ledger.done.standings == wide.ledger.done.standings
    assert [result.number for result in notes.results] == [0, 1, 2]
    assert all(sum(map(sum, result.rounds_points)) == sum(result.total) for result in notes.results)
    assert notes.faults == []
    assert notes.figured is not None
    assert figures_text(notes.figured).startswith("block 1/1, match 3/3")


def test_what_is_left_in_the_folder(home: Path) -> None:
    event = home / "e.event"
    names = {path.name for path in event.iterdir()}
    assert names == {"bots", "event.toml", "journal.jsonl", "lock", "logs", "rulings"}
    assert sorted(logs_of(event)) == ["e-b0000-0.toep", "e-b0000-1.toep", "e-b0000-2.toep"]
    assert {path.suffix for path in (event / "logs").iterdir()} == {".toep"}


def test_an_event_that_is_over_is_left_alone(event: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (event / "journal.jsonl").read_bytes()
    assert run(["tournament", "run", str(event.parent / "e.toml")]) == 0
    assert "e: done" in capsys.readouterr().out
    assert (event / "journal.jsonl").read_bytes() == before


def test_the_status(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tournament", "status", "--json", str(home / "e.event")]) == 0
    status = json.loads(capsys.readouterr().out)
    assert (status["state"], status["counted"], status["rounds"], status["open"]) == ("done", 1, 9, [])
    assert {bot["bot"] for bot in status["bots"]} == set(BOTS)
    assert run(["tournament", "status", str(home)]) == 2


# -- checks ----------------------------------------------------------------------------------------------------------


def test_an_event_is_verified(event: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(event)]) == 0
    assert capsys.readouterr().out.endswith("VALID\n")
    assert run(["verify", "--json", "-j", "2", str(event)]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["verdict"], report["matches"], report["wrong"]) == ("VALID", 3, [])
    assert run(["verify", "--level", "L1", str(event)]) == 2


def relink(event: Path, change: Callable[[dict[str, object]], None]) -> None:
    """Change the lines of a journal as somebody would who knows how it is linked."""
    prev, out = "0" * 64, []
    for text in (event / "journal.jsonl").read_text().splitlines():
        line = json.loads(text)
        change(line)
        line["prev"] = prev
        new = json.dumps(line, sort_keys=True, separators=(",", ":")).encode()
        prev = sha256(new).hexdigest()
        out.append(new + b"\n")
    (event / "journal.jsonl").write_bytes(b"".join(out))


def of_kind(kind: str, change: Callable[[dict[str, object]], None]) -> Callable[[dict[str, object]], None]:
    return lambda line: change(line) if line["_"] == kind else None


def gain(line: dict[str, object]) -> None:
    result = line["result"]
    assert isinstance(result, dict)
    result["total"] = [0 for _ in result["total"]]


@pytest.mark.parametrize(
    ("kind", "change", "why"),
    [
        ("result", gain, "not what its log says"),
        ("block", lambda line: line.update(what="dropped"), "by the spec it is counted"),
        ("block", lambda line: line.update(faulted=True), "nobody was at fault"),
        ("done", lambda line: line.update(seed="0" * 64), "does not open the event's commitment"),
        ("done", lambda line: line.update(results="0" * 64), "not the digest of the results"),
        ("done", lambda line: line.update(standings="0" * 64), "not the digest of the standings"),
        ("event", lambda line: line.update(spec="0" * 64), "not the spec"),
        ("event", lambda line: line.update(schedule="0" * 64), "another schedule"),
    ],
)
def test_a_changed_journal_is_noticed(
    event: Path, kind: str, change: Callable[[dict[str, object]], None], why: str
) -> None:
    relink(event, of_kind(kind, change))
    report = verify_event(event)
    assert report.verdict == "INVALID"
    assert why in report.wrong[0].text()


def test_a_changed_log_is_noticed(event: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = event / "logs" / "e-b0000-1.toep"
    path.write_bytes(path.read_bytes().replace(b'"points":[', b'"points":[1', 1))
    assert run(["verify", "--quiet", str(event)]) == 1
    assert f"{path}:" in capsys.readouterr().out.splitlines()[0]


def test_a_log_of_another_match_is_noticed(event: Path) -> None:
    shutil.copy(event / "logs" / "e-b0000-0.toep", event / "logs" / "e-b0000-1.toep")
    report = verify_event(event)
    assert report.verdict == "INVALID"
    assert "the schedule has e-b0000-1 here" in report.wrong[0].why


def test_an_event_without_its_end_is_incomplete(event: Path) -> None:
    lines = (event / "journal.jsonl").read_bytes().splitlines(keepends=True)
    (event / "journal.jsonl").write_bytes(b"".join(lines[:-1]))
    report = verify_event(event)
    assert (report.verdict, report.wrong, report.missing) == ("INCOMPLETE", [], ["the end of the event"])


# -- what must not be done -------------------------------------------------------------------------------------------


def half(event: Path) -> None:
    """Leave of an event what its director had before it ended."""
    lines = (event / "journal.jsonl").read_bytes().splitlines(keepends=True)
    (event / "journal.jsonl").write_bytes(b"".join(lines[:-1]))
    Folder(event).keep_seed(sha256(b"test").digest())


def test_an_event_goes_on_with_its_own_spec_only(event: Path) -> None:
    half(event)
    spec = event.parent / "e.toml"
    spec.write_text(spec.read_text().replace("rounds = 3", "rounds = 4"))
    with pytest.raises(DirectorError, match="another spec"):
        director(spec).prepare()


def test_two_directors_do_not_work_on_one_event(event: Path) -> None:
    holder = Folder(event).lock()
    second = director(event.parent / "e.toml")
    with pytest.raises(BusyError, match="a director works on this event"):
        second.prepare()
    holder.unlock()


def test_another_seed_is_noticed(event: Path) -> None:
    half(event)
    Folder(event).keep_seed(bytes(32))
    with pytest.raises(DirectorError, match="not the seed"):
        director(event.parent / "e.toml").prepare()
    Folder(event).drop_seed()
    assert run(["tournament", "run", str(event.parent / "e.toml")]) == 2


def test_a_bot_that_was_changed_needs_a_ruling(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "mine.py"
    script.write_text("from toep_client.samples.caller import Caller\nfrom toep_client import run\nrun(Caller())\n")
    path = write(tmp_path, {**BOTS, "cor": "python mine.py"})
    first = director(path)
    first.prepare()
    first.close()
    script.write_text(script.read_text() + "# better\n")
    with pytest.raises(DirectorError, match=r"bot cor: mine\.py was changed"):
        director(path).prepare()
    assert run(["tournament", "rule", str(tmp_path / "e.event"), "accept", "cor", "--why", "a typing error"]) == 0
    assert "journaled" in capsys.readouterr().out
    again = director(path)
    again.prepare()
    again.close()
    assert [ruling.by for ruling in open_event(tmp_path / "e.event").ledger.rulings] == ["organiser", "director"]


def test_rulings_need_a_reason_and_something_to_be_about(event: Path) -> None:
    folder = str(event)
    assert run(["tournament", "rule", folder, "drop", "ann"]) == 2
    assert run(["tournament", "rule", folder, "drop", "--why", "x"]) == 2
    assert run(["tournament", "rule", folder, "pause", "ann"]) == 2
    assert run(["tournament", "rule", folder, "concurrency", "x"]) == 2
    assert run(["tournament", "rule", folder, "concurrency", "0"]) == 2
    assert run(["tournament", "rule", folder, "rerun", "0", "--why", "x"]) == 2  # It is over.


def test_a_bot_is_disqualified_when_all_is_over(event: Path) -> None:
    assert run(["tournament", "rule", str(event), "disqualify", "ann", "--why", "two of them were one"]) == 0
    assert verify_event(event).verdict == "INCOMPLETE"
    assert run(["tournament", "run", str(event.parent / "e.toml"), "--quiet"]) == 0
    report = verify_event(event)
    assert (report.verdict, report.blocks) == ("VALID", 0)
    assert "out: two of them were one" in status_text(status_of(open_event(event)))


def test_plain_shows_faults_and_rulings(capsys: pytest.CaptureFixture[str]) -> None:
    plain = Plain()
    plain.fault("m", "ann", "was late twice")
    plain.ruling(Ruling(at="2026-01-31T09:00:00Z", by="organiser", kind="concurrency", number=2, why=""))
    assert capsys.readouterr().err == ("fault: ann was late twice in m\nruling: concurrency 2 (by the organiser)\n")


# -- events that do not go well --------------------------------------------------------------------------------------

CRASHING = """
import os
from pathlib import Path
from toep_client import Act, Bot, View, run

class Crashing(Bot):
    doomed = False

    def act(self, view: View) -> Act:
        if view.round == 2 and not Path(view.match_id).exists():
            Path(view.match_id).touch()
            self.doomed = len(list(Path().glob("e-b*"))) % 3 == 0
        if self.doomed:
            os._exit(3)
        return view.legal[0]

run(Crashing())
"""


@pytest.mark.slow
def test_faults_are_charged_to_whom_they_belong_and_the_event_ends(tmp_path: Path) -> None:
    (tmp_path / "crash.py").write_text(CRASHING)
    (tmp_path / "hang.py").write_text("import time\ntime.sleep(3600)\n")
    bots = {
        "ann": "caller",
        "hang": "python hang.py",
        "crash": "python crash.py",
        "evil": f"python {ROOT / 'clients/hostile'} only-illegal-cards",
    }
    path = write(tmp_path, bots, seats=2, duplicates="none", blocks=18, faulted="keep", lobby_seconds=15)
    notes = Notes()
    assert play(director(path, notes, concurrency=4))
    ledger = open_event(tmp_path / "e.event").ledger
    assert set(ledger.faults) == {"hang", "crash", "evil"}
    assert dict(ledger.faults["hang"]) == {"absent": 3}
    assert [(ruling.kind, ruling.bot, ruling.by) for ruling in notes.rulings] == [("drop", "hang", "director")]
    crashed = [result for result in notes.results if "crash" in result.bots and result.status != "absent"]
    assert set(ledger.faults["crash"]) == {"left"}
    assert ledger.faults["crash"]["left"] == len(crashed) // 3
    assert set(ledger.faults["evil"]) == {"refused"}
    both = [one for one in notes.results if set(one.bots) <= {"ann", "evil"}]
    assert both
    assert all(one.faults[one.bots.index("ann")] == 0 for one in both)
    assert verify_event(tmp_path / "e.event").verdict == "VALID"


@pytest.mark.slow
def test_a_bot_that_cannot_start_costs_its_block_and_no_time(tmp_path: Path) -> None:
    path = write(tmp_path, {**BOTS, "ann": "no-such-program"}, blocks=4, lobby_seconds=3600)
    notes = Notes()
    assert play(director(path, notes))
    ledger = open_event(tmp_path / "e.event").ledger
    assert dict(ledger.faults) == {"ann": {"absent": 3}}
    assert [line.what for line in ledger.decided.values()] == ["dropped"] * 4
    assert "ann" in ledger.withdrawn
    assert list(ledger.counted()) == []
    assert verify_event(tmp_path / "e.event").verdict == "VALID"


@pytest.mark.slow
def test_a_killed_director_is_followed_by_another_with_the_same_outcome(tmp_path: Path) -> None:
    wrong = campaign(tmp_path, kills=1, blocks=1, rounds=4, bots=4, concurrency=2, seed=3, say=False)
    assert wrong == []


def eventually(what: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.slow
def test_a_director_that_is_told_to_stop_finishes_its_matches_and_says_how_to_go_on(tmp_path: Path) -> None:
    path = write(tmp_path, BOTS, blocks=2)
    words = [sys.executable, "-m", "referee", "tournament", "run", str(path), "--concurrency", "1"]
    mark = tmp_path.name
    with subprocess.Popen(
        words, cwd=ROOT, env={**os.environ, "TOEP_CAMPAIGN": mark}, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            logs = tmp_path / "e.event" / "logs"
            eventually(lambda: logs.is_dir() and any(logs.glob("*.toep")))
            assert rulings.rule(Folder(tmp_path / "e.event"), Request(kind="pause"), open_event(
                tmp_path / "e.event").ledger).startswith("journaled by")  # fmt: skip
            process.send_signal(signal.SIGTERM)
            errors = process.communicate(timeout=PATIENCE)[1]
        finally:
            process.kill()
    assert process.returncode == 4
    assert "nothing is lost: to go on, run" in errors
    assert bots_of(mark) == []
    event = open_event(tmp_path / "e.event")
    assert event.ledger.paused
    assert status_of(event).open == []
    assert verify_event(tmp_path / "e.event").verdict == "INCOMPLETE"
    assert run(["tournament", "rule", str(tmp_path / "e.event"), "resume"]) == 0
    assert run(["tournament", "run", str(path), "--quiet"]) == 0
    assert verify_event(tmp_path / "e.event").verdict == "VALID"
