"""`toep doctor`: a real load, small; and what is made of what was measured."""

import json
from pathlib import Path

import pytest

from referee.cli.doctor import text
from referee.cli.main import run
from referee.service.doctor import Diagnosis, percentile


def test_percentiles_of_a_histogram() -> None:
    bins = [0, 90, 0, 9, 1]
    assert [percentile(bins, part) for part in (0.5, 0.9, 0.95, 0.99, 1.0)] == [1, 1, 7, 7, 15]
    assert percentile([5, 0], 1.0) == 0
    assert percentile([0, 0], 0.5) == 0


def test_a_small_load_is_measured_and_leaves_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["doctor", "--tables", "3", "--seats", "3", "--seconds", "0.5", "--logs", str(tmp_path), "--json"]
    assert run([*words, "--act-ms", "3600000", "--window-ms", "3600000"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["tables"], found["safe"]) == (3, True)
    assert found["answers"] > 10
    assert found["median_ms"] <= found["p99_ms"] <= found["worst_ms"]
    assert found["safe_act_ms"] >= 100
    assert list(tmp_path.iterdir()) == []
    assert run([*words, "--window-ms", "1"]) == 1
    assert json.loads(capsys.readouterr().out)["safe"] is False


def test_what_people_read() -> None:
    found = Diagnosis(
        tables=2, seats=3, seconds=1.5, answers=10, answers_per_second=7, median_ms=1, p99_ms=3, worst_ms=7,
        stall_p99_ms=1, stall_worst_ms=2, sync_ms=0.25, safe_act_ms=100, safe_window_ms=100,
    )  # fmt: skip
    assert text(found).splitlines()[0] == "load     2 tables of 3 for 1.5 s: 7 answers a second"
    assert "0.25 ms for a sync" in text(found)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--tables", "0"], "--tables is 1 to 10,000"),
        (["--seats", "2"], "--seats is 3 to 8"),
        (["--logs", "/no/such/folder"], "No such file"),
    ],
)
def test_wrong_use(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", *words]) == 2
    assert says in capsys.readouterr().err
