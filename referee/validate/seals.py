"""Level L5: do the seals state the tree's root over the very lines before them, and did the referee sign them?"""

from typing import Final

from msgspec import UNSET

from referee.game.records import Record
from referee.log.note import KeyTextError, NoteCode, SignatureError, Verifier, check_seal
from referee.log.records import Head, Seal
from referee.log.seal import base64_root
from referee.log.tree import Tree
from referee.validate.findings import Fault

SIGNATURE_CODES: Final = {NoteCode.COUNT: "E504", NoteCode.SIGNER: "E507", NoteCode.MISMATCH: "E508"}
"""The finding for what is wrong with a signature; what is malformed in another way is E509."""

WAITING: Final = 64
"""Lines that wait to be hashed at most: many in a row take less time than one now and then."""

WATCHED: Final = frozenset((Head, Seal))
"""Kinds of records that have to do with seals; `Seals.step` passes over others."""


class Seals:
    """The tree over a log's lines, and its seals."""

    def __init__(self, key: str | None = None) -> None:
        """``key``: the vkey that must have signed; None: the one that the head names, if any."""
        self._tree: Final = Tree()
        self._waiting: Final[list[bytes]] = []
        """Lines that are not in the tree yet."""

        self.count = 0
        """Seals that were right."""

        self.signed = 0
        """How many of them carry a signature."""

        self.verifier: Verifier | None = None
        """The key that every seal must be signed by."""

        self.pinned: Final = key is not None
        """Whether that key comes from whoever checks, and not from the log itself."""

        self._wanted = key
        self._match = ""

    def add(self, line: bytes) -> None:
        """Take a line, without its LF, after its record."""
        self._waiting.append(line)
        if len(self._waiting) == WAITING:
            self._hash()

    def add_hidden(self, leaf: bytes) -> None:
        """Take the leaf, 32 bytes, of a line that the file does not show."""
        self._hash()
        self._tree.append_leaf(leaf)

    def _hash(self) -> None:
        for line in self._waiting:
            self._tree.append(line)
        self._waiting.clear()

    def step(self, record: Record) -> None:
        """Take the next record, before its own line is added; raises `Fault` (E5xx)."""
        if type(record) is Seal:
            self._seal(record)
        elif type(record) is Head:
            self._head(record)

    def _head(self, record: Head) -> None:
        self._match = record.match
        named = None if record.key is UNSET else record.key
        if self._wanted is not None and named != self._wanted:
            raise Fault(
                "E506",
                "the head names another key" if named else "the head names no key",
                pointer="/key",
                expected=self._wanted,
                actual=named or "no key",
            )
        if named is not None:
            try:
                self.verifier = Verifier(named)
            except KeyTextError as error:
                raise Fault("E505", f"not a key: {error}", pointer="/key", actual=named) from None

    def _seal(self, record: Seal) -> None:
        self._hash()
        lines = self._tree.size
        if record.n != lines:
            raise Fault("E501", "wrong number of lines", pointer="/n", expected=lines, actual=record.n)
        root = base64_root(self._tree.root())
        if record.root != root:
            raise Fault(
                "E502", "not the root over the lines before it", pointer="/root", expected=root, actual=record.root
            )
        self._signature(record)
        self.count += 1
        self.signed += bool(record.sig)

    def _signature(self, record: Seal) -> None:
        if self.verifier is None:
            if record.sig:
                raise Fault("E510", "the head names no key that could have signed", pointer="/sig")
            return
        if not record.sig:
            raise Fault("E503", "the head names a key, and the seal is not signed", pointer="/sig")
        try:
            check_seal(record, self._match, self.verifier)
        except SignatureError as error:
            raise Fault(SIGNATURE_CODES.get(error.code, "E509"), str(error), pointer="/sig") from None
