"""Changes that make a log invalid."""

from collections.abc import Callable
from typing import Final

from referee.log.note import Signer
from tests.support.forge import Line, find, lines
from tools.log_fixtures.base import INVALID, WRONG_ROOT, Check, Fixture
from tools.log_fixtures.play import sealed, spell


def _at(records: list[Line | bytes], tag: str, number: int = 0) -> int:
    return find([record if isinstance(record, dict) else {"_": ""} for record in records], tag, number)


Records = list[Line | bytes]


Change = Callable[[Records], int]
"""Changes records in place; returns the 1-based line of the first error."""


def record(records: Records, tag: str, number: int = 0) -> Line:
    """The n-th record of a kind, to be changed."""
    found = records[_at(records, tag, number)]
    assert isinstance(found, dict)
    return found


def put(tag: str, number: int = 0, **fields: object) -> Change:
    """Fields get another value; None takes one away."""

    def change(records: Records) -> int:
        at = _at(records, tag, number)
        changed = {**record(records, tag, number), **{name.rstrip("_"): value for name, value in fields.items()}}
        records[at] = {name: value for name, value in changed.items() if value is not None}
        return at + 1

    return change


def within(tag: str, field: str, **fields: object) -> Change:
    """As `put`, in an object within a record."""

    def change(records: Records) -> int:
        at, found = _at(records, tag), record(records, tag)
        records[at] = {**found, field: {**found[field], **fields}}
        return at + 1

    return change


def drop(tag: str, number: int = 0, more: int = 1) -> Change:
    """A record is taken away (and the next ones); the line after it is wrong."""

    def change(records: Records) -> int:
        at = _at(records, tag, number)
        del records[at : at + more]
        return at + 1

    return change


def insert(tag: str, new: Line | bytes, number: int = 0, after: int = 0) -> Change:
    """A line is put before a record, or so many lines after that; it is wrong."""

    def change(records: Records) -> int:
        at = _at(records, tag, number) + after
        records.insert(at, new)
        return at + 1

    return change


def swap(tag: str, number: int = 0, other: int = 1) -> Change:
    """Two records of a kind change places; the first of them is wrong."""

    def change(records: Records) -> int:
        one, two = _at(records, tag, number), _at(records, tag, other)
        records[one], records[two] = records[two], records[one]
        return one + 1

    return change


def spelled(tag: str, old: bytes, new: bytes, number: int = 0) -> Change:
    """A record is spelled in another way."""

    def change(records: Records) -> int:
        at = _at(records, tag, number)
        line = spell(record(records, tag, number))
        assert line.count(old) >= 1, (tag, old)
        records[at] = line.replace(old, new, 1)
        return at + 1

    return change


def at_line(change: Change, tag: str, number: int = 0, shift: int = 0) -> Change:
    """The same change, but the error is in another line."""

    def changed(records: Records) -> int:
        change(records)
        return _at(records, tag, number) + 1 + shift

    return changed


def both(*changes: Change) -> Change:
    """Several changes; the first one's line is wrong."""

    def change(records: Records) -> int:
        first, *_ = [one(records) for one in changes]
        return first

    return change


def bad(
    name: str, about: str, base: bytes, change: Change, rule: str = "", *, signer: Signer | None = None,
    key: str = "", keep: tuple[int, ...] = (),
) -> Fixture:  # fmt: skip
    """A log with one change and every hash right again (but for the records ``keep``)."""
    records: Records = [*lines(base)]
    line = change(records)
    check = Check(INVALID, name[:4], line, rule, key=key)
    return Fixture(f"invalid/{name}.toep", about, sealed(records, signer, keep), (check,))


def raw(name: str, about: str, data: bytes, line: int) -> Fixture:
    """A log of these bytes."""
    return Fixture(f"invalid/{name}.toep", about, data, (Check(INVALID, name[:4], line),))


PLAY: Final[Line] = {"_": "play", "card": "Th", "seat": 0}


RULING: Final[Line] = {"_": "ruling", "why": "x"}


LATE: Final[Line] = {"_": "late", "budget": 10000, "seat": 0, "verdict": "bot"}


ROUND: Final[Line] = {"_": "round", "dealer": 0, "round": 1, "try": 1}


DRAW: Final[Line] = {"_": "draw", "cards": [[0, "Jc"], [1, "Qc"]]}


SEAL: Final[Line] = {"_": "seal", "n": 1, "root": WRONG_ROOT, "sig": []}


CARDS: Final[Line] = {"_": "cards", "cards": ["Th"], "salt": "0" * 32, "seat": 0, "why": "chance"}


def within_without(field: str, name: str) -> Change:
    """A part of the head lacks a field."""

    def change(records: Records) -> int:
        del record(records, "head")[field][name]
        return 1

    return change


def _number(records: Records, tag: str, **fields: object) -> int:
    """The number among its kind of the first record with such fields."""
    same = [one for one in records if isinstance(one, dict) and one["_"] == tag]
    return next(n for n, one in enumerate(same) if all(one.get(name) == value for name, value in fields.items()))


def swap2(one: str, other: str) -> Change:
    """Two records of different kinds change places; the earlier one's line is wrong."""

    def change(records: Records) -> int:
        a, b = _at(records, one), _at(records, other)
        records[a], records[b] = records[b], records[a]
        return a + 1

    return change


def twice(tag: str, number: int) -> Change:
    """A card of the first hand stands in another record as well."""
    return lambda records: put(
        tag, number, cards=[record(records, tag)["cards"][0], *record(records, tag, number)["cards"][1:]]
    )(records)
