"""The documentation is true: its commands run, its programs play, its links lead somewhere, its tables are complete."""

import argparse
import ast
import importlib
import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Final

import msgspec
import pytest
from msgspec import UNSET

from referee.cli.main import COMMANDS
from referee.game.records import COMPLETE, Act
from referee.game.rulebook import RULES
from referee.log.policy import told
from referee.log.records import AnyRecord, Conduct, Rounds
from referee.log.writer import MemorySink
from referee.ruleset import OPTIONS, PRESETS, resolve
from referee.service import options
from referee.service.hall import Hall
from referee.service.metrics import HallCollector
from referee.service.store import Store
from referee.table.head import MatchPlan
from referee.table.inprocess import write_match
from referee.table.messages import AskKind, RefusalCode
from referee.validate.codes import PAGES as CODES
from referee.validate.validator import validate
from tests.docs.pages import PAGES, ROOT, Reader, blocks, commands, is_setup, same

TEXT: Final = {page.name: page.read_text() for page in PAGES}
EVERYTHING: Final = "\n".join(TEXT.values())
RUN: Final = ("sh", "console", "python")
PICTURES: Final = ("text", "json")


def section(page: str, title: str) -> str:
    """What stands under a heading, up to the next heading of that level or above."""
    found = re.search(rf"^(#+) {re.escape(title)}\n", TEXT[page], re.MULTILINE)
    assert found, f"{page} has no section {title!r}"
    rest = TEXT[page][found.end() :]
    end = re.search(rf"^#{{1,{len(found[1])}}} ", rest, re.MULTILINE)
    return rest[: end.start()] if end else rest


def first_column(table: str) -> list[str]:
    """What stands in backticks in the first column of a table, row by row."""
    rows = [line.split("|")[1] for line in table.split("\n") if line.startswith("| `")]
    return [name for row in rows for name in re.findall(r"`([^`]+)`", row)]


# -- what a page shows works -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_reader_can_do_what_the_page_says(page: Path, tmp_path: Path) -> None:
    with Reader(tmp_path) as reader:
        reader.read(page)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_block_is_of_a_known_kind(page: Path) -> None:
    assert page.read_text().count("```") % 2 == 0
    for block in blocks(page):
        assert block.language in (*RUN, *PICTURES), f"{block.place}: ```{block.language}"


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    prose = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    titles = re.findall(r"^#+ (.+)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        there = page.parent / file if file else page
        assert there.exists(), f"{page.name}: {target}"
        assert not anchor or anchor in anchors(there), f"{page.name}: {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_page_is_an_orphan(page: Path) -> None:
    others = "\n".join(text for name, text in TEXT.items() if name != page.name)
    assert page.name == "README.md" or f"{page.name})" in others or f"{page.name}#" in others


# -- what there is, the pages have -------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_documented(command: str) -> None:
    assert re.search(rf"`toep {command}\b|^(\$ )?toep {command}\b", EVERYTHING, re.MULTILINE)


def _long_options(parser: argparse.ArgumentParser) -> set[str]:
    found = set()
    for action in parser._actions:
        found |= {option for option in action.option_strings if option.startswith("--")}
        if isinstance(action, argparse._SubParsersAction):
            for child in action.choices.values():
                found |= _long_options(child)
    return found


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_documented(command: str) -> None:
    parser = argparse.ArgumentParser()
    importlib.import_module(f"referee.cli.{command}").configure(parser)
    for option in _long_options(parser) - {"--help"}:
        assert re.search(rf"{option}(?![\w-])", EVERYTHING), f"toep {command} {option}"


def test_every_make_target_is_documented() -> None:
    for target in re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE):
        assert re.search(rf"`make {target}`", TEXT["CONTRIBUTING.md"]), target


def test_codes_and_rules_exist() -> None:
    for code in re.findall(r"\b[EW][0-9]{3}\b", EVERYTHING):
        assert code in CODES, code
    for rule in re.findall(r"\b(?:R-[A-Z]+-[0-9]{2}|H-[0-9]{2})\b", EVERYTHING):
        assert rule in RULES, rule


def test_every_family_of_codes_is_documented() -> None:
    table = section("log-format.md", "Finding codes")
    assert {code[:2] + "xx" for code in CODES if code[0] == "E"} | {"Wxxx"} <= set(first_column(table))


def test_every_record_and_its_fields_are_documented() -> None:
    """Each record has a table, under a line that names it, with exactly its fields; optional ones in brackets."""
    tables = _record_tables(section("log-format.md", "Records"))
    kinds = msgspec.inspect.multi_type_info([AnyRecord])[0].types  # type: ignore[attr-defined]
    assert set(tables) == {kind.tag for kind in kinds}
    for kind in kinds:
        acts = issubclass(kind.cls, Act)
        fields = {field.encode_name: field.required for field in kind.fields}
        for name in ("by", "ms") if acts else ():  # said once, for all acts
            del fields[name]
        fields.update(dict.fromkeys(COMPLETE.get(kind.cls, ()), True))
        assert tables[kind.tag] == fields, kind.tag


def _record_tables(text: str) -> dict[str, dict[str, bool]]:
    """By record, its fields, and whether each is always there."""
    found = {}
    for paragraph, table in re.findall(
        r"((?:^[^|\n].*\n)+)\n\| field \|.*\n\|---.*\n((?:\|.*\n)+)", text, re.MULTILINE
    ):
        named = re.match(r"((?:(?:, | and )?`[a-z~]+`)+):", paragraph)
        rows = re.findall(r"^\| (\[?)`(\w+)`\]? \|", table, re.MULTILINE)
        for kind in re.findall(r"`([a-z~]+)`", named[1]) if named else ():
            found[kind] = {name: not bracket for bracket, name in rows}
    return found


def test_conduct_in_the_head_is_documented() -> None:
    rows = re.findall(r"^\| (\[?)`(\w+)`\]? \|", section("log-format.md", "Conduct"), re.MULTILINE)
    assert {name: bool(bracket) for bracket, name in rows} == {
        name: getattr(Conduct(), name) is UNSET for name in Conduct.__struct_fields__
    }


def test_the_page_of_codes_is_in_sync() -> None:
    done = subprocess.run(
        [sys.executable, "tools/codepages.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_every_ask_and_refusal_is_documented() -> None:
    page = TEXT["bot-author.md"]
    for name in (*(kind.name.lower() for kind in AskKind), *(code.name.lower() for code in RefusalCode)):
        assert re.search(rf"^\| `{name}` \|", page, re.MULTILINE), name


def test_conduct_is_documented() -> None:
    table = section("organiser.md", "Conduct")
    for name in Conduct.__struct_fields__:
        flag = "--" + name.replace("_", "-")
        assert re.search(rf"^\| `{flag}` \| `?{told(Conduct())[name]}`? \|", table, re.MULTILINE), flag


def test_limits_are_documented() -> None:
    table = section("operator.md", "Limits")
    for name in (name for name in vars(options) if name.startswith("MAX_")):
        pattern = rf"^\| (?:`--[a-z-]+` \()?`{name}`\)? \| {getattr(options, name):,} "
        assert re.search(pattern, table, re.MULTILINE), name


def test_metrics_are_documented(tmp_path: Path) -> None:
    """Each by the name that Prometheus has for it, and no other."""
    hall = Hall(Store(tmp_path), lambda: 0)
    families = {
        family.name + "_total" * (family.type == "counter") for family in HallCollector(hall, lambda: 1.0).collect()
    }
    assert set(first_column(section("operator.md", "Metrics"))) == families


def test_the_test_for_each_threat_exists() -> None:
    """The last column of the table names tests; what has none says that nothing stops it."""
    rows = [
        row.strip("|").split("|") for row in re.findall(r"^\|.*\|$", section("operator.md", "Who could do what"), re.M)
    ]
    assert len(rows) > 30
    for who, could, stopped, tests in rows[2:]:
        named = re.findall(r"`([^`]+)`", tests)
        assert named or stopped.strip().startswith("nothing"), f"{who}|{could}"
        for name in named:
            path, _, function = name.partition("::")
            assert re.search(rf"^(async )?def {function}\(", (ROOT / path).read_text(), re.MULTILINE), name
    parties = {row[0].strip() for row in rows[2:]}
    assert parties == {"bot", "other bot on the same host", "network attacker", "operator", "organiser", "spectator"}


def test_every_line_of_the_referees_own_log_is_documented() -> None:
    """Those that it writes in the course of a match or a call."""
    source = "\n".join(path.read_text() for path in (ROOT / "referee" / "service").glob("*.py"))
    events = set(re.findall(r"\blog\.(?:info|exception)\(\s*\"([^\"]+)\"", source))
    page = section("operator.md", "The referee's own log")
    assert {event for event in events if f"`{event}`" not in page} == set()


def test_the_presets_that_are_named_are_played() -> None:
    """README.md says under which presets there are matches today: those whose logs verify."""
    said = next(point for point in section("README.md", "Today").split("\n- ") if "presets" in point)
    assert set(re.findall(r"`([a-z-]+)`", said)) == {name for name in PRESETS if _verdict(name) == "VALID"}
    assert int(re.findall(r"[0-9]+", said)[0]) == len(OPTIONS)


def _verdict(preset: str) -> str:
    sink = MemorySink()
    write_match(MatchPlan(rules=resolve(preset), bots=["a", "b", "c"], length=Rounds(rounds=5)), b"\x07" * 32, sink)
    try:
        return validate(BytesIO(sink.data), preset).verdict
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def test_imports_point_one_way() -> None:
    """architecture.md lists the parts of the package, leaves first: each imports only what stands above it."""
    order = first_column(section("architecture.md", "Who may import whom"))
    parts = {
        path.stem for path in (ROOT / "referee").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert {part.rstrip("/").removesuffix(".py") for part in order} == parts - {"__init__", "__main__"}
    place = {part.rstrip("/").removesuffix(".py"): number for number, part in enumerate(order)}
    for path in (ROOT / "referee").rglob("*.py"):
        part = path.relative_to(ROOT / "referee").parts[0].removesuffix(".py")
        for imported in _imports(path) & set(place) if part in place else ():
            assert place[imported] <= place[part], f"{path.relative_to(ROOT)} imports {imported}"


def _imports(path: Path) -> set[str]:
    """The parts of this package that a module imports at its top; commands import late, and stand at the top anyway."""
    found = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("referee"):
            below = node.module.split(".")[1:2]
            found |= set(below) if below else {alias.name for alias in node.names}
    return found


# -- the reader himself ------------------------------------------------------------------------------------------------


def test_the_reader_knows_a_difference() -> None:
    assert same("match m-000000000000000000000000: ...\nVALID", "match m-0123456789abcdef01234567: over\nby 2\nVALID\n")
    assert not same("VALID", "INVALID")
    assert [command.line for command in commands("$ a \\\n  b\nout\n$ c\n")] == ["a \\\n  b", "c"]
    with pytest.raises(AssertionError, match="no target"):
        is_setup("make tea")
