"""The gate that every line passes: good lines, each code, and lines made to break it."""

import json
import time
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from referee.game.records import Confess, Play, Record
from referee.log.canonical import MAX_INTEGER, LineError, Unsupported, encode, encode_value
from referee.log.codes import BYTES, LINE_CODES, SCHEMA
from referee.log.reader import RawLine, decode, decode_bytes
from referee.log.records import MAX_LINE, Head, HeadSeat
from tests.log.conftest import BASE64, HASH, SALT, one_of_each

SAMPLES = [encode(record) for record in one_of_each()]
HEAD: dict[str, Any] = json.loads(SAMPLES[0])


def head(**changes: Any) -> bytes:
    """The sample head with other values; None leaves a field out."""
    return encode_value({key: value for key, value in {**HEAD, **changes}.items() if value is not None})


def refused(got: str | None, code: str = "R-PLAY-02", seat: int = 1) -> bytes:
    quoted = f'"got":{got},' if got else ""
    return f'{{"_":"refused","at":1,"code":"{code}",{quoted}"salt":"{SALT}","seat":{seat}}}'.encode()


def conduct_without(name: str) -> dict[str, Any]:
    return {key: value for key, value in HEAD["conduct"].items() if key != name}


def play(tail: str) -> bytes:
    return f'{{"_":"play","card":"Th",{tail}}}'.encode()


def test_good_lines_pass(any_record: Record) -> None:
    line = encode(any_record)
    assert decode(RawLine(0, 0, line, True)) == any_record
    assert encode(decode_bytes(line)) == line


@pytest.mark.parametrize(
    "line",
    [
        play('"seat":1,"x_":0,"x_a":-3,"x_b":"why \\" \\\\"'),
        head(x_note="hello"),
        head(seats=[{"bot": "é"}, {"bot": "丁丁"}]),
        head(seats=[{"bot": "a" * 64}, {"bot": '"\\'}]),
        head(length="game"),
        head(clock="none", engine=None),
        refused(None, code="too_large"),
        play(f'"ms":{MAX_INTEGER},"seat":7'),
        b'{"_":"score","points":[-1,0],"total":[-3,0]}',
    ],
)
def test_other_good_lines_pass(line: bytes) -> None:
    decode_bytes(line)


FAULTS: list[tuple[str, bytes, str]] = [
    ("E001", play('"seat":1,"x_a":"\xff"').replace(b"\xc3\xbf", b"\xff"), ""),
    ("E001", b"\xff\xfe{\x00", ""),
    ("E001", b'{"_":"ruling","why":"\xed\xa0\x80"}', ""),
    ("E002", b'\xef\xbb\xbf{"_":"void","why":"crash"}', ""),
    ("E003", b'{"_":"void","why":"crash"}\r', ""),
    ("E003", b"\r", ""),
    ("E004", b"", ""),
    ("E004", b" \t", ""),
    ("E005", b'{"_":"ruling","why":"' + b"a" * MAX_LINE + b'"}', ""),
    ("E005", b"[" * (MAX_LINE + 1), ""),
    ("E006", b"{", ""),
    ("E006", b'{"_"', "/_"),
    ("E006", b'{"_":', "/_"),
    ("E006", b'{"_":"void"', ""),
    ("E006", b'{"_":"void",}', ""),
    ("E006", b'{"_":"void"]', ""),
    ("E006", b'{"_":"void', "/_"),
    ("E006", b'{"_', ""),
    ("E006", b'{"_":"void","why":"crash"}{}', ""),
    ("E006", b"{_:1}", ""),
    ("E006", play('"seat":NaN'), "/seat"),
    ("E006", play('"seat":-Infinity'), "/seat"),
    ("E006", play('"seat":1-1'), "/seat"),
    ("E006", play('"seat":1.'), "/seat"),
    ("E006", play('"seat":True'), "/seat"),
    ("E006", "{é}".encode(), ""),
    ("E007", b"[]", ""),
    ("E007", b"7", ""),
    ("E007", b'"head"', ""),
    ("E008", b' {"_":"void","why":"crash"}', ""),
    ("E008", b'{"_":"void","why":"crash"} ', ""),
    ("E008", b'{"_": "void","why":"crash"}', ""),
    ("E008", b'{"_":"void" ,"why":"crash"}', ""),
    ("E008", b'{"_":"void",\n"why":"crash"}', ""),
    ("E008", b'{"_":"auto","seats":[0, 1]}', ""),
    ("E009", b'{"why":"crash","_":"void"}', "/_"),
    ("E009", play('"x_b":1,"x_a":1').replace(b'"card"', b'"b"'), "/x_a"),
    ("E009", refused('{"_":"play","seat":1,"card":"Th"}'), "/got/card"),
    ("E010", play('"seat":1,"seat":1'), "/seat"),
    ("E010", play('"seat":1,"card":"Th"'), "/card"),
    ("E011", play('"seat":1,"Seat":1'), ""),
    ("E011", play('"seat":1,"x-a":1'), ""),
    ("E011", play('"se\\u0061t":1'), ""),
    ("E011", b'{"":1}', ""),
    ("E011", '{"é":1}'.encode(), ""),
    ("E012", b'{"_":"ruling","why":"\\n"}', "/why"),
    ("E012", b'{"_":"ruling","why":"\\/"}', "/why"),
    ("E012", b'{"_":"ruling","why":"\\u0041"}', "/why"),
    ("E012", b'{"_":"ruling","why":"\\ud800"}', "/why"),
    ("E012", b'{"_":"ruling","why":"\\u0000"}', "/why"),
    ("E012", f'{{"_":"seal","n":1,"root":"{BASE64}","sig":[["\\u0001",""]]}}'.encode(), "/sig/0/0"),
    ("E013", b'{"_":"score","points":[-0,0],"total":[0,0]}', "/points/0"),
    ("E013", play('"seat":01'), "/seat"),
    ("E013", play('"seat":+1'), "/seat"),
    ("E014", play('"seat":1.0'), "/seat"),
    ("E014", play('"seat":1e0'), "/seat"),
    ("E014", play('"seat":1E999999999'), "/seat"),
    ("E015", play(f'"seat":{2**53}'), "/seat"),
    ("E015", play(f'"seat":-{2**53}'), "/seat"),
    ("E015", play('"seat":' + "9" * 10000), "/seat"),
    ("E015", play(f'"seat":1,"x_a":{2**64}'), "/x_a"),
    ("E016", play('"seat":' + "[" * 8 + "]" * 8), "/seat" + "/0" * 7),
    ("E016", b'{"a":' * 3000, "/a" * 8),
    ("E016", b"[" * MAX_LINE, "/0" * 8),
    ("E017", '{"_":"ruling","why":"é"}'.encode(), "/why"),
    ("E017", b'{"_":"ruling","why":"\x7f"}', "/why"),
    ("E017", b'{"_":"ruling","why":"\t"}', "/why"),
    ("E017", b'{"_":"ruling","why":"\x00"}', "/why"),
    ("E017", play('"seat":1,"x_a":"é"'), "/x_a"),
    ("E017", head(event="é"), "/event"),
    ("E017", f'{{"_":"seal","n":1,"root":"{BASE64}","sig":[["é",""]]}}'.encode(), "/sig/0/0"),
    ("E018", play('"ms":null,"seat":1'), "/ms"),
    ("E018", b'{"_":"entropy","e":null}', "/e"),
    ("E018", b"null", ""),
    ("E018", play('"seat":1,"x_a":null'), "/x_a"),
    ("E019", head(seats=[{"bot": "a"}, {"bot": "Zoe\u0308"}]), "/seats/1/bot"),
    ("E019", head(seats=[{"bot": "a\u202eb"}, {"bot": "b"}]), "/seats/0/bot"),
    ("E019", head(seats=[{"bot": "a\x7f"}, {"bot": "b"}]), "/seats/0/bot"),
    ("E101", b'{"_":"chat","text":"hello"}', "/_"),
    ("E101", b'{"_":""}', "/_"),
    ("E101", refused('{"_":"wave","seat":1}'), "/got/_"),
    ("E102", head(fmt="toep/1"), "/fmt"),
    ("E102", head(fmt="toep/9", rules={"new": 1}, y="new"), "/fmt"),
    ("E103", head(edition=2), "/edition"),
    ("E103", head(edition=2, rules=None), "/edition"),
    ("E104", head(shuffle="other/1"), "/shuffle"),
    ("E105", b"{}", "/_"),
    ("E105", b'{"seat":1}', "/_"),
    ("E105", b'{"_":7}', "/_"),
    ("E105", b'{"_":["head"]}', "/_"),
    ("E106", b'{"_":"play","card":"Th"}', "/seat"),
    ("E106", head(fmt=None), "/fmt"),
    ("E106", head(conduct=conduct_without("tries")), "/conduct/tries"),
    ("E106", head(conduct={}), "/conduct/act_ms"),
    ("E106", head(seats=[{"bot": "a"}, {"key": "k"}]), "/seats/1/bot"),
    ("E106", head(length={}), "/length/rounds"),
    ("E106", b'{"_":"toep","seat":1}', "/stake"),
    ("E106", b'{"_":"blind","seat":1}', "/stake"),
    ("E106", b'{"_":"fold","seat":1,"x_a":1}', "/pay"),
    ("E106", b'{"_":"challenge","genuine":true,"seat":1}', "/shown"),
    ("E106", b'{"_":"discard","cards":["Th"],"seat":1}', "/salt"),
    ("E106", refused('{"card":"Th","seat":1}'), "/got/_"),
    ("E107", play('"note":1,"seat":1'), "/note"),
    ("E107", b'{"_":"trick","seat":1,"win":1}', "/seat"),
    ("E107", head(seats=[{"bot": "a"}, {"bot": "b", "x_a": 1}]), "/seats/1/x_a"),
    ("E107", head(rules={**HEAD["rules"], "new": 1}), "/rules/new"),
    ("E108", play('"seat":8'), "/seat"),
    ("E108", play('"seat":"1"'), "/seat"),
    ("E108", play('"seat":true'), "/seat"),
    ("E108", b'{"_":"play","card":"1h","seat":1}', "/card"),
    ("E108", b'{"_":"play","card":["Th"],"seat":1}', "/card"),
    ("E108", b'{"_":"draw","cards":[[0,"Th"],[1]]}', "/cards/1"),
    ("E108", b'{"_":"draw","cards":[[0,"Th"],[1,"XX"]]}', "/cards/1/1"),
    ("E108", b'{"_":"reveal","seed":"AB"}', "/seed"),
    ("E108", b'{"_":"~","hash":"' + b"B" * 43 + b'="}', "/hash"),
    ("E108", head(fmt=7), "/fmt"),
    ("E108", head(edition="1"), "/edition"),
    ("E108", head(length="match"), "/length"),
    ("E108", head(length=7), "/length"),
    ("E108", head(match="two words"), "/match"),
    ("E108", head(seats=[{"bot": ""}, {"bot": "b"}]), "/seats/0/bot"),
    ("E108", head(seats=[{"bot": "é" * 65}, {"bot": "b"}]), "/seats/0/bot"),
    ("E108", head(seats=[{"bot": "a"}]), "/seats"),
    ("E108", head(rules={**HEAD["rules"], "limit": 0}), "/rules/limit"),
    ("E108", b'{"_":"entropy","e":[null,"ff"]}', "/e/1"),
    ("E108", refused('{"_":"score","points":[0,0],"total":[0,0]}'), "/got/_"),
    ("E108", refused('{"_":"stay","seat":2}'), "/got/seat"),
    ("E108", refused('{"_":"stay","seat":1}', code="other"), "/code"),
    ("E109", f'{{"_":"~","hash":"{BASE64}","x_a":1}}'.encode(), "/x_a"),
    ("E109", f'{{"_":"seal","n":1,"root":"{BASE64}","sig":[],"x_a":1}}'.encode(), "/x_a"),
    ("E109", f'{{"_":"discard","cards":["Th"],"salt":"{SALT}","seat":1,"x_a":1}}'.encode(), "/x_a"),
    ("E109", f'{{"_":"cards","cards":["Th"],"salt":"{SALT}","seat":1,"why":"deal","x_a":1}}'.encode(), "/x_a"),
    ("E109", refused('{"_":"stay","seat":1}')[:-1] + b',"x_a":1}', "/x_a"),
    ("E110", play('"seat":1,"x_a":true'), "/x_a"),
    ("E110", play('"seat":1,"x_a":[1]'), "/x_a"),
    ("E110", play('"seat":1,"x_a":{}'), "/x_a"),
    ("E111", b'{"_":"stay","by":"ref","ms":1,"seat":1}', "/ms"),
    ("E111", f'{{"_":"discard","by":"ref","cards":["Th"],"ms":1,"salt":"{SALT}","seat":1}}'.encode(), "/ms"),
    ("E112", refused(None), "/got"),
    ("E112", refused('{"_":"stay","seat":1}', code="unknown"), "/got"),
    ("E113", refused('{"_":"toep","seat":1,"stake":2}'), "/got/stake"),
    ("E113", refused('{"_":"fold","pay":2,"seat":1}'), "/got/pay"),
    ("E113", refused('{"_":"stay","by":"ref","seat":1}'), "/got/by"),
    ("E113", refused('{"_":"stay","ms":2,"seat":1}'), "/got/ms"),
    ("E113", refused('{"_":"confess","card":"Th","seat":1}'), "/got/card"),
    ("E113", refused(f'{{"_":"discard","cards":["Th"],"salt":"{SALT}","seat":1}}'), "/got/salt"),
    ("E114", f'{{"_":"discard","cards":["Th"],"ms":1,"salt":"{SALT}","seat":1}}'.encode(), "/ms"),
    ("E115", head(clock="none"), "/engine"),
]


@pytest.mark.parametrize(
    ("code", "line", "pointer"), FAULTS, ids=[f"{code}-{n}" for n, (code, _, _) in enumerate(FAULTS)]
)
def test_each_fault_has_its_code_and_place(code: str, line: bytes, pointer: str) -> None:
    with pytest.raises(LineError) as caught:
        decode_bytes(line)
    error = caught.value
    assert (error.code, error.pointer) == (code, pointer)
    assert isinstance(error, Unsupported) == (code in {"E101", "E102", "E103", "E104"})
    assert str(error).isascii()
    assert len(str(error)) < 400
    assert max(len(error.expected), len(error.actual)) <= 100
    if error.byte is not None:
        assert 0 <= error.byte <= len(line)


def test_a_torn_line_is_told_apart() -> None:
    with pytest.raises(LineError) as caught:
        decode(RawLine(9, 900, SAMPLES[3], False))
    assert caught.value.code == "E020"
    with pytest.raises(LineError) as caught:
        decode(RawLine(9, 900, b"a" * (MAX_LINE + 1), False))
    assert caught.value.code == "E005"


def test_every_code_is_raised_and_explained() -> None:
    assert {code for code, _, _ in FAULTS} | {"E020"} == set(LINE_CODES)
    assert all(code.startswith("E0") for code in BYTES)
    assert all(code.startswith("E1") for code in SCHEMA)
    assert list(LINE_CODES) == sorted(LINE_CODES)
    assert len({entry.title for entry in LINE_CODES.values()}) == len(LINE_CODES)
    for entry in LINE_CODES.values():
        assert entry.explanation.endswith(".")
        assert "\n" not in entry.explanation


def test_an_error_says_what_was_expected_and_what_was_there() -> None:
    with pytest.raises(LineError) as caught:
        decode_bytes(play('"seat":8'))
    assert (caught.value.expected, caught.value.actual) == ("int <= 7", "8")
    with pytest.raises(LineError) as caught:
        decode_bytes(b'{"_":"void", "why":"crash"}')
    assert caught.value.byte == 12
    assert str(caught.value) == "E008 line: white space outside a string"


def test_bytes_count_utf_8() -> None:
    line = head(seats=[{"bot": "é"}, {"bot": "b"}])[:-1] + b" }"
    with pytest.raises(LineError) as caught:
        decode_bytes(line)
    assert caught.value.byte == len(line) - 2


def test_extensions_are_no_part_of_the_record() -> None:
    assert decode_bytes(play('"seat":1,"x_a":1')) == Play(card="Th", seat=1)


def test_a_confession_has_no_field_of_its_own() -> None:
    decode_bytes(refused('{"_":"confess","seat":1}'))
    assert decode_bytes(b'{"_":"confess","pay":1,"seat":1}') == Confess(pay=1, seat=1)


def survives(line: bytes) -> None:
    """The line is refused with a known code, or it is the one spelling of what it decodes to."""
    try:
        record = decode_bytes(line)
    except LineError as error:
        code, text = error.code, str(error)
    else:
        plain = json.loads(line)
        assert encode_value(plain) == line
        known = {key: value for key, value in plain.items() if not key.startswith("x_")}
        assert json.loads(encode(record)) == known
        return
    assert code in LINE_CODES
    assert text.isascii()


@given(st.binary(max_size=200))
@example(b'{"_":"reveal","seed":"\\ud800"}')
@example(b"[" * MAX_LINE)
@example(b'{"zz":' * 2700)
@example(b'{"_":"play","ms":' + b"9" * 5000 + b"}")
@example(b'{"_":"play","ms":1e999}')
@example(b'"' + b"\\" * 16000)
@example(b"-" * 16000)
@example(b"\x00" * 100)
def test_random_bytes(line: bytes) -> None:
    survives(line)


@given(st.text(st.sampled_from('{}[]",:\\_x0129-+.eEtrufalsn \t\n\x00é\ud7ff'), max_size=60))
def test_random_tokens(text: str) -> None:
    survives(text.encode())


@given(
    st.sampled_from(SAMPLES),
    st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 3), st.binary(min_size=1, max_size=3)), max_size=4),
)
def test_mutated_lines(line: bytes, edits: list[tuple[int, int, bytes]]) -> None:
    for place, drop, put in edits:
        at = place % (len(line) + 1)
        line = line[:at] + put + line[at + drop :]
    survives(line)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["Th", HASH, "play"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("_abc"), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(SAMPLES), st.data())
def test_mutated_values(line: bytes, data: st.DataObject) -> None:
    fields = json.loads(line)
    key = data.draw(st.sampled_from([*fields, "x_a", "new"]))
    fields[key] = data.draw(json_values)
    survives(json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=data.draw(st.booleans())).encode())


def test_every_byte_of_every_line_counts(any_record: Record) -> None:
    line = encode(any_record)
    for at in range(len(line)):
        survives(line[:at])
        survives(line[:at] + line[at + 1 :])
        for bit in (1, 2, 16, 32, 128):
            survives(line[:at] + bytes((line[at] ^ bit,)) + line[at + 1 :])


@pytest.mark.parametrize(
    "line",
    [
        b'{"_":"ruling","why":"' + b'\\"' * 8000 + b'"}',
        b'{"_":"ruling","why":"' + b"\\\\" * 8000,
        b'{"_":"auto","seats":[' + b"0," * 8000 + b"0]}",
        b"{" + b",".join(b'"x_%04d":1' % n for n in range(1400)) + b"}",
        "{}".join(['{"_":"ruling","why":"', '"}']).replace("{}", "é" * 8000).encode(),
    ],
)
def test_the_worst_lines_take_bounded_time(line: bytes) -> None:
    start = time.process_time()
    survives(line)
    assert time.process_time() - start < 1


@pytest.mark.parametrize("name", ["a\u200bb", "e\u0301", "a\x07"])
def test_a_bad_name_does_not_pass_because_it_round_trips(name: str) -> None:
    record = decode_bytes(SAMPLES[0])
    assert isinstance(record, Head)
    line = encode(msgspec.structs.replace(record, seats=[HeadSeat(bot=name), HeadSeat(bot="b")]))
    with pytest.raises(LineError) as caught:
        decode_bytes(line)
    assert caught.value.code in {"E012", "E019"}
