"""Every rule case and every count of the fixtures, in this process and through one ``toep engine``."""

import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.cards import NAMES, CardName, names
from referee.conformance import compare
from referee.conformance.cases import (
    Case,
    CaseError,
    Expect,
    Result,
    convert_case,
    load_case,
    load_cases,
    parse_case,
    play_case,
    run_case,
)
from referee.conformance.engine import Answer, Count, CountCase, count_case, respond
from referee.conformance.kit import Item
from referee.game.game import Game
from referee.game.records import AnyAct, Blind, Challenge, Chance, Discard, Exchange, Fold, Play, Stay, Toep
from referee.game.rulebook import RULES
from referee.log.writer import MemorySink
from referee.ruleset import OPTIONS, PRESETS, resolve
from referee.table.head import MatchPlan
from referee.table.inprocess import write_match
from tools import pairwise

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "fixtures" / "cases"
CASES = load_cases(FOLDER)
GENERATED = load_cases(FOLDER / "generated")
NOT_APPLICABLE: dict[str, str] = json.loads((FOLDER / "coverage" / "not-applicable.json").read_bytes())
COUNTS = [
    msgspec.json.decode(path.read_bytes(), type=CountCase)
    for path in sorted((ROOT / "fixtures" / "counts").glob("*.json"))
]


def differences(expect: Expect, result: Result) -> list[str]:
    """What the kit finds between a result and what is expected of it."""
    wanted = {name: getattr(expect, name) for name in Expect.__struct_fields__}
    plain = {
        name: None if value is msgspec.UNSET else msgspec.to_builtins(value)
        for name, value in wanted.items()
        if value is not msgspec.UNSET or name == "refused"
    }
    item = Item(
        id="", title="", kind="run", level="must", options=(), rules=None, refs=(), request={}, expect=plain,
    )  # fmt: skip
    return compare.differences(item, {"result": json.loads(msgspec.json.encode(result))})


def expected(case: Case) -> Expect:
    assert isinstance(case.expect, Expect)
    return case.expect


@pytest.mark.parametrize("case", [*CASES, *GENERATED], ids=lambda case: case.id)
def test_case(case: Case) -> None:
    assert differences(expected(case), run_case(case)) == []


def test_ids_are_file_names_and_references_are_rules_or_lines() -> None:
    assert len(CASES) == len({case.id for case in CASES}) == len(list(FOLDER.glob("*.json")))
    for case in CASES:
        assert case.refs
        for ref in case.refs:
            assert re.fullmatch(r"(R|H)-[A-Z0-9-]{2,12}|S[0-4]:\d+", ref), (case.id, ref)


def test_a_refused_case_names_its_rule_among_its_references() -> None:
    for case in CASES:
        if isinstance(refused := expected(case).refused, tuple):
            assert refused[1] in case.refs, case.id


def test_every_rule_that_refuses_has_a_case() -> None:
    """What the chapters can answer with, read from their source, is what the cases are refused by."""
    source = "".join(path.read_text() for path in sorted((ROOT / "referee" / "game").glob("*.py")))
    patterns = (r'Refusal\(\s*"([RH]-[A-Z0-9-]+)"', r'no_such_act\("([RH]-[A-Z0-9-]+)"', r'return "([RH]-[A-Z0-9-]+)"')
    can = {rule for pattern in patterns for rule in re.findall(pattern, source)}
    seen = {refused[1] for case in CASES if isinstance(refused := expected(case).refused, tuple)}
    assert len(can) > 35
    assert can == seen
    kept = {ref for case in CASES for ref in case.refs if expected(case).refused is msgspec.UNSET}
    assert can - kept == set(), "a rule is also kept somewhere"


def test_every_rule_has_a_case_or_a_reason_why_it_has_none() -> None:
    about = {ref for case in CASES for ref in case.refs if ref in RULES}
    assert about.isdisjoint(NOT_APPLICABLE)
    assert about | NOT_APPLICABLE.keys() == RULES.keys()
    assert all(NOT_APPLICABLE.values())
    named = {ref for case in CASES for ref in case.refs if ref[0] != "S"}
    assert named <= RULES.keys()


def test_every_value_of_every_option_has_a_case() -> None:
    played = {(option, getattr(resolve(case.rules), option)) for case in CASES for option in OPTIONS}
    wanted = {(option, getattr(rules, option)) for rules in PRESETS.values() for option in OPTIONS}
    wanted |= {(option, value) for option, values in pairwise.VALUES.items() for value in values}
    numbers = pairwise.NUMBERS.keys()
    assert {(option, value) for option, value in wanted if option not in numbers} <= played


def test_the_generated_cases_have_every_pair_of_option_values() -> None:
    covered: set[pairwise.Pair] = set()
    for case in GENERATED:
        assert isinstance(case.rules, dict)
        assert case.rules.keys() == set(OPTIONS)
        covered |= pairwise.pairs_of({**case.rules, "seats": case.seats})
    possible = pairwise.possible_pairs()
    assert len(possible) > 3000
    assert possible - covered == set()


def test_generated_cases_are_written_into_an_empty_folder_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.json").write_text("{}")
    assert pairwise.main(["--write", str(tmp_path)]) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]
    assert "not an empty folder" in capsys.readouterr().err


def engine(*requests: object) -> list[dict[str, Any]]:
    """The answers of a fresh ``toep engine`` to these requests (bytes are sent as they are)."""
    lines = b"".join(
        (request if isinstance(request, bytes) else msgspec.json.encode(request)) + b"\n" for request in requests
    )
    done = subprocess.run(
        [sys.executable, "-m", "referee", "engine"], input=lines, capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_every_case_through_one_engine() -> None:
    every = [*CASES, *GENERATED]
    requests = [
        {"op": "run", "seq": seq, "case": {k: v for k, v in msgspec.to_builtins(case).items() if k != "expect"}}
        for seq, case in enumerate(every)
    ]
    answers = engine(*requests, {"op": "bye"})
    assert [answer["seq"] for answer in answers] == list(range(len(every)))
    for case, answer in zip(every, answers, strict=True):
        result = msgspec.json.decode(json.dumps(answer["result"]), type=Result)
        assert differences(expected(case), result) == [], case.id


@pytest.mark.parametrize("case", GENERATED[::11], ids=lambda case: case.id)
def test_legal_is_what_another_act_of_the_case_could_be(case: Case) -> None:
    """`legal` has an act if and only if the case with that act more is not refused."""
    result = run_case(case)
    acts = list(case.acts)
    if isinstance(result.refused, tuple):
        acts = acts[: result.refused[0]]
    if result.ended:
        assert not any(result.legal.values())
        return
    legal = [act for seat in range(case.seats) for act in result.legal[seat]]
    for act in all_acts(case.seats, result.hands):
        more = run_case(msgspec.structs.replace(case, acts=[*acts, act]))
        assert isinstance(more.refused, tuple) == (act not in legal), act


# -- counts ------------------------------------------------------------------------------------------------------------


def all_acts(seats: int, hands: list[list[CardName]]) -> Iterator[AnyAct]:
    """Every act that a count may hold, legal or not; discards of three of a seat's cards."""
    for seat in range(seats):
        yield from (Blind(seat=seat), Chance(seat=seat), Exchange(seat=seat), Challenge(seat=seat))
        yield from (Toep(seat=seat), Stay(seat=seat), Fold(seat=seat))
        yield from (Play(card=card, seat=seat) for card in NAMES)
        yield from (Discard(cards=list(cards), seat=seat) for cards in combinations(hands[seat], 3))
        yield Discard(cards=["Jc", "Qc"], seat=seat)


def recount(game: Game, depth: int, acts: list[AnyAct]) -> int:
    """The same count by trying every act: it knows nothing of `Game.legal`."""
    if depth == 0 or game.needs_deal or game.over:
        return 1
    total = 0
    for act in acts:
        if game.check(act) is None:
            after = game.clone()
            after.apply(act)
            total += recount(after, depth - 1, acts)
    return total


def named(count: Count) -> dict[str, int]:
    """Sub-counts by act, spelled: what a failed comparison shows."""
    return {msgspec.json.encode(act).decode(): number for act, number in count.sub}


@pytest.mark.parametrize("known", COUNTS, ids=lambda known: known.id)
def test_count(known: CountCase) -> None:
    counted = count_case(known.case, known.depth)
    assert named(counted) == named(known.expect)
    assert counted.count == known.expect.count == sum(number for _, number in counted.sub)
    game = play_case(known.case).game
    acts = list(all_acts(known.case.seats, [names(hand) for hand in game.hands]))
    by_hand: dict[str, int] = {}
    for act in acts:
        if game.check(act) is None:
            after = game.clone()
            after.apply(act)
            by_hand[msgspec.json.encode(act).decode()] = recount(after, known.depth - 1, acts)
    assert by_hand == named(known.expect)


def test_counts_are_named_after_their_files() -> None:
    stems = {path.stem for path in (ROOT / "fixtures" / "counts").glob("*.json")}
    assert {known.id for known in COUNTS} == stems
    assert all(known.title for known in COUNTS)


def test_counts_worked_out_by_hand() -> None:
    """One card each, seat 0 leads: it may play, both may toep; a toep is answered in two ways."""
    case = convert_case({"rules": "short", "seats": 2, "start": {"hands": [["Jh"], ["Th"]], "lead": 0}})
    assert [count_case(case, depth).count for depth in range(4)] == [1, 3, 7, 11]


def test_a_round_that_is_over_counts_once() -> None:
    acts = [{"_": "toep", "seat": 0}, {"_": "fold", "seat": 1}]
    case = convert_case({"rules": "short", "seats": 2, "start": {"hands": [["Jh"], ["Th"]]}, "acts": acts})
    assert count_case(case, 5).count == 1
    refused = convert_case({"rules": "short", "seats": 2, "start": {"hands": [["Jh"], ["Th"]]}, "acts": acts[1:]})
    with pytest.raises(CaseError) as error:
        count_case(refused, 1)
    assert error.value.code == "refused"


def test_with_a_seed_the_next_deal_is_counted() -> None:
    case = {"rules": "rubber", "seats": 2, "start": {"seed": "00" * 32}, "acts": []}
    acts = [{"_": "toep", "seat": 1}, {"_": "fold", "seat": 0}]
    fresh, after = (count_case(convert_case({**case, "acts": some}), 1) for some in ([], acts))
    assert [sum(act.seat == seat for act, _ in fresh.sub) for seat in (0, 1)] == [2, 6]
    assert [sum(act.seat == seat for act, _ in after.sub) for seat in (0, 1)] == [6, 2], "seat 1 has won and deals"


def test_unseen_four_alike_stop_a_count_but_for_blind_toeps() -> None:
    hands = [["7h", "8h", "9h", "Qc"], ["Th", "Ts", "Td", "Tc"]]
    case = convert_case({"rules": "classic-all", "seats": 2, "start": {"hands": hands, "points": [1, 0]}})
    assert [count_case(case, depth).count for depth in range(4)] == [1, 1, 2, 1]


# -- the format --------------------------------------------------------------------------------------------------------

GOOD: dict[str, Any] = {"seats": 2, "rules": "short", "start": {"hands": [["Jh"], ["Th"]]}}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sides": 2}, "unknown field `sides`"),
        ({"start": {"hand": []}}, "unknown field `hand` - at `$.start`"),
        ({"seats": "2"}, "at `$.seats`"),
        ({"acts": [{"_": "toep", "seat": 0, "x": 1}]}, "unknown field `x` - at `$.acts[0]`"),
        ({"acts": [{"_": "knock", "seat": 0}]}, "at `$.acts[0]._`"),
        ({"acts": [{"_": "play", "card": "1h", "seat": 0}]}, "at `$.acts[0].card`"),
        ({"acts": [{"_": "toep", "seat": 8}]}, "at `$.acts[0].seat`"),
        ({"acts": [{"_": "void", "why": "crash"}]}, "at `$.acts[0]._`"),
        ({"expect": {"winer": 1}}, "unknown field `winer` - at `$.expect`"),
        ({"start": {"seed": "00"}}, "at `$.start.seed`"),
        ({"start": {"stake": 0}}, "at `$.start.stake`"),
    ],
)
def test_the_format_is_strict(change: dict[str, Any], message: str) -> None:
    with pytest.raises(CaseError) as error:
        parse_case(json.dumps({**GOOD, **change}))
    assert error.value.code == "format"
    assert message in str(error.value)


def test_a_file_must_be_named_after_its_case_and_expect_something(tmp_path: Path) -> None:
    whole = {**GOOD, "id": "a", "title": "t", "refs": ["R-PLAY-01"], "expect": {}}
    for name, content in (("b", whole), ("a", {**GOOD, "id": "a"}), ("a", {**whole, "title": ""})):
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
        with pytest.raises(CaseError, match=rf"{name}\.json"):
            load_case(tmp_path / f"{name}.json")
    (tmp_path / "a.json").write_text("[" * 100_000)
    with pytest.raises(CaseError, match=r"a\.json"):
        load_case(tmp_path / "a.json")


def test_differences_are_named() -> None:
    result = run_case(convert_case({**GOOD, "acts": [{"_": "fold", "seat": 0}]}))
    found = differences(Expect(total=[1, 0], hands=[["Th"], ["Jh"]], legal={0: []}), result)
    assert [line.split(":")[0] for line in found] == ["total", "refused", "hands", "legal[0]"]
    assert found[1] == 'refused: expected null, got [0,"R-FOLD-06"]'
    assert differences(Expect(refused=(0, "R-FOLD-06"), points=None), result) == []


# -- the protocol ------------------------------------------------------------------------------------------------------


def test_hello_tells_what_it_plays() -> None:
    (answer,) = engine({"op": "hello"})
    hello = answer["result"]
    assert (hello["protocol"], hello["engine"]) == (1, "toep")
    assert hello["options"]["exchange"] == ["off", "once", "until_empty"]
    assert hello["options"]["limit"] == [1, 99]
    assert hello["options"]["crosses"] == [0, 9]
    assert hello["options"]["cut"] == [False, True]
    assert list(hello["options"]) == list(OPTIONS)


def test_an_engine_answers_nonsense_and_goes_on() -> None:
    twice = {**GOOD, "start": {"hands": [["Jh"], ["Jh"]]}}
    requests: list[object] = [
        b"{",
        b"",
        b"\xff",
        b"[" * 100_000,
        b"7",
        {"seq": 1},
        {"op": "sing", "seq": 2},
        {"op": "run", "seq": 3},
        {"op": "run", "seq": 4, "case": {**GOOD, "seats": 9}},
        {"op": "run", "seq": 5, "case": {**GOOD, "rules": {"crosses": 3}}},
        {"op": "run", "seq": 6, "case": twice},
        {"op": "count", "seq": 7, "case": GOOD},
        {"op": "count", "seq": 8, "case": GOOD, "depth": -1},
        {"op": "run", "seq": [9]},
        {"op": "run", "seq": 10, "case": {**GOOD, "acts": "none"}},
    ]
    answers = engine(*requests)
    assert all("errored" in answer and "result" not in answer for answer in answers)
    assert [answer.get("seq") for answer in answers] == [None, None, None, None, 1, 2, 3, 4, 5, 6, 7, 8, None, 10]
    codes = ["format", "unknown_op", "format", "bad_seats", "senseless", "card_twice", "format", "format"]
    assert [answer["code"] for answer in answers[4:12]] == codes


def test_a_log_is_replayed(tmp_path: Path) -> None:
    sink = MemorySink()
    write_match(MatchPlan(rules=resolve("cafe"), bots=["a", "b", "c"]), b"\x07" * 32, sink)
    lines = bytes(sink.data).splitlines(keepends=True)
    (tmp_path / "good.jsonl").write_bytes(b"".join(lines))
    played = next(number for number, line in enumerate(lines) if b'"_":"play"' in line)
    (tmp_path / "bad.jsonl").write_bytes(b"".join([*lines[:played], *lines[played + 1 :]]))
    answers = engine(
        {"op": "replay", "seq": "r", "path": str(tmp_path / "good.jsonl")},
        {"op": "replay", "seq": "s", "path": str(tmp_path / "bad.jsonl")},
        {"op": "replay", "seq": "t", "path": str(tmp_path / "none.jsonl")},
        {"op": "replay", "seq": "u"},
        {"op": "bye"},
        {"op": "hello"},
    )
    assert [answer["seq"] for answer in answers] == ["r", "s", "t", "u"]
    assert answers[0]["result"] == {"verdict": "VALID"}
    bad = answers[1]["result"]
    assert bad["verdict"] == "INVALID"
    assert bad["line"] > played
    assert bad["code"].startswith("E")
    assert [answer.get("code") for answer in answers[2:]] == ["no_file", "format"]


def test_an_engine_ignores_fields_of_acts_that_it_does_not_know() -> None:
    acts = [{"_": "play", "seat": 1, "card": "Th", "mood": "good", "ms": 12}]
    (answer,) = engine({"op": "run", "seq": "a", "case": {**GOOD, "acts": acts}, "more": 1})
    assert answer["seq"] == "a"
    assert answer["result"]["hands"] == [["Jh"], []]
    assert "points" not in answer["result"]
    assert "refused" not in answer["result"]


NONSENSE: list[Any] = [None, True, -1, 0, 7, 10**20, 0.5, "", "Jh", "no", [], [[]], ["Jh"], [0, 0], {}, {"_": "play"}]


def spoiled(value: Any, rng: random.Random) -> Any:
    """A value of JSON with one thing in it replaced, doubled or gone."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(sorted(value))
        if rng.random() < 0.1:
            return {name: item for name, item in value.items() if name != key}
        return {**value, key: spoiled(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.8:
        place = rng.randrange(len(value))
        if rng.random() < 0.2:
            return [*value[:place], *value[place + rng.randrange(2) :], value[place]]
        return [*value[:place], spoiled(value[place], rng), *value[place + 1 :]]
    return rng.choice(NONSENSE)


@pytest.mark.parametrize("seed", range(8))
def test_no_case_is_too_bad_to_be_answered(seed: int) -> None:
    """Whatever is wrong with a request, the answer is a result or an error with a code, and never a failure."""
    rng = random.Random(seed)
    for _ in range(150):
        case = msgspec.to_builtins(rng.choice([*CASES, *GENERATED]), str_keys=True)
        for _ in range(rng.randint(1, 3)):
            case = spoiled(case, rng)
        request = {"op": "run", "seq": 1, "case": case}
        answer = respond(json.dumps(request).encode())
        assert isinstance(answer, Answer)
        assert answer.code != "internal", request
        assert (answer.result is msgspec.UNSET) != (answer.errored is msgspec.UNSET)
