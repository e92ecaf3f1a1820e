"""Find the first difference of two logs, or prove with --fork that a referee signed two histories of one match.

A and B are logs, compressed logs (*.zst), or one of them - for standard input. Nothing is checked here but what a
comparison needs: `toep verify` checks a log.

Without --fork: the first line that differs, the JSON pointer of the first field that does, and where in the match that
is. --ignore-clock leaves out what a clock changes: `ms`, `elapsed`, the head's `clock` and `engine`, and the `n`,
`root` and `sig` of seals, which follow from them.

With --fork: two seals that cannot both be of one log, both well signed by the key that both heads name; --key says
which key that must be. The proof is two seals with the same `n` and different roots, or a seal of each log over the
first line in which they differ. A view and its log have the same hashes, and are one log here.

exit codes: 0 the same, 1 different, 2 cannot be read, 3 unsupported version.
with --fork: 0 no fork (the same, or one goes on where the other stops), 2 cannot be read or not one match,
3 unsupported version, 4 nothing is proven, 5 a proven fork.

example:
  toep diff mine.toep yours.toep --ignore-clock
  toep diff --fork mine.toep yours.toep --key referee.key.pub
"""

import argparse
import json
from base64 import b64decode
from collections.abc import Iterator
from itertools import zip_longest
from typing import Final, NamedTuple

import msgspec
from msgspec import UNSET

from referee.cli.exits import FORK, INCOMPLETE, INVALID, UNSUPPORTED, USAGE, VALID, CommandError
from referee.cli.options import read_vkey
from referee.game.records import Round, Score, Trick
from referee.log.canonical import Json, LineError, Unsupported, quote
from referee.log.note import KeyTextError, SignatureError, Verifier, check_seal
from referee.log.reader import STDIN, RawLine, decode, open_log, read_lines
from referee.log.records import MAX_LINE, AnyRecord, End, Head, Redacted, Seal
from referee.log.seal import base64_root
from referee.log.tree import Tree, leaf_hash

_SHORT: Final = 100
_PLACES: Final = (b'{"_":"round",', b'{"_":"trick",', b'{"_":"score",', b'{"_":"end",')
"""How lines begin that tell where in the match one is."""

_CLOCK: Final = {"head": ("clock", "engine"), "late": ("elapsed",), "seal": ("n", "root", "sig")}
"""Fields that --ignore-clock leaves out besides `ms`."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("a", metavar="A", help="a log; - is standard input")
    parser.add_argument("b", metavar="B", help="another one")
    parser.add_argument("--ignore-clock", action="store_true", help="leave out what a clock changes")
    parser.add_argument("--fork", action="store_true", help="look for two signed seals that contradict each other")
    parser.add_argument("--key", metavar="KEY", help="with --fork: the public key, or a file with it, that must sign")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Compare; raises `CommandError`."""
    if args.a == args.b == STDIN:
        raise CommandError("standard input can only be one of the two")
    if args.fork and args.ignore_clock:
        raise CommandError("--fork compares seals, in which the clocks are: --ignore-clock does not go with it")
    if args.key and not args.fork:
        raise CommandError("--key goes with --fork")
    if args.fork:
        found = find_fork(args.a, args.b, read_vkey(args.key) if args.key else None)
        print(json.dumps(found.fields()) if args.json else found.text())
        return found.exit
    difference = find_difference(args.a, args.b, ignore_clock=args.ignore_clock)
    print(json.dumps(difference.fields()) if args.json else difference.text())
    return VALID if difference.result == "same" else INVALID


# -- reading -----------------------------------------------------------------------------------------------------------


def _lines(file: str) -> Iterator[RawLine]:
    """The lines of a log, the first of which is a head; raises `CommandError`."""
    name = "standard input" if file == STDIN else file
    empty = True
    try:
        with open_log(file) as stream:
            for raw in read_lines(stream):
                if len(raw.data) > MAX_LINE:
                    raise CommandError(f"{name}, line {raw.index + 1}: more than {MAX_LINE} bytes")
                if empty and not isinstance(_record(raw, name), Head):
                    raise CommandError(f"{name}, line 1: a log begins with its head, this is something else")
                empty = False
                yield raw
    except OSError as error:
        raise CommandError(f"{error.filename or name}: {error.strerror or error}") from None
    if empty:
        raise CommandError(f"{name}: the file is empty, not a log")


def _record(raw: RawLine, name: str) -> AnyRecord:
    try:
        return decode(raw)
    except LineError as error:
        code = UNSUPPORTED if isinstance(error, Unsupported) else USAGE
        raise CommandError(f"{name}, line {raw.index + 1}: {error.message} ({error.code})", code) from None


def _short(raw: RawLine | None) -> str | None:
    """A line in printable ASCII."""
    if raw is None:
        return None
    text = ascii(raw.data.decode("utf-8", "backslashreplace"))[1:-1]
    return text if len(text) <= _SHORT else f"{text[: _SHORT - 3]}..."


# -- the first difference ----------------------------------------------------------------------------------------------


class Where:
    """Where in the match a log stands, by the lines so far."""

    def __init__(self) -> None:
        self.round: int | None = None
        self.try_: int | None = None
        self.trick: int | None = None
        self._ended = False

    def see(self, raw: RawLine) -> None:
        """Take note of a line; one that is no record tells nothing."""
        if not raw.data.startswith(_PLACES):
            return
        try:
            record = decode(raw)
        except LineError:
            return
        if isinstance(record, Round):
            self.round, self.try_, self.trick = record.round, record.try_, 1
        elif isinstance(record, Trick):
            self.trick = (self.trick or 0) + (record.lead is not UNSET)
        elif isinstance(record, Score):
            self.trick = None
        elif isinstance(record, End):
            self._ended = True

    def __str__(self) -> str:
        if self._ended:
            return "after the end of the match"
        if self.round is None:
            return "before the first round"
        deal = f"round {self.round}, try {self.try_}"
        return f"after {deal}" if self.trick is None else f"in {deal}, trick {self.trick}"


class Difference(NamedTuple):
    """What two logs have not in common."""

    result: str
    """``same``, ``different``, ``a_is_prefix`` or ``b_is_prefix``."""
    lines: int
    """How many lines, from the first, are the same."""
    where: Where
    a: RawLine | None = None
    b: RawLine | None = None
    """The lines that differ; None where a log has ended."""
    pointer: str = ""
    """The first field that differs; empty: the whole line."""
    values: tuple[str, str] | None = None
    """What stands there."""

    def text(self) -> str:
        """For people."""
        if self.result == "same":
            return f"the same, {self.lines} lines"
        number = self.lines + 1
        if self.result != "different":
            short, long = ("A", "B") if self.result == "a_is_prefix" else ("B", "A")
            torn = self.a is not None and self.b is not None
            part = f"{self.lines} lines" + (f" and a part of line {number}" if torn else "")
            rest = self.b if long == "B" else self.a
            head = f"{short} is a prefix of {long}: {part}, then {long} goes on {self.where}"
            return f"{head}\n{long}  {number}: {_short(rest)}"
        out = [f"line {number} differs, {self.where}"]
        if self.values:
            out.append(f"at {self.pointer}: {self.values[0]} in A, {self.values[1]} in B")
        return "\n".join([*out, f"A  {_short(self.a)}", f"B  {_short(self.b)}"])

    def fields(self) -> dict[str, object]:
        """For programs."""
        if self.result == "same":
            return {"result": self.result, "lines": self.lines}
        where = self.where
        return {
            "result": self.result,
            "lines": self.lines,
            "line": self.lines + 1,
            "pointer": self.pointer,
            "round": where.round,
            "try": where.try_,
            "trick": where.trick,
            "a": _short(self.a),
            "b": _short(self.b),
        }


def find_difference(a: str, b: str, *, ignore_clock: bool = False) -> Difference:
    """Read two logs side by side up to their first difference; raises `CommandError`."""
    where = Where()
    count = 0
    for one, other in zip_longest(_lines(a), _lines(b)):
        if one is None or other is None:
            return Difference("b_is_prefix" if other is None else "a_is_prefix", count, where, one, other)
        if one.data != other.data or one.complete != other.complete:
            found = _compare(one, other, ignore_clock)
            if found is not None:
                result, pointer, values = found
                return Difference(result, count, where, one, other, pointer, values)
        where.see(one)
        count += 1
    return Difference("same", count, where)


def _compare(one: RawLine, other: RawLine, ignore_clock: bool) -> tuple[str, str, tuple[str, str] | None] | None:
    """How two lines differ whose bytes do; None: in nothing that counts."""
    if not one.complete and other.data.startswith(one.data):
        return "a_is_prefix", "", None
    if not other.complete and one.data.startswith(other.data):
        return "b_is_prefix", "", None
    try:
        left, right = msgspec.json.decode(one.data), msgspec.json.decode(other.data)
    except (ValueError, RecursionError):
        return "different", "", None
    if ignore_clock and one.complete and other.complete:
        left, right = _timeless(left), _timeless(right)
    found = _first(left, right, "")
    if found is None:
        # Only the spelling differs, unless it is the clock that made them differ.
        same = ignore_clock and _canonical(one) and _canonical(other)
        return None if same else ("different", "", None)
    return "different", *found


def _canonical(raw: RawLine) -> bool:
    try:
        decode(raw)
    except LineError:
        return False
    return True


def _timeless(value: Json) -> Json:
    if not isinstance(value, dict):
        return value
    left_out = ("ms", *_CLOCK.get(str(value.get("_")), ()))
    return {key: field for key, field in value.items() if key not in left_out}


def _first(a: Json, b: Json, pointer: str) -> tuple[str, tuple[str, str]] | None:
    """The first place in which two values differ, and what stands there."""
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted(a.keys() | b.keys()):
            step = f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}"
            if key not in a or key not in b:
                return step, (quote(a[key]) if key in a else "nothing", quote(b[key]) if key in b else "nothing")
            if found := _first(a[key], b[key], step):
                return found
        return None
    if isinstance(a, list) and isinstance(b, list):
        for index, (one, other) in enumerate(zip(a, b, strict=False)):
            if found := _first(one, other, f"{pointer}/{index}"):
                return found
        if len(a) == len(b):
            return None
        shorter = min(len(a), len(b))
        return f"{pointer}/{shorter}", tuple(quote(x[shorter]) if len(x) > shorter else "nothing" for x in (a, b))  # type: ignore[return-value]
    return None if type(a) is type(b) and a == b else (pointer, (quote(a), quote(b)))


# -- forks -------------------------------------------------------------------------------------------------------------


class Fork(NamedTuple):
    """What two logs say about the referee that signed them."""

    exit: int
    match: str
    why: str
    line: int | None = None
    """The first line that differs, 1-based."""
    a: Seal | None = None
    b: Seal | None = None
    """The seals that contradict each other."""
    key: str | None = None
    pinned: bool = False

    def text(self) -> str:
        """For people."""
        verdict = {VALID: "NO FORK", INCOMPLETE: "NOTHING PROVEN", FORK: "FORK"}[self.exit]
        out = [f"match   {self.match}"]
        if self.a and self.b:
            whose = "the key that was given" if self.pinned else "a key that only the logs themselves name"
            out += [f"key     {self.key} ({whose})"]
            out += [
                f"{name}       n {seal.n}, root {seal.root}, signature {seal.sig[0][1]}"
                for name, seal in (("A", self.a), ("B", self.b))
            ]
        return "\n".join([*out, f"result  {self.why}", verdict])

    def fields(self) -> dict[str, object]:
        """For programs."""
        return {
            "fork": {VALID: False, FORK: True}.get(self.exit),
            "exit": self.exit,
            "match": self.match,
            "why": self.why,
            "line": self.line,
            "key": self.key,
            "pinned": self.pinned,
            "a": msgspec.to_builtins(self.a),
            "b": msgspec.to_builtins(self.b),
        }


class _Line(NamedTuple):
    leaf: bytes
    raw: RawLine


class _Side:
    """One of the logs, as far as it has been read."""

    def __init__(self, file: str) -> None:
        self.tree: Final = Tree()
        """The lines so far."""
        self.covering: Seal | None = None
        """The first good seal over the line in which the logs differ."""
        self._name: Final = "standard input" if file == STDIN else file
        self._lines: Final = _lines(file)
        first = next(self._lines)
        head = _record(first, self._name)
        assert isinstance(head, Head)
        self.head: Final = head
        self.tree.append(first.data)

    def steps(self) -> Iterator[_Line]:
        """The lines after the head, up to one that is cut off."""
        for raw in self._lines:
            if not raw.complete:
                return
            record = _record(raw, self._name) if raw.data.startswith(b'{"_":"~",') else None
            yield _Line(b64decode(record.hash) if isinstance(record, Redacted) else leaf_hash(raw.data), raw)

    def seal(self, line: _Line | None, verifier: Verifier, differs: int) -> Seal | None:
        """The seal that a line is, if it is in its place and well signed.

        The first one after the line ``differs`` (1-based) that is also right for the lines before it is kept.
        """
        if line is None or not line.raw.data.startswith(b'{"_":"seal",'):
            return None
        record = _record(line.raw, self._name)
        if not isinstance(record, Seal) or record.n != line.raw.index:
            return None
        try:
            check_seal(record, self.head.match, verifier)
        except SignatureError:
            return None
        if self.covering is None and record.n >= differs and record.root == base64_root(self.tree.root()):
            self.covering = record
        return record

    def add(self, line: _Line | None) -> None:
        """Put a line into the tree, after it was looked at."""
        if line is not None:
            self.tree.append_leaf(line.leaf)


def find_fork(a: str, b: str, key: str | None = None) -> Fork:
    """Read two logs side by side for seals that contradict each other; raises `CommandError`."""
    one, other = _Side(a), _Side(b)
    match = one.head.match
    if match != other.head.match:
        raise CommandError(f"two different matches: A is of {match}, B of {other.head.match}")
    verifier, fault = _verifier(one.head, other.head, key)
    line = None if one.tree.root() == other.tree.root() else 1

    def nothing(why: str) -> Fork:
        return Fork(INCOMPLETE, match, f"{why}: this proves nothing", line)

    def proven(why: str, left: Seal, right: Seal) -> Fork:
        assert verifier is not None
        return Fork(FORK, match, why, line, left, right, verifier.vkey, key is not None)

    if verifier is None and (key is not None or line):
        return nothing(fault)
    for left, right in zip_longest(one.steps(), other.steps()):
        if line is None:
            if left is None or right is None:
                short, long = ("A", "B") if left is None else ("B", "A")
                return Fork(VALID, match, f"{long} goes on where {short} stops, after {one.tree.size} lines")
            if left.leaf != right.leaf:
                line = one.tree.size + 1
        if line is not None:
            if verifier is None:
                return nothing(f"the logs differ from line {line} on, and {fault}")
            mine, yours = one.seal(left, verifier, line), other.seal(right, verifier, line)
            if mine and yours and mine.root != yours.root:
                return proven(f"two signed seals over {mine.n} lines with different roots", mine, yours)
            if one.covering and other.covering:
                why = f"each log has a line {line} of its own under a signed seal"
                return proven(why, one.covering, other.covering)
            if (left is None and not one.covering) or (right is None and not other.covering):
                break
        one.add(left)
        other.add(right)
    else:
        if line is None:
            return Fork(VALID, match, f"the same, {one.tree.size} lines")
    return nothing(f"the logs differ from line {line} on, but a good, signed seal over it is not in both")


def _verifier(a: Head, b: Head, key: str | None) -> tuple[Verifier | None, str]:
    """The key that must have signed both logs, or why there is none."""
    keys = [None if head.key is UNSET else head.key for head in (a, b)]
    for name, named in zip("AB", keys, strict=True):
        if named is None:
            return None, f"{name} is not signed"
        if key is not None and named != key:
            return None, f"{name} is signed by another key than the one that was given"
    if keys[0] != keys[1]:
        return None, "the logs are signed by different keys"
    try:
        return Verifier(str(keys[0])), ""
    except KeyTextError as error:
        return None, f"what the heads name is not a key ({error})"
