"""A few seconds of `make soak`, and how it judges what it has measured."""

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.campaigns.soak import Plan, Sample, Soak, campaign, quantile, slope
from tests.campaigns.soak_bots import bin_of, end_of


def grown(per_match: float, descriptors: float, matches: int = 3000) -> tuple[str, list[str]]:
    """What is said of an hour in which a process grew so much: KiB a match, descriptors in all."""
    soak = Soak(Plan(3600), *cast(Any, [SimpleNamespace()] * 3))
    for part in range(61):
        done = matches * part // 60
        kib = 60_000 + round(per_match * done) + 300 * (part % 2)
        soak.samples.append(Sample(60.0 * part, done, kib, 100 + round(descriptors * part / 60), 10, {}))
    return soak.growth()


def test_growth_is_judged_by_the_last_two_thirds() -> None:
    assert grown(1.0, 3)[1] == []
    (wrong,) = grown(18.0, 3)[1]
    assert wrong == "memory grows by 18.0 KiB with each finished match"
    (wrong,) = grown(1.0, 90)[1]
    assert wrong == "descriptors grow by 90 an hour"


def test_a_short_run_has_no_bound() -> None:
    text, wrong = grown(18.0, 90, matches=300)
    assert "no bound" in text
    assert wrong == []


def test_lines_and_bins() -> None:
    assert slope([(0, 1), (1, 3), (2, 5)]) == pytest.approx(2)
    assert slope([]) == slope([(1, 7)]) == 0
    for ms in (0.01, 0.5, 3.0, 250.0, 10_000.0):
        assert ms <= end_of(bin_of(ms)) * 1.0001 <= 1.06 * ms
    bins = {bin_of(1.0): 98, bin_of(100.0): 2}
    assert quantile(bins, 0.5) == pytest.approx(1.0, rel=0.05)
    assert quantile(bins, 0.99) == pytest.approx(100.0, rel=0.05)
    assert quantile({}, 0.5) == 0


def test_some_seconds_with_a_real_referee(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = Plan(4.0, tables=6, many=1, few=8, every=0.5, drain=1.0)
    assert asyncio.run(campaign(tmp_path, plan, stream=8, connected=8)) == []
    said = capsys.readouterr().out
    assert "one stream: 8 matches" in said
    assert "connections: 4 matches" in said
    assert "internal errors: 0" in said
