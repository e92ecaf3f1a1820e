"""L5: who signed the seals. An attacker here can recompute every hash, but has another key or none."""

import io
import json
from base64 import b64decode, b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.cli import options
from referee.cli.exits import CommandError
from referee.cli.main import run
from referee.log.note import Signer
from referee.log.records import Rounds
from referee.log.seal import checkpoint
from referee.log.tree import Tree
from referee.log.writer import MemorySink
from referee.ruleset import resolve
from referee.table.head import MatchPlan
from referee.table.inprocess import write_match
from referee.validate import Report, validate
from tests.support import forge

KEY = Signer("club.example/referee", bytes(range(32)))
OTHER = Signer("club.example/referee", bytes(range(1, 33)))
Change = Callable[[list[forge.Line]], object]


@pytest.fixture(scope="module")
def signed() -> bytes:
    sink = MemorySink()
    plan = MatchPlan(rules=resolve("cafe"), bots=["a", "b", "c"], length=Rounds(rounds=2), clock="none")
    write_match(plan, b"\x11" * 32, sink, signer=KEY)
    return bytes(sink.data)


def check(data: bytes, key: str | None = None) -> Report:
    return validate(io.BytesIO(data), "log.toep", key=key)


def signatures(report: Report) -> tuple[str, str]:
    (level,) = [level for level in report.levels if level.what == "signatures"]
    return level.status, level.reason


def test_signed_by_the_key_that_was_given(signed: bytes) -> None:
    report = check(signed, KEY.vkey)
    assert report.verdict == "VALID"
    assert signatures(report) == ("pass", "5 by club.example/referee, the key that was given")
    assert {finding.code for finding in report.warnings} & {"W013", "W014"} == set()


def test_the_key_in_the_head_alone_is_not_pinned(signed: bytes) -> None:
    report = check(signed)
    assert report.verdict == "VALID"
    assert signatures(report) == ("pass", "5 by club.example/referee, a key that only the log itself names")
    assert "W014" in {finding.code for finding in report.warnings}


def resigned(data: bytes, signer: Signer, change: Change | None = None, **head: Any) -> bytes:
    """The log with changed records, every count and root right again, and every seal signed by another key."""
    records = forge.lines(data)
    records[0] |= head
    if change:
        change(records)
    tree = Tree()
    out = []
    for record in records:
        if record["_"] in ("seal", "end"):
            record["n"] = tree.size
        if record["_"] == "seal":
            text = checkpoint(records[0]["match"], tree.size, tree.root())
            record |= {"root": text.split("\n")[2], "sig": [list(signer.sign(text))]}
        out.append(_canonical(record))
        tree.append(out[-1])
    return b"\n".join(out) + b"\n"


def _canonical(record: forge.Line) -> bytes:
    return json.dumps(record, sort_keys=True, separators=(",", ":")).encode()


def test_the_helper_signs_as_the_referee_does(signed: bytes) -> None:
    assert resigned(signed, KEY) == signed


def only(report: Report) -> tuple[str, int | None]:
    (error,) = report.errors
    assert report.exit == 1
    return error.code, error.line


def test_another_key_may_write_another_log_but_not_under_this_key(signed: bytes) -> None:
    forged = resigned(signed, OTHER, key=OTHER.vkey)
    assert check(forged).verdict == "VALID"
    assert only(check(forged, KEY.vkey)) == ("E506", 1)
    assert only(check(resigned(signed, OTHER))) == ("E507", 2)


def test_an_attacker_without_the_key_is_noticed_at_the_first_seal_after_it(signed: bytes) -> None:
    records = forge.lines(signed)
    at = next(index for index, record in enumerate(records) if record["_"] == "play")
    records[at]["x_note"] = "changed"
    second = [index for index, record in enumerate(records) if record["_"] == "seal"][1]
    assert only(check(forge.seal(records), KEY.vkey)) == ("E508", second + 1)


def test_a_log_without_a_key_is_not_by_the_key_that_was_given(signed: bytes) -> None:
    records = forge.lines(signed)
    del records[0]["key"]
    for record in records:
        if record["_"] == "seal":
            record["sig"] = []
    unsigned = forge.seal(records)
    assert check(unsigned).verdict == "VALID"
    assert only(check(unsigned, KEY.vkey)) == ("E506", 1)


def sigs(value: list[list[str]]) -> Change:
    def change(records: list[forge.Line]) -> None:
        next(record for record in records if record["_"] == "seal")["sig"] = value

    return change


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("E503", []),
        ("E504", [["a", "b"], ["c", "d"]]),
        ("E507", [["another", b64encode(bytes(68)).decode()]]),
        ("E509", [["club.example/referee", "AAAA"]]),
        ("E509", [["club.example/referee", "not base64"]]),
    ],
)
def test_what_is_no_signature_of_the_referee(signed: bytes, code: str, value: list[list[str]]) -> None:
    records = forge.lines(signed)
    sigs(value)(records)
    assert only(check(forge.seal(records))) == (code, 2)


def test_every_byte_of_a_signature_counts(signed: bytes) -> None:
    records = forge.lines(signed)
    name, encoded = records[1]["sig"][0]
    data = b64decode(encoded)
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 1
        records[1]["sig"] = [[name, b64encode(changed).decode()]]
        code, line = only(check(b"\n".join(_canonical(record) for record in records) + b"\n"))
        assert (code in ("E507", "E508", "E509"), line) == (True, 2)


def test_the_command_takes_a_key_or_a_file_with_it(
    signed: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, public = tmp_path / "match.toep", tmp_path / "referee.pub"
    log.write_bytes(signed)
    public.write_text(KEY.vkey + "\n")
    assert run(["verify", "--key", KEY.vkey, str(log)]) == 0
    assert run(["verify", "--key", str(public), str(log)]) == 0
    assert run(["verify", "--key", OTHER.vkey, str(log)]) == 1
    assert "E506" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["no-such-file", "name+00000000+AAAA"])
def test_what_is_no_key_is_said_so(text: str) -> None:
    with pytest.raises(CommandError, match="--key"):
        options.read_vkey(text)
