"""Where each key of a TOML text stands: `tomllib` reads values, but forgets their lines.

Only for texts that `tomllib` has accepted; of others this says anything or nothing, but ends.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

Key = tuple[str | int, ...]
"""The way to a value: names of keys, and places in lists from 0."""

_TOKEN: Final = re.compile(
    r'(?P<string>"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\')'
    r"|(?P<blank>[ \t\r]+|\#[^\n]*)|(?P<line>\n)|(?P<mark>\[\[|\]\]|[\[\]{}=,.])|(?P<word>[^\s\"'#\[\]{}=,.]+|.)",
    re.DOTALL,
)
_BRACKETS: Final = {"[[": ("[", "["), "]]": ("]", "]")}


class _Token(NamedTuple):
    kind: str
    text: str
    line: int


def lines_of(text: str) -> dict[Key, int]:
    """The line (from 1) of every key, table and element of a list; the whole file, ``()``, is line 1."""
    found: dict[Key, int] = {(): 1}
    tokens = _Tokens(text)
    table: Key = ()
    while (token := tokens.peek()) is not None:
        if token.kind == "line":
            tokens.take()
        elif token.text == "[":
            table = _header(tokens, found)
        else:
            _pair(tokens, table, found)
    return found


def line_of(lines: Mapping[Key, int], key: Key) -> int:
    """The line of a key, or of the nearest thing around it that has one."""
    while key not in lines:
        key = key[:-1]
    return lines[key]


class _Tokens:
    def __init__(self, text: str) -> None:
        self._rest = list(_split(text))
        self._rest.reverse()

    def peek(self) -> _Token | None:
        return self._rest[-1] if self._rest else None

    def take(self) -> _Token | None:
        return self._rest.pop() if self._rest else None

    def is_next(self, *texts: str) -> bool:
        token = self.peek()
        return token is not None and token.kind in ("mark", "line") and token.text in texts


def _split(text: str) -> Iterator[_Token]:
    line = 1
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup or ""
        if kind != "blank":
            for part in _BRACKETS.get(found[0], (found[0],)) if kind == "mark" else (found[0],):
                yield _Token(kind, part, line)
        line += found[0].count("\n")


def _header(tokens: _Tokens, found: dict[Key, int]) -> Key:
    """``[a.b]`` or ``[[a.b]]``, up to the end of its line."""
    first = tokens.take()
    many = tokens.is_next("[")
    if many:
        tokens.take()
    names = _name(tokens, "]")
    while tokens.peek() is not None and not tokens.is_next("\n"):
        tokens.take()
    table: Key = ()
    line = first.line if first else 1
    for name in names[:-1]:
        table = _last(found, _mark(found, (*table, name), line))
    table = _mark(found, (*table, *names[-1:]), line)
    if many:
        place = 0
        while (*table, place) in found:
            place += 1
        table = _mark(found, (*table, place), line)
    return table


def _last(found: dict[Key, int], table: Key) -> Key:
    """A name of a list of tables means its last one."""
    place = 0
    while (*table, place) in found:
        place += 1
    return (*table, place - 1) if place else table


def _pair(tokens: _Tokens, table: Key, found: dict[Key, int]) -> None:
    """``a.b = value``, without what follows it."""
    start = tokens.peek()
    line = start.line if start else 1
    for name in _name(tokens, "="):
        table = _mark(found, (*table, name), line)
    tokens.take()
    _value(tokens, table, found)


def _name(tokens: _Tokens, end: str) -> list[str]:
    """The parts of a dotted key, up to ``end``."""
    parts: list[str] = []
    while (token := tokens.peek()) is not None and not tokens.is_next(end) and token.kind != "line":
        tokens.take()
        if token.kind == "string":
            parts.append(_string(token.text))
        elif token.kind == "word":
            parts.append(token.text)
    return parts


def _string(text: str) -> str:
    try:
        return str(tomllib.loads(f"x = {text}")["x"])
    except tomllib.TOMLDecodeError:
        return text


def _value(tokens: _Tokens, key: Key, found: dict[Key, int]) -> None:
    if tokens.is_next("["):
        tokens.take()
        place = 0
        while (token := tokens.peek()) is not None and not tokens.is_next("]"):
            if tokens.is_next(",", "\n"):
                tokens.take()
                continue
            _value(tokens, _mark(found, (*key, place), token.line), found)
            place += 1
        tokens.take()
    elif tokens.is_next("{"):
        tokens.take()
        while tokens.peek() is not None and not tokens.is_next("}"):
            if tokens.is_next(",", "\n"):
                tokens.take()
            else:
                _pair(tokens, key, found)
        tokens.take()
    else:
        tokens.take()
        while tokens.peek() is not None and not tokens.is_next(",", "\n", "]", "}"):
            tokens.take()


def _mark(found: dict[Key, int], key: Key, line: int) -> Key:
    found.setdefault(key, line)
    return key
