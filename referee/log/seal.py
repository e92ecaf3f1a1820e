"""Seals: the tree's root over all lines so far, as a checkpoint that public tools can read.

The text of a checkpoint is that of C2SP tlog-checkpoint: the origin, the number of lines, the root in base64, each
followed by LF. The origin is the match id, which is used for one log only.
"""

from base64 import b64encode

from referee.log.records import Seal


def checkpoint(origin: str, n: int, root: bytes) -> str:
    """The text that a seal over the first ``n`` lines stands for, and that signatures sign; ``root`` is 32 bytes."""
    return f"{origin}\n{n}\n{base64_root(root)}\n"


def unsigned(n: int, root: bytes) -> Seal:
    """A seal over the first ``n`` lines without signatures."""
    return Seal(n=n, root=base64_root(root), sig=[])


def base64_root(root: bytes) -> str:
    """A hash of 32 bytes as a record spells it: 44 characters, padded."""
    return b64encode(root).decode("ascii")
