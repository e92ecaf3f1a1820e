"""The hostile bots: what is said about them is complete, and the referee does what is expected of it."""

import ast
import asyncio
import os
from pathlib import Path

import pytest

from referee.service.isolation import Mode
from tests.campaigns.hostile import SHELTERS, Report, run_all, table
from tests.support.hostile.bots import FOLDER, Hostile, Verdict, differences, hostile_bots
from tests.support.hostile.local import played
from tests.support.isolated import needs, python_for

BOTS = hostile_bots()
SHARED = ("__main__", "wire")
GROUPS = 3


def quick() -> dict[str, list[Hostile]]:
    """All but those that keep the machine busy, in groups that can run at the same time."""
    groups: dict[str, list[Hostile]] = {}
    numbers = {"clock": 0, "play": 0, "serve": 0}
    for bot in BOTS.values():
        if not bot.match.alone:
            number = numbers[bot.runs] = numbers[bot.runs] + 1
            groups.setdefault(f"{bot.runs}-{number % GROUPS}", []).append(bot)
    return groups


QUICK = quick()


@pytest.mark.parametrize("group", QUICK)
def test_the_referee_does_what_is_expected(tmp_path: Path, group: str) -> None:
    report = Report(verbose=False)
    assert asyncio.run(run_all(QUICK[group], tmp_path, report, workers=2)) == []
    assert report.failed == []


@pytest.mark.parametrize("mode", SHELTERS)
@pytest.mark.parametrize("name", [bot.name for bot in BOTS.values() if bot.isolated])
def test_isolated_bots_achieve_nothing(tmp_path: Path, name: str, mode: Mode) -> None:
    needs(mode)
    if not python_for(mode)[0]:
        pytest.skip("no interpreter that another user may use")
    bot = BOTS[name]
    assert bot.isolated is not None
    verdict = asyncio.run(played(bot, tmp_path, os.environ, mode))
    assert differences(bot.isolated, verdict) == [], verdict.told
    assert "W012" not in "\n".join(verdict.told)


def test_every_bot_is_described() -> None:
    files = {file.stem for file in FOLDER.glob("*.py")} - set(SHARED)
    assert {bot.module for bot in BOTS.values()} == files
    for bot in BOTS.values():
        text = ast.get_docstring(ast.parse((FOLDER / f"{bot.module}.py").read_text()))
        assert bot.about == " ".join((text or "").split())


def test_the_table_of_bots_is_in_sync() -> None:
    assert table(list(BOTS.values())) in (FOLDER / "README.md").read_text()


def test_every_author_is_told_something_unless_it_cannot_be() -> None:
    assert [bot.name for bot in BOTS.values() if not bot.expect.told] == ["resets-the-connection"]


EXPECTED = Verdict("complete", "none", {"late": 2, "R-CARD-01": "some"}, 2, ["a line"])
SAME = Verdict("complete", "none", {"late bot": 1, "late link": 1, "R-CARD-01": 7}, 2, ["first", "this is a line"])


@pytest.mark.parametrize(
    ("actual", "found"),
    [
        (SAME, []),
        (Verdict("waiting", "none", SAME.log, 2, SAME.told), ["complete, none expected, waiting, none found"]),
        (Verdict("complete", "out", SAME.log, 2, SAME.told), ["complete, none expected, complete, out found"]),
        (
            Verdict("complete", "none", {"late bot": 3, "malformed": 1}, 2, SAME.told),
            ["R-CARD-01: some expected, 0 found", "late: 2 expected, 3 found", "malformed: 0 expected, 1 found"],
        ),
        (Verdict("complete", "none", SAME.log, 0, []), ["faults: 2 expected, 0 found", "not told: a line"]),
    ],
)
def test_what_counts_as_a_difference(actual: Verdict, found: list[str]) -> None:
    assert differences(EXPECTED, actual) == found
