"""Signatures on seals: C2SP signed notes with Ed25519 keys, as public tools of transparency logs write and read them.

The text of the note is a checkpoint (`referee.log.seal`). A signature line of a note is ``— NAME BASE64``, where the
base64 has a key id of 4 bytes and the signature of 64 bytes over the text, its last LF included; a seal in a log holds
the same as ``[NAME, BASE64]``. The key id is the first 4 bytes of SHA-256(NAME || LF || 0x01 || public key).

Keys are texts. A verifier key (vkey), ``NAME+KEY ID+BASE64``, has the key id as 8 hex digits and the base64 of
0x01 || public key; a private key is ``PRIVATE+KEY+NAME+KEY ID+BASE64`` with the base64 of 0x01 || seed. 0x01 is the
type Ed25519, and the only one here.

Sources: c2sp.org/signed-note and c2sp.org/tlog-checkpoint; for the texts of keys golang.org/x/mod/sumdb/note.
Stricter than these: names are printable ASCII, key ids are lower case, base64 has one spelling, weak keys are refused.
"""

import re
from base64 import b64encode
from enum import StrEnum
from hashlib import sha256
from typing import Final, Self

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from referee.log.ed25519 import KEY_SIZE, SIGNATURE_SIZE, public_key_fault, signature_fault, verifies
from referee.log.records import Seal
from referee.log.seal import Checkpoint, base64_root, checkpoint, decode_base64, parse_checkpoint

Signature = tuple[str, str]
"""A signature as a seal holds it: the key's name, and the base64 of key id || signature."""

TYPE: Final = b"\x01"
"""The type byte of Ed25519."""

KEY_ID_SIZE: Final = 4
MAX_VKEY: Final = 256
"""Characters of a vkey, as ``head.key`` has them."""

MAX_NAME: Final = MAX_VKEY - 54
"""Characters of a name: what a vkey has besides takes 54."""

MAX_NOTE: Final = 1 << 20
"""Bytes of a note that is opened."""

MAX_SIGNATURES: Final = 100
"""Signature lines of a note that is opened."""

_PRIVATE: Final = "PRIVATE+KEY+"
_DASH: Final = "\N{EM DASH} "
_ANY_NAME: Final = re.compile(r"[^\s+\x00-\x1f]+")
"""Names that keys of others may have: no Unicode spaces, no plus sign, no control characters."""

_NAME: Final = re.compile(rf"[!-*,-~]{{1,{MAX_NAME}}}")
_KEY: Final = re.compile(r"([^+]*)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]*)")


class NoteCode(StrEnum):
    """What is wrong with a key, a signature or a note."""

    NAME = "name"
    """A key's name is empty, too long, or has a space, a plus sign or something that is not printable ASCII."""
    FORM = "form"
    """The text is not put together as it must be."""
    BASE64 = "base64"
    """Not base64, or not in its one spelling."""
    LENGTH = "length"
    """A key or a signature of another length."""
    TYPE = "type"
    """Another type of key than Ed25519."""
    KEY_ID = "key_id"
    """The key id does not belong to this name and key."""
    WEAK_KEY = "weak_key"
    """The public key is of small order, not canonical, or no point of the curve."""
    COUNT = "count"
    """A seal without exactly one signature, or a note without any or with too many."""
    SIGNER = "signer"
    """The signature is by a key of another name or id."""
    WEAK_SIGNATURE = "weak_signature"
    """The signature's s is out of range, or its R is of small order or not canonical."""
    MISMATCH = "mismatch"
    """The key did not sign this text."""


class NoteError(ValueError):
    """A key, a signature or a note that is not accepted; ``code`` says why, and no message quotes a private key."""

    def __init__(self, code: NoteCode, message: str) -> None:
        super().__init__(message)
        self.code: Final = code


class KeyTextError(NoteError):
    """A key, public or private, that cannot be used."""


class SignatureError(NoteError):
    """A signature that does not hold, or a note or seal that lacks one."""


def check_name(name: str) -> None:
    """Raise `KeyTextError` unless this can be a key's name: 1 to 202 printable ASCII characters, no space, no plus."""
    if not _NAME.fullmatch(name):
        raise KeyTextError(
            NoteCode.NAME, f"a key's name has 1 to {MAX_NAME} printable ASCII characters, no spaces and no '+'"
        )


def key_id(name: str, public: bytes) -> bytes:
    """The 4 bytes by which signatures name a public key of 32 bytes."""
    return sha256(name.encode("ascii") + b"\n" + TYPE + public).digest()[:KEY_ID_SIZE]


class Verifier:
    """A public key with its name."""

    __slots__ = ("_key", "key_id", "name", "vkey")

    def __init__(self, vkey: str) -> None:
        """``vkey``: the key's text. Raises `KeyTextError`."""
        name, wanted, public = _read_key(vkey)
        if fault := public_key_fault(public):
            raise KeyTextError(NoteCode.WEAK_KEY, f"the public key cannot be trusted: {fault}")
        _check_id(name, wanted, public)
        self.vkey: Final = vkey
        self.name: Final = name
        self.key_id: Final = wanted
        self._key = Ed25519PublicKey.from_public_bytes(public)

    def __repr__(self) -> str:
        return f"Verifier({self.vkey!r})"

    def verify(self, text: str, signature: Signature) -> None:
        """Return if this key signed the text of a note, its last LF included; raises `SignatureError` otherwise."""
        name, encoded = signature
        data = _read_signature(encoded)
        if (name, data[:KEY_ID_SIZE]) != (self.name, self.key_id):
            raise SignatureError(
                NoteCode.SIGNER, f"signed by {name}+{data[:KEY_ID_SIZE].hex()}, not {self.name}+{self.key_id.hex()}"
            )
        if len(data) != KEY_ID_SIZE + SIGNATURE_SIZE:
            raise SignatureError(
                NoteCode.LENGTH, f"the signature has {len(data) - KEY_ID_SIZE} bytes, not {SIGNATURE_SIZE}"
            )
        if fault := signature_fault(data[KEY_ID_SIZE:]):
            raise SignatureError(NoteCode.WEAK_SIGNATURE, f"no valid signature: {fault}")
        if not verifies(self._key, data[KEY_ID_SIZE:], text.encode("utf-8")):
            raise SignatureError(NoteCode.MISMATCH, f"{name} did not sign this text")


class Signer:
    """A private key with its name. It is secret: neither its repr nor an exception shows it."""

    __slots__ = ("_key", "_prefix", "name", "vkey")

    def __init__(self, name: str, seed: bytes) -> None:
        """``seed``: the private key of RFC 8032, 32 secret bytes. Raises `KeyTextError`."""
        check_name(name)
        if len(seed) != KEY_SIZE:
            raise KeyTextError(NoteCode.LENGTH, f"a private key has {KEY_SIZE} bytes, not {len(seed)}")
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        public = self._key.public_key().public_bytes_raw()
        self._prefix = key_id(name, public)
        self.name: Final = name
        self.vkey: Final = _key_text(name, self._prefix, public)
        """The public key's text, as ``head.key`` and a `Verifier` have it."""

    @classmethod
    def from_text(cls, text: str) -> Self:
        """The key that `private_text` wrote; raises `KeyTextError`."""
        if not text.startswith(_PRIVATE):
            raise KeyTextError(NoteCode.FORM, f"a private key begins with {_PRIVATE}")
        name, wanted, seed = _read_key(text.removeprefix(_PRIVATE))
        signer = cls(name, seed)
        _check_id(name, wanted, signer._key.public_key().public_bytes_raw())
        return signer

    def private_text(self) -> str:
        """The private key's text. Secret: for a file that only its owner can read (`referee.log.keyfile`)."""
        return _PRIVATE + _key_text(self.name, self._prefix, self._key.private_bytes_raw())

    def __repr__(self) -> str:
        return f"Signer({self.name!r}, ...)"

    def sign(self, text: str) -> Signature:
        """The signature over the text of a note; the same text always gets the same one."""
        signature = self._key.sign(text.encode("utf-8"))
        return self.name, b64encode(self._prefix + signature).decode("ascii")


def signed(signer: Signer, origin: str, n: int, root: bytes) -> Seal:
    """A seal over the first ``n`` lines with one signature; ``root`` is 32 bytes.

    Show it to nobody before it is on disk, and sign no other root for this origin and ``n``: both would prove a fork.
    """
    return Seal(n=n, root=base64_root(root), sig=[signer.sign(checkpoint(origin, n, root))])


def seal_text(seal: Seal, origin: str) -> str:
    """The checkpoint that a seal states, right or wrong: what its signatures must be over."""
    return f"{origin}\n{seal.n}\n{seal.root}\n"


def check_seal(seal: Seal, origin: str, verifier: Verifier) -> None:
    """Return if a seal carries one signature and it is this key's over what the seal states.

    Raises `SignatureError`. Whether the seal states the right root is another question.
    """
    if len(seal.sig) != 1:
        raise SignatureError(NoteCode.COUNT, f"a seal has one signature, the referee's; this one has {len(seal.sig)}")
    verifier.verify(seal_text(seal, origin), seal.sig[0])


def render(seal: Seal, origin: str) -> str:
    """A seal as a signed note for other tools, in UTF-8 to be written as it stands.

    Raises `NoteError` for a seal without signatures and for signatures that no line of a note can hold; whether they
    are right is not looked at.
    """
    if not seal.sig:
        raise SignatureError(NoteCode.COUNT, "the seal carries no signature, so there is no note")
    lines = []
    for name, encoded in seal.sig:
        check_name(name)
        _read_signature(encoded)
        lines.append(f"{_DASH}{name} {encoded}\n")
    return f"{seal_text(seal, origin)}\n{''.join(lines)}"


def open_note(data: bytes, verifier: Verifier) -> Checkpoint:
    """The checkpoint of a signed note, if this key signed it; raises `SignatureError`.

    Signatures by other keys are not looked at. One of this key that is wrong refuses the note, whatever else is there.
    """
    if len(data) > MAX_NOTE:
        raise SignatureError(NoteCode.FORM, f"a note has at most {MAX_NOTE} bytes")
    try:
        note = data.decode("utf-8")
    except UnicodeDecodeError:
        raise SignatureError(NoteCode.FORM, "the note is not UTF-8") from None
    text, blank, tail = note.rpartition("\n\n")
    if not blank or not tail.endswith("\n"):
        raise SignatureError(NoteCode.FORM, "a note is a text, an empty line, and signature lines")
    text += "\n"
    lines = tail.split("\n")[:-1]
    if len(lines) > MAX_SIGNATURES:
        raise SignatureError(NoteCode.COUNT, f"a note has at most {MAX_SIGNATURES} signatures")
    mine = [one for one in map(_read_line, lines) if _names(one, verifier)]
    if not mine:
        raise SignatureError(NoteCode.SIGNER, f"no signature is by {verifier.name}+{verifier.key_id.hex()}")
    for one in mine:
        verifier.verify(text, one)
    try:
        return parse_checkpoint(text)
    except ValueError as error:
        raise SignatureError(NoteCode.FORM, str(error)) from None


def _names(signature: Signature, verifier: Verifier) -> bool:
    name, encoded = signature
    return name == verifier.name and _read_signature(encoded).startswith(verifier.key_id)


def _read_line(line: str) -> Signature:
    name, space, encoded = line.removeprefix(_DASH).partition(" ")
    if not line.startswith(_DASH) or not space or not _ANY_NAME.fullmatch(name):
        raise SignatureError(NoteCode.FORM, "a signature line is an em dash, a name and base64, with spaces between")
    _read_signature(encoded)
    return name, encoded


def _read_signature(encoded: str) -> bytes:
    """Key id || signature."""
    data = decode_base64(encoded)
    if data is None:
        raise SignatureError(NoteCode.BASE64, "the signature is not base64 in its one spelling")
    if len(data) <= KEY_ID_SIZE:
        raise SignatureError(
            NoteCode.LENGTH, f"the signature has {len(data)} bytes, which is not even a key id and one"
        )
    return data


def _read_key(text: str) -> tuple[str, bytes, bytes]:
    """(name, key id, 32 bytes of key) of a text without its prefix. Messages quote nothing: it may be a private key."""
    found = _KEY.fullmatch(text) if len(text) <= MAX_VKEY else None
    if found is None:
        raise KeyTextError(NoteCode.FORM, "a key is NAME+KEY ID+BASE64, with a key id of 8 hex digits in lower case")
    check_name(found[1])
    data = decode_base64(found[3])
    if data is None:
        raise KeyTextError(NoteCode.BASE64, "the key is not base64 in its one spelling")
    if data[:1] not in (b"", TYPE):
        raise KeyTextError(NoteCode.TYPE, f"the key is of type {data[0]:#04x}; only 0x01, Ed25519, is known")
    if len(data) != len(TYPE) + KEY_SIZE:
        raise KeyTextError(NoteCode.LENGTH, f"a key has 1 + {KEY_SIZE} bytes, not {len(data)}")
    return found[1], bytes.fromhex(found[2]), data[len(TYPE) :]


def _check_id(name: str, wanted: bytes, public: bytes) -> None:
    if wanted != key_id(name, public):
        raise KeyTextError(NoteCode.KEY_ID, "the key id does not belong to this name and key: something was changed")


def _key_text(name: str, prefix: bytes, key: bytes) -> str:
    return f"{name}+{prefix.hex()}+{b64encode(TYPE + key).decode('ascii')}"
