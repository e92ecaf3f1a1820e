"""The report of an event: what its files say is what its logs say."""

import csv
import itertools
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from referee.cli.main import run
from referee.tournament.event import open_event
from referee.tournament.report import plots
from referee.tournament.report.collect import Curve, collect
from referee.tournament.report.page import page
from referee.tournament.verify import verify_event
from tests.tournament.test_director import director, play, write

NASTY = "<b>&\"'ann"
VOID = {"meta", "br"}


class Nesting(HTMLParser):
    """Every tag that is opened is closed, and what the page is made of is counted."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An event that is over, with a bot whose name is no friend of pages."""
    folder = tmp_path_factory.mktemp("report")
    assert play(director(write(folder, {NASTY: "random", "bob": "caller", "cor": "random"}, blocks=2, clock="ms")))
    return folder / "e.event"


def test_the_files_say_what_the_logs_say(event: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tournament", "report", str(event)]) == 0
    made = [Path(line) for line in capsys.readouterr().out.split()]
    assert [path.name for path in made] == ["index.html", "standings.csv", "results.csv", "pairwise.csv", "report.json"]
    rows = list(csv.DictReader((event / "report/results.csv").read_text().splitlines()))
    assert len(rows) == 2 * 3 * 3
    totals: dict[str, int] = {}
    for row in rows:
        totals[row["bot"]] = totals.get(row["bot"], 0) + int(row["points"])
    standings = list(csv.DictReader((event / "report/standings.csv").read_text().splitlines()))
    assert {row["bot"] for row in standings} == {NASTY, "bob", "cor"}
    for row in standings:
        assert float(row["points_per_round"]) == pytest.approx(totals[row["bot"]] / int(row["rounds"]))
    data = json.loads((event / "report/report.json").read_text())
    assert data["standings"]["digest"] == verify_event(event).standings
    assert data["seed"]
    assert {one["bot"] for one in data["times"]} == {NASTY, "bob", "cor"}
    assert run(["tournament", "report", str(event), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == data


def test_the_page_is_whole_and_harmless(event: Path) -> None:
    text = page(collect(open_event(event)))
    nesting = Nesting()
    nesting.feed(text)
    assert nesting.open == []
    assert nesting.seen.count("svg") == 2
    assert "script" not in nesting.seen
    assert "<b>&" not in text
    assert not re.search(r"(?:src|href)=", text)
    assert text == page(collect(open_event(event)))


def test_an_event_that_is_not_over_says_so(tmp_path: Path) -> None:
    one = director(write(tmp_path, {"ann": "random", "bob": "caller", "cor": "random"}))
    one.prepare()
    one.close()
    report = collect(open_event(tmp_path / "e.event"))
    assert report.standings is None
    assert "Not over: the event is stopped." in page(report)


def test_no_report_of_a_log_that_is_not_what_it_was(event: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = next(iter(sorted((event / "logs").glob("*.toep"))))
    data = log.read_bytes()
    try:
        log.chmod(0o644)
        log.write_bytes(data.replace(b'"_":"play"', b'"_":"plaz"', 1))
        assert run(["tournament", "report", str(event)]) == 1
    finally:
        log.write_bytes(data)
    said = capsys.readouterr().out
    assert log.name in said
    assert "no report" in said


def test_no_event(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tournament", "report", str(tmp_path)]) == 2
    assert "journal" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("values", "ticks"),
    [([0.72, 1.68], [0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8]), ([1.0, 1.0], None), ([-3.0, 40.0], [-10, 0, 10, 20, 30, 40])],
)
def test_axes(values: list[float], ticks: list[float] | None) -> None:
    low, high, found = plots.scale(values)
    assert low <= min(values) <= max(values) <= high
    assert low < high
    assert 2 <= len(found) <= 11
    if ticks is not None:
        assert found == pytest.approx(ticks)


def test_names_at_the_ends_of_curves_do_not_lie_on_each_other() -> None:
    drawn = plots.curves([Curve(f"bot-{number}", [(1, 1.0), (9, 1.0 + number / 1000)]) for number in range(9)])
    heights = sorted(float(y) for y in re.findall(r'<text x="\d+" y="([\d.]+)"><tspan', drawn))
    assert all(second - first >= 13.9 for first, second in itertools.pairwise(heights))
