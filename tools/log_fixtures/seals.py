"""L5: roots and signatures."""

import hashlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from typing import Final

from tests.support.forge import lines
from tools.log_fixtures.base import KEY, OTHER, WRONG_ROOT, Fixture
from tools.log_fixtures.changes import RULING, Change, Records, _at, at_line, bad, both, drop, insert, put, record
from tools.log_fixtures.logs import quiet
from tools.log_fixtures.more_logs import ruled_sealed, signed_quiet
from tools.log_fixtures.play import spell

BASE_POINT_ORDER: Final = 2**252 + 27742317777372353535851937790883648493


def seal_logs() -> Iterator[Fixture]:
    """E5xx: seals and signatures."""
    log, signed = quiet(), signed_quiet()
    yield bad(
        "E501-more",
        "`n` in the first seal is one too many.",
        log,
        put("seal", n=2, root=lines(log)[1]["root"]),
        keep=(1,),
    )
    yield bad("E501-dropped", "A ruling was taken out, and the seals were left as they were.", ruled_sealed(),
        at_line(drop("ruling"), "seal", 1), keep=tuple(range(1000)))  # fmt: skip
    yield bad("E502-name", "A display name was changed afterwards.", log,
        at_line(put("head", seats=[{"bot": "bot X"}, {"bot": "bot 1"}]), "seal"), keep=tuple(range(1000)))  # fmt: skip
    yield bad(
        "E502-last",
        "The last seal has another root.",
        log,
        put("seal", 3, root=WRONG_ROOT),
        keep=(len(lines(log)) - 1,),
    )
    yield bad(
        "E502-shape",
        "A root of a tree that is put together in another way.",
        log,
        _flat_root,
        keep=(_at([*lines(log)], "seal", 1),),
    )
    yield bad("E503-first", "The first seal is not signed.", signed, put("seal", sig=[]))
    yield bad("E503-last", "The last seal is not signed.", signed, put("seal", 3, sig=[]))
    yield bad("E504-two", "Two signatures.", signed, lambda records: put(
        "seal", sig=record(records, "seal")["sig"] * 2)(records))  # fmt: skip
    key_name, key_id, key_text = KEY.vkey.split("+", 2)
    for name, key, about in (
        ("id", f"{key_name}+00000000+{key_text}", "a key whose id belongs to another one"),
        ("form", "some-key", "not a key at all"),
        ("short", f"{key_name}+{key_id}+AAAA", "a key that is too short"),
        ("type", _vkey(b"\x02" + bytes(31) + b"\x01"), "a key of another type"),
        ("small-order", _vkey(b"\x01" + b"\x01" + bytes(31)), "a public key of small order"),
        (
            "not-canonical",
            _vkey(b"\x01" + b"\xee" + b"\xff" * 30 + b"\x7f"),
            "a public key that is not spelled canonically",
        ),
    ):
        yield bad(f"E505-{name}", f"The head names {about}.", signed, put("head", key=key))
    yield bad("E506-other", "The log is signed throughout, but by another key than the one that is given.", signed,
        put("head", key=OTHER.vkey), signer=OTHER, key=KEY.vkey)  # fmt: skip
    yield bad("E506-none", "The log is not signed, and a key is given.", log, lambda records: 1, key=KEY.vkey)
    yield bad(
        "E507-id",
        "Every seal is signed by another key of the same name.",
        signed,
        at_line(put("head"), "seal"),
        signer=OTHER,
    )
    yield bad("E507-name", "The name in a signature is another one.", signed, lambda records: put(
        "seal", sig=[["someone-else", record(records, "seal")["sig"][0][1]]])(records))  # fmt: skip
    yield bad(
        "E508-bit",
        "One bit of a signature is another.",
        signed,
        _signature(lambda data: data[:9] + bytes([data[9] ^ 1]) + data[10:]),
    )
    yield bad("E508-other-seal", "The signature of another seal.", signed, lambda records: put(
        "seal", 1, sig=record(records, "seal")["sig"])(records))  # fmt: skip
    yield bad("E508-changed", "A ruling was added and every root made right, without the key.", signed, at_line(
        insert("round", RULING), "seal", 1))  # fmt: skip
    yield bad(
        "E508-match", "The same seals under another match id.", signed, at_line(put("head", match="other"), "seal")
    )
    for name, text in (("base64", "not base64"), ("short", "AAAA"), ("spaces", "")):
        yield bad(f"E509-{name}", "What stands there is no signature.", signed, put("seal", sig=[[key_name, text]]))
    yield bad("E509-length", "A signature of 63 bytes.", signed, _signature(lambda data: data[:-1]))
    yield bad(
        "E509-s",
        "The s of a signature is not below the order of the base point, which some programs let pass.",
        signed,
        _signature(
            lambda data: data[:36] + (int.from_bytes(data[36:], "little") + BASE_POINT_ORDER).to_bytes(32, "little")
        ),
    )
    yield bad("E509-unpadded", "A signature whose base64 has no padding.", signed, lambda records: put(
        "seal", sig=[[key_name, record(records, "seal")["sig"][0][1].rstrip("=")]])(records))  # fmt: skip
    yield bad("E510-no-key", "A signature, and the head names no key.", signed, both(
        lambda records: 2, put("head", key=None)), signer=KEY)  # fmt: skip


def _flat_root(records: Records) -> int:
    """The root that one gets who carries an odd node up as it would be doubled: as in the trees of Bitcoin."""
    at = _at(records, "seal", 1)
    level = [hashlib.sha256(b"\0" + spell(one)).digest() for one in records[:at] if isinstance(one, dict)]
    while len(level) > 1:
        level += level[-1:] * (len(level) % 2)
        level = [hashlib.sha256(b"\1" + level[i] + level[i + 1]).digest() for i in range(0, len(level), 2)]
    return put("seal", 1, root=b64encode(level[0]).decode(), n=at)(records)


def _vkey(data: bytes) -> str:
    """A key text with the right id, of bytes that are no good key."""
    ident = hashlib.sha256(KEY.name.encode() + b"\n" + data).digest()[:4].hex()
    return f"{KEY.name}+{ident}+{b64encode(data).decode()}"


def _signature(edit: Callable[[bytes], bytes]) -> Change:
    """The first signature is changed."""
    return lambda records: put("seal", sig=[[KEY.name, b64encode(
        edit(b64decode(record(records, "seal")["sig"][0][1]))).decode()]])(records)  # fmt: skip
