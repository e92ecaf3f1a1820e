"""Rulings, and what a director does about them: while it runs, when none does, and when it is killed in between; the
sequential test; and directors that are told to end.

Whichever way a ruling comes to be made, the same must come of it, to the last digit of the digests.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec
import pytest

from referee.tournament import rulings
from referee.tournament.event import open_event
from referee.tournament.folder import Folder
from referee.tournament.journal import Block, Journal, Match, Ruling, Stop
from referee.tournament.ledger import Ledger
from referee.tournament.observer import Figures
from referee.tournament.results import digest
from referee.tournament.rulings import Request
from referee.tournament.schedule import ScheduledMatch
from referee.tournament.status import status_of
from referee.tournament.verify import verify_event
from tests.campaigns.crash_tournament import bots_of
from tests.support.events import BLOCKS, BOTS, MINE, PATIENCE, ROOT, Outcome, digests_of, go_on, killed, toep
from tests.support.scripted import Script, Step, director, play
from tests.tournament.test_director import write

WHY: Final = "so it is"


# -- one ruling, made in every way -----------------------------------------------------------------------------------


def while_it_runs(home: Path, request: Request, *steps: Step) -> Outcome:
    """The ruling is left when the next match begins."""
    fields = msgspec.to_builtins(request)
    return go_on(home, ("match_started", 0, {"do": "rule", **fields}), *steps)


def when_none_runs(home: Path, request: Request, *steps: Step) -> Outcome:
    about = [value for value in (request.bot, request.block, request.number) if value is not msgspec.UNSET]
    assert toep("rule", home / "e.event", request.kind, *about, "--why", request.why) == 0
    return go_on(home, *steps)


def killed_before_it_was_journaled(home: Path, request: Request, *steps: Step) -> Outcome:
    rulings.post(Folder(home / "e.event"), request)
    return go_on(home, *steps)


def killed_when_it_was_journaled(home: Path, request: Request, *steps: Step) -> Outcome:
    """It stands in the journal, had no effect yet, and its file is there still."""
    folder = Folder(home / "e.event")
    path = rulings.post(folder, request)
    journal, entries = Journal.reopen(folder.journal)
    ledger = Ledger(open_event(folder.path).schedule).follow(folder.journal, entries)
    journal.append(rulings.line_of(request, ledger, path.stem))
    journal.close()
    return go_on(home, *steps)


WAYS: Final = (while_it_runs, when_none_runs, killed_before_it_was_journaled, killed_when_it_was_journaled)
Way = Callable[..., Outcome]
ways: Final = pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)


def rulings_of(outcome: Outcome) -> list[tuple[str, str]]:
    return [(line.kind, line.by) for line in outcome.ledger.rulings]


@ways
def test_paused_begins_no_match_until_it_is_resumed(home: Path, calm: Ledger, way: Way) -> None:
    resume = ("paused", 0, {"do": "rule", "kind": "resume"})
    outcome = way(home, Request(kind="pause", why=WHY), resume)
    assert outcome.over
    assert rulings_of(outcome) == [("pause", "organiser"), ("resume", "organiser")]
    assert outcome.ledger.done is not None
    assert outcome.digests == digests_of(calm)
    since = [type(entry.line) for entry in open_event(home / "e.event").entries]
    pause, resumed = (number for number, kind in enumerate(since) if kind is Ruling)
    assert Match not in since[pause:resumed]


@ways
def test_other_numbers_of_matches_at_once_change_nothing(home: Path, calm: Ledger, way: Way) -> None:
    outcome = way(home, Request(kind="concurrency", number=2, why=WHY))
    assert outcome.digests == digests_of(calm)
    assert outcome.script.widest == 2
    assert rulings_of(outcome) == [("concurrency", "organiser")]


@pytest.mark.parametrize("way", [while_it_runs, killed_when_it_was_journaled], ids=lambda way: way.__name__)
def test_drained_it_finishes_what_runs_and_goes_on_later(home: Path, calm: Ledger, way: Way) -> None:
    outcome = way(home, Request(kind="drain", why=WHY))
    if way is while_it_runs:
        assert not outcome.over
        status = status_of(open_event(home / "e.event"))
        assert (status.state, status.open) == ("stopped", [])
        assert status.decided < BLOCKS
        assert toep("status", home / "e.event") == 4
        outcome = go_on(home)
    assert outcome.digests == digests_of(calm)


def test_there_is_nothing_to_drain_when_no_director_runs(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert toep("rule", home / "e.event", "drain") == 2
    assert "drain: no director works on this event" in capsys.readouterr().err
    assert open_event(home / "e.event").ledger.rulings == []
    # One that was killed before it could read it is not followed by one that ends at once.
    rulings.post(Folder(home / "e.event"), Request(kind="drain"))
    assert toep("run", home / "e.toml", "--quiet") == 0
    assert open_event(home / "e.event").ledger.rulings == []


def table(ledger: Ledger, index: int) -> set[str]:
    return {ledger.schedule.bots[bot] for bot in ledger.schedule.block(index).table}


@ways
def test_a_bot_that_is_dropped_plays_no_more_and_keeps_what_it_has(home: Path, calm: Ledger, way: Way) -> None:
    bot = next(iter(table(calm, 0) & table(calm, 1)))
    outcome = way(home, Request(kind="drop", bot=bot, why=WHY))
    gone = [index for index in range(1, BLOCKS) if bot in table(calm, index)]
    stands = [index for index in range(BLOCKS) if index not in gone]
    assert outcome.blocks == {index: ("dropped" if index in gone else "counted", 0) for index in range(BLOCKS)}
    report = verify_event(home / "e.event")
    assert (report.blocks, report.matches) == (len(stands), len(stands))
    assert 2 <= len(stands) < BLOCKS
    assert outcome.ledger.digest() == calm_digest(calm, stands)
    out = [row for row in status_of(open_event(home / "e.event")).bots if row.out]
    assert [(row.bot, row.matches, row.out) for row in out] == [(bot, 1, WHY)]


def calm_digest(calm: Ledger, blocks: list[int]) -> str:
    """What the results of these blocks come to."""
    return digest([result for block in calm.counted() if block.index in blocks for result in block.matches])


@ways
def test_with_a_bot_that_is_disqualified_no_block_counts(home: Path, calm: Ledger, way: Way) -> None:
    bot = next(iter(table(calm, 0) & table(calm, 1)))
    outcome = way(home, Request(kind="disqualify", bot=bot, why=WHY))
    others = [index for index in range(BLOCKS) if bot not in table(calm, index)]
    assert outcome.blocks[0] == ("counted", 0)  # That is how it was decided; that it does not count follows.
    assert [block.index for block in outcome.ledger.counted()] == others
    assert outcome.ledger.digest() == calm_digest(calm, others)
    rows = {row.bot: row for row in status_of(open_event(home / "e.event")).bots}
    assert (rows[bot].matches, rows[bot].out) == (0, WHY)


@ways
@pytest.mark.parametrize("block", [0, 1])
def test_a_block_is_played_again_with_fresh_deals(home: Path, calm: Ledger, way: Way, block: int) -> None:
    outcome = way(home, Request(kind="rerun", block=block, why=WHY))
    assert outcome.blocks == {index: ("counted", int(index == block)) for index in range(BLOCKS)}
    counted = {result.match for one in outcome.ledger.counted() for result in one.matches}
    assert f"e-b000{block}r1-0" in counted
    assert f"e-b000{block}-0" not in counted
    same = {result.match: result for one in calm.counted() for result in one.matches}
    assert {outcome.ledger.results[match] == same[match] for match in counted & set(same)} == {True}


def test_the_id_of_a_match_stands_for_its_block(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert toep("rule", home / "e.event", "rerun", "e-b0000-0", "--why", WHY) == 0
    assert toep("rule", home / "e.event", "rerun", "e-b0009-0", "--why", WHY) == 2
    assert "neither the number of a block nor the id of a match" in capsys.readouterr().err
    assert toep("rule", home / "e.event", "rerun", BLOCKS, "--why", WHY) == 2
    assert [line.block for line in open_event(home / "e.event").ledger.rulings] == [0]


def test_fresh_deals_are_the_same_however_it_came_to_them(home: Path, tmp_path: Path) -> None:
    other = shutil.copytree(home, tmp_path / "other")
    found = [way(where, Request(kind="rerun", block=0, why=WHY)) for way, where in
             ((while_it_runs, home), (killed_when_it_was_journaled, other))]  # fmt: skip
    assert found[0].digests == found[1].digests


@pytest.mark.parametrize("way", WAYS[1:], ids=lambda way: way.__name__)
def test_a_bot_goes_on_with_other_files_once_that_was_accepted(
    home: Path, calm: Ledger, way: Way, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "mine.py").write_text(MINE + "# better\n")
    assert toep("run", home / "e.toml", "--quiet") == 2
    assert f"rule {home / 'e.event'} accept cor" in capsys.readouterr().err
    outcome = way(home, Request(kind="accept", bot="cor", why=WHY))
    assert outcome.digests == digests_of(calm)
    assert rulings_of(outcome) == [("accept", "organiser"), ("accept", "director")]


def test_files_that_are_accepted_while_it_runs_are_those_of_the_next_time(home: Path) -> None:
    """A bot is started for every match, so what it is made of can be exchanged only between directors."""
    outcome = while_it_runs(home, Request(kind="accept", bot="cor", why=WHY), ("match_over", 0, {"do": "stop"}))
    assert not outcome.over
    (home / "mine.py").write_text(MINE + "# better\n")
    assert go_on(home).over


@pytest.mark.slow
@pytest.mark.parametrize("journaled", [False, True])
def test_a_kill_between_a_ruling_and_its_effect(home: Path, journaled: bool) -> None:
    """With a director that is really killed, before and after it has journaled what was left for it."""
    rerun = {"do": "rule", "kind": "rerun", "block": 0, "kill": not journaled}
    killed(home / "e.toml", [("match_started", 0, rerun), ("ruling", 0, {"do": "kill"})])
    assert len(open_event(home / "e.event").ledger.rulings) == journaled
    outcome = go_on(home, concurrency=2)
    assert outcome.blocks == {index: ("counted", int(index == 0)) for index in range(BLOCKS)}
    assert rulings_of(outcome) == [("rerun", "organiser")]
    assert len(outcome.ledger.requests) == 1


# -- the sequential test ---------------------------------------------------------------------------------------------

STOPS: Final = 2
"""The block behind which the event below has its answer."""


def write_pair(folder: Path) -> Path:
    """The spec of a pair of which one is clearly better."""
    path = write(folder, {"ann": "careful", "bob": "random"}, seats=2, duplicates="none", blocks=8)
    head, bots = path.read_text().split("[conduct]")
    keys = """format = { kind = "pair", candidates = ["ann", "bob"] }
stop = { low = 0.0, high = 2.0, minimum = 3 }
"""
    path.write_text(head.replace("rounds = 3", "rounds = 20") + keys + "[conduct]" + bots)
    return path


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    folder = tmp_path_factory.mktemp("stopped")
    write_pair(folder)
    outcome = go_on(folder)
    assert outcome.over
    return outcome


def stops(outcome: Outcome) -> list[tuple[int, str]]:
    return [(outcome.ledger.stop.block, outcome.ledger.stop.why)] if outcome.ledger.stop else []


def test_the_event_stops_when_its_test_has_an_answer(stopped: Outcome) -> None:
    assert stops(stopped) == [(STOPS, "the test accepts an effect of 2 after 3 blocks (llr 2.980)")]
    assert stopped.script.said == [f"stopped behind block {STOPS}: {stopped.ledger.stop.why}"]  # type: ignore[union-attr]
    assert [block.index for block in stopped.ledger.counted()] == [0, 1, 2]
    assert sorted(stopped.ledger.decided) == [0, 1, 2]


def test_it_stops_behind_the_same_block_at_three_tables(stopped: Outcome, tmp_path: Path) -> None:
    write_pair(tmp_path)
    wide = go_on(tmp_path, concurrency=3)
    assert wide.over
    assert wide.script.widest == 3
    assert stops(wide) == stops(stopped)
    assert wide.digests == stopped.digests
    status = status_of(open_event(tmp_path / "e.event"))
    assert (status.state, status.blocks, status.counted, status.open) == ("done", 3, 3, [])
    assert len(wide.ledger.set_up) > 3  # Others were under way: they were finished, and do not count.


@pytest.mark.parametrize("moment", [("block", 0), ("block", STOPS), ("say", 0)], ids=lambda moment: moment[0])
def test_it_stops_behind_the_same_block_after_a_kill(stopped: Outcome, tmp_path: Path, moment: tuple[str, int]) -> None:
    """Early, between the block that decides and the answer, and between the answer and the end."""
    killed(write_pair(tmp_path), [(*moment, {"do": "kill"})])
    rest = go_on(tmp_path, concurrency=2)
    assert rest.over
    assert stops(rest) == stops(stopped)
    assert rest.digests == stopped.digests
    entries = [entry.line for entry in open_event(tmp_path / "e.event").entries]
    assert len([line for line in entries if isinstance(line, Stop)]) == 1
    assert max(line.block for line in entries if isinstance(line, Block)) == STOPS


def test_a_block_can_be_played_again_between_the_answer_and_the_end(tmp_path: Path) -> None:
    killed(write_pair(tmp_path), [("say", 0, {"do": "kill"})])
    event = tmp_path / "e.event"
    assert toep("rule", event, "rerun", STOPS + 1, "--why", WHY) == 2
    assert toep("rule", event, "rerun", 1, "--why", WHY) == 0
    rest = go_on(tmp_path)
    assert rest.blocks == {0: ("counted", 0), 1: ("counted", 1), 2: ("counted", 0)}
    assert len(stops(rest)) == 1


# -- told to end -----------------------------------------------------------------------------------------------------

SLOW: Final = """
import time
from pathlib import Path
from toep_client import Act, View, run
from toep_client.samples.caller import Caller

class Slow(Caller):
    def act(self, view: View) -> Act:
        Path("here").touch()
        while not Path("go").exists():
            time.sleep(0.02)
        return super().act(view)

run(Slow())
"""


def eventually(what: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("times", [1, 2])
def test_told_to_end_once_it_finishes_its_matches_and_twice_it_leaves_them(
    tmp_path: Path, calm: Ledger, number: signal.Signals, times: int
) -> None:
    (tmp_path / "mine.py").write_text(SLOW)
    bots = {**BOTS, "ann": "python mine.py", "bob": "python mine.py"}
    path = write(tmp_path, bots, seats=2, duplicates="none", blocks=BLOCKS)
    words = [sys.executable, "-m", "referee", "tournament", "run", str(path), "--quiet"]
    mark = {"TOEP_CAMPAIGN": tmp_path.name}
    with subprocess.Popen(words, cwd=ROOT, env={**os.environ, **mark}, stderr=subprocess.PIPE, text=True) as process:
        try:
            eventually((tmp_path / "here").exists)
            assert process.stderr is not None
            process.send_signal(number)
            assert process.stderr.readline().startswith("finishing the running matches; once more: leave them")
            assert process.poll() is None
            if times == 2:
                process.send_signal(number)
            else:
                (tmp_path / "go").touch()
            said = process.communicate(timeout=PATIENCE)[1]
        finally:
            process.kill()
    assert process.returncode == 4
    assert said.startswith("stopped before the end; nothing is lost: to go on, run toep tournament run")
    eventually(lambda: bots_of(tmp_path.name) == [])
    status = status_of(open_event(tmp_path / "e.event"))
    assert (status.state, status.decided, len(status.open)) == ("stopped", 2 - times, times - 1)
    (tmp_path / "go").touch()
    rest = go_on(tmp_path)
    assert rest.digests == digests_of(calm)


# -- a candidate of a fixed field ------------------------------------------------------------------------------------


class Going(Script):
    """Lets slow bots go some while after the first match is over."""

    waits = -1

    def match_over(self, match: ScheduledMatch, status: str) -> None:
        super().match_over(match, status)
        self.waits = 16

    def figures(self, figures: Figures) -> None:
        super().figures(figures)
        self.waits -= 1
        if self.waits == 0:
            (self.director.folder.path.parent / "go").touch()


@pytest.mark.parametrize("runs", [True, False])
def test_a_candidate_that_is_dropped_in_mid_match_takes_only_its_own_matches_along(tmp_path: Path, runs: bool) -> None:
    (tmp_path / "mine.py").write_text(SLOW)
    bots = {"ann": "python mine.py", "bob": "caller", "cor": "caller"}
    path = write(tmp_path, bots, seats=2, duplicates="fixed-field", blocks=2, faulted="replace")
    keys = 'format = { kind = "gauntlet", candidates = ["ann", "bob"] }\n'
    path.write_text(path.read_text().replace("[conduct]", keys + "[conduct]"))
    event = tmp_path / "e.event"
    words = [sys.executable, "-m", "referee", "tournament", "run", str(path), "--quiet"]
    with subprocess.Popen(words, cwd=ROOT, stderr=subprocess.DEVNULL) as process:
        try:
            eventually((tmp_path / "here").exists)
            if runs:
                assert toep("rule", event, "drop", "ann", "--why", WHY) == 0
        finally:
            process.kill()
    if not runs:
        assert toep("rule", event, "drop", "ann", "--why", WHY) == 0
    script = Going(Folder(event))
    assert play(director(path, event, script, concurrency=2))
    report = verify_event(event)
    assert (report.verdict, report.wrong) == ("VALID", [])
    ledger = open_event(event).ledger
    assert {index: line.what for index, line in ledger.decided.items()} == {0: "counted", 1: "counted"}
    assert {result.bots for block in ledger.counted() for result in block.matches} <= {("bob", "cor"), ("cor", "bob")}
    assert ledger.faults == {}


def test_nobody_is_left_to_play_with(home: Path, calm: Ledger) -> None:
    for bot in ("ann", "bob"):
        assert toep("rule", home / "e.event", "drop", bot, "--why", WHY) == 0
    assert toep("rule", home / "e.event", "drop", "ann", "--why", WHY) == 2
    assert toep("rule", home / "e.event", "rerun", 0, "--why", WHY) == 2
    outcome = go_on(home)
    assert outcome.blocks == {0: ("counted", 0)} | dict.fromkeys(range(1, BLOCKS), ("dropped", 0))
    assert outcome.ledger.digest() == calm_digest(calm, [0])
