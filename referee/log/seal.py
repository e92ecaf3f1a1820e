"""Seals: the tree's root over all lines so far, as a checkpoint that public tools can read.

The text of a checkpoint is that of C2SP tlog-checkpoint: the origin, the number of lines, the root in base64, each
followed by LF. The origin is the match id, which is used for one log only. Extension lines are not used.
"""

import re
from base64 import b64decode, b64encode
from typing import Final, NamedTuple

from referee.log.records import Seal
from referee.log.tree import HASH_SIZE


class Checkpoint(NamedTuple):
    """What a seal says of a log."""

    origin: str
    """The match id."""
    n: int
    """Lines before the seal."""
    root: bytes
    """The root over them, 32 bytes."""


def checkpoint(origin: str, n: int, root: bytes) -> str:
    """The text that a seal over the first ``n`` lines stands for, and that signatures sign; ``root`` is 32 bytes."""
    return f"{origin}\n{n}\n{base64_root(root)}\n"


_TEXT: Final = re.compile(r"([!-~]+)\n(0|[1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n")


def parse_checkpoint(text: str) -> Checkpoint:
    """The checkpoint that a text is; raises `ValueError` unless `checkpoint` would write that very text."""
    found = _TEXT.fullmatch(text)
    root = decode_base64(found[3]) if found else None
    if found is None or root is None or len(root) != HASH_SIZE:
        raise ValueError("not a checkpoint: three lines with the origin, the number of lines and the root in base64")
    return Checkpoint(found[1], int(found[2]), root)


def unsigned(n: int, root: bytes) -> Seal:
    """A seal over the first ``n`` lines without signatures."""
    return Seal(n=n, root=base64_root(root), sig=[])


def base64_root(root: bytes) -> str:
    """A hash of 32 bytes as a record spells it: 44 characters, padded."""
    return b64encode(root).decode("ascii")


def decode_base64(text: str) -> bytes | None:
    """The bytes that a text stands for in standard base64 (RFC 4648, section 4), padded; None for any other spelling.

    Most decoders take several texts for the same bytes; here there is one, so that nothing in a log can be changed
    without effect.
    """
    try:
        data = b64decode(text, validate=True)
    except ValueError:
        return None
    return data if b64encode(data).decode("ascii") == text else None
