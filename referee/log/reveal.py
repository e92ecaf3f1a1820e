"""Ending a log whose seed was held back: the ``reveal`` and the last seal, when all matches of its set are over.

The process that wrote the log need not be the one that ends it. Nothing that stands is ever rewritten; only a last line
that a crash has torn is dropped, and what was appended whole before the crash stays.
"""

import os
from pathlib import Path
from typing import Final, Literal, NamedTuple

from referee.deal import commit
from referee.log.canonical import LineError
from referee.log.note import Signer
from referee.log.reader import decode, read_lines
from referee.log.records import AnyRecord, End, Head, Redacted, Reveal, Seal
from referee.log.seal import base64_root
from referee.log.tree import Tree
from referee.log.writer import FileSink, LogWriter

Stage = Literal["begun", "final", "revealed", "complete"]
"""How far a log has come: up to its end; ended and sealed; with its seed; with the seal over that."""


class RevealError(Exception):
    """A seed that cannot be put into a log, which stays as it is. ``code``: ``log``, ``stage``, ``seed`` or ``key``."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code: Final = code


class Standing(NamedTuple):
    """A log as it stands on disk."""

    head: Head
    stage: Stage
    size: int
    """Bytes up to the last whole line."""

    torn: bool
    tree: Tree


def standing(path: Path) -> Standing:
    """How far a log has come. Raises `RevealError` for what is no log, or whose last seal is wrong, and `OSError`."""
    tree = Tree()
    head: Head | None = None
    ended = revealed = False
    size = 0
    torn = False
    last: AnyRecord | None = None
    with open(path, "rb") as stream:
        for raw in read_lines(stream):
            if not raw.complete:
                torn = True
                break
            try:
                record = decode(raw)
            except LineError as error:
                raise RevealError("log", f"line {raw.index + 1}: {error}") from None
            if isinstance(record, Seal) and (record.n, record.root) != (tree.size, base64_root(tree.root())):
                raise RevealError("log", f"line {raw.index + 1}: the seal is not over the lines before it")
            if isinstance(record, Redacted):
                raise RevealError("log", "this is a view")
            head = record if head is None and isinstance(record, Head) else head
            ended = ended or isinstance(record, End)
            revealed = revealed or isinstance(record, Reveal)
            tree.append(raw.data)
            size = raw.offset + len(raw.data) + 1
            last = record
    if head is None:
        raise RevealError("log", "there is no head")
    sealed = isinstance(last, Seal)
    stage: Stage = "begun"
    if revealed:
        stage = "complete" if sealed else "revealed"
    elif ended and sealed:
        stage = "final"
    return Standing(head, stage, size, torn, tree)


def reveal(path: Path, seed: bytes, signer: Signer | None = None) -> bool:
    """Put the seed into a log that is final, seal it, and wait for the disk; False when that was done already.

    Raises `RevealError`, and then nothing was written, and `OSError` when writing fails.
    """
    now = standing(path)
    if commit(seed) != now.head.commit:
        raise RevealError("seed", "the seed does not open the commitment")
    if (now.head.key or "") != (signer.vkey if signer else ""):
        raise RevealError("key", "the log is signed by another key" if now.head.key else "the log is not signed")
    if now.stage == "complete":
        return False
    if now.stage == "begun":
        raise RevealError("stage", "the match has not ended")
    if now.torn:
        os.truncate(path, now.size)
    log = LogWriter(FileSink.reopen(path), match=now.head.match, signer=signer, tree=now.tree)
    try:
        if now.stage == "final":
            log.append(Reveal(seed=seed.hex()))
        log.seal()
    finally:
        log.close()
    return True
