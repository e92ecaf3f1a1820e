"""`toep tournament init` and `plan`: what they write and print."""

import json
import tempfile
from pathlib import Path

import pytest

from referee.cli.main import run
from referee.service import isolation
from referee.tournament import rate as measuring
from referee.tournament.plan import Rate, make_plan, measure_size, text
from referee.tournament.schedule import digest, format_of, make_schedule
from referee.tournament.spec import parse_spec, read_spec
from referee.tournament.spec_types import Bot, Gauntlet, Spec


def toep(*words: object) -> int:
    return run(["tournament", *map(str, words)])


def spec_file(folder: Path, more: str = "", tail: str = "") -> Path:
    path = folder / "event.toml"
    bots = "".join(f'[[bots]]\nname = "{name}"\ncommand = "random"\n' for name in "abcd")
    path.write_text(f'name = "x"\nseats = 3\n{more}\n{bots}{tail}')
    return path


# -- init --------------------------------------------------------------------------------------------------------------


def test_init_writes_a_spec_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert toep("init") == 0
    assert capsys.readouterr().out == "tournament.toml\n"
    assert read_spec(Path("tournament.toml")).name == "tournament"
    before = Path("tournament.toml").read_bytes()
    assert toep("init") == 2
    assert "there already" in capsys.readouterr().err
    assert Path("tournament.toml").read_bytes() == before
    assert toep("init", tmp_path / "none" / "x.toml") == 2


@pytest.mark.parametrize(
    ("file", "name"),
    [("Spring Cup.toml", "Spring-Cup"), ("...toml", "event"), ("ä.toml", "event"), ("x" * 90, "x" * 40)],
)
def test_the_event_is_called_after_the_file(tmp_path: Path, file: str, name: str) -> None:
    assert toep("init", tmp_path / file) == 0
    assert read_spec(tmp_path / file).name == name


# -- plan --------------------------------------------------------------------------------------------------------------


def test_a_plan_counts_everything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = spec_file(tmp_path, 'trust = "own"\nduplicates = "williams"\nlength = { rounds = 30 }')
    assert toep("plan", path, "--json", "--rate", 100) == 0
    plan = json.loads(capsys.readouterr().out)
    assert (plan["blocks"], plan["once_through"], plan["matches"], plan["rounds"]) == (4, 4, 24, 720)
    assert plan["rounds_are"] == "exact"
    assert plan["hours"] == pytest.approx(720 / 100 / 3600)
    assert plan["rate"]["source"] == "given"
    assert plan["pairs"] == [12, 12]
    assert plan["schedule"] == digest(make_schedule(read_spec(path)))
    for bot in plan["bots"]:
        assert (bot["blocks"], bot["byes"], bot["matches"], bot["meets_a_deal"]) == (3, 1, 18, 6)
        assert bot["by_seat"] == [6, 6, 6]
        assert set(bot["opponents"].values()) == {12}
    assert plan["disk_bytes"] == round(720 * plan["size"]["bytes_per_round"])
    assert plan["notes"] == []


def test_without_a_rate_it_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert toep("plan", spec_file(tmp_path)) == 0
    out = capsys.readouterr().out
    assert "time       no rate is known" in out
    assert "rounds     400\n" in out
    assert "a    3        3       1     1 1 1" in out


def test_mistakes_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert toep("plan", spec_file(tmp_path, "seets = 4")) == 2
    assert capsys.readouterr().err.startswith(
        f"toep tournament: {tmp_path / 'event.toml'}:3: seets: there is no such key"
    )
    assert toep("plan", tmp_path / "none.toml") == 2
    assert "No such file" in capsys.readouterr().err


def test_what_this_machine_lacks_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The plan is made all the same: the file may be meant for another machine."""
    monkeypatch.setattr(isolation, "why_not", lambda mode: "" if mode == "none" else "not today")
    assert toep("plan", spec_file(tmp_path, 'trust = "isolated"\nduplicates = "rotation"')) == 0
    captured = capsys.readouterr()
    assert "not on this machine: " in captured.err
    assert "auto; here that is none" in captured.out
    path = spec_file(tmp_path, 'isolation = "sandbox"')
    assert toep("plan", path) == 0
    captured = capsys.readouterr()
    assert "not today" in captured.err
    assert "sandbox; that cannot be had here" in captured.out
    assert toep("plan", path, "--measure", "1") == 2


def test_files_that_are_not_there_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = spec_file(tmp_path, 'seed_file = "secret"', 'folder = "nowhere"\n')
    assert toep("plan", path) == 0
    assert capsys.readouterr().err == (
        f"not there: {tmp_path / 'secret'} (seed_file)\nnot there: {tmp_path / 'nowhere'} (bots[3].folder)\n"
    )
    (tmp_path / "secret").touch()
    (tmp_path / "nowhere").mkdir()
    assert toep("plan", path) == 0
    assert capsys.readouterr().err == ""


def test_games_to_the_end_are_estimated(tmp_path: Path) -> None:
    spec = read_spec(spec_file(tmp_path, 'length = "game"'))
    plan = make_plan(spec, make_schedule(spec), 4, "none", Rate(rounds_per_second=2, source="given"))
    assert plan.rounds_are == "estimated"
    assert plan.rounds == 4 * plan.size.measured_rounds
    assert "about " in text(plan)
    assert "estimates" in plan.notes[-1]


def test_the_size_of_logs_is_measured(tmp_path: Path) -> None:
    spec = read_spec(spec_file(tmp_path, "length = { rounds = 20 }"))
    size = measure_size(spec)
    assert size == measure_size(spec)
    assert size.measured_rounds == 20
    assert 300 < size.bytes_per_round < 5000


def test_notes_say_what_is_worth_knowing() -> None:
    spec = Spec(
        name="x",
        bots=[Bot(name=name, command=["x"]) for name in "abcde"],
        seats=3,
        format=Gauntlet(candidates=["a", "b"]),
        duplicates="fixed-field",
        blocks=4,
    )
    plan = make_plan(spec, make_schedule(spec), format_of(spec).once_through, "none")
    said = "\n".join(plan.notes)
    assert "4 of 3" not in said
    assert "a multiple of 3 blocks" in said
    assert "these see deals more than once, and are trusted: c, d, e" in said
    assert plan.pairs == (2, 6) or plan.pairs[0] > 0
    assert [bot.meets_a_deal for bot in plan.bots] == [1, 1, 2, 2, 2]


@pytest.mark.parametrize(
    ("rate", "said"), [(1e6, "about 0 seconds"), (1, "about 7 minutes"), (0.01, "about 11.1 hours")]
)
def test_times_are_said_as_people_do(tmp_path: Path, rate: float, said: str) -> None:
    spec = read_spec(spec_file(tmp_path))
    plan = make_plan(spec, make_schedule(spec), 4, "none", Rate(rounds_per_second=rate, source="given"))
    assert said in text(plan)


def test_a_rate_is_measured_with_the_events_own_bots(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = spec_file(tmp_path, 'length = { rounds = 3 }\nisolation = "none"\nconcurrency = 2', REMOTE)
    assert toep("plan", path, "--measure", "1", "--json") == 0
    rate = json.loads(capsys.readouterr().out)["rate"]
    assert rate["source"] == "measured"
    assert rate["matches"] >= 1
    # Each table took some time of its own, and all of it was within the whole.
    assert rate["rounds_per_second"] > 3 * rate["matches"] / rate["seconds"]
    assert not list(Path(tempfile.gettempdir()).glob("toep-rate-*"))


REMOTE = '[[bots]]\nname = "e"\nremote = true\n'


def test_bots_that_do_not_start_are_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(measuring, "LONGEST_SECONDS", 2.0)
    path = spec_file(tmp_path, 'isolation = "none"')
    path.write_text(path.read_text().replace('command = "random"', 'command = "./not-there"'))
    assert toep("plan", path, "--measure", "1") == 2
    assert "no match could be played: bot a: cannot start ./not-there: No such file" in capsys.readouterr().err


def test_a_spec_from_bytes_is_the_same(tmp_path: Path) -> None:
    path = spec_file(tmp_path)
    assert parse_spec(path.read_bytes(), "anything") == read_spec(path)
