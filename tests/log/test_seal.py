"""Seals and the checkpoints they stand for."""

from base64 import b64decode

from referee.log.canonical import encode
from referee.log.reader import decode_bytes
from referee.log.seal import checkpoint, unsigned
from referee.log.tree import EMPTY_ROOT, Tree


def test_the_text_of_a_checkpoint() -> None:
    assert checkpoint("m-1", 0, EMPTY_ROOT) == "m-1\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n"


def test_an_unsigned_seal_is_a_line_of_a_log() -> None:
    tree = Tree()
    tree.append(b"{}")
    seal = unsigned(1, tree.root())
    assert (seal.n, seal.sig) == (1, [])
    assert b64decode(seal.root, validate=True) == tree.root()
    assert decode_bytes(encode(seal)) == seal
    assert checkpoint("m-1", seal.n, tree.root()).splitlines() == ["m-1", "1", seal.root]
