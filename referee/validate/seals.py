"""Level L5: do the seals state the tree's root over the very lines before them?"""

from typing import Final

from msgspec import UNSET

from referee.game.records import Record
from referee.log.records import Head, Seal
from referee.log.seal import base64_root
from referee.log.tree import Tree
from referee.validate.findings import Fault


class Seals:
    """The tree over a log's lines, and its seals. Signatures are looked for, not verified."""

    def __init__(self) -> None:
        self.tree: Final = Tree()
        self.count = 0
        """Seals that were right."""

        self.signed = 0
        """How many of them carry a signature."""

        self._key = False

    def step(self, record: Record) -> None:
        """Take the next record, before its own line is in the tree; raises `Fault` (E5xx)."""
        if type(record) is Seal:
            self._seal(record)
        elif type(record) is Head:
            self._key = record.key is not UNSET

    def _seal(self, record: Seal) -> None:
        lines = self.tree.size
        if record.n != lines:
            raise Fault("E501", "wrong number of lines", pointer="/n", expected=lines, actual=record.n)
        root = base64_root(self.tree.root())
        if record.root != root:
            raise Fault(
                "E502", "not the root over the lines before it", pointer="/root", expected=root, actual=record.root
            )
        if self._key and not record.sig:
            raise Fault("E503", "the head names a key, and the seal is not signed", pointer="/sig")
        if len(record.sig) > 1:
            raise Fault(
                "E504",
                "more signatures than the referee's",
                pointer="/sig",
                expected="1 at most",
                actual=len(record.sig),
            )
        self.count += 1
        self.signed += bool(record.sig)
