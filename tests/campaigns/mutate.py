"""``make mutate``: everything one can do to a short log with one change, and what notices it.

    python -m tests.campaigns.mutate

Changes every byte in two ways; drops, doubles and swaps lines; cuts the tail off everywhere; and changes every line and
every field the way an attacker does who makes all hashes right again, without the key of the referee, or with a key of
his own in its place. Prints a table for each way of checking, and which changes only a signature shows, by a key that
is known. Fails when the key is given and anything goes unnoticed, or when hashes are wrong and that goes unnoticed.
"""

import argparse
import io
import json
import re
import sys
import textwrap
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from typing import Any, Final, NamedTuple

from msgspec import inspect

from referee.log.note import Signer
from referee.log.records import AnyRecord, Rounds
from referee.log.seal import base64_root, checkpoint
from referee.log.tree import Tree
from referee.log.writer import MemorySink
from referee.ruleset import resolve
from referee.table.head import MatchPlan
from referee.table.inprocess import write_match
from referee.validate import validate
from referee.validate.codes import PAGES
from tests.support.forge import Line, lines

KEY: Final = Signer("club.example/referee", bytes(range(32)))
OTHER: Final = Signer("club.example/referee", bytes(range(1, 33)))
RULES: Final = ("cafe", "classic-all")
RIGHT: Final = ", hashes right"
RESIGNED: Final = ", signed by another key"
MISSED: Final = "missed"
COLUMNS: Final = ("L0", "L1", "L2", "L3", "L4", "L5", "incomplete", MISSED)
BATCH: Final = 100


class Setting(NamedTuple):
    """A way of checking: whether the log is signed, and whether the key is given."""

    title: str
    signed: bool
    pinned: bool


SETTINGS: Final = (
    Setting("signed, and the key is given", True, True),
    Setting("signed, but no key is given", True, False),
    Setting("not signed", False, False),
)


class Trial(NamedTuple):
    """A changed log: the kind of change, what exactly was changed, and the log."""

    kind: str
    what: str
    data: bytes


class Result(NamedTuple):
    """What noticed a change: a level, that the log is incomplete, or nothing (`MISSED`)."""

    kind: str
    what: str
    noticed: str


def log_of(rules: str, signed: bool) -> bytes:
    """A match of one round."""
    sink = MemorySink()
    plan = MatchPlan(rules=resolve(rules), bots=["a", "b", "c"], length=Rounds(rounds=1), clock="none")
    write_match(plan, b"\x11" * 32, sink, signer=KEY if signed else None)
    return bytes(sink.data)


# -- changes that leave the hashes wrong -------------------------------------------------------------------------------


def plain_trials(data: bytes) -> Iterator[Trial]:
    """Every byte, every line, every cut."""
    for place, byte in enumerate(data):
        for kind, other in (("byte: one bit", byte ^ 1 << place % 8), ("byte: plus one", (byte + 1) % 256)):
            yield Trial(kind, f"byte {place}", data[:place] + bytes([other]) + data[place + 1 :])
    for kind, at, changed in _rearranged(data.splitlines(keepends=True)):
        yield Trial(kind, f"line {at + 1}", b"".join(changed))
    for place in range(len(data)):
        whole = not place or data[place - 1 : place] == b"\n"
        yield Trial("cut after a line" if whole else "cut within a line", f"byte {place}", data[:place])


def _rearranged(items: list[Any]) -> Iterator[tuple[str, int, list[Any]]]:
    for at, item in enumerate(items):
        yield "line dropped", at, items[:at] + items[at + 1 :]
        yield "line doubled", at, [*items[:at], item, *items[at:]]
        if at + 1 < len(items) and item != items[at + 1]:
            yield "lines swapped", at, [*items[:at], items[at + 1], item, *items[at + 2 :]]


# -- changes of an attacker who makes the hashes right -----------------------------------------------------------------


class Forgery(NamedTuple):
    """A change to be sealed again, with a signer or without; the record ``keep`` is left as it is."""

    kind: str
    what: str
    records: list[Line]
    signer: Signer | None = None
    keep: int = -1

    def trial(self) -> Trial:
        """The changed log."""
        return Trial(self.kind, self.what, sealed(self.records, self.signer, self.keep))


def forgeries(data: bytes, signed: bool) -> Iterator[Forgery]:
    """Every line and every field, hashes right again; in a signed log also with every seal signed by another key."""
    records = lines(data)
    both = "the key and every signature"
    if signed:
        bare = [{name: value for name, value in record.items() if name != "key"} for record in records]
        bare = [record | {"sig": []} if record["_"] == "seal" else record for record in bare]
        yield Forgery("signatures taken away" + RIGHT, both, bare)
        yield Forgery("nothing else" + RESIGNED, both, records, OTHER)
    ways = [(RIGHT, None), (RESIGNED, OTHER)] if signed else [(RIGHT, None)]
    for suffix, signer in ways:
        for kind, at, changed in _rearranged(records):
            yield Forgery(kind + suffix, f"{kind}: {records[at]['_']}", changed, signer)
        for at, record in enumerate(records):
            for pointer, changed_record in changes(record):
                forged = [*records[:at], changed_record, *records[at + 1 :]]
                yield Forgery("field" + suffix, f"{record['_']}{pointer}", forged, signer, at)


def sealed(records: list[Line], signer: Signer | None, keep: int = -1) -> bytes:
    """A log of these records with every count and root right, but for those of one record that is kept as it is."""
    tree = Tree()
    out = []
    for at, record in enumerate(records):
        fixed = dict(record)
        if signer and fixed.get("key") == KEY.vkey:
            fixed["key"] = signer.vkey
        if at != keep and fixed["_"] == "seal":
            fixed |= {"n": tree.size, "root": base64_root(tree.root())}
            if signer:
                text = checkpoint(str(records[0].get("match")), tree.size, tree.root())
                fixed["sig"] = [list(signer.sign(text))]
        elif at != keep and fixed["_"] == "end":
            fixed["n"] = tree.size
        out.append(json.dumps(fixed, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode())
        tree.append(out[-1])
    return b"".join(line + b"\n" for line in out)


_KINDS: Final = {kind.tag: kind for kind in inspect.multi_type_info([AnyRecord])[0].types}  # type: ignore[attr-defined]
_SAMPLES: Final = ("x", "0" * 32, "0" * 64, "A" * 43 + "=", "R-PLAY-01", "malformed")


def changes(record: Line) -> Iterator[tuple[str, Line]]:
    """The record with one thing changed: its kind, a field, a part of a field, an extension."""
    for tag in _KINDS:
        if tag != record["_"]:
            yield "/_", record | {"_": tag}
    yield "/x_", record | {"x_note": "x"}
    yield from _struct(record, _KINDS[record["_"]])


def _struct(value: dict[str, Any], kind: inspect.StructType) -> Iterator[tuple[str, Any]]:
    for field in kind.fields:
        name = field.encode_name
        if name not in value:
            for sample in _samples(field.type):
                yield f"/{name}", value | {name: sample}
            continue
        yield f"/{name}", {key: other for key, other in value.items() if key != name}
        for pointer, changed in _others(value[name], field.type):
            yield f"/{name}{pointer}", value | {name: changed}


def _others(value: Any, kind: inspect.Type) -> Iterator[tuple[str, Any]]:
    """Plausible other values."""
    if isinstance(kind, inspect.UnionType):
        yield from ((pointer, other) for member in kind.types for pointer, other in _others(value, member))
        return
    if isinstance(kind, inspect.StructType):
        if isinstance(value, dict):
            yield from _struct(value, kind)
        return
    if isinstance(value, list):
        yield from _list(value, kind)
    others: set[Any] = set()
    if isinstance(kind, inspect.LiteralType):
        others = set(kind.values)
    elif isinstance(kind, inspect.BoolType):
        others = {True, False}
    elif isinstance(kind, inspect.IntType) and isinstance(value, int):
        others = {value + 1, value - 1, 0, 1, kind.ge or 0, kind.le or 0}
    elif isinstance(kind, inspect.StrType) and isinstance(value, str):
        others = {value + "x", value[:-1], ("1" if value[:1] == "0" else "0") + value[1:], value.swapcase(), "x"}
    elif isinstance(kind, inspect.NoneType):
        others = {None}
    yield from (("", other) for other in sorted(others, key=repr) if other != value)


def _list(value: list[Any], kind: inspect.Type) -> Iterator[tuple[str, list[Any]]]:
    if isinstance(kind, inspect.ListType | inspect.VarTupleType):
        kinds = [kind.item_type] * len(value)
    elif isinstance(kind, inspect.TupleType):
        kinds = list(kind.item_types)
    else:
        return
    for _, _, changed in _rearranged(value):
        yield "", changed
    for at, (item, member) in enumerate(zip(value, kinds, strict=False)):
        for pointer, other in _others(item, member):
            yield f"/{at}{pointer}", [*value[:at], other, *value[at + 1 :]]


def _samples(kind: inspect.Type) -> list[Any]:
    """Values for a field that is not there."""
    if isinstance(kind, inspect.UnionType):
        return [sample for member in kind.types for sample in _samples(member)]
    if isinstance(kind, inspect.LiteralType):
        return list(kind.values)
    if isinstance(kind, inspect.IntType):
        return [kind.ge or 0, (kind.ge or 0) + 1]
    if isinstance(kind, inspect.StrType):
        return [text for text in _SAMPLES if not kind.pattern or re.search(kind.pattern.replace(r"\Z", "$"), text)]
    if isinstance(kind, inspect.BoolType):
        return [False, True]
    if isinstance(kind, inspect.ListType):
        return [[sample] for sample in _samples(kind.item_type)]
    return []


# -- what notices them -------------------------------------------------------------------------------------------------


def check(trial: Trial, key: str | None) -> Result:
    """What notices a change first."""
    try:
        report = validate(io.BytesIO(trial.data), "log", key=key)
    except Exception as error:
        return Result("raised", f"{trial.kind}, {trial.what}: {type(error).__name__}: {error}", MISSED)
    if report.errors:
        noticed = str(PAGES[report.errors[0].code].level or "L0")
    else:
        noticed = MISSED if report.verdict == "VALID" else "incomplete"
    return Result(trial.kind, trial.what, noticed)


def check_batch(trials: list[Trial], key: str | None) -> list[Result]:
    return [check(trial, key) for trial in trials]


def trials_of(rules: str, setting: Setting, step: int = 1) -> list[Trial]:
    """Every changed log, or every ``step``-th; all of them differ from the log."""
    data = log_of(rules, setting.signed)
    forged = (forgery.trial() for forgery in islice(forgeries(data, setting.signed), 0, None, step))
    everything = (*islice(plain_trials(data), 0, None, step), *forged)
    return [trial for trial in everything if trial.data != data]


def must_be_noticed(result: Result, setting: Setting) -> bool:
    """Where hashes are right and no key is known, a change that makes sense by the rules cannot be noticed."""
    return setting.pinned or not result.kind.endswith((RIGHT, RESIGNED))


def table(results: list[Result]) -> str:
    """Kinds of change by what noticed them."""
    out = [f"{'change':<42}{'tried':>7}" + "".join(f"{column:>{max(6, len(column) + 2)}}" for column in COLUMNS)]
    counts: dict[str, Counter[str]] = {}
    for result in results:
        counts.setdefault(result.kind, Counter())[result.noticed] += 1
    for kind, count in counts.items():
        cells = "".join(f"{count[column] or '-':>{max(6, len(column) + 2)}}" for column in COLUMNS)
        out.append(f"{kind:<42}{count.total():>7}{cells}")
    return "\n".join(out)


def only_signed(results: list[Result]) -> list[str]:
    """What went unnoticed though every hash was right; options and seats are counted together."""
    missed = Counter(
        re.sub(r"/\d+|(?<=/rules|onduct)/\w+", "/*", result.what)
        for result in results
        if result.noticed == MISSED and result.kind.endswith((RIGHT, RESIGNED))
    )
    return [f"{what} ({count})" for what, count in sorted(missed.items())]


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args(argv)
    tried = 0
    missed: list[str] = []
    with ProcessPoolExecutor(args.workers) as pool:
        for setting in SETTINGS:
            key = KEY.vkey if setting.pinned else None
            trials = [trial for rules in RULES for trial in trials_of(rules, setting)]
            trials.sort(key=lambda trial: trial.kind.endswith((RIGHT, RESIGNED)))
            batches = [trials[at : at + BATCH] for at in range(0, len(trials), BATCH)]
            results = [result for batch in pool.map(check_batch, batches, [key] * len(batches)) for result in batch]
            required = [result for result in results if must_be_noticed(result, setting)]
            tried += len(required)
            missed += [f"{setting.title}: {r.kind}, {r.what}" for r in required if r.noticed == MISSED]
            print(f"-- {setting.title}: {' and '.join(RULES)}\n{table(results)}", flush=True)
            if not setting.pinned:
                shown = ", ".join(only_signed(results))
                print(textwrap.fill(f"only a signature by a known key shows: {shown}", 120, subsequent_indent="  "))
            print()
    for line in missed[:20]:
        print(f"NOT NOTICED {line}")
    print(f"mutate: {tried} tried, {len(missed)} not noticed")
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
