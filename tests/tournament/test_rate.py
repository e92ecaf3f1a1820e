"""What `make rate` prints, and that the number of tables changes nothing."""

import sys

import pytest

from tests.campaigns import rate


def test_the_same_logs_at_one_and_at_eight_tables(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["rate", "--rounds", "24", "--match", "3", "--concurrency", "1,8"]
    monkeypatch.setattr(sys, "argv", words)
    assert rate.main() == 0
    *told, verdict = capsys.readouterr().out.splitlines()
    assert verdict == "OK: 8 matches of 3 rounds, the same logs each time"
    for tables, (first, spent, used) in zip((1, 8), (told[:3], told[3:]), strict=True):
        assert first.startswith(f"{tables} at once: 24 rounds in ")
        assert all(f" {what} " in spent for what in ("play", "start", "verify", "reveal", "journal"))
        assert all(f" {who} " in used for who in ("director", "bots"))


def test_another_event_at_another_number_of_tables(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = iter([rate.Played(1, 8, 1.0, {}, {}, "one"), rate.Played(2, 8, 1.0, {}, {}, "other")])
    monkeypatch.setattr(rate, "play", lambda *_: next(found))
    monkeypatch.setattr(sys, "argv", ["rate", "--concurrency", "1,2"])
    assert rate.main() == 1
    assert "FAILED: not the same logs" in capsys.readouterr().out
