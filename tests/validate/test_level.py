"""`--level`: what is asked is checked to the end, what lies beyond is not looked at, and each is said."""

import io
from pathlib import Path
from typing import Any

import pytest

from referee.cli.main import run
from referee.log.note import Signer
from referee.log.records import Rounds
from referee.log.writer import MemorySink
from referee.ruleset import resolve
from referee.table.head import MatchPlan
from referee.table.inprocess import write_match
from referee.validate import Report, validate
from referee.validate.findings import Level
from referee.validate.order import Order
from referee.validate.replay import Replay
from referee.validate.seals import Seals
from referee.validate.shuffle import Shuffle
from referee.validate.validator import ASKED
from tests.support import forge

KEY = Signer("club.example/referee", bytes(range(32)))


def check(data: bytes, level: Level | None, key: str | None = None, *, keep_going: bool = False) -> Report:
    return validate(io.BytesIO(data), "log.toep", level=level, key=key, keep_going=keep_going)


def status(report: Report) -> dict[str, tuple[str, str]]:
    return {row.what: (row.status, row.reason) for row in report.levels}


@pytest.fixture(scope="module")
def signed() -> bytes:
    sink = MemorySink()
    plan = MatchPlan(rules=resolve("cafe"), bots=["a", "b", "c"], length=Rounds(rounds=2), clock="none")
    write_match(plan, b"\x11" * 32, sink, signer=KEY)
    return bytes(sink.data)


@pytest.mark.parametrize("level", ASKED[:5])
@pytest.mark.parametrize("keep_going", [False, True])
def test_valid_at_a_lower_level(long_log: bytes, level: Level, keep_going: bool) -> None:
    report = check(long_log, level, keep_going=keep_going)
    assert (report.verdict, report.exit, report.missing) == ("VALID", 0, [])
    for row in report.levels[:-1]:
        beyond = row.level > level
        assert row.status == ("not checked" if beyond else "pass")
        assert (row.reason == "not asked") == beyond
    assert not {"W013", "W014"} & {finding.code for finding in report.findings}
    whole = check(long_log, None)
    assert (report.rounds, report.acts, report.lines) == (whole.rounds, whole.acts, whole.lines)
    assert report.result == whole.result


def test_what_is_not_asked_is_not_done(long_log: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    done: set[type] = set()

    def watch(kind: type[Any]) -> None:
        step = kind.step

        def noted(self: object, *rest: object) -> None:
            done.add(kind)
            step(self, *rest)

        monkeypatch.setattr(kind, "step", noted)

    for kind in (Order, Replay, Shuffle, Seals):
        watch(kind)
    wanted: list[tuple[Level | None, set[type]]] = [
        ("L0", set()), ("L1", set()), ("L2", {Order}), ("L3", {Order, Replay}), ("L4", {Order, Replay, Shuffle}),
        (None, {Order, Replay, Shuffle, Seals}),
    ]  # fmt: skip
    for level, kinds in wanted:
        done.clear()
        assert check(long_log, level).verdict == "VALID"
        assert done == kinds


@pytest.mark.parametrize("level", ASKED)
def test_a_cut_log_is_incomplete_at_every_level(short_log: bytes, level: Level) -> None:
    lines = short_log.splitlines(keepends=True)
    for count in range(len(lines)):
        report = check(b"".join(lines[:count]), level)
        assert (report.verdict, report.exit) == ("INCOMPLETE", 4), count
        assert report.missing
        torn = check(b"".join(lines[:count]) + lines[count][:-1], level)
        assert (torn.verdict, torn.exit) == ("INCOMPLETE", 4), count


@pytest.mark.parametrize("level", ASKED)
def test_hidden_lines_are_incomplete_at_every_level(short_log: bytes, level: Level) -> None:
    lines = short_log.splitlines()
    lines[forge.find(forge.lines(short_log), "cards", 1)] = b'{"_":"~","hash":"' + b"A" * 43 + b'="}'
    report = check(b"\n".join(lines) + b"\n", level)
    # From L4 on the seed says what the line must be, and it is not.
    assert report.exit == (1 if level in ("L4", "L5") else 4)
    assert report.exit == 1 or "the hidden lines" in report.missing


def broken(data: bytes, level: str) -> bytes:
    """A log that is wrong at a level and, up to it, right."""
    if level == "L0":
        return data.replace(b'{"_":"play",', b'{"_": "play",', 1)
    if level == "L1":
        return data.replace(b'{"_":"play",', b'{"_":"play","a":1,', 1)
    if level == "L2":
        records = forge.lines(data)
        at = forge.find(records, "play", 0)
        records.insert(at, records[0])
        return forge.seal(records)
    if level == "L3":
        total = forge.lines(data)[forge.find(forge.lines(data), "score", 0)]["total"]
        return forge.edit(data, "score", 0, total=[total[0] + 1, *total[1:]])[0]
    if level == "L4":
        return forge.edit(data, "reveal", 0, seed="00" * 32)[0]
    return data.replace(b"bot 0", b"bot X")


@pytest.mark.parametrize("wrong", ASKED)
@pytest.mark.parametrize("level", ASKED[:5])
def test_a_fault_counts_from_its_level_on(short_log: bytes, level: Level, wrong: Level) -> None:
    report = check(broken(short_log, wrong), level)
    assert report.verdict == ("INVALID" if wrong <= level else "VALID"), report
    failed = [row.level for row in report.levels if row.status == "fail"]
    assert failed == ([wrong] if wrong <= level else [])


@pytest.mark.parametrize("level", ASKED)
def test_another_format_is_unsupported_at_every_level(short_log: bytes, level: Level) -> None:
    assert check(forge.edit(short_log, "head", 0, fmt="toep/9")[0], level).exit == 3


def test_l5_demands_signatures_by_a_key_that_is_given(signed: bytes, short_log: bytes) -> None:
    assert check(signed, "L5", KEY.vkey).verdict == "VALID"
    unpinned = check(signed, "L5")
    assert (unpinned.exit, unpinned.missing) == (4, ["the referee's key, given with --key"])
    assert status(unpinned)["signatures"][0] == "pass"
    unsigned = check(short_log, "L5")
    assert (unsigned.exit, unsigned.missing) == (4, ["signatures", "the referee's key, given with --key"])
    assert check(short_log, "L5", KEY.vkey).exit == 1
    assert check(signed, "L4").verdict == "VALID"
    assert check(signed, None).verdict == "VALID"


def test_what_makes_no_sense_is_refused(short_log: bytes) -> None:
    with pytest.raises(ValueError, match="L6"):
        check(short_log, "L6")
    for level in ASKED[:5]:
        with pytest.raises(ValueError, match="a key is for L5"):
            check(short_log, level, KEY.vkey)


def test_the_command(tmp_path: Path, signed: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.toep").write_bytes(signed)
    log = str(tmp_path / "a.toep")
    assert run(["verify", "--level", "L1", log]) == 0
    out = capsys.readouterr().out
    assert "L3      rules, replayed: not checked (not asked)" in out
    assert "L5      signatures: not checked (not asked)" in out
    assert run(["verify", "--level", "L5", log]) == 4
    assert "missing the referee's key, given with --key" in capsys.readouterr().out
    assert run(["verify", "--level", "L5", "--key", KEY.vkey, log]) == 0
    assert run(["verify", "--level", "L2", "--key", KEY.vkey, log]) == 2
    assert "--key is for L5" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        run(["verify", "--level", "L6", log])
