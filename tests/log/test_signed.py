"""Signed logs: every seal carries the signature of the key in the head, and nothing else changes."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from referee.log.note import Signer, Verifier, check_seal, render
from referee.log.records import Head, Rounds, Seal
from referee.log.seal import checkpoint
from referee.log.tree import Tree
from referee.log.writer import LogWriter, MemorySink
from referee.ruleset import CAFE
from referee.table.head import MatchPlan, make_head
from referee.table.inprocess import write_match
from referee.table.journal import Journal
from tests.support.tables import only, records_of, verified

ROOT = Path(__file__).parents[2]
SEED = bytes(range(32))
SIGNER = Signer("club.example/referee", SEED)
PLAN = MatchPlan(rules=CAFE, bots=["a", "b", "c"], length=Rounds(rounds=3), clock="none")


def log(signer: Signer | None = None) -> bytes:
    sink = MemorySink()
    write_match(PLAN, SEED, sink, eagerness=0.2, signer=signer)
    return bytes(sink.data)


def test_every_seal_is_signed_by_the_key_in_the_head() -> None:
    data = log(SIGNER)
    records = verified(data)
    (head,) = only(Head, records)
    assert head.key == SIGNER.vkey
    verifier = Verifier(SIGNER.vkey)
    tree = Tree()
    for line, record in zip(data.splitlines(), records, strict=True):
        if isinstance(record, Seal):
            check_seal(record, head.match, verifier)
            verifier.verify(checkpoint(head.match, tree.size, tree.root()), record.sig[0])
        tree.append(line)
    assert len(only(Seal, records)) == 1 + 3 + 1 + 1


def test_the_same_inputs_give_the_same_bytes() -> None:
    assert log(SIGNER) == log(Signer(SIGNER.name, SEED))
    assert log(SIGNER) != log(Signer(SIGNER.name, SEED[::-1]))


def test_without_a_key_there_is_no_trace_of_one() -> None:
    plain, signed = records_of(log()), records_of(log(SIGNER))
    assert only(Head, plain)[0].key is UNSET
    assert all(seal.sig == [] for seal in only(Seal, plain))
    assert [replace(head, key=UNSET) for head in only(Head, signed)] == only(Head, plain)
    silent = (Head, Seal)
    assert [one for one in signed if not isinstance(one, silent)] == [
        one for one in plain if not isinstance(one, silent)
    ]


@pytest.mark.parametrize(("signer", "key"), [(SIGNER, ""), (None, SIGNER.vkey), (Signer("other", SEED), SIGNER.vkey)])
def test_the_head_names_the_key_that_signs(signer: Signer | None, key: str) -> None:
    head = make_head(PLAN, SEED, declared=True, key=key)
    with pytest.raises(ValueError, match="another key"):
        Journal(LogWriter(MemorySink(), match=head.match, signer=signer), head)


def test_go_reads_the_seals_of_a_log(tmp_path: Path) -> None:
    go = shutil.which("go")
    if go is None:
        if os.environ.get("CI") == "true":
            pytest.fail("go is missing, and in CI the second implementation must run")
        pytest.skip("go is not installed: tests/foreign/note was not run")
    program = tmp_path / "note"
    build = [go, "build", "-buildvcs=false", "-mod=readonly", "-o", str(program), "."]
    source = ROOT / "tests" / "foreign" / "note"
    # The first time the compiler makes the standard library, too.
    built = subprocess.run(build, cwd=source, capture_output=True, text=True, timeout=600, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    key, note = tmp_path / "referee.key.pub", tmp_path / "seal.note"
    key.write_text(SIGNER.vkey + "\n")

    def read(text: str) -> tuple[int, str]:
        note.write_text(text, encoding="utf-8")
        done = subprocess.run([program, key, note], capture_output=True, text=True, timeout=60, check=False)
        assert done.stderr == ""
        return done.returncode, done.stdout

    records = records_of(log(SIGNER))
    (head,) = only(Head, records)
    tree = Tree()
    for line, record in zip(log(SIGNER).splitlines(), records, strict=True):
        if isinstance(record, Seal):
            code, said = read(render(record, head.match))
            assert code == 0, said
            assert said.splitlines() == [
                f"origin {head.match}",
                f"lines {record.n}",
                f"root {tree.root().hex()}",
                f"signed by {SIGNER.name}+{SIGNER.vkey.split('+')[1]}",
            ]
        tree.append(line)

    seal = only(Seal, records)[-1]
    other = Signer(SIGNER.name, SEED[::-1])
    for forged, origin in (
        (replace(seal, n=seal.n + 1), head.match),
        (replace(seal, root="A" * 43 + "="), head.match),
        (replace(seal, sig=only(Seal, records)[0].sig), head.match),
        (replace(seal, sig=[other.sign(checkpoint(head.match, tree.size - 1, tree.root()))]), head.match),
        (seal, "m-2"),
    ):
        code, said = read(render(forged, origin))
        assert code == 1
        assert said.startswith("refused: ")
