"""The shuffle: known answers, a second implementation, and what must hold for every seed."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.cards import NAMES, PACK_SIZE
from referee.deal import (
    STREAM_SIZE,
    Deals,
    StreamExhausted,
    commit,
    draw_below,
    fisher_yates,
    hkdf_expand,
    hkdf_extract,
)

ROOT = Path(__file__).parents[1]
VECTORS = ROOT / "fixtures" / "deals"
PACKS: list[dict[str, Any]] = json.loads((VECTORS / "packs.json").read_text())
DRAWS: list[dict[str, Any]] = json.loads((VECTORS / "draws.json").read_text())

SEED = bytes(range(32))
secrets = st.binary(min_size=32, max_size=32)
entropies = st.lists(st.none() | secrets, max_size=8)
names = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=128)
u32 = st.integers(0, 2**32 - 1)


def deals_of(vector: dict[str, Any]) -> Deals:
    entropy = [None if e is None else bytes.fromhex(e) for e in vector["entropy"]]
    return Deals(bytes.fromhex(vector["seed"]), vector["deals"], entropy)


@pytest.mark.parametrize("vector", PACKS, ids=lambda v: v["about"])
def test_known_packs(vector: dict[str, Any]) -> None:
    deal = deals_of(vector).deal(vector["round"], vector["try"])
    assert commit(bytes.fromhex(vector["seed"])) == vector["commit"]
    assert deal.stream_head(32).hex() == vector["stream_head"]
    assert [NAMES[card] for card in deal.pack] == vector["pack"]
    for salt in vector["salts"]:
        assert deal.salt(salt["match"], salt["index"]) == salt["salt"]


@pytest.mark.parametrize("vector", DRAWS, ids=lambda v: v["about"])
def test_known_draws(vector: dict[str, Any]) -> None:
    data = bytes.fromhex(vector["bytes"])
    stream = iter(data)
    if vector["value"] is None:
        with pytest.raises(StreamExhausted):
            draw_below(vector["m"], stream)
        assert vector["rejected"] == len(data)
    else:
        assert draw_below(vector["m"], stream) == vector["value"]
        assert len(data) - 1 - len(list(stream)) == vector["rejected"]


def test_the_vectors_cover_what_they_should() -> None:
    assert len(PACKS) >= 12
    assert any(None in v["entropy"] for v in PACKS)
    assert any(v["try"] > 1 for v in PACKS)
    assert any(v["round"] == 0 for v in PACKS)
    assert len({tuple(v["pack"]) for v in PACKS}) == len(PACKS)


def test_a_second_implementation_agrees() -> None:
    node = shutil.which("node")
    if node is None:
        if os.environ.get("CI") == "true":
            pytest.fail("node is missing, and in CI the second implementation must run")
        pytest.skip("node is not installed: tests/foreign/deal.mjs was not run")
    done = subprocess.run(
        [node, ROOT / "tests" / "foreign" / "deal.mjs", VECTORS],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].endswith(" passed, 0 failed")


def test_hkdf_is_that_of_rfc_5869() -> None:
    """Appendix A.1."""
    prk = hkdf_extract(bytes(range(13)), b"\x0b" * 22)
    assert prk.hex() == "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5"
    stream = bytes(hkdf_expand(prk, bytes(range(0xF0, 0xFA))))
    assert stream[:42].hex() == ("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")
    assert len(stream) == STREAM_SIZE


@given(st.integers(1, 256), st.binary(max_size=64))
def test_draws_stay_below(m: int, data: bytes) -> None:
    try:
        assert 0 <= draw_below(m, iter(data)) < m
    except StreamExhausted:
        assert all(byte >= 256 - 256 % m for byte in data)


@pytest.mark.parametrize("m", range(1, 257))
def test_draws_favour_no_number(m: int) -> None:
    counts = [0] * m
    for byte in range(256):
        try:
            counts[draw_below(m, iter((byte,)))] += 1
        except StreamExhausted:
            continue
    assert set(counts) == {256 // m}


def test_every_order_of_three_is_equally_likely() -> None:
    orders = [fisher_yates((a, b), 3) for a in range(255) for b in range(256)]
    assert {orders.count(order) for order in set(orders)} == {len(orders) // 6}


def test_a_short_stream_is_an_error() -> None:
    with pytest.raises(StreamExhausted):
        fisher_yates(b"\x00" * (PACK_SIZE - 2))
    assert sorted(fisher_yates(b"\x00" * (PACK_SIZE - 1))) == list(range(PACK_SIZE))


@given(secrets, names, entropies, u32, u32)
def test_a_pack_is_a_permutation(seed: bytes, name: str, entropy: list[bytes | None], round_: int, try_: int) -> None:
    deals = Deals(seed, name, entropy)
    deal = deals.deal(round_, try_)
    assert sorted(deal.pack) == list(range(PACK_SIZE))
    assert deal.pack == deals.deal(round_, try_).pack


@given(secrets, names, entropies, st.integers(0, 1000), st.integers(1, 1000))
def test_every_input_matters(seed: bytes, name: str, entropy: list[bytes | None], round_: int, try_: int) -> None:
    pack = Deals(seed, name, entropy).deal(round_, try_).pack
    others = [
        Deals(seed, name, entropy).deal(round_ + 1, try_),
        Deals(seed, name, entropy).deal(round_, try_ + 1),
        Deals(seed, f"{name}x", entropy).deal(round_, try_),
        Deals(seed, name, [*entropy, None]).deal(round_, try_),
        Deals(bytes((seed[0] ^ 1, *seed[1:])), name, entropy).deal(round_, try_),
    ]
    assert pack not in [other.pack for other in others]


def test_salts_differ_by_match_line_and_deal() -> None:
    deals = Deals(SEED, "d")
    salts = {
        deals.deal(round_, 1).salt(match, index) for round_ in (1, 2) for match in ("a", "b") for index in range(100)
    }
    assert len(salts) == 400
    assert all(len(salt) == 32 and int(salt, 16) >= 0 for salt in salts)


def test_every_card_comes_to_every_place() -> None:
    deals = Deals(SEED, "places")
    packs = [deals.deal(round_, 1).pack for round_ in range(1, 2001)]
    expected = len(packs) / PACK_SIZE
    for place in range(PACK_SIZE):
        counts = [0] * PACK_SIZE
        for pack in packs:
            counts[pack[place]] += 1
        # Chi-square with 31 degrees of freedom stays below 80 with probability 0.999997.
        assert sum((count - expected) ** 2 / expected for count in counts) < 80


def test_secrets_of_the_wrong_size_are_refused_and_not_quoted() -> None:
    secret = b"\xaa\xbb" * 8
    for broken in (
        lambda: commit(secret),
        lambda: Deals(secret, "d"),
        lambda: Deals(SEED, "d", [SEED, secret]),
    ):
        with pytest.raises(ValueError, match="16 bytes, expected 32") as caught:
            broken()
        assert "aabb" not in str(caught.value)
        assert repr(secret) not in str(caught.value)


def test_no_secret_in_a_repr() -> None:
    deals = Deals(SEED, "the-name")
    assert repr(deals) == "<Deals the-name>"
    assert repr(deals.deal(1, 1)) == "<Deal>"
