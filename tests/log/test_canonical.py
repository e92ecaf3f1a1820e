"""The canonical spelling, and extensions."""

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.game.records import Play, Record
from referee.log.canonical import (
    MAX_DEPTH,
    MAX_INTEGER,
    NO_EXTENSIONS,
    Json,
    LineError,
    display_name_fault,
    encode,
    encode_value,
    parse,
    quote,
)

keys = st.from_regex(r"\A[a-z][a-z0-9_]{0,5}\Z")
strings = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=20)
scalars = st.booleans() | st.integers(-MAX_INTEGER, MAX_INTEGER) | strings
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4), max_leaves=12
)


def depth(value: Json) -> int:
    if isinstance(value, dict):
        return 1 + max(map(depth, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(depth, value), default=0)
    return 0


def test_a_record_is_sorted_and_tight(any_record: Record) -> None:
    line = encode(any_record)
    plain = json.loads(line)
    assert line.decode() == json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert line == encode_value(plain)
    assert parse(line) == plain


@given(st.dictionaries(keys, values, max_size=5))
def test_what_is_encoded_is_parsed(fields: dict[str, Json]) -> None:
    line = encode_value(fields)
    if depth(fields) > MAX_DEPTH:
        with pytest.raises(LineError) as caught:
            parse(line)
        assert caught.value.code == "E016"
    else:
        assert parse(line) == fields


@given(st.dictionaries(keys, scalars, min_size=2, max_size=5), st.randoms(use_true_random=False))
def test_any_other_order_is_refused(fields: dict[str, Json], random: Random) -> None:
    order = list(fields)
    random.shuffle(order)
    line = json.dumps({key: fields[key] for key in order}, separators=(",", ":")).encode()
    if order == sorted(order):
        assert parse(line) == fields
    else:
        with pytest.raises(LineError) as caught:
            parse(line)
        assert caught.value.code == "E009"


def test_extensions_are_sorted_in() -> None:
    play = Play(card="Th", seat=1)
    line = encode(play, {"x_b": "why", "x_a": -1})
    assert line == b'{"_":"play","card":"Th","seat":1,"x_a":-1,"x_b":"why"}'
    assert encode(play, {}) == encode(play)


@pytest.mark.parametrize(
    ("extensions", "code"),
    [
        ({"x_a": True}, "E110"),
        ({"x_a": 1.5}, "E110"),
        ({"x_a": None}, "E110"),
        ({"x_a": [1]}, "E110"),
        ({"x_a": 2**53}, "E015"),
        ({"x_a": "\n"}, "E012"),
        ({"x_a": "é"}, "E017"),
        ({"x_A": 1}, "E011"),
        ({"y": 1}, "E107"),
        ({"seat": 1}, "E107"),
        ({"x_a": "a" * 20000}, "E005"),
    ],
)
def test_bad_extensions_are_not_written(extensions: dict[str, int | str], code: str) -> None:
    with pytest.raises(LineError) as caught:
        encode(Play(card="Th", seat=1), extensions)
    assert caught.value.code == code


def test_some_records_have_no_extensions(any_record: Record) -> None:
    if isinstance(any_record, NO_EXTENSIONS):
        with pytest.raises(LineError) as caught:
            encode(any_record, {"x_a": 1})
        assert caught.value.code == "E109"
    else:
        assert b'"x_a":1' in encode(any_record, {"x_a": 1})


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("Jopie", ""),
        ("Zoë", ""),
        ("丁丁 🂡", ""),
        ("Zoe\u0308", "normalization"),
        ("a\u200bb", "Cf"),
        ("a\tb", "Cc"),
        ("a\x7fb", "Cc"),
        ("a\u2028b", "Zl"),
        ("a\u2029b", "Zp"),
        ("a\ue000b", "Co"),
        ("a\U000e0fffb", "Cn"),
        ("a\ud800b", "Cs"),
    ],
)
def test_display_names(name: str, fault: str) -> None:
    assert fault in display_name_fault(name)
    assert bool(display_name_fault(name)) == bool(fault)


def test_quotes_are_short_and_printable() -> None:
    assert quote("é\n") == '"\\xe9\\\\n"'
    assert len(quote("a" * 1000)) == 80
    assert quote({"b": 1, "a": [True, None]}) == '{"a":[true,null],"b":1}'
