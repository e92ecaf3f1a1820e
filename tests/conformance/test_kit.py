"""The kit as data: levels, tiers, what is asked of whom; lists of known failures; the archive."""

import hashlib
import json
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest

from referee.cli.main import run as toep
from referee.conformance.archive import MANIFEST, export
from referee.conformance.compare import differences
from referee.conformance.kit import (
    CORE,
    Item,
    KitError,
    chosen,
    engine_items,
    find_kit,
    options_beyond_core,
    plays,
    validator_items,
)
from referee.conformance.known import Known, KnownError
from referee.ruleset import PRESETS, resolve

KIT = find_kit()
ITEMS = engine_items(KIT)


def item(**fields: Any) -> Item:
    values: dict[str, Any] = {
        "id": "cases/x", "title": "x", "kind": "run", "level": "must", "options": (), "rules": None, "refs": (),
        "request": {}, "expect": {},
    }  # fmt: skip
    return Item(**{**values, **fields})


def test_every_question_has_an_id_of_its_own_a_level_and_a_tier() -> None:
    assert len(ITEMS) == len({one.id for one in ITEMS}) > 1100
    assert {one.level for one in ITEMS} == {"must", "should", "may"}
    assert {one.kind for one in ITEMS} == {"run", "count", "replay"}
    assert all(one.tiers for one in ITEMS)
    core = [one for one in ITEMS if one.tiers == (CORE,)]
    assert len(core) > 150
    assert len(validator_items(KIT)) > 400


def test_tiers_are_the_options_beyond_the_nearer_core_preset() -> None:
    assert options_beyond_core(PRESETS["short"]) == options_beyond_core(PRESETS["cafe"]) == ()
    assert options_beyond_core(resolve({"preset": "cafe", "dood": "auto"})) == ("dood",)
    assert options_beyond_core(resolve({"preset": "short", "limit": 7, "cut": True})) == ("cut", "limit")


def test_who_says_what_it_plays_is_asked_that_and_the_core() -> None:
    short: dict[str, list[Any]] = {"limit": [10, 10], "dood": ["free"]}
    dood = item(rules={"limit": 10, "dood": "auto"}, options=("dood",))
    assert not plays(short, dood)
    assert plays({**short, "dood": ["free", "auto"]}, dood)
    assert not plays(short, item(rules={"limit": 9, "dood": "free"}, options=("limit",)))
    assert not plays({"limit": [1, 99]}, dood), "an option that it does not know is not played"
    assert plays({}, item(rules={"limit": 10, "dood": "free"}))
    assert not plays({"cut": [False]}, item(rules={"cut": True}, options=("cut",)))


def test_tiers_choose() -> None:
    some = [item(id="a"), item(id="b", options=("dood",)), item(id="c", options=("dood", "cut"))]
    assert [one.id for one in chosen(some, ["core"])] == ["a"]
    assert [one.id for one in chosen(some, ["core", "dood"])] == ["a", "b"]
    assert [one.id for one in chosen(some, ["cut", "dood"])] == ["b", "c"]
    assert len(list(chosen(some, []))) == 3


@pytest.mark.parametrize(
    ("expect", "result", "wrong"),
    [
        ({"refused": None, "total": [1, 2]}, {"total": [1, 2], "more": 1}, []),
        ({"refused": None}, {"refused": [3, "R-SUIT-01"]}, ["refused"]),
        ({"refused": [3, "R-SUIT-01"]}, {}, ["refused"]),
        ({"refused": [3, "R-SUIT-01"]}, {"refused": [3, "R-TURN-01"]}, ["refused"]),
        ({"ended": True}, {"ended": 1}, ["ended"]),
        ({"dealer": 1}, {"dealer": True}, ["dealer"]),
        ({"dealer": 1}, {}, ["dealer"]),
        ({"hands": [["Th", "Jc"], []]}, {"hands": [["Jc", "Th"], []]}, []),
        ({"hands": [["Th"]]}, {"hands": "Th"}, ["hands"]),
        ({"legal": {0: [{"_": "stay", "seat": 0}]}}, {"legal": {"0": [{"seat": 0, "_": "stay"}], "1": [7]}}, []),
        ({"legal": {0: []}}, {"legal": {"0": [{"_": "stay", "seat": 0}]}}, ["legal[0]"]),
        ({"legal": {0: []}}, {}, ["legal"]),
        ({"legal": {1: [{"_": "discard", "cards": ["Jc", "Th"]}]}},
         {"legal": {"1": [{"_": "discard", "cards": ["Th", "Jc"]}]}}, []),
    ],
)  # fmt: skip
def test_comparing_results(expect: dict[str, Any], result: dict[str, Any], wrong: list[str]) -> None:
    found = differences(item(expect=expect), {"result": result})
    assert [line.split(":")[0] for line in found] == wrong


def test_comparing_counts_and_replays() -> None:
    acts = [[{"_": "toep", "seat": 0}, 2], [{"_": "stay", "seat": 1}, 3]]
    count = item(kind="count", expect={"count": 5, "sub": acts})
    assert differences(count, {"result": {"count": 5, "sub": acts[::-1]}}) == []
    assert len(differences(count, {"result": {"count": 6, "sub": acts[:1]}})) == 2
    replay = item(kind="replay", expect={"verdict": "INVALID", "code": "E340", "line": 7})
    assert differences(replay, {"result": {"verdict": "INVALID", "code": "E340", "line": 7}}) == []
    assert len(differences(replay, {"result": {"verdict": "VALID"}})) == 3
    assert differences(replay, {"nothing": 1}) == ['no result: {"nothing":1}']


def test_lists_of_known_failures(tmp_path: Path) -> None:
    path = tmp_path / "known.txt"
    path.write_text("# todo\ncases/a  # wrong so far\n\ngenerated/*\ncases/z\n")
    known = Known.read(path)
    assert known.has("cases/a", failed=True)
    assert known.has("generated/pair-1", failed=False)
    assert not known.has("cases/b", failed=True)
    assert known.unneeded() == ["generated/*", "cases/z"]
    assert known.unmet() == ["cases/z"]
    with pytest.raises(KnownError, match="No such file"):
        Known.read(tmp_path / "none")


def test_the_archive_is_the_same_every_time_and_complete(tmp_path: Path) -> None:
    first, second = export(KIT, tmp_path / "a"), export(KIT, tmp_path / "b")
    assert first.read_bytes() == second.read_bytes()
    with tarfile.open(first) as archive:
        archive.extractall(tmp_path / "x", filter="data")
    (root,) = (tmp_path / "x").iterdir()
    manifest = json.loads((root / MANIFEST).read_bytes())
    for path, digest in manifest["files"].items():
        assert hashlib.sha256((root / path).read_bytes()).hexdigest() == digest
    assert {one["id"] for one in manifest["items"]} >= {one.id for one in ITEMS}
    assert [one.id for one in engine_items(root)] == [one.id for one in ITEMS]
    sums = subprocess.run(["sha256sum", "-c", "--quiet", "SHA256SUMS"], cwd=root / "log", check=False)
    assert sums.returncode == 0


def test_the_archive_is_not_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert toep(["conform", "export", str(tmp_path)]) == 0
    assert capsys.readouterr().out.endswith(".tar.gz\n")
    assert toep(["conform", "export", str(tmp_path)]) == 2
    assert "it is there already" in capsys.readouterr().err


def test_a_folder_that_is_no_kit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(KitError, match="no cases"):
        engine_items(tmp_path)
    assert toep(["conform", "engine", "--kit", str(tmp_path), "--", "true"]) == 2
    assert toep(["conform", "validator", "--kit", str(tmp_path), "--", "true"]) == 2
    (tmp_path / "cases").mkdir()
    (tmp_path / "cases" / "a.json").write_text("{")
    assert toep(["conform", "engine", "--kit", str(tmp_path), "--", "true"]) == 2
    assert "a.json" in capsys.readouterr().err
