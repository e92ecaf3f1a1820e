"""Ed25519: the test vectors of RFC 8032, and everything that strict verification refuses."""

from hashlib import sha512

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from referee.log.ed25519 import SMALL_ORDER, D, L, P, public_key_fault, signature_fault, verifies

RFC_8032 = {
    "1": (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        b"",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24"
        "655141438e7a100b",
    ),
    "2": (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        b"\x72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aee"
        "b00d291612bb0c00",
    ),
    "3": (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        b"\xaf\x82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28d"
        "c027beceea1ec40a",
    ),
    "SHA(abc)": (
        "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        sha512(b"abc").digest(),
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17a"
        "d9bef1177331a704",
    ),
}
"""Section 7.1: seed, public key, text, signature."""

ONE = (1).to_bytes(32, "little")
SIGN = 1 << 255


def little(number: int) -> bytes:
    return number.to_bytes(32, "little")


@pytest.mark.parametrize("name", RFC_8032)
def test_the_vectors_of_rfc_8032(name: str) -> None:
    seed, public, text, signature = RFC_8032[name]
    private = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed))
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
    assert private.sign(text).hex() == signature
    assert private.public_key() == key
    assert public_key_fault(bytes.fromhex(public)) == ""
    assert signature_fault(bytes.fromhex(signature)) == ""
    assert verifies(key, bytes.fromhex(signature), text)
    assert not verifies(key, bytes.fromhex(signature), text + b"\x00")


Point = tuple[int, int]


def add(one: Point, other: Point) -> Point:
    """The addition of RFC 8032, section 5.1.4, in affine coordinates."""
    (x1, y1), (x2, y2) = one, other
    k = D * x1 * x2 * y1 * y2 % P
    return (x1 * y2 + x2 * y1) * pow(1 + k, -1, P) % P, (y1 * y2 + x1 * x2) * pow(1 - k, -1, P) % P


def points(y: int) -> set[Point]:
    """The points of the curve with this y (RFC 8032, section 5.1.3)."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    return {(x, y), (-x % P, y)} if x * x % P == square else set()


def test_the_points_of_small_order_are_all_eight() -> None:
    torsion = set().union(*map(points, SMALL_ORDER))
    assert len(torsion) == 8
    for point in torsion:
        eightfold = point
        for _ in range(3):
            eightfold = add(eightfold, eightfold)
        assert eightfold == (0, 1)


SPELLINGS = [little(y + sign) for y in [*SMALL_ORDER, P, P + 1] for sign in (0, SIGN)]
"""Every way to spell a point of small order, canonical or not."""


@pytest.mark.parametrize("weak", SPELLINGS, ids=lambda weak: weak.hex())
def test_points_of_small_order_are_refused(weak: bytes) -> None:
    assert public_key_fault(weak)
    assert signature_fault(weak + bytes(32))


def test_why_the_library_is_not_enough() -> None:
    """It takes one signature for any text by a key of small order."""
    key = Ed25519PublicKey.from_public_bytes(ONE)
    assert verifies(key, ONE + bytes(32), b"one text")
    assert verifies(key, ONE + bytes(32), b"another")
    assert "small order" in public_key_fault(ONE)


def test_a_small_r_is_refused_although_it_verifies() -> None:
    """Whoever has the private key can make such a signature: s = h a."""
    seed, public, text = bytes.fromhex(RFC_8032["1"][0]), bytes.fromhex(RFC_8032["1"][1]), b"text"
    a = int.from_bytes(sha512(seed).digest()[:32], "little") & ((1 << 254) - 8) | 1 << 254
    h = int.from_bytes(sha512(ONE + public + text).digest(), "little")
    signature = ONE + little(h * a % L)
    assert verifies(Ed25519PublicKey.from_public_bytes(public), signature, text)
    assert "small order" in signature_fault(signature)


@pytest.mark.parametrize("add_to_s", [L, 2 * L, 8 * L])
def test_s_has_one_spelling(add_to_s: int) -> None:
    _, public, text, signature = RFC_8032["2"]
    raw = bytes.fromhex(signature)
    other = raw[:32] + little(int.from_bytes(raw[32:], "little") + add_to_s)
    assert "order of the base point" in signature_fault(other)
    assert not verifies(Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)), other, text)
    assert not signature_fault(raw[:32] + little(L - 1))
    assert signature_fault(raw[:32] + little(L))


@pytest.mark.parametrize("y", [P, P + 2, 2**255 - 1])
def test_a_y_beyond_the_field_is_refused(y: int) -> None:
    assert "canonically" in public_key_fault(little(y))
    assert "canonically" in signature_fault(little(y) + bytes(32))


def test_what_is_no_point_of_the_curve_is_refused() -> None:
    off = [y for y in range(2, 100) if not points(y)]
    on = [y for y in range(2, 100) if points(y)]
    assert len(off) > 20
    assert len(on) > 20
    assert all("no point" in public_key_fault(little(y)) for y in off)
    assert all(public_key_fault(little(y)) == "" for y in on)


@pytest.mark.parametrize("size", [0, 31, 33])
def test_lengths(size: int) -> None:
    assert "bytes" in public_key_fault(bytes(size))
    assert "bytes" in signature_fault(bytes(2 * size))
