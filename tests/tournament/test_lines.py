"""Every key of a TOML text has its line, however it is written."""

import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.tournament.lines import Key, line_of, lines_of

TEXT = '''# a comment = 1
name = "x"   # [not] a table
"quoted key" = 1
dotted . "key.s" . c = 2

list = [
  1,  # one
  "a, ] b",
  { inner = 3, other = [
     4,
     5] },
]
text = """
[not.a.table]
not_a_key = 1
"""
raw = \'\'\'
[[nor.this]]
\'\'\'
matrix = [[1, 2], [3]]
when = 2020-01-01T00:00:00Z
real = 1.5
[table]
x = 1
[table.sub]
y.z = { a = 1, b.c = 2 }
[[bots]]
name = "a"
[bots.limits]
memory = 1
[[bots]]

name = "b"
[[bots.parts]]
p = 1
'''

LINES: dict[Key, int] = {
    ("name",): 2,
    ("quoted key",): 3,
    ("dotted", "key.s", "c"): 4,
    ("list",): 6,
    ("list", 0): 7,
    ("list", 1): 8,
    ("list", 2, "inner"): 9,
    ("list", 2, "other"): 9,
    ("list", 2, "other", 1): 11,
    ("text",): 13,
    ("raw",): 17,
    ("matrix", 1, 0): 20,
    ("when",): 21,
    ("real",): 22,
    ("table",): 23,
    ("table", "x"): 24,
    ("table", "sub", "y", "z", "b", "c"): 26,
    ("bots",): 27,
    ("bots", 0, "name"): 28,
    ("bots", 0, "limits"): 29,
    ("bots", 0, "limits", "memory"): 30,
    ("bots", 1): 31,
    ("bots", 1, "name"): 33,
    ("bots", 1, "parts", 0, "p"): 35,
}


def keys(value: object, key: Key = ()) -> set[Key]:
    """The way to every value in a document."""
    found = {key}
    if isinstance(value, dict):
        for name, item in value.items():
            found |= keys(item, (*key, name))
    elif isinstance(value, list):
        for place, item in enumerate(value):
            found |= keys(item, (*key, place))
    return found


def test_every_key_has_its_line() -> None:
    lines = lines_of(TEXT)
    assert {key: lines.get(key) for key in LINES} == LINES
    assert set(lines) == keys(tomllib.loads(TEXT))


def test_windows_line_ends_are_line_ends() -> None:
    assert lines_of(TEXT.replace("\n", "\r\n")) == lines_of(TEXT)


def test_what_has_no_line_has_that_of_what_is_around_it() -> None:
    lines = lines_of(TEXT)
    assert line_of(lines, ("bots", 1, "command")) == 31
    assert line_of(lines, ("bots", 1, "limits", "memory_mb")) == 31
    assert line_of(lines, ("nothing", 3)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "[",
        "[[",
        "a",
        "a = [",
        "a = {b",
        "= = =",
        '"""',
        "[a",
        "]",
        "}",
        "a = ]]}}",
        ",",
        "a = [}",
        "a = {]",
        "a = {,=}",
    ],
)
def test_it_ends_on_what_is_no_toml(text: str) -> None:
    lines_of(text)
    lines_of(text + "\n" + TEXT)


@given(st.text(alphabet="ab=[]{}\"',.#\n \\'1", max_size=60))
@settings(deadline=None)
def test_it_ends_on_anything_and_knows_all_that_is_toml(text: str) -> None:
    lines = lines_of(text)
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    assert keys(document) <= set(lines)
