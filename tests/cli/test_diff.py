"""``toep diff``: first differences, and forks."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.cli.main import run
from referee.log.canonical import encode
from referee.log.note import Signer, signed
from referee.log.reader import decode_bytes
from referee.log.records import Head, Rounds, Seal
from referee.log.tree import Tree
from referee.log.writer import LogWriter, MemorySink
from referee.ruleset import CAFE
from referee.table.head import MatchPlan, make_head
from referee.table.inprocess import Player, random_player, run_to_end, write_match
from referee.table.table import Table
from tests.support import forge

SEED = bytes(range(32))
SIGNER = Signer("club.example/referee", bytes(32))
OTHER = Signer("club.example/referee", SEED)
PLAN = MatchPlan(rules=CAFE, bots=["a", "b", "c"], length=Rounds(rounds=4), clock="none", match="m-fork")


def log(eagerness: float = 0.0, signer: Signer | None = SIGNER) -> bytes:
    sink = MemorySink()
    write_match(PLAN, SEED, sink, eagerness=eagerness, signer=signer)
    return bytes(sink.data)


def continued(switch: int, eagerness: float, signer: Signer | None = SIGNER) -> bytes:
    """The match as in `log`, but from round ``switch`` on the players act as another name makes them."""
    head = make_head(PLAN, SEED, declared=True, key=signer.vkey if signer else "")
    first, second = random_player(head.match, 0.0), random_player("another", eagerness)
    player: Player = lambda game, ask: (first if game.round < switch else second)(game, ask)  # noqa: E731
    sink = MemorySink()
    run_to_end(Table(head, SEED, LogWriter(sink, match=head.match, signer=signer)), player)
    return bytes(sink.data)


def resigned(records: list[dict[str, Any]], signer: Signer = SIGNER) -> bytes:
    """A log of these records with every seal made right and signed again."""
    out, tree = b"", Tree()
    for line in forge.seal(records).splitlines():
        sealed = isinstance(decode_bytes(line), Seal)
        right = encode(signed(signer, "m-fork", tree.size, tree.root())) if sealed else line
        tree.append(right)
        out += right + b"\n"
    return out


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


Said = Callable[..., tuple[int, str]]


@pytest.fixture
def diff(capsys: pytest.CaptureFixture[str]) -> Said:
    """Write two logs and compare them: exit code and what is said."""

    def compare(a: bytes, b: bytes, *options: str) -> tuple[int, str]:
        Path("a.toep").write_bytes(a)
        Path("b.toep").write_bytes(b)
        code = run(["diff", "a.toep", "b.toep", *options])
        out, err = capsys.readouterr()
        assert bool(err) is (code in (2, 3))
        return code, (out + err).rstrip("\n")

    return compare


# -- the first difference ----------------------------------------------------------------------------------------------


def test_the_same(diff: Said) -> None:
    data = log()
    assert diff(data, data) == (0, f"the same, {data.count(10)} lines")
    assert diff(data, data, "--json") == (0, json.dumps({"result": "same", "lines": data.count(10)}))


def test_the_first_field_that_differs(diff: Said) -> None:
    data = log()
    records = forge.lines(data)
    at = forge.find(records, "play", 4)
    tricks = sum(record["_"] == "trick" for record in records[:at])
    forged, line = forge.edit(data, "play", 4, card="Th" if records[at]["card"] != "Th" else "Tc")
    code, text = diff(data, forged)
    first, second, one, other = text.split("\n")
    assert code == 1
    assert first == f"line {line} differs, in round 1, try 1, trick {tricks + 1}"
    assert second.startswith("at /card: ")
    assert one == "A  " + data.splitlines()[line - 1].decode()
    assert other == "B  " + forged.splitlines()[line - 1].decode()
    said = json.loads(diff(data, forged, "--json")[1])
    assert (said["line"], said["pointer"]) == (line, "/card")
    assert (said["round"], said["try"], said["trick"]) == (1, 1, tricks + 1)


@pytest.mark.parametrize(
    ("tag", "fields", "pointer", "where"),
    [
        ("score", {"total": [9, 9, 9]}, "/total/0", "in round 1, try 1, trick 4"),
        ("head", {"x_note": "n"}, "/x_note", "before the first round"),
        ("end", {"x_note": "n"}, "/x_note", "after round 4, try 1"),
        ("reveal", {"seed": "0" * 64}, "/seed", "after the end of the match"),
        ("cards", {"cards": ["Th"]}, "/cards/", "in round 1, try 1, trick 1"),
    ],
)
def test_where_it_is(tag: str, fields: dict[str, Any], pointer: str, where: str, diff: Said) -> None:
    data = log()
    forged, line = forge.edit(data, tag, 0, **fields)
    code, text = diff(data, forged)
    assert code == 1
    assert text.startswith(f"line {line} differs, {where}\nat {pointer}")
    assert max(map(len, text.split("\n"))) < 200


def test_a_prefix(diff: Said) -> None:
    data = log()
    short = b"".join(data.splitlines(keepends=True)[:20])
    code, text = diff(short, data)
    assert code == 1
    assert text.startswith("A is a prefix of B: 20 lines, then B goes on in round 1")
    assert diff(data, short)[1].startswith("B is a prefix of A: 20 lines, then A goes on")
    assert diff(data[: len(short) + 5], data)[1].startswith("A is a prefix of B: 20 lines and a part of line 21, then")
    assert diff(data, data[:-1])[1].startswith("B is a prefix of A")
    assert json.loads(diff(data, short, "--json")[1])["result"] == "b_is_prefix"


def test_clocks(diff: Said) -> None:
    data = log()

    def tick(records: list[dict[str, Any]]) -> None:
        records[0] |= {"clock": "ms", "engine": "toep 1"}
        for number, record in enumerate(records):
            if record["_"] == "play":
                record["ms"] = number

    timed = forge.rewrite(data, tick)
    assert diff(data, timed)[1].split("\n")[1] == 'at /clock: "none" in A, "ms" in B'
    assert diff(data, timed, "--ignore-clock") == (0, f"the same, {data.count(10)} lines")
    forged, line = forge.edit(timed, "trick", 2, win=0, lead=7)
    code, text = diff(data, forged, "--ignore-clock")
    assert code == 1
    assert text.startswith(f"line {line} differs")
    assert "at /lead: " in text


def test_lines_that_are_no_records(diff: Said) -> None:
    lines = log().splitlines(keepends=True)
    data = b"".join(lines)
    spaced = b"".join([*lines[:8], lines[8].replace(b":", b": "), *lines[9:]])
    for option in ([], ["--ignore-clock"]):
        code, text = diff(data, spaced, *option)
        assert (code, text.split("\n")[0].split(",")[0]) == (1, "line 9 differs")
    code, text = diff(data, b"".join([*lines[:8], b"\x1b[2J\xff\n", *lines[9:]]))
    assert code == 1
    assert text.isprintable() or "\x1b" not in text
    deep = b"[" * 9000 + b"\n"
    assert diff(b"".join([*lines[:8], deep]), data)[0] == 1


def test_what_cannot_be_compared(diff: Said, capsys: pytest.CaptureFixture[str]) -> None:
    data = log()
    assert diff(b"", data) == (2, "toep diff: a.toep: the file is empty, not a log")
    assert "line 1" in diff(data, b"hello\n")[1]
    assert "begins with its head" in diff(data, data.split(b"\n", 1)[1])[1]
    assert diff(data.replace(b'"fmt":"toep/0"', b'"fmt":"toep/9"'), data)[0] == 3
    assert "more than" in diff(data + b"x" * 20_000, data + b"x" * 20_001)[1]
    assert "goes with --fork" in diff(data, data, "--key", SIGNER.vkey)[1]
    assert diff(data, data, "--fork", "--ignore-clock")[0] == 2
    assert run(["diff", "a.toep", "none.toep"]) == 2
    assert run(["diff", "-", "-"]) == 2
    assert "none.toep: No such file" in capsys.readouterr().err


# -- forks -------------------------------------------------------------------------------------------------------------


def seals(data: bytes) -> dict[int, Seal]:
    records = map(decode_bytes, data.splitlines())
    return {record.n: record for record in records if isinstance(record, Seal)}


def two_with_one_n() -> tuple[bytes, bytes]:
    """Two signed logs in which a card differs, and no number of lines."""
    data = log()
    records = forge.lines(data)
    at = forge.find(records, "play", 4)
    records[at]["card"] = "Th" if records[at]["card"] != "Th" else "Tc"
    return data, resigned(records)


def test_two_seals_with_one_n_and_other_roots(diff: Said) -> None:
    a, b = two_with_one_n()
    n = next(n for n, seal in seals(a).items() if seals(b)[n].root != seal.root)
    code, text = diff(a, b, "--fork", "--key", SIGNER.vkey)
    assert code == 5
    assert text.endswith(f"result  two signed seals over {n} lines with different roots\nFORK")
    assert "the key that was given" in text
    for data in (a, b):
        assert f"n {n}, root {seals(data)[n].root}, signature {seals(data)[n].sig[0][1]}" in text
    code, text = diff(a, b, "--fork", "--json")
    said = json.loads(text)
    assert (code, said["fork"], said["pinned"], said["key"]) == (5, True, False, SIGNER.vkey)
    assert said["a"]["n"] == said["b"]["n"] == n
    assert said["a"]["root"] != said["b"]["root"]


def test_two_continuations_of_different_lengths(diff: Said) -> None:
    a, b = log(), continued(3, 0.4)
    first = next(n for n, (x, y) in enumerate(zip(a.splitlines(), b.splitlines(), strict=False)) if x != y)
    common = [n for n in seals(a).keys() & seals(b).keys() if n > first]
    code, text = diff(a, b, "--fork")
    assert code == 5
    said = json.loads(diff(a, b, "--fork", "--json")[1])
    assert said["line"] == first + 1
    if not common:
        assert f"each log has a line {first + 1} of its own under a signed seal" in text
    assert min(said["a"]["n"], said["b"]["n"]) > first
    # The same with everything after the two seals cut off, and before either of them nothing is proven.
    short = [b"".join(data.splitlines(keepends=True)[: said[name]["n"] + 1]) for name, data in (("a", a), ("b", b))]
    assert diff(*short, "--fork")[0] == 5
    cut = b"".join(b.splitlines(keepends=True)[: said["b"]["n"]])
    code, text = diff(a, cut, "--fork")
    assert code == 4
    assert text.endswith("this proves nothing\nNOTHING PROVEN")


def test_no_fork(diff: Said) -> None:
    data = log()
    lines = data.splitlines(keepends=True)
    assert diff(data, data, "--fork", "--key", SIGNER.vkey)[0] == 0
    for count in (1, 2, 30):
        code, text = diff(b"".join(lines[:count]), data, "--fork")
        assert code == 0
        assert f"B goes on where A stops, after {count} lines\nNO FORK" in text
    assert diff(data, data[: len(data) // 2], "--fork")[0] == 0
    plain = log(signer=None)
    assert diff(plain, plain, "--fork")[0] == 0


def test_a_view_is_the_same_log(diff: Said, capsys: pytest.CaptureFixture[str]) -> None:
    data, forked = two_with_one_n()
    Path("match.toep").write_bytes(data)
    assert run(["view", "match.toep", "--spectator", "-o", "view.toep"]) == 0
    capsys.readouterr()
    view = Path("view.toep").read_bytes()
    assert view != data
    assert diff(view, data, "--fork")[0] == 0
    assert diff(view, forked, "--fork")[0] == 5


def test_what_proves_nothing(diff: Said) -> None:
    a, b = two_with_one_n()
    plain = continued(3, 0.4, signer=None)
    assert "A is not signed" in diff(log(signer=None), plain, "--fork")[1]
    assert "B is not signed" in diff(a, plain, "--fork")[1]
    assert "different keys" in diff(a, log(0.3, OTHER), "--fork")[1]
    assert "another key than the one that was given" in diff(a, b, "--fork", "--key", OTHER.vkey)[1]
    for one, other in ((log(signer=None), plain), (a, plain), (a, log(0.3, OTHER))):
        assert diff(one, other, "--fork")[0] == 4
    assert diff(a, b, "--fork", "--key", OTHER.vkey)[0] == 4


def test_a_forger_without_the_key_proves_nothing(diff: Said) -> None:
    a, b = two_with_one_n()
    assert diff(a, forge.seal(forge.lines(b)), "--fork")[0] == 5
    unsigned, _ = forge.edit(a, "play", 4, card="??")
    assert diff(a, unsigned, "--fork")[0] == 4
    assert diff(a, resigned(forge.lines(b), OTHER), "--fork")[0] == 4


def test_a_changed_line_under_old_seals_proves_nothing(diff: Said) -> None:
    a = log()
    lines = a.splitlines(keepends=True)
    at = next(index for index, line in enumerate(lines) if line.startswith(b'{"_":"trick"'))
    changed = b"".join([*lines[:at], lines[at].replace(b'"win":', b'"win":1'), *lines[at + 1 :]])
    assert diff(a, changed, "--fork")[0] == 4


def test_different_matches(diff: Said) -> None:
    data = log()
    assert isinstance(decode_bytes(data.splitlines()[0]), Head)
    code, text = diff(data, data.replace(b'"match":"m-fork"', b'"match":"m-else"'), "--fork")
    assert code == 2
    assert "two different matches: A is of m-fork, B of m-else" in text
