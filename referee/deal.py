"""The shuffle ``hkdf-fy8/1``: from a committed secret seed and the players' entropy to packs of cards and line salts.

Everything here is a pure function of its inputs. Key derivation is HKDF with SHA-256 (RFC 5869), the shuffle is
Fisher-Yates from the top index down, with rejection so that no permutation is favoured. The seed, and what is derived
from it, is secret until the log reveals it: no object here shows it in its ``repr`` and no exception quotes it.
"""

import functools
import hashlib
import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from referee.cards import PACK_SIZE

SEED_SIZE: Final = 32
"""Bytes of a seed, and of each player's entropy."""

STREAM_SIZE: Final = 255 * 32
"""Bytes that HKDF-Expand can give at most with SHA-256 (RFC 5869, section 2.3)."""

_COMMIT: Final = b"toep/1 commit\n"
_DEAL: Final = b"toep/1 deal"
_SHUFFLE: Final = b"shuffle fr32"
_SALT: Final = b"salt"
_SALT_SIZE: Final = 16
_HASH_BLOCK: Final = 64
_INNER_PAD: Final = bytes(byte ^ 0x36 for byte in range(256))
_OUTER_PAD: Final = bytes(byte ^ 0x5C for byte in range(256))


class StreamExhausted(Exception):
    """A stream of bytes ended before a number could be drawn from it (for 32 cards: never in practice)."""


def commit(seed: bytes) -> str:
    """The commitment to a seed of 32 bytes, 64 hex digits: SHA-256("toep/1 commit\\n" || seed).

    Raises `ValueError` for a seed of another size.
    """
    _check_secret("seed", seed)
    return hashlib.sha256(_COMMIT + seed).hexdigest()


class Mac:
    """HMAC with SHA-256 (RFC 2104) under one key, for many texts: two copies of a started hash cost less than a key."""

    __slots__ = ("_inner", "_outer")

    def __init__(self, key: bytes) -> None:
        if len(key) > _HASH_BLOCK:
            key = hashlib.sha256(key).digest()
        padded = key.ljust(_HASH_BLOCK, b"\x00")
        self._inner = hashlib.sha256(padded.translate(_INNER_PAD))
        self._outer = hashlib.sha256(padded.translate(_OUTER_PAD))

    def digest(self, text: bytes) -> bytes:
        """The authentication code, 32 bytes."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(text)
        outer.update(inner.digest())
        return outer.digest()


def hkdf_extract(salt: bytes, secret: bytes) -> bytes:
    """HKDF-Extract (RFC 5869, section 2.2): a pseudorandom key of 32 bytes."""
    return Mac(salt).digest(secret)


def hkdf_expand(prk: bytes, info: bytes) -> Iterator[int]:
    """HKDF-Expand (RFC 5869, section 2.3), byte by byte: at most 8160 of them."""
    return _expand(Mac(prk), info)


def _expand(mac: Mac, info: bytes) -> Iterator[int]:
    return itertools.chain.from_iterable(_blocks(mac, info))


def _blocks(mac: Mac, info: bytes) -> Iterator[bytes]:
    block = b""
    for counter in range(1, 256):
        block = mac.digest(block + info + bytes((counter,)))
        yield block


def draw_below(m: int, stream: Iterator[int]) -> int:
    """A number from 0 to m - 1, each equally likely if the bytes are; ``m`` is 1 to 256.

    A byte at or above the largest multiple of ``m`` is thrown away, because the remainder would favour small numbers:
    with m = 52 the bytes ff d0 cf are two rejections and then 51. Raises `StreamExhausted` when no byte is left.
    """
    limit = 256 - 256 % m
    for byte in stream:
        if byte < limit:
            return byte % m
    raise StreamExhausted(f"no byte left to draw a number below {m}")


def fisher_yates(stream: Iterable[int], size: int = PACK_SIZE) -> tuple[int, ...]:
    """A permutation of ``0 .. size - 1`` from a stream of bytes: swaps go from the last place down to place 1.

    Raises `StreamExhausted` when the stream is too short.
    """
    bytes_left = iter(stream)
    order = list(range(size))
    for i in range(size - 1, 0, -1):
        j = draw_below(i + 1, bytes_left)
        order[i], order[j] = order[j], order[i]
    return tuple(order)


class Deal:
    """One shuffled pack, and the salts of the private log lines that belong to its round."""

    __slots__ = ("_key", "_salts", "pack")

    def __init__(self, prk: bytes) -> None:
        """``prk`` is the deal's pseudorandom key, 32 bytes."""
        self._key = Mac(prk)
        self._salts = Mac(self._key.digest(_SALT))
        self.pack: Final = fisher_yates(_expand(self._key, _SHUFFLE))
        """Card indexes, the top of the pack first."""

    def salt(self, match: str, index: int) -> str:
        """The salt, 32 hex digits, of the private line with this 0-based index in the log of this match."""
        name = _origin(match)
        return self._salts.digest(name + index.to_bytes(4, "big"))[:_SALT_SIZE].hex()

    def stream_head(self, size: int) -> bytes:
        """The first ``size`` bytes that the shuffle draws from; for known answers and for finding differences."""
        return bytes(itertools.islice(_expand(self._key, _SHUFFLE), size))

    def __repr__(self) -> str:
        return "<Deal>"


class Deals:
    """Every deal of a deal set: all matches with the same seed, name and entropy get the same cards."""

    __slots__ = ("_head", "_seed", "_tail", "name")

    def __init__(self, seed: bytes, deals: str, entropy: Sequence[bytes | None] = ()) -> None:
        """``seed`` and each entropy are 32 bytes; ``deals`` names the set; a silent player's entropy is None.

        Raises `ValueError` for a value of another size, and for a name that is not ASCII.
        """
        _check_secret("seed", seed)
        for seat, value in enumerate(entropy):
            if value is not None:
                _check_secret(f"entropy of seat {seat}", value)
        self._seed = seed
        self.name: Final = deals
        self._head = _prefixed(_DEAL) + _prefixed(deals.encode("ascii"))
        self._tail = b"".join(_prefixed(value or b"") for value in entropy)

    def deal(self, round: int, try_: int) -> Deal:
        """The deal of a round, 1 and up, and a try, 1 and up; round 0, try 1 is the draw for the first dealer.

        The key depends on the round and not on what was dealt before, so a void round never shifts later deals.
        """
        place = _prefixed(round.to_bytes(4, "big")) + _prefixed(try_.to_bytes(4, "big"))
        salt = hashlib.sha256(self._head + place + self._tail).digest()
        return Deal(hkdf_extract(salt, self._seed))

    def __repr__(self) -> str:
        return f"<Deals {self.name}>"


@functools.lru_cache(maxsize=4096)
def _origin(match: str) -> bytes:
    """A match id as salts are keyed by it; a referee hosts many matches and asks for each one's again and again."""
    return _prefixed(match.encode("ascii"))


def _prefixed(value: bytes) -> bytes:
    """A value after its length in two bytes, so that no two lists of values join to the same bytes."""
    return len(value).to_bytes(2, "big") + value


def _check_secret(what: str, value: bytes) -> None:
    if len(value) != SEED_SIZE:
        raise ValueError(f"{what}: {len(value)} bytes, expected {SEED_SIZE}")
