"""The tree hash against its recursive definition, and against known answers of public implementations."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.log.tree import EMPTY_ROOT, Tree, leaf_hash, node_hash

# The test tree that implementations of RFC 6962 share (Certificate Transparency's reference tests).
LEAVES = [
    bytes.fromhex(leaf)
    for leaf in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = (
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)


def naive_root(lines: list[bytes]) -> bytes:
    """RFC 6962, section 2.1, word for word."""
    n = len(lines)
    if n == 0:
        return sha256(b"").digest()
    if n == 1:
        return sha256(b"\x00" + lines[0]).digest()
    k = 1
    while k * 2 < n:
        k *= 2
    return sha256(b"\x01" + naive_root(lines[:k]) + naive_root(lines[k:])).digest()


@pytest.mark.parametrize("size", range(len(ROOTS)))
def test_known_answers(size: int) -> None:
    tree = Tree()
    for leaf in LEAVES[:size]:
        tree.append(leaf)
    assert tree.root().hex() == ROOTS[size]
    assert tree.size == size


def test_every_size_up_to_300_is_as_defined() -> None:
    tree = Tree()
    lines: list[bytes] = []
    for n in range(300):
        lines.append(b"line %d" % n)
        tree.append(lines[-1])
        assert tree.root() == naive_root(lines)


@given(st.lists(st.binary(max_size=40), max_size=70))
def test_any_lines(lines: list[bytes]) -> None:
    tree = Tree()
    for line in lines:
        tree.append(line)
    assert tree.root() == naive_root(lines)
    assert tree.root() == tree.root()


@given(st.lists(st.binary(max_size=10), min_size=1, max_size=20), st.data())
def test_a_known_leaf_stands_for_its_line(lines: list[bytes], data: st.DataObject) -> None:
    hidden = data.draw(st.sets(st.integers(0, len(lines) - 1)))
    full, view = Tree(), Tree()
    for index, line in enumerate(lines):
        full.append(line)
        if index in hidden:
            view.append_leaf(leaf_hash(line))
        else:
            view.append(line)
    assert view.root() == full.root()


def test_memory_grows_with_the_logarithm() -> None:
    tree = Tree()
    for _ in range(1023):
        tree.append(b"")
    assert len(tree._peaks) == 10
    tree.append(b"")
    assert len(tree._peaks) == 1


def test_a_node_is_never_a_leaf() -> None:
    left, right = leaf_hash(b"a"), leaf_hash(b"b")
    assert node_hash(left, right) != leaf_hash(left + right)
    assert Tree().root() == EMPTY_ROOT
