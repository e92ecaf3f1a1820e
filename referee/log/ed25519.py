"""Ed25519 (RFC 8032) read strictly: one spelling of every key and signature, and no points of small order.

OpenSSL, which does the arithmetic, verifies without the cofactor, refuses ``s >= L`` and compares R as bytes, so that R
has one spelling. It takes public keys that are spelled otherwise than canonically, and keys and R of small order, for
which one signature fits many texts. All of these are refused here before it is asked, so that a verdict does not hang
on the library or its version.
"""

from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

KEY_SIZE: Final = 32
SIGNATURE_SIZE: Final = 64
P: Final = 2**255 - 19
"""The field's prime."""

L: Final = 2**252 + 27742317777372353535851937790883648493
"""The order of the base point."""

D: Final = -121665 * pow(121666, -1, P) % P
"""The curve's constant: -x^2 + y^2 = 1 + D x^2 y^2."""

_Y8: Final = int.from_bytes(bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little")
SMALL_ORDER: Final = frozenset((1, P - 1, 0, _Y8, P - _Y8))
"""The y of the eight points whose order divides 8: order 1, 2, 4 (two points), 8 (four points)."""


def public_key_fault(key: bytes) -> str:
    """Why 32 bytes are no public key to trust a signature by, or nothing."""
    if len(key) != KEY_SIZE:
        return f"it has {len(key)} bytes, not {KEY_SIZE}"
    if fault := _point_fault(key):
        return fault
    y2 = _y(key) ** 2 % P
    # x^2 = (y^2 - 1) / (D y^2 + 1) has a root exactly if the product of the two has one (Euler's criterion).
    square = pow((y2 - 1) * (D * y2 + 1) % P, (P - 1) // 2, P) == 1
    return "" if square else "it is no point of the curve"


def signature_fault(signature: bytes) -> str:
    """Why 64 bytes, R || s, are no signature whatever the key and the text, or nothing."""
    if len(signature) != SIGNATURE_SIZE:
        return f"it has {len(signature)} bytes, not {SIGNATURE_SIZE}"
    if int.from_bytes(signature[32:], "little") >= L:
        return "its s is not below the order of the base point"
    fault = _point_fault(signature[:32])
    return f"its R: {fault}" if fault else ""


def verifies(key: Ed25519PublicKey, signature: bytes, text: bytes) -> bool:
    """Whether a signature without `signature_fault` is this key's over this text."""
    try:
        key.verify(signature, text)
    except InvalidSignature:
        return False
    return True


def _y(point: bytes) -> int:
    """The y of an encoded point, without the sign bit of its x."""
    return int.from_bytes(point, "little") & (1 << 255) - 1


def _point_fault(point: bytes) -> str:
    # The two points with x = 0, whose sign bit could be set wrongly, are of small order anyway.
    y = _y(point)
    if y >= P:
        return "it is not spelled canonically"
    return "it is of small order" if y in SMALL_ORDER else ""
