"""A fiftieth of `make mutate`, and a second of `make fuzz`."""

from itertools import islice
from pathlib import Path

import pytest

from tests.campaigns import fuzz, mutate
from tests.support import forge


@pytest.mark.parametrize("rules", mutate.RULES)
@pytest.mark.parametrize("setting", mutate.SETTINGS, ids=lambda setting: setting.title)
def test_a_change_is_noticed(rules: str, setting: mutate.Setting) -> None:
    trials = mutate.trials_of(rules, setting, step=47)
    assert len(trials) > 100
    results = mutate.check_batch(trials, mutate.KEY.vkey if setting.pinned else None)
    missed = [result for result in results if result.noticed == mutate.MISSED]
    assert [result for result in missed if mutate.must_be_noticed(result, setting)] == []


def test_the_signature_of_another_key_shows_only_if_the_key_is_known() -> None:
    forgeries = mutate.forgeries(mutate.log_of("cafe", signed=True), signed=True)
    trials = [forgery.trial() for forgery in islice(forgeries, 2)]
    assert [trial.what for trial in trials] == ["the key and every signature"] * 2
    assert [mutate.check(trial, mutate.KEY.vkey).noticed for trial in trials] == ["L5", "L5"]
    unnoticed = mutate.check_batch(trials, None)
    assert [result.noticed for result in unnoticed] == [mutate.MISSED, mutate.MISSED]
    assert mutate.only_signed(unnoticed) == ["the key and every signature (2)"]


def test_sealing_a_log_again_changes_nothing() -> None:
    data = mutate.log_of("cafe", signed=True)
    assert mutate.sealed(forge.lines(data), None) == data
    assert mutate.sealed(forge.lines(data), mutate.KEY) == data


def test_every_field_is_changed() -> None:
    (head, *_) = forge.lines(mutate.log_of("cafe", signed=True))
    pointers = {pointer for pointer, _ in mutate.changes(head)}
    assert {f"/rules/{option}" for option in head["rules"]} <= pointers
    assert {f"/{name}" for name in head} <= pointers
    assert {"/seats/0/bot", "/seats/2/bot", "/seats/1/key", "/conduct/tries", "/length/rounds", "/event"} <= pointers


def test_whatever_comes_there_is_a_verdict(tmp_path: Path) -> None:
    samples = fuzz.logs()
    for number in range(150):
        given = fuzz.made(7, number, samples)
        _, wrong = fuzz.check(given, number, tmp_path)
        assert wrong == "", (number, given.kind)


def test_a_bomb_is_defused(tmp_path: Path) -> None:
    verdicts = [fuzz.check(given, number, tmp_path) for number, given in enumerate(fuzz.bombs(96 << 20))]
    assert verdicts == [("INVALID", "")] * 4 + [("UNREADABLE", ""), ("INCOMPLETE", "")]


def test_inputs_depend_on_the_seed_alone() -> None:
    samples = fuzz.logs()
    first = [fuzz.made(3, number, samples) for number in range(30)]
    assert [fuzz.made(3, number, samples) for number in range(30)] == first
    assert [fuzz.made(4, number, samples) for number in range(30)] != first


def test_what_is_wrong_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = fuzz.made(1, 0, fuzz.logs())

    def stuck(*_: object) -> None:
        while True:
            pass

    monkeypatch.setattr(fuzz, "SECONDS", 0.05)
    monkeypatch.setattr(fuzz, "report_on", stuck)
    assert fuzz.check(given, 0, tmp_path) == ("none", "Overtime: more than 0.05 s")
    monkeypatch.setattr(fuzz, "report_on", lambda *_: 1 // 0)
    assert "ZeroDivisionError" in fuzz.check(given, 0, tmp_path)[1]


def test_a_failing_input_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = fuzz.Input("odd", b"bytes")
    monkeypatch.setattr(fuzz, "inputs", lambda seed: islice([given], 1))
    monkeypatch.setattr(fuzz, "report_on", lambda *_: 1 // 0)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert fuzz.main(["--seconds", "5"]) == 1
    (kept,) = tmp_path.glob("fuzz-0-*.toep")
    assert kept.read_bytes() == b"bytes"
    out = capsys.readouterr().out
    assert str(kept) in out
    assert out.splitlines()[-1].startswith("fuzz: 1 inputs, 1 failures, ")
