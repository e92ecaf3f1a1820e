"""Logs that somebody changed: in place, or with every hash made right again."""

import json
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.game.records import Void
from referee.log.records import Rounds
from referee.ruleset import PRESETS
from referee.validate.codes import PAGES
from tests.support import forge
from tests.support.forge import Line
from tests.support.match import RULES, Match
from tests.validate.conftest import check, only_error


def test_every_byte_counts(short_log: bytes) -> None:
    for at in range(len(short_log)):
        changed = bytearray(short_log)
        changed[at] ^= 1 + at % 127
        report = check(bytes(changed))
        assert report.exit in (1, 3, 4), at
        assert any(finding.line for finding in report.findings), at
        assert all(finding.code in PAGES for finding in report.findings)


@pytest.mark.parametrize("honest_hashes", [False, True])
@pytest.mark.parametrize("change", ["drop", "double", "swap"])
def test_every_line_counts(short_log: bytes, change: str, honest_hashes: bool) -> None:
    whole = forge.lines(short_log)
    for at in range(len(whole)):
        records = list(whole)
        if change == "drop":
            del records[at]
        elif change == "double":
            records.insert(at, records[at])
        elif at + 1 < len(records):
            records[at], records[at + 1] = records[at + 1], records[at]
        if records == whole:
            continue
        data = forge.seal(records) if honest_hashes else _plain(records)
        assert check(data).exit in (1, 4), (change, at)


def _plain(records: list[Line]) -> bytes:
    return b"".join(json.dumps(one, sort_keys=True, separators=(",", ":")).encode() + b"\n" for one in records)


def first(data: bytes, tag: str, wanted: str) -> int:
    """The number, among its kind, of the first record that has a field."""
    same = [record for record in forge.lines(data) if record["_"] == tag]
    return next(number for number, record in enumerate(same) if wanted in record)


@pytest.mark.parametrize(
    ("tag", "fields", "code", "rule"),
    [
        ("trick", {"win": 3}, "E340", ""),
        ("score", {"points": [0, 0, 0, 9]}, "E342", "R-SCORE-01"),
        ("score", {"total": [0, 0, 0, 9]}, "E343", "R-SCORE-06"),
        ("toep", {"stake": 9}, "E331", "R-SCORE-02"),
        ("fold", {"pay": 9}, "E332", "R-SCORE-03"),
        ("round", {"dealer": 3}, "E311", "R-DEAL-05"),
        ("round", {"round": 7}, "E312", ""),
        ("round", {"try": 2}, "E313", ""),
        ("end", {"rank": [1, 1, 1, 1]}, "E372", "R-END-03"),
        ("end", {"total": [0, 0, 0, 0]}, "E374", "R-SCORE-06"),
        ("end", {"status": "forfeited"}, "E373", ""),
        ("out", {"why": "crosses"}, "E349", "R-END-01"),
        ("head", {"commit": "0" * 64}, "E401", ""),
        ("head", {"seats": [{"bot": "a"}, {"bot": "b"}]}, "E302", "R-PLAY-01"),
        ("reveal", {"seed": "1" * 64}, "E401", ""),
    ],
)
def test_forged_field(long_log: bytes, tag: str, fields: dict[str, object], code: str, rule: str) -> None:
    number = 0
    while True:
        at = forge.find(forge.lines(long_log), tag, number)
        if any(forge.lines(long_log)[at].get(name) != value for name, value in fields.items()):
            break
        number += 1
    data, line = forge.edit(long_log, tag, number, **fields)
    error = only_error(data)
    assert error.code == code
    assert error.rule == rule or (code == "E340" and error.rule in ("R-TRICK-01", "R-FOLD-02"))
    if tag == "head" and code == "E401":
        line = forge.find(forge.lines(data), "reveal") + 1
    assert (error.line, error.last_good) == (line, line - 1 or None)
    assert error.byte == len(b"".join(data.splitlines(keepends=True)[: line - 1]))


def test_wrong_next_leader(long_log: bytes) -> None:
    records = forge.lines(long_log)
    number = first(long_log, "trick", "lead")
    lead = records[forge.find(records, "trick", number)]["lead"]
    data, line = forge.edit(long_log, "trick", number, lead=(lead + 1) % 4)
    error = only_error(data)
    assert error.code == "E341"
    assert error.rule in ("R-TRICK-02", "R-TRICK-03")
    assert error.line == line


def test_illegal_card(long_log: bytes) -> None:
    records = forge.lines(long_log)
    at = forge.find(records, "play", 0)
    other = next(record for record in records if record["_"] == "cards" and record["seat"] != records[at]["seat"])
    data, line = forge.edit(long_log, "play", 0, card=other["cards"][0])
    error = only_error(data)
    assert (error.code, error.rule, error.line, error.deal) == ("E330", "R-CARD-01", line, 1)


@pytest.mark.parametrize("declared", [False, True])
def test_hand_that_was_not_dealt(declared: bool) -> None:
    """Two seats swap their hands for the whole of a round in which nobody plays: only the seed can tell."""
    match = Match(RULES["cafe"], 3, Rounds(rounds=1), name="swapped", declared=declared)
    match.deal()
    match.act(Void(why="cancelled"))
    data = match.close()
    records = forge.lines(data)
    a, b = forge.find(records, "cards", 1), forge.find(records, "cards", 2)
    records[a]["cards"], records[b]["cards"] = records[b]["cards"], records[a]["cards"]
    error = only_error(forge.seal(records))
    assert (error.code, error.rule, error.line, error.deal) == ("E410", "R-DEAL-02", a + 1, 1)
    assert error.actual == " ".join(records[a]["cards"])


@pytest.mark.parametrize("declared", [False, True])
def test_salt_that_does_not_follow(declared: bool) -> None:
    data = Match(RULES["cafe"], 3, Rounds(rounds=2), name="salted", declared=declared).play_on().close()
    forged, line = forge.edit(data, "cards", 4, salt="ab" * 16)
    error = only_error(forged)
    assert (error.code, error.line, error.deal) == ("E412", line, 2)


def test_deals_that_cannot_be(short_log: bytes) -> None:
    records = forge.lines(short_log)
    first_hand, second = (forge.find(records, "cards", number) for number in (0, 1))
    twice = [records[first_hand]["cards"][0], *records[second]["cards"][1:]]
    cases = [
        ({"cards": twice}, "E320", "R-DECK-01"),
        ({"cards": records[second]["cards"][:3]}, "E321", "R-DEAL-01"),
        ({"seat": 2}, "E322", "R-DEAL-01"),
        ({"why": "exchange"}, "E323", "R-DEAL-01"),
    ]
    for fields, code, rule in cases:
        data, line = forge.edit(short_log, "cards", 1, **fields)
        error = only_error(data)
        assert (error.code, error.rule, error.line) == (code, rule, line)


@pytest.mark.parametrize(("tag", "code"), [("trick", "E350"), ("penalty", "E352"), ("score", "E351"), ("out", "E354")])
def test_derived_record_missing_or_one_too_many(long_log: bytes, tag: str, code: str) -> None:
    records = forge.lines(long_log)
    at = forge.find(records, tag)
    gone = records[:at] + records[at + 1 :]
    error = only_error(forge.seal(gone))
    if tag == "score":
        assert error.code in ("E209", "E207", "E210")
    else:
        assert (error.code, error.line) == (code, at + 1)
    twice = [*records[:at], records[at], *records[at:]]
    assert only_error(forge.seal(twice)).line in (at + 1, at + 2)


def test_seals(short_log: bytes) -> None:
    lines = short_log.splitlines(keepends=True)
    lines[1] = lines[1].replace(b'"n":1', b'"n":2')
    assert only_error(b"".join(lines)).code == "E501"
    changed = short_log.replace(b"bot 0", b"bot X")
    error = only_error(changed)
    assert (error.code, error.line) == ("E502", 2)


def test_keep_going_reports_each_level(long_log: bytes) -> None:
    changed = long_log.replace(b'"win":0', b'"win":1', 1)
    report = check(changed, keep_going=True)
    assert [error.code[:2] for error in report.errors] == ["E3", "E5"]
    assert report.errors[0].code == "E340"


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 10**6), st.sampled_from(["byte", "cut", "drop", "copy"]), st.integers(0, 255)),
        min_size=1,
        max_size=4,
    )
)
def test_no_mutation_raises(changes: list[tuple[int, str, int]]) -> None:
    data = bytearray(_FUZZED)
    for place, kind, value in changes:
        at = place % max(1, len(data))
        if kind == "byte" and data:
            data[at] = value
        elif kind == "cut":
            del data[at : at + value]
        elif kind == "drop":
            start = data.rfind(b"\n", 0, at) + 1
            del data[start : data.find(b"\n", at) + 1 or None]
        else:
            data[at:at] = data[at : at + value]
    report = check(bytes(data), keep_going=bool(len(changes) % 2))
    assert (report.exit == 0) == (bytes(data) == _FUZZED)


_FUZZED = Match(RULES["last_standing"], 3, Rounds(rounds=3), name="fuzz").play_on(eagerness=0.3).close()


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_no_forged_field_raises(data: st.DataObject) -> None:
    records = forge.lines(_FUZZED)
    at = data.draw(st.integers(0, len(records) - 1))
    name = data.draw(st.sampled_from(sorted(set(records[at]) - {"_"})))
    if (at, name) == (len(records) - 1, "sig"):
        return
    records[at][name] = data.draw(
        st.one_of(
            st.integers(-3, 12), st.booleans(), st.sampled_from(["Th", "deal", "R-WAS-07"]), st.lists(st.integers(0, 9))
        )
    )
    data_ = forge.seal(records)
    report = check(data_)
    assert (report.exit == 0) == (data_ == _FUZZED)


@cache
def rich(preset: str) -> bytes:
    """A game with much of what the rules offer."""
    return Match(PRESETS[preset], 3, Rounds(rounds=4), name=f"rich-{preset}").play_on(eagerness=0.5).close()


VALUES = st.one_of(
    st.integers(-3, 31),
    st.booleans(),
    st.sampled_from(["Th", "deal", "finale", "chance", "R-WAS-07", "revoke", "ref", "stand"]),
    st.lists(st.integers(0, 9)),
    st.lists(st.sampled_from(["Th", "Js", "7d", "Qc"])),
)


@settings(max_examples=200, deadline=None)
@given(st.data(), st.sampled_from(sorted(PRESETS)))
def test_no_forged_log_raises(data: st.DataObject, preset: str) -> None:
    """Lines moved, doubled, changed and brought in from logs of other rules, with honest hashes."""
    records = forge.lines(rich(preset))
    others = [record for other in sorted(PRESETS) for record in forge.lines(rich(other))]
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(2, len(records) - 1))
        kind = data.draw(st.sampled_from(["field", "drop", "move", "foreign"]))
        if kind == "drop":
            del records[at]
        elif kind == "move":
            records.insert(data.draw(st.integers(2, len(records) - 1)), records.pop(at))
        elif kind == "foreign":
            records.insert(at, data.draw(st.sampled_from(others)))
        else:
            name = data.draw(st.sampled_from(sorted(set(records[at]) - {"_"})))
            records[at] = {**records[at], name: data.draw(VALUES)}
    report = check(forge.seal(records), keep_going=data.draw(st.booleans()))
    assert report.exit in (0, 1, 3, 4)
    assert all(finding.code in PAGES for finding in report.findings)
    assert report.exit != 1 or report.errors
