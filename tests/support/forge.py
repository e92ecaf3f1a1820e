"""Changing a log the way an attacker would: edit what you like, then make every hash right again."""

import json
from base64 import b64decode
from collections.abc import Callable
from typing import Any

from referee.log.seal import base64_root
from referee.log.tree import Tree

Line = dict[str, Any]


def lines(data: bytes) -> list[Line]:
    """The records of a log as plain objects."""
    return [json.loads(line) for line in data.splitlines()]


def encode(record: Line) -> bytes:
    """The canonical line of a record, without LF."""
    return json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def seal(records: list[Line]) -> bytes:
    """A log of these records with every count and root recomputed."""
    tree = Tree()
    out = bytearray()
    for record in records:
        fixed = dict(record)
        if fixed["_"] == "seal":
            fixed |= {"n": tree.size, "root": base64_root(tree.root())}
        elif fixed["_"] == "end":
            fixed["n"] = tree.size
        line = encode(fixed)
        if fixed["_"] == "~":
            tree.append_leaf(b64decode(fixed["hash"]))
        else:
            tree.append(line)
        out += line + b"\n"
    return bytes(out)


def find(records: list[Line], tag: str, number: int = 0) -> int:
    """The index of the n-th record of a kind."""
    return [index for index, record in enumerate(records) if record["_"] == tag][number]


def edit(data: bytes, tag: str, number: int, **fields: Any) -> tuple[bytes, int]:
    """Change fields of a record (None takes a field away); returns the forged log and the 1-based line."""
    records = lines(data)
    at = find(records, tag, number)
    for name, value in fields.items():
        key = {"from_": "from", "try_": "try"}.get(name, name)
        if value is None:
            records[at].pop(key, None)
        else:
            records[at][key] = value
    return seal(records), at + 1


def rewrite(data: bytes, change: Callable[[list[Line]], object]) -> bytes:
    """Change the list of records in place, and make the hashes right."""
    records = lines(data)
    change(records)
    return seal(records)
