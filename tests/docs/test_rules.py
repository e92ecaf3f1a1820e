"""The rule book is complete, its tables are those of the code, and its examples come out as it says."""

import re
import subprocess
import sys
from typing import Any, Final, NamedTuple

import pytest
from msgspec import UNSET

from referee.conformance.cases import Result, convert_case, run_case
from referee.game.rulebook import RULES
from referee.ruleset import OPTIONS, PRESETS, RulesetError, Value, allowed, resolve
from tests.docs.pages import ROOT, Block, blocks
from tools.rulebook import RULE_ID, entries

PAGE: Final = ROOT / "docs" / "rules.md"
TEXT: Final = PAGE.read_text()
MENTION: Final = re.compile(r"\b(?:R-[A-Z]+-[0-9]{2}|H-[0-9]{2})\b")
CHAPTERS: Final = re.findall(r"^### ([0-9]+)\. (.+)\n((?:.*\n)*?)(?=^##|\Z)", TEXT, re.MULTILINE)
NOT_APPLICABLE: Final = "22"


def rows(title: str) -> list[list[str]]:
    """The cells of the table under a heading, without its head."""
    section = re.search(rf"^### {re.escape(title)}\n(.*?)(?=^##|\Z)", TEXT, re.DOTALL | re.MULTILINE)
    assert section, title
    lines = [line for line in section[1].split("\n") if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


# -- entries -----------------------------------------------------------------------------------------------------------


def test_the_module_is_in_sync() -> None:
    done = subprocess.run(
        [sys.executable, "tools/rulebook.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_ids_are_well_formed_and_unique() -> None:
    found = [rule for rule, _ in entries(TEXT)]
    assert len(found) == len(set(found)) > 150
    for rule in found:
        assert RULE_ID.fullmatch(rule), rule
    assert dict(entries(TEXT)) == RULES


def test_an_entry_is_plain_text() -> None:
    assert entries("**R-SUIT-01** Follow `revoke`, see [suits](#x)\nnow.\n\n| **H-99** | a title | no act |\n") == [
        ("R-SUIT-01", "Follow revoke, see suits now."),
        ("H-99", "Not applicable to a referee: a title; no act."),
    ]
    for rule, text in RULES.items():
        assert len(text) > 30, rule
        assert not re.search(r"[`*\n]|  ", text), rule
        assert text.endswith((".", "1, 1, 3.", ")")), rule


def test_no_number_is_missing() -> None:
    """Ids of one family count up from 01 without a gap."""
    families: dict[str, list[int]] = {}
    for rule in RULES:
        family, _, number = rule.rpartition("-")
        families.setdefault(family, []).append(int(number))
    for family, numbers in families.items():
        assert sorted(numbers) == list(range(1, len(numbers) + 1)), family


def test_every_rule_that_is_mentioned_has_an_entry() -> None:
    for folder in ("referee", "fixtures", "docs", "proto", "clients/python", "tests"):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and path.suffix in (".py", ".json", ".md", ".proto", ".toep", ".txt"):
                assert set(MENTION.findall(path.read_text(errors="replace"))) - {"H-99"} <= set(RULES), path


def test_what_is_not_applicable_refuses_nothing() -> None:
    (chapter,) = (body for number, _, body in CHAPTERS if number == NOT_APPLICABLE)
    idle = set(re.findall(r"^\| \*\*(\S+)\*\* \|", chapter, re.MULTILINE))
    assert len(idle) > 10
    refusals = TEXT[TEXT.index("## Part 4") :]
    assert not idle & set(MENTION.findall(refusals))


# -- tables ------------------------------------------------------------------------------------------------------------


def value(word: str) -> Value:
    return word == "true" if word in ("true", "false") else int(word) if word.isdigit() else word


def test_the_table_of_options_is_that_of_the_code() -> None:
    table = {row[0].strip("`"): row[1:] for row in rows("The options")}
    assert sorted(table) == sorted(OPTIONS)
    head = next(line for line in TEXT.split("\n") if line.startswith("| option |"))
    assert [cell.strip() for cell in head.strip("|").split("|")][2:8] == list(PRESETS)
    for option, cells in table.items():
        assert cells[0].replace(",", "").split() == allowed(option).replace(",", "").split(), option
        assert [value(cell) for cell in cells[1:7]] == [getattr(rules, option) for rules in PRESETS.values()], option
        assert cells[7], option
        assert MENTION.findall(cells[8]), option


def test_what_makes_no_sense_is_refused() -> None:
    table = rows("Combinations that make no sense")
    assert len(table) == 7
    for what, needs, _ in table:
        (option, words), (other, needed) = parts(what), parts(needs)
        for word in words.split(" or "):
            resolve({option: value(word), other: value(needed)})
            for wrong in allowed(other).split(", "):
                if wrong != needed:
                    with pytest.raises(RulesetError) as raised:
                        resolve({option: value(word), other: value(wrong)})
                    assert raised.value.code == "senseless"


def parts(cell: str) -> tuple[str, str]:
    """The option and the values that a cell names; ``above 0`` counts as 1."""
    option, _, words = cell.replace("above 0", "= 1").partition(" = ")
    return option.strip("`"), words


def test_disagreements_are_counted_and_decided() -> None:
    table = rows("Where the sources disagree")
    assert [row[0] for row in table] == [f"D-{number:02}" for number in range(1, len(table) + 1)]
    for row in table:
        options = re.findall(r"`(\w+)`", row[3])
        assert set(options) <= set(OPTIONS), row
        assert options or MENTION.findall(row[3]), row


def test_every_act_has_its_reasons() -> None:
    part = TEXT[TEXT.index("## Part 4") :]
    assert re.findall(r"^\| `(\w+)` \|", part, re.MULTILINE) == [
        "cut", "blind", "peek", "chance", "exchange", "challenge", "signal",
        "toep", "stay", "fold", "play", "discard", "confess", "resign",
    ]  # fmt: skip


# -- examples ----------------------------------------------------------------------------------------------------------

KINDS: Final = {
    "!": "toep", "+": "stay", "-": "fold", "~": "exchange", "?": "challenge", "*": "blind", "@": "peek", "%": "chance",
    "=": "confess", "#": "resign",
}  # fmt: skip


class Example(NamedTuple):
    """An example of the rule book: a case, and what the page says about it."""

    case: dict[str, Any]
    says: dict[str, str]


def seat_of(letter: str) -> int:
    return "ABCDEFGH".index(letter)


def act(word: str) -> dict[str, Any]:
    """An act in the notation of the page."""
    seat, sign, rest = seat_of(word[0]), word[1], word[2:]
    if sign == ":":
        return {"_": "play", "seat": seat, "card": rest}
    if sign == "^":
        return {"_": "signal", "seat": seat, "sign": rest}
    if sign == "/":
        return {"_": "discard", "seat": seat, "cards": [rest[i : i + 2] for i in range(0, len(rest), 2)]}
    assert not rest, word
    return {"_": KINDS[sign], "seat": seat}


def numbers(text: str, seats: int) -> list[int]:
    """``A 8, C 4`` as one number a seat."""
    found = dict(part.split() for part in text.split(",")) if text else {}
    return [int(found.get("ABCDEFGH"[seat], 0)) for seat in range(seats)]


def parse(block: Block) -> Example:
    """An example block as a case."""
    lines = dict(line.split(None, 1) for line in block.text.strip().split("\n"))
    preset, *options = lines.pop("rules").split(", ")
    rules: dict[str, Any] = {"preset": preset, **{name: value(word) for name, word in map(str.split, options)}}
    hands = [hand.split()[1:] for hand in lines.pop("hands").split(" | ")]
    seats = len(hands)
    start: dict[str, Any] = {"hands": hands}
    for name in ("points", "folds", "run"):
        start[name] = numbers(lines.pop(name, ""), seats)
    for name in ("dealer", "lead"):
        if name in lines:
            start[name] = seat_of(lines.pop(name))
    if "stake" in lines:
        start["stake"] = int(lines.pop("stake"))
    start["stock"] = lines.pop("stock", "").split()
    words = lines.pop("acts").split()
    acts = [act(word) for word in words if word != "-"]
    return Example({"rules": rules, "seats": seats, "start": start, "acts": acts}, lines)


EXAMPLES: Final = [
    block for block in blocks(PAGE) if block.language == "text" and "a preset, then options" not in block.text
]


@pytest.mark.parametrize("block", EXAMPLES, ids=lambda block: block.place)
def test_an_example_comes_out_as_the_page_says(block: Block) -> None:
    case, says = parse(block)
    assert says, "an example says what comes out"
    result = run_case(convert_case(case))
    assert result.refused == ((len(case["acts"]) - 1, says["refused"]) if "refused" in says else UNSET)
    assert {name: shown(result, name, text) for name, text in says.items()} == says


def shown(result: Result, name: str, page: str) -> str:
    """What came of an example, spelled as on the page; `page` says of whom."""
    letters = "ABCDEFGH"
    if name in ("gives", "total"):
        found = result.points if name == "gives" else result.total
        assert isinstance(found, list)
        return ", ".join(f"{letters[seat]} {number}" for seat, number in enumerate(found))
    if name == "winner":
        return "nobody" if result.winner is None else letters[result.winner]
    if name == "out":
        return " ".join(letters[seat] for seat in result.out)
    if name == "deals":
        return letters[result.dealer]
    if name == "holds":
        seat, *cards = page.split()
        assert sorted(result.hands[seat_of(seat)]) == sorted(cards)
        return page
    assert name == "refused"
    return page


def test_every_chapter_has_an_example() -> None:
    assert [int(number) for number, _, _ in CHAPTERS] == list(range(1, 23))
    for number, title, body in CHAPTERS:
        assert number == NOT_APPLICABLE or re.search(rf"^\*Example {number}[a-z]?\.\*", body, re.MULTILINE), title
        assert number in (NOT_APPLICABLE, "21", "3") or re.search(r"^\*\*[RH]-", body, re.MULTILINE), title
    assert len(EXAMPLES) > 45
