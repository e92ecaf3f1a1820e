"""The report of an event: what its files say is what its logs say."""

import csv
import itertools
import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest

from referee.cli.main import run
from referee.tournament.errors import TournamentError
from referee.tournament.event import open_event
from referee.tournament.report import plots
from referee.tournament.report.collect import Curve, FaultCount, Report, Times, collect
from referee.tournament.report.from_logs import event_of_logs
from referee.tournament.report.page import page
from referee.tournament.report.tables import files
from referee.tournament.status import status_of
from referee.tournament.verify import verify_event
from tests.test_schemas import SCHEMAS, fits
from tests.tournament.test_director import BOTS, ROOT, director, play, write

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
    # Standings, then the curves (a scale, the lines in their frame, names), then clocks; nobody was at fault.
    assert nesting.seen.count("svg") == 1 + 4 + 1
    assert text.count('role="img"') == 3
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
    for low in (0.0, 1.0):  # All at the top, all at the bottom: none is outside either.
        drawn = plots.curves(
            [
                Curve(bot="far", points=[(1, 2.0 - 2 * low), (9, 2.0 - 2 * low)]),
                *(Curve(bot=f"bot-{number}", points=[(1, low), (9, low + number / 1000)]) for number in range(30)),
            ]
        )
        height = int(re.findall(r'class="ends" height="(\d+)"', drawn)[0])
        heights = sorted(float(y) for y in re.findall(r'<text x="20" y="([\d.]+)">', drawn))
        assert len(heights) == 31
        assert all(second - first >= plots.LETTERS - 0.2 for first, second in itertools.pairwise(heights))
        assert 8 <= heights[0] < heights[-1] <= height


# -- faults and clocks -------------------------------------------------------------------------------------------------


def widths(drawn: str) -> list[float]:
    return [float(width) for width in re.findall(r'width="([\d.]+)%"', drawn)]


def test_bars_of_faults_are_as_long_as_there_are_faults() -> None:
    counts = [FaultCount(bot="a", refused=30, left=10), FaultCount(bot="<b>", absent=5), FaultCount(bot="good")]
    drawn = plots.faults(counts)
    assert "good" not in drawn
    assert "<b>" not in drawn
    longest, shorter, least = sorted(widths(drawn), reverse=True)
    assert longest == pytest.approx(3 * shorter)
    assert longest == pytest.approx(6 * least, rel=1e-2)
    assert plots.faults([FaultCount(bot="good")]) == ""


def test_clocks_are_drawn_on_a_scale_of_tens() -> None:
    times = [
        Times(bot="fast", acts=9, median=0, nine_of_ten=1, longest=10),
        Times(bot="slow", acts=9, median=100, nine_of_ten=1000, longest=100_000),
    ]
    drawn = plots.clocks(times)
    assert re.findall(r'class="hollow" cx="([\d.]+)%"', drawn) == ["20.00", "100.00"]
    assert re.findall(r'class="dot" cx="([\d.]+)%"', drawn) == ["0.00", "40.00"]
    assert re.findall(r'middle" x="[\d.]+%" y="\d+">([^<]+)<', drawn) == [
        "1 ms", "10 ms", "100 ms", "1 s", "10 s", "100 s",
    ]  # fmt: skip
    assert plots.clocks([]) == ""
    assert plots.clocks([Times(bot="a", acts=1, median=0, nine_of_ten=0, longest=0)])


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An event without times, in which one bot does nothing right."""
    folder = tmp_path_factory.mktemp("faulty")
    bots = {**BOTS, "evil": f"python {ROOT / 'clients/hostile'} only-illegal-cards"}
    assert play(director(write(folder, bots, blocks=4, duplicates="none", faulted="keep")))
    return folder / "e.event"


def test_faults_are_shown_and_times_that_were_not_kept_are_not(faulty: Path) -> None:
    report = collect(open_event(faulty))
    kinds = [kinds for one in report.results for kinds in one.fault_kinds]
    refused, left = sum(one.refused for one in kinds), sum(one.left for one in kinds)
    assert refused > 0
    assert [one.bot for one in report.fault_counts if one.total] == ["evil"]
    assert next(one for one in report.fault_counts if one.bot == "evil").by_kind == (0, left, 0, refused)
    assert report.times == []
    text = page(report)
    assert "No times were kept." in text
    assert 'aria-label="Faults by bot and kind"' in text
    assert 'aria-label="Time for an act"' not in text
    assert len(report.faults) == 3
    assert text.count("<code>e-b000") == 3
    assert "Without the 3 faulted blocks" in text


# -- what programs read ------------------------------------------------------------------------------------------------


def test_the_json_is_what_its_schema_says(event: Path, faulty: Path, tmp_path: Path) -> None:
    schema = SCHEMAS["event-report.schema.json"]
    one = director(write(tmp_path, BOTS))
    one.prepare()
    one.close()
    for folder in (event, faulty, tmp_path / "e.event"):
        data = json.loads(files(collect(open_event(folder)))["report.json"])
        assert fits(data, schema, schema), folder
        for name in data:
            assert not fits({**data, name: object()}, schema, schema), name
            assert not fits({key: value for key, value in data.items() if key != name}, schema, schema), name


def test_every_column_is_documented(event: Path) -> None:
    """docs/tournament.md has a table for each file, with exactly its columns, in order."""
    text = (ROOT / "docs" / "tournament.md").read_text()
    made = files(collect(open_event(event)))
    for name in ("standings.csv", "results.csv", "pairwise.csv"):
        table = text[text.index(f"| column of `{name}` |") :].split("\n\n")[0]
        documented = [column for row in table.split("\n")[2:] for column in re.findall(r"`(\w+)`", row.split("|")[1])]
        assert documented == made[name].split("\n")[0].split(","), name


# -- from logs alone ---------------------------------------------------------------------------------------------------


def without_journal(event: Path, folder: Path) -> Path:
    shutil.copytree(event, folder)
    (folder / "journal.jsonl").unlink()
    return folder


def numbers(report: Report) -> dict[str, object]:
    """What a report says, but for what only a journal knows."""
    data = json.loads(files(report)["report.json"])
    return {key: value for key, value in data.items() if key not in ("commit", "journal", "seed", "state", "rulings")}


@pytest.mark.parametrize("which", ["event", "faulty"])
def test_the_logs_alone_give_the_same_numbers(
    which: str, tmp_path: Path, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    event: Path = request.getfixturevalue(which)
    bare = without_journal(event, tmp_path / "bare")
    found = event_of_logs(bare)
    assert found.wrong == []
    alone, whole = collect(found.event), collect(open_event(event))
    assert numbers(alone) == numbers(whole)
    assert alone.standings is not None
    text = page(alone)
    assert "Made from the logs alone" in text
    assert "Not over" not in text
    assert run(["tournament", "report", str(bare)]) == 0
    data = json.loads((bare / "report" / "report.json").read_text())
    assert (data["journal"], data["state"]) == (False, "unknown")
    schema = SCHEMAS["event-report.schema.json"]
    assert fits(data, schema, schema)
    assert "index.html" in capsys.readouterr().out


def test_a_block_that_lacks_a_log_does_not_count(event: Path, tmp_path: Path) -> None:
    bare = without_journal(event, tmp_path / "bare")
    log = bare / "logs" / "e-b0000-1.toep"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-3]))
    found = event_of_logs(bare)
    assert found.wrong == []
    assert [block.index for block in found.event.ledger.counted()] == [1]
    log.unlink()
    assert [block.index for block in event_of_logs(bare).event.ledger.counted()] == [1]


def test_the_last_try_of_a_block_decides(tmp_path: Path) -> None:
    bots = {"ann": "random", "bob": "caller", "evil": f"python {ROOT / 'clients/hostile'} only-illegal-cards"}
    assert play(director(write(tmp_path, bots, seats=2, blocks=3, duplicates="none", faulted="replace")))
    whole = collect(open_event(tmp_path / "e.event"))
    assert (whole.status.counted, whole.status.dropped, whole.status.replaced) == (1, 2, 2)
    found = event_of_logs(without_journal(tmp_path / "e.event", tmp_path / "bare"))
    assert found.wrong == []
    assert numbers(collect(found.event)) == numbers(whole)


def test_logs_are_what_their_names_say(event: Path, tmp_path: Path) -> None:
    bare = without_journal(event, tmp_path / "bare")
    for log in (bare / "logs").glob("e-b0001-*.toep"):
        log.rename(log.with_name(log.name.replace("e-b0001-", "e-b0001r1-")))
    found = event_of_logs(bare)
    assert len(found.wrong) == 3
    assert "the schedule has e-b0001r1-" in found.wrong[0].why


def test_logs_that_are_wrong_give_no_report(event: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bare = without_journal(event, tmp_path / "bare")
    log = bare / "logs" / "e-b0001-2.toep"
    data = log.read_bytes()
    log.chmod(0o644)
    log.write_bytes(data.replace(b'"_":"play"', b'"_":"plaz"', 1))
    assert run(["tournament", "report", str(bare)]) == 1
    assert log.name in capsys.readouterr().out
    log.write_bytes(data)
    for name in ("x-b0000-0", "e-b0009-0", "e-b0000-3", "e-b0000r0-0", f"e-b0000r{10**90}-0"):
        stranger = log.with_name(f"{name}.toep")
        stranger.write_bytes(data)
        with pytest.raises(TournamentError, match="no such match"):
            event_of_logs(bare)
        stranger.unlink()
    spec = bare / "event.toml"
    spec.write_text(spec.read_text().replace("act_ms = 600000", "act_ms = 599999"))
    assert "conduct: not as the spec" in event_of_logs(bare).wrong[0].why
    spec.unlink()
    assert run(["tournament", "report", str(bare)]) == 2
    assert "without a journal the spec is needed" in capsys.readouterr().err


def test_an_event_in_progress_can_be_reported_and_has_a_time(event: Path, tmp_path: Path) -> None:
    """Half of a journal: one of two blocks is decided."""
    half = shutil.copytree(event, tmp_path / "half")
    lines = (half / "journal.jsonl").read_bytes().splitlines(keepends=True)
    first = next(number for number, line in enumerate(lines) if b'"_":"block"' in line)
    (half / "journal.jsonl").write_bytes(b"".join(lines[: first + 1]))
    report = collect(open_event(half))
    text = page(report)
    assert "Not over: the event is stopped." in text
    assert "1 of 1 decided blocks count" in text
    assert "secret until the event is over" in text
    assert report.standings is not None
    assert all(row.points_per_round and row.points_per_round.low is None for row in report.standings.bots)
    assert status_of(open_event(half)).seconds_left is None  # Nobody works on it.
