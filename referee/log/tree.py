"""The Merkle tree over the lines of a log: the tree hash of RFC 6962, section 2.1, kept incrementally.

A leaf is SHA-256(0x00 || line without its LF), a node is SHA-256(0x01 || left || right). The two prefixes keep a line
from ever passing for a node. The root over n leaves splits them at the largest power of two below n.
"""

from hashlib import sha256
from typing import Final

HASH_SIZE: Final = 32
EMPTY_ROOT: Final = sha256(b"").digest()
"""The root of a tree without leaves (RFC 6962)."""


def leaf_hash(line: bytes) -> bytes:
    """The leaf, 32 bytes, of a line without its LF."""
    return sha256(b"\x00" + line).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The node, 32 bytes, over two subtrees of 32 bytes each."""
    return sha256(b"\x01" + left + right).digest()


class Tree:
    """A tree that grows line by line and keeps one hash for each set bit of its size: O(log n)."""

    __slots__ = ("_peaks", "size")

    def __init__(self) -> None:
        self.size = 0
        """Leaves so far."""
        self._peaks: list[bytes] = []
        """Roots of the complete subtrees, the largest (leftmost) first."""

    def append(self, line: bytes) -> None:
        """Add a line, without its LF."""
        self.append_leaf(sha256(b"\x00" + line).digest())

    def append_leaf(self, leaf: bytes) -> None:
        """Add a leaf of 32 bytes whose line is not known: a line that a view hides."""
        peaks = self._peaks
        size = self.size
        self.size = size + 1
        while size & 1:
            leaf = sha256(b"\x01" + peaks.pop() + leaf).digest()
            size >>= 1
        peaks.append(leaf)

    def root(self) -> bytes:
        """The root, 32 bytes, over all leaves so far."""
        if not self._peaks:
            return EMPTY_ROOT
        root = self._peaks[-1]
        for peak in reversed(self._peaks[:-1]):
            root = node_hash(peak, root)
        return root
