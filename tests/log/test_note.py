"""Signed notes and their keys: known answers of other implementations, and everything that is refused."""

import copy
import pickle
import re
import traceback
from base64 import b64decode, b64encode
from collections.abc import Callable
from hashlib import sha256

import pytest
from msgspec.structs import replace

from referee.log.ed25519 import L
from referee.log.note import (
    MAX_NAME,
    MAX_NOTE,
    MAX_SIGNATURES,
    MAX_VKEY,
    KeyTextError,
    NoteCode,
    NoteError,
    SignatureError,
    Signer,
    Verifier,
    check_seal,
    key_id,
    open_note,
    render,
    signed,
)
from referee.log.records import Seal
from referee.log.seal import Checkpoint, base64_root, checkpoint, parse_checkpoint, unsigned
from tests.log.test_ed25519 import ONE, RFC_8032, SPELLINGS, little

NEUMANN = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
NEUMANN_PRIVATE = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
NEUMANN_SIGNATURE = "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="
ENOCH_SIGNATURE = "rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ="
ANSWER = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
"""The examples of the Go package golang.org/x/mod/sumdb/note; Enoch Root's key is 32 zero bytes."""

SUM_DATABASE = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8"

SEED = bytes(range(32))
PRIVATE_BASE64 = b64encode(b"\x01" + SEED).decode()
ROOT = sha256(b"root").digest()
SIGNER = Signer("club.example/referee", SEED)
VERIFIER = Verifier(SIGNER.vkey)
SEAL = signed(SIGNER, "m-1", 7, ROOT)
NOTE = render(SEAL, "m-1").encode()


def key_code(text: str) -> NoteCode:
    """The code with which a public key is refused."""
    with pytest.raises(KeyTextError) as caught:
        Verifier(text)
    return caught.value.code


def private_code(text: str) -> NoteCode:
    """The code with which a private key is refused; nothing of it may show."""
    with pytest.raises(KeyTextError) as caught:
        Signer.from_text(text)
    shown = "".join(traceback.format_exception_only(caught.value))
    assert PRIVATE_BASE64[:10] not in shown
    return caught.value.code


def seal_code(seal: Seal, origin: str = "m-1", verifier: Verifier = VERIFIER) -> NoteCode:
    """The code with which a seal is refused."""
    with pytest.raises(SignatureError) as caught:
        check_seal(seal, origin, verifier)
    return caught.value.code


def note_code(data: bytes, verifier: Verifier = VERIFIER) -> NoteCode:
    """The code with which a note is refused."""
    with pytest.raises(SignatureError) as caught:
        open_note(data, verifier)
    return caught.value.code


# -- known answers -----------------------------------------------------------------------------------------------------


def test_the_example_of_the_go_package() -> None:
    signer = Signer.from_text(NEUMANN_PRIVATE)
    assert signer.vkey == NEUMANN
    assert signer.private_text() == NEUMANN_PRIVATE
    assert signer.sign(ANSWER) == ("PeterNeumann", NEUMANN_SIGNATURE)
    verifier = Verifier(NEUMANN)
    assert (verifier.name, verifier.key_id.hex()) == ("PeterNeumann", "c74f20a3")
    verifier.verify(ANSWER, ("PeterNeumann", NEUMANN_SIGNATURE))
    assert Signer("EnochRoot", bytes(32)).sign(ANSWER) == ("EnochRoot", ENOCH_SIGNATURE)


def test_the_key_of_a_public_log() -> None:
    assert Verifier(SUM_DATABASE).name == "sum.golang.org"


@pytest.mark.parametrize("vector", ["1", "2"])
def test_signatures_are_those_of_rfc_8032(vector: str) -> None:
    seed, public, text, signature = RFC_8032[vector]
    signer = Signer("rfc", bytes.fromhex(seed))
    raw = b64decode(signer.sign(text.decode())[1])
    assert raw == key_id("rfc", bytes.fromhex(public)) + bytes.fromhex(signature)
    assert raw[:4] == sha256(b"rfc\n\x01" + bytes.fromhex(public)).digest()[:4]
    Verifier(signer.vkey).verify(text.decode(), signer.sign(text.decode()))


def test_a_note_is_put_together_as_the_specification_says() -> None:
    (pair,) = SEAL.sig
    assert NOTE.decode() == f"m-1\n7\n{base64_root(ROOT)}\n\n\N{EM DASH} club.example/referee {pair[1]}\n"
    assert Seal(n=7, root=base64_root(ROOT), sig=[SIGNER.sign(checkpoint("m-1", 7, ROOT))]) == SEAL
    assert open_note(NOTE, VERIFIER) == Checkpoint("m-1", 7, ROOT)
    check_seal(SEAL, "m-1", VERIFIER)


def test_signing_is_deterministic() -> None:
    assert signed(Signer(SIGNER.name, SEED), "m-1", 7, ROOT) == SEAL


# -- keys --------------------------------------------------------------------------------------------------------------


def test_a_private_key_shows_nowhere() -> None:
    assert SIGNER.private_text().endswith(PRIVATE_BASE64)
    for text in (repr(SIGNER), str(SIGNER), f"{SIGNER}", repr([SIGNER])):
        assert PRIVATE_BASE64[:10] not in text
        assert SEED.hex() not in text
    with pytest.raises(TypeError):
        pickle.dumps(SIGNER)
    assert Signer.from_text(SIGNER.private_text()).vkey == SIGNER.vkey
    assert SIGNER.vkey in repr(VERIFIER)


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\nb", "a\tb", "a\N{NO-BREAK SPACE}b", "Zoë", "a\x7f", "x" * 203])
def test_names_that_no_key_can_have(name: str) -> None:
    with pytest.raises(KeyTextError) as caught:
        Signer(name, SEED)
    assert caught.value.code is NoteCode.NAME


def test_the_longest_name() -> None:
    signer = Signer("x" * MAX_NAME, SEED)
    assert len(signer.vkey) == MAX_VKEY
    assert Signer.from_text(signer.private_text()).name == Verifier(signer.vkey).name == signer.name


def vkey(name: str, data: bytes, identity: str = "") -> str:
    """A vkey of any bytes, with the right key id unless another is given."""
    return f"{name}+{identity or key_id(name, data[1:]).hex()}+{b64encode(data).decode()}"


BASE64 = SIGNER.vkey.split("+", 2)[2]
PUBLIC = b64decode(BASE64)
KEYS: dict[str, tuple[str, NoteCode]] = {
    "nothing": ("", NoteCode.FORM),
    "no parts": ("club.example", NoteCode.FORM),
    "two parts": ("club.example+00000000", NoteCode.FORM),
    "short id": (f"a+0000000+{BASE64}", NoteCode.FORM),
    "long id": (f"a+000000000+{BASE64}", NoteCode.FORM),
    "upper-case id": (re.sub(r"\+([0-9a-f]{8})\+", lambda m: m[0].upper(), NEUMANN), NoteCode.FORM),
    "line feed": (SIGNER.vkey + "\n", NoteCode.FORM),
    "space": (" " + SIGNER.vkey, NoteCode.NAME),
    "too long": ("x" * 203 + SIGNER.vkey, NoteCode.FORM),
    "no name": (vkey("", PUBLIC), NoteCode.NAME),
    "no key": ("a+00000000+", NoteCode.LENGTH),
    "no padding": (vkey("a", PUBLIC[:-1]).rstrip("="), NoteCode.BASE64),
    "url base64": (NEUMANN.replace("/", "_"), NoteCode.FORM),
    "loose bits": (vkey("a", PUBLIC[:-1])[:-2] + "B=", NoteCode.BASE64),
    "type 2": (vkey("a", b"\x02" + PUBLIC[1:]), NoteCode.TYPE),
    "type 4": (vkey("a", b"\x04" + PUBLIC[1:]), NoteCode.TYPE),
    "short key": (vkey("a", PUBLIC[:-1]), NoteCode.LENGTH),
    "long key": (vkey("a", PUBLIC + b"\x00"), NoteCode.LENGTH),
    "another id": (vkey("a", PUBLIC, "00000000"), NoteCode.KEY_ID),
    "another name": ("b" + NEUMANN, NoteCode.KEY_ID),
    "private": (SIGNER.private_text(), NoteCode.FORM),
}


@pytest.mark.parametrize("case", KEYS)
def test_public_keys_that_are_refused(case: str) -> None:
    text, code = KEYS[case]
    assert key_code(text) is code


@pytest.mark.parametrize("weak", SPELLINGS, ids=lambda weak: weak.hex())
def test_weak_public_keys_are_refused(weak: bytes) -> None:
    assert key_code(vkey("a", b"\x01" + weak)) is NoteCode.WEAK_KEY


def test_a_public_key_off_the_curve_is_refused() -> None:
    assert key_code(vkey("a", b"\x01" + little(2))) is NoteCode.WEAK_KEY


PRIVATE = SIGNER.private_text()
PRIVATE_KEYS: dict[str, tuple[str, NoteCode]] = {
    "nothing": ("", NoteCode.FORM),
    "public": (SIGNER.vkey, NoteCode.FORM),
    "line feed": (PRIVATE + "\n", NoteCode.FORM),
    "lower case": (PRIVATE.replace("PRIVATE", "private"), NoteCode.FORM),
    "another name": (PRIVATE.replace("club", "klub"), NoteCode.KEY_ID),
    "another id": (re.sub(r"\+[0-9a-f]{8}\+", "+00000000+", PRIVATE), NoteCode.KEY_ID),
    "another seed": (f"{PRIVATE[:-44]}{b64encode(bytes([1]) + SEED[::-1]).decode()}", NoteCode.KEY_ID),
    "cut short": (PRIVATE[:-1], NoteCode.BASE64),
    "short seed": (f"{PRIVATE[:-44]}{b64encode(bytes([1]) + SEED[:-3]).decode()}", NoteCode.LENGTH),
    "type 2": (f"{PRIVATE[:-44]}{b64encode(bytes([2]) + SEED).decode()}", NoteCode.TYPE),
}


@pytest.mark.parametrize("case", PRIVATE_KEYS)
def test_private_keys_that_are_refused(case: str) -> None:
    text, code = PRIVATE_KEYS[case]
    assert private_code(text) is code


@pytest.mark.parametrize("size", [0, 31, 33, 64])
def test_a_seed_has_32_bytes(size: int) -> None:
    with pytest.raises(KeyTextError) as caught:
        Signer("a", bytes(size))
    assert caught.value.code is NoteCode.LENGTH


# -- signatures --------------------------------------------------------------------------------------------------------


def with_signature(change: Callable[[bytes], bytes]) -> Seal:
    """The seal with other bytes for its signature."""
    ((name, encoded),) = SEAL.sig
    return replace(SEAL, sig=[(name, b64encode(change(b64decode(encoded))).decode())])


def test_a_seal_holds_for_one_origin_one_count_and_one_root() -> None:
    assert seal_code(SEAL, "m-2") is NoteCode.MISMATCH
    assert seal_code(replace(SEAL, n=8)) is NoteCode.MISMATCH
    assert seal_code(replace(SEAL, root=base64_root(sha256(b"").digest()))) is NoteCode.MISMATCH


def test_a_seal_is_by_one_key() -> None:
    other_key = Signer(SIGNER.name, SEED[::-1])
    other_name = Signer("club.example/other", SEED)
    for other in (other_key, other_name):
        assert seal_code(SEAL, verifier=Verifier(other.vkey)) is NoteCode.SIGNER
        assert seal_code(signed(other, "m-1", 7, ROOT)) is NoteCode.SIGNER
    forged = b64decode(other_key.sign(checkpoint("m-1", 7, ROOT))[1])
    assert seal_code(with_signature(lambda raw: raw[:4] + forged[4:])) is NoteCode.MISMATCH
    assert seal_code(replace(SEAL, sig=[("club.example/other", SEAL.sig[0][1])])) is NoteCode.SIGNER


def test_a_seal_has_one_signature() -> None:
    assert seal_code(unsigned(7, ROOT)) is NoteCode.COUNT
    assert seal_code(replace(SEAL, sig=SEAL.sig * 2)) is NoteCode.COUNT


SIGNATURES: dict[str, tuple[Callable[[bytes], bytes], NoteCode]] = {
    "nothing": (lambda raw: b"", NoteCode.LENGTH),
    "key id only": (lambda raw: raw[:4], NoteCode.LENGTH),
    "short": (lambda raw: raw[:-1], NoteCode.LENGTH),
    "long": (lambda raw: raw + b"\x00", NoteCode.LENGTH),
    "another key id": (lambda raw: bytes(4) + raw[4:], NoteCode.SIGNER),
    "s + L": (
        lambda raw: raw[:36] + little(int.from_bytes(raw[36:], "little") + L),
        NoteCode.WEAK_SIGNATURE,
    ),
    "small R": (lambda raw: raw[:4] + ONE + raw[36:], NoteCode.WEAK_SIGNATURE),
    "all zero": (lambda raw: raw[:4] + bytes(64), NoteCode.WEAK_SIGNATURE),
    "another R": (lambda raw: raw[:4] + raw[4:36][::-1] + raw[36:], NoteCode.MISMATCH),
}


@pytest.mark.parametrize("case", SIGNATURES)
def test_signatures_that_are_refused(case: str) -> None:
    change, code = SIGNATURES[case]
    assert seal_code(with_signature(change)) is code


@pytest.mark.parametrize(
    "spell",
    [
        lambda text: text.rstrip("="),
        lambda text: text + "=",
        lambda text: text + "\n",
        lambda text: " " + text,
        lambda text: text.replace("+", "-").replace("/", "_") + "-",
        lambda text: text[:-2] + chr(ord(text[-2]) + 1) + "=",
        lambda text: text[:20] + "é" + text[21:],
    ],
)
def test_base64_has_one_spelling(spell: Callable[[str], str]) -> None:
    ((name, encoded),) = SEAL.sig
    assert seal_code(replace(SEAL, sig=[(name, spell(encoded))])) is NoteCode.BASE64


# -- notes -------------------------------------------------------------------------------------------------------------


def test_no_byte_of_a_note_can_be_changed() -> None:
    for at in range(len(NOTE)):
        for other in {NOTE[at] ^ 1 << bit for bit in range(8)} | {NOTE[at] ^ 0xFF, 0x0A, 0x20} - {NOTE[at]}:
            note_code(NOTE[:at] + bytes([other]) + NOTE[at + 1 :])
        note_code(NOTE[:at] + NOTE[at + 1 :])
    for at in range(len(NOTE) + 1):
        for more in (b"\n", b" ", b"A", b"="):
            note_code(NOTE[:at] + more + NOTE[at:])
    for at in range(len(NOTE)):
        note_code(NOTE[:at])


def line_by(signer: Signer, text: str) -> bytes:
    name, encoded = signer.sign(text)
    return f"\N{EM DASH} {name} {encoded}\n".encode()


def test_signatures_of_others_do_not_matter() -> None:
    text = checkpoint("m-1", 7, ROOT)
    other = line_by(Signer("witness.example", SEED), text)
    wrong = line_by(Signer("witness.example", SEED), "something else\n")
    body, mine = f"{text}\n".encode(), line_by(SIGNER, text)
    for tail in (other + mine, mine + wrong, wrong + mine + other, mine + mine):
        assert open_note(body + tail, VERIFIER) == Checkpoint("m-1", 7, ROOT)
    zoe = other.replace(b"witness", "Zoë".encode())
    assert open_note(body + zoe + mine, VERIFIER).n == 7
    for name in ("a+b", "a\N{NO-BREAK SPACE}b", "a\x01b", "a\tb", ""):
        assert note_code(body + other.replace(b"witness.example", name.encode()) + mine) is NoteCode.FORM
    assert note_code(body + other) is NoteCode.SIGNER
    assert note_code(body + mine + line_by(SIGNER, "something else\n")) is NoteCode.MISMATCH
    assert open_note(body + other * (MAX_SIGNATURES - 1) + mine, VERIFIER).n == 7
    assert note_code(body + other * MAX_SIGNATURES + mine) is NoteCode.COUNT


NOTES: dict[str, tuple[bytes, NoteCode]] = {
    "nothing": (b"", NoteCode.FORM),
    "no signatures": (b"m-1\n7\n\n", NoteCode.FORM),
    "not UTF-8": (b"\xff" + NOTE, NoteCode.FORM),
    "CR LF": (NOTE.replace(b"\n", b"\r\n"), NoteCode.FORM),
    "two hyphens": (NOTE.replace("\N{EM DASH}".encode(), b"--"), NoteCode.FORM),
    "en dash": (NOTE.replace("\N{EM DASH}".encode(), "\N{EN DASH}".encode()), NoteCode.FORM),
    "no name": (NOTE.replace(b" club.example/referee ", b"  "), NoteCode.FORM),
    "too large": (b"a" * MAX_NOTE + NOTE, NoteCode.FORM),
}


@pytest.mark.parametrize("case", NOTES)
def test_what_is_no_note(case: str) -> None:
    data, code = NOTES[case]
    assert note_code(data) is code


@pytest.mark.parametrize(
    "text",
    [
        ANSWER,
        f"m-1\n07\n{base64_root(ROOT)}\n",
        f"m-1\n-7\n{base64_root(ROOT)}\n",
        f"m-1\n7\n{base64_root(ROOT)[:-1]}\n",
        f"m-1\n7\n{base64_root(ROOT)[:-2]}9=\n",
        f"\n7\n{base64_root(ROOT)}\n",
        f"m 1\n7\n{base64_root(ROOT)}\n",
        f"m-1\n7\n{base64_root(ROOT)}\nextension\n",
        f"m-1\n7\n{base64_root(ROOT)}",
    ],
)
def test_a_signed_text_that_is_no_checkpoint(text: str) -> None:
    with pytest.raises(ValueError, match="checkpoint"):
        parse_checkpoint(text)
    if text.endswith("\n"):
        assert note_code(f"{text}\n".encode() + line_by(SIGNER, text)) is NoteCode.FORM


def test_a_checkpoint_is_read_back() -> None:
    for n in (0, 1, 10, 2**53 - 1):
        assert parse_checkpoint(checkpoint("m-1", n, ROOT)) == Checkpoint("m-1", n, ROOT)


def test_no_note_is_made_of_what_is_none() -> None:
    good = SEAL.sig[0][1]
    broken: list[list[tuple[str, str]]] = [[], [("a b", good)], [("a\n", good)], [("a", "A\n")], [("a", "AAAA")]]
    for sig in broken:
        with pytest.raises(NoteError):
            render(replace(SEAL, sig=sig), "m-1")


def test_every_code_is_used() -> None:
    used = {code for cases in (KEYS, PRIVATE_KEYS, SIGNATURES, NOTES) for _, code in cases.values()}
    elsewhere = {NoteCode.WEAK_KEY, NoteCode.COUNT}
    assert used | elsewhere | {NoteCode.BASE64} == set(NoteCode)


def test_a_copy_of_a_signer_signs_alike() -> None:
    assert copy.copy(SIGNER).sign("a\n") == SIGNER.sign("a\n")
