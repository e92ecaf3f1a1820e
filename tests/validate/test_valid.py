"""Logs in which nothing is wrong, and what keeps one from being complete."""

import io
import subprocess
import sys
from base64 import b64encode

import pytest

from referee.log.reader import decode, read_lines
from referee.log.records import Conduct, Rounds
from referee.log.records import Length as LengthOf
from referee.log.tree import leaf_hash
from referee.validate.findings import Place
from referee.validate.replay import Replay
from referee.validate.shuffle import Shuffle, unpack
from tests.support import forge
from tests.support.match import RULES, Match
from tests.validate.conftest import check

LENGTHS: list[LengthOf] = ["game", Rounds(rounds=4)]


@pytest.mark.parametrize("declared", [False, True])
@pytest.mark.parametrize("length", LENGTHS, ids=["game", "rounds"])
@pytest.mark.parametrize("seats", range(2, 9))
@pytest.mark.parametrize("rules", RULES)
def test_played_matches_are_valid(rules: str, seats: int, length: LengthOf, declared: bool) -> None:
    if seats < RULES[rules].min_players:
        pytest.skip("too few players for these rules")
    for number in range(4):
        name = f"{rules}-{seats}-{number}"
        clock = ("none", "ms")[number % 2]
        match = Match(RULES[rules], seats, length, name=name, clock=clock, declared=declared)
        report = check(match.play_on(eagerness=0.05 + number / 10, resigns=number == 3).close())
        assert (report.verdict, report.exit) == ("VALID", 0), report.findings
        assert report.rounds == match.game.deals
        assert report.acts == match.at
        assert not report.errors


def test_report_of_a_valid_log(long_log: bytes) -> None:
    report = check(long_log)
    assert [(level.level, level.status) for level in report.levels] == [
        ("L0", "pass"), ("L1", "pass"), ("L2", "pass"), ("L3", "pass"), ("L4", "pass"), ("L5", "pass"),
        ("L5", "not checked"), ("L6", "not checked"),
    ]  # fmt: skip
    assert {finding.code for finding in report.warnings} == {"W010", "W013"}
    assert (report.match or "").startswith("a-game")
    assert report.result is not None
    assert report.lines == long_log.count(b"\n")


def test_declared_seed_and_no_isolation_are_warnings() -> None:
    data = Match(length=Rounds(rounds=1), declared=True).play_on().close()
    forged, _ = forge.edit(data, "head", 0, isolation="none")
    report = check(forged)
    assert report.verdict == "VALID"
    assert {finding.code for finding in report.warnings} == {"W011", "W012", "W013"}


def test_max_deals_abandons() -> None:
    data = Match(conduct=Conduct(max_deals=2), name="capped").play_on(eagerness=0).close()
    assert check(data).verdict == "VALID"
    forged, line = forge.edit(data, "end", 0, status="complete")
    report = check(forged)
    assert (report.errors[0].code, report.errors[0].line) == ("E373", line)
    fewer, _ = forge.edit(data, "head", 0, conduct={**forge.lines(data)[0]["conduct"], "max_deals": 1})
    assert check(fewer).errors[0].code == "E314"
    more, line = forge.edit(data, "head", 0, conduct={**forge.lines(data)[0]["conduct"], "max_deals": 3})
    assert check(more).errors[0].code == "E370"


def test_truncated_at_every_line(short_log: bytes) -> None:
    lines = short_log.splitlines(keepends=True)
    for count in range(len(lines)):
        report = check(b"".join(lines[:count]))
        assert (report.verdict, report.exit) == ("INCOMPLETE", 4), count
        assert report.missing


def test_torn_anywhere_in_the_last_lines(short_log: bytes) -> None:
    for cut in range(1, 600):
        torn = short_log[:-cut]
        report = check(torn)
        assert report.exit == 4
        if not torn.endswith(b"\n"):
            assert report.warnings[0].code == "W001"
            assert report.warnings[0].line == torn.count(b"\n") + 1


def test_unrevealed(short_log: bytes) -> None:
    report = check(b"".join(short_log.splitlines(keepends=True)[:-2]))
    status = {level.level: level.status for level in reversed(report.levels)}
    assert report.exit == 4
    assert report.missing == ["reveal"]
    assert [status[level] for level in ("L0", "L1", "L2", "L3", "L4", "L5")] == [*["pass"] * 4, "not checked", "pass"]
    assert "W004" in {finding.code for finding in report.warnings}


def test_a_view_without_its_seed_is_incomplete_and_its_roots_are_checked(short_log: bytes) -> None:
    lines = short_log.splitlines()[:-2]
    at = forge.find(forge.lines(short_log), "cards", 1)
    lines[at] = b'{"_":"~","hash":"' + b64encode(leaf_hash(lines[at])) + b'"}'
    report = check(b"\n".join(lines) + b"\n")
    assert report.verdict == "INCOMPLETE"
    assert "W005" in {finding.code for finding in report.warnings}
    assert next(level for level in report.levels if level.level == "L5").status == "pass"
    lines[at + 2] += b" "
    assert check(b"\n".join(lines) + b"\n").exit == 1


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"fmt": "toep/9"}, "E102"),
        ({"edition": 99}, "E103"),
        ({"shuffle": "dice/1"}, "E104"),
    ],
)
def test_unsupported_versions(short_log: bytes, fields: dict[str, object], code: str) -> None:
    report = check(forge.edit(short_log, "head", 0, **fields)[0])
    assert (report.verdict, report.exit, report.errors[0].code) == ("UNSUPPORTED", 3, code)


def test_unsupported_tag(short_log: bytes) -> None:
    records = forge.lines(short_log)
    records.insert(5, {"_": "dance", "seat": 0})
    assert check(forge.seal(records)).exit == 3


def test_importing_the_validator_imports_no_grpc() -> None:
    code = (
        "import referee.validate, sys;"
        "print([m for m in sys.modules if m.split('.')[0] in ('grpc', 'google', 'structlog')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_memory_kept_per_round() -> None:
    data = Match(RULES["cafe"], 4, Rounds(rounds=50), name="memory").play_on().close()
    shuffle, replay = Shuffle(), Replay()
    for raw in read_lines(io.BytesIO(data)):
        record = decode(raw)
        place = Place(raw.index, raw.offset)
        replay.step(record, place)
        shuffle.step(record, place, replay.places)
    assert len(shuffle._store) / 50 < 130
    first, _ = unpack(shuffle._store, 0)
    assert (first.round, first.try_, first.hands) == (1, 1, 4)
