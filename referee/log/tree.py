"""The Merkle tree over the lines of a log: the tree hash of RFC 6962, section 2.1, kept incrementally.

A leaf is SHA-256(0x00 || line without its LF), a node is SHA-256(0x01 || left || right). The two prefixes keep a line
from ever passing for a node. The root over n leaves splits them at the largest power of two below n.
"""

from hashlib import sha256
from typing import Final

HASH_SIZE: Final = 32
EMPTY_ROOT: Final = sha256(b"").digest()
"""The root of a tree without leaves (RFC 6962)."""

# A copy of a hash that has its prefix already costs half of a new one.
_leaf: Final = sha256(b"\x00").copy
_node: Final = sha256(b"\x01").copy


def leaf_hash(line: bytes) -> bytes:
    """The leaf, 32 bytes, of a line without its LF."""
    hasher = _leaf()
    hasher.update(line)
    return hasher.digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The node, 32 bytes, over two subtrees of 32 bytes each."""
    hasher = _node()
    hasher.update(left + right)
    return hasher.digest()


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
        hasher = _leaf()
        hasher.update(line)
        self.append_leaf(hasher.digest())

    def append_leaf(self, leaf: bytes) -> None:
        """Add a leaf of 32 bytes whose line is not known: a line that a view hides."""
        peaks = self._peaks
        size = self.size
        self.size = size + 1
        while size & 1:
            hasher = _node()
            hasher.update(peaks.pop() + leaf)
            leaf = hasher.digest()
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
