"""Every code is raised by some log: those that no other test names."""

from collections.abc import Callable
from functools import cache

import pytest

from referee.game.records import Challenge, Exchange, Void
from tests.support import forge
from tests.support.forge import Line, find
from tests.support.match import RULES, Match
from tests.validate.conftest import check, only_error

Change = Callable[[list[Line]], object]


@cache
def rich_log() -> bytes:
    """A log with exchanges, challenges and seats that go along by themselves."""
    for number in range(3000):
        data = Match(RULES["last_standing"], 3, name=f"rich-{number}").play_on(eagerness=0.25).close()
        if all(tag in data for tag in (b'"_":"auto"', b'"challenge"', b'"penalty"', b'"trick"', b'"toep"', b'"out"')):
            return data
    raise AssertionError("no such match")


def insert(tag: str, record: Line, number: int = 0, after: int = 0) -> Change:
    """Put a record before (or after) a record of a kind."""
    return lambda records: records.insert(find(records, tag, number) + after, dict(record))


def drop(tag: str, number: int = 0) -> Change:
    """Take a record away."""
    return lambda records: records.pop(find(records, tag, number))


def put(tag: str, number: int = 0, **fields: object) -> Change:
    """Change a record."""
    return lambda records: records[find(records, tag, number)].update(fields)


def rules(**options: object) -> Change:
    """Change the rules in the head."""
    return lambda records: records[0]["rules"].update(options)


def _flip(records: list[Line]) -> None:
    challenge = records[find(records, "challenge")]
    challenge["genuine"] = not challenge["genuine"]


TRICK: Line = {"_": "trick", "lead": 0, "win": 0}
SCORE: Line = {"_": "score", "points": [0, 0, 0], "total": [0, 0, 0]}
PENALTY: Line = {"_": "penalty", "points": 1, "seat": 0, "why": "R-WAS-07"}
OUT: Line = {"_": "out", "seat": 0, "why": "limit"}
ROUND: Line = {"_": "round", "dealer": 0, "round": 1, "try": 1}
RULING: Line = {"_": "ruling", "why": "x"}
LATE: Line = {"_": "late", "budget": 1, "seat": 0, "verdict": "bot"}
CARDS: Line = {"_": "cards", "cards": ["Th"], "salt": "0" * 32, "seat": 0, "why": "chance"}
ENTROPY: Line = {"_": "entropy", "e": [None, None, None]}
CHANGES: list[tuple[str, Change]] = [
    ("E201", lambda records: records.insert(0, RULING)),
    ("E202", lambda records: records.insert(3, records[0])),
    ("E203", drop("seal")),
    ("E204", insert("play", ENTROPY)),
    ("E205", insert("round", {"_": "play", "card": "Th", "seat": 0}, 1)),
    ("E206", insert("round", TRICK, after=1)),
    ("E211", insert("end", RULING, after=1)),
    ("E212", insert("reveal", RULING)),
    ("E213", insert("reveal", RULING, after=1)),
    ("E214", lambda records: records.append(RULING)),
    ("E215", insert("play", {"_": "cut", "at": 3, "seat": 0})),
    ("E301", rules(armoede_leads=True)),
    ("E303", insert("round", {"_": "draw", "cards": [[0, "Th"]]})),
    ("E304", insert("play", {**LATE, "seat": 7})),
    ("E324", lambda records: records.pop(find(records, "exchange") + 1)),
    ("E326", insert("play", CARDS)),
    ("E333", _flip),
    ("E334", put("challenge", shown=["Th"])),
    ("E344", put("penalty", seat=7)),
    ("E345", put("auto", seats=[7])),
    ("E346", put("out", seat=7)),
    ("E347", put("penalty", why="R-DEAL-04")),
    ("E348", put("penalty", points=2)),
    ("E353", drop("auto")),
    ("E360", insert("play", TRICK)),
    ("E361", insert("play", SCORE)),
    ("E362", insert("play", PENALTY)),
    ("E363", insert("play", {"_": "auto", "seats": [0]})),
    ("E364", insert("play", OUT)),
    ("E365", insert("play", {"_": "open", "seats": [0], "stake": 2})),
    ("E366", insert("play", {"_": "show", "cards": ["Th"], "seat": 0})),
    ("E505", put("head", key="name+00000000+AAAA")),
    ("E510", put("seal", sig=[["a", "b"]])),
]


@pytest.mark.parametrize(("code", "change"), CHANGES, ids=[code for code, _ in CHANGES])
def test_code(code: str, change: Change) -> None:
    assert check(rich_log()).verdict == "VALID"
    records = forge.lines(rich_log())
    change(records)
    assert only_error(forge.seal(records)).code == code


def test_round_after_the_end() -> None:
    records = forge.lines(rich_log())
    dealt = records[find(records, "round") : find(records, "play")]
    at = find(records, "end")
    assert only_error(forge.seal([*records[:at], *dealt, *records[at:]])).code == "E310"


def test_count_of_the_end() -> None:
    records = forge.lines(rich_log())
    n = records[find(records, "end")]["n"]
    data = rich_log().replace(f'"end","n":{n}'.encode(), f'"end","n":{n + 1}'.encode())
    assert only_error(data).code == "E371"


def test_nobody_can_be_late_when_another_must_answer() -> None:
    records = forge.lines(rich_log())
    at = find(records, "toep")
    must = records[at + 1]["seat"]
    records.insert(at + 1, {**LATE, "seat": next(seat for seat in range(3) if seat != must)})
    assert only_error(forge.seal(records)).code == "E391"


def test_declared_seeds() -> None:
    data = Match(RULES["short"], 3, name="declared", declared=True).play_on().close()
    assert only_error(forge.edit(data, "head", 0, open_seed="0" * 64)[0]).code == "E403"
    assert only_error(forge.edit(data, "reveal", 0, seed="0" * 64)[0]).code == "E402"


def test_drawn_cards_not_from_the_seed() -> None:
    """The cards of two exchanges change places, and nobody plays them."""
    match = Match(RULES["cafe"], 3, name="drawn")
    match.deal()
    for seat in range(2):
        match.act(Exchange(seat=seat))
    match.act(Void(why="cancelled"))
    records = forge.lines(match.close())
    first, second = find(records, "cards", 3), find(records, "cards", 4)
    records[first]["cards"], records[second]["cards"] = records[second]["cards"], records[first]["cards"]
    error = only_error(forge.seal(records))
    assert (error.code, error.rule, error.line) == ("E411", "R-WAS-04", first + 1)


def test_cards_that_went_back_under_the_stock() -> None:
    """A caught bluffer's cards come back when the stock has been gone through, and must be the same."""
    match = Match(RULES["last_standing"], 7, name="back")
    match.deal()
    for act in (Exchange(seat=0), Challenge(seat=1), Exchange(seat=2)):
        match.act(act)
    data = match.play_on(eagerness=0).close()
    assert check(data).verdict == "VALID"
    records = forge.lines(data)
    at = find(records, "cards", 8)
    records[at]["cards"] = records[at]["cards"][::-1]
    assert only_error(forge.seal(records)).code == "E325"


def test_a_log_that_stops_is_warned_of() -> None:
    records = forge.lines(rich_log())
    records = records[: find(records, "play") + 1]
    assert {"W002", "W003"} <= {finding.code for finding in check(forge.seal(records)).warnings}
