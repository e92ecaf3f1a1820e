"""The one spelling of a log line, and what exactly is wrong with any other.

A record has one canonical spelling: UTF-8, keys in code-point order, no white space, integers only, two escapes. The
test for it is cheap, ``line == encode(decode(line))``, but says only yes or no. `parse` is the slow half: a strict
scanner that accepts canonical lines only and names the first fault with its place.
"""

import re
import unicodedata
from collections.abc import Mapping
from typing import Final

import msgspec

from referee.game.records import Record
from referee.log.records import MAX_LINE, PRIVATE, Redacted, Seal

Json = None | bool | int | str | list["Json"] | dict[str, "Json"]
"""A JSON value without floats."""

MAX_INTEGER: Final = 2**53 - 1
MAX_DEPTH: Final = 8
EXTENSION: Final = "x_"
"""Keys that start so are free for anybody's use (integers and strings only) and are hashed with the line."""

NO_EXTENSIONS: Final[tuple[type[Record], ...]] = (Seal, Redacted, *PRIVATE)
"""Records that may not carry extensions."""

_RECORDS: Final = msgspec.json.Encoder()
_VALUES: Final = msgspec.json.Encoder(order="deterministic")
_QUOTED: Final = 80


class LineError(ValueError):
    """A line that is not part of any valid log.

    ``code`` is a key of `referee.log.codes.LINE_CODES`; ``pointer`` is a JSON pointer (RFC 6901), empty for the whole
    line; ``expected`` and ``actual`` are short texts for people, ``byte`` is a 0-based offset in the line if known.
    """

    def __init__(
        self,
        code: str,
        message: str,
        pointer: str = "",
        expected: str = "",
        actual: str = "",
        *,
        byte: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code: Final = code
        self.message: Final = message
        self.pointer: Final = pointer
        self.expected: Final = expected
        self.actual: Final = actual
        self.byte: Final = byte

    def __str__(self) -> str:
        return f"{self.code} {self.pointer or 'line'}: {self.message}"


class Unsupported(LineError):
    """A line of a format, edition, shuffle or kind that this program does not know: neither valid nor invalid."""


def encode(record: Record, extensions: Mapping[str, int | str] | None = None) -> bytes:
    """The canonical line of a record, without LF.

    ``extensions`` are ``x_`` keys to add; raises `LineError` (E015, E017, E107, E109, E110 ...) for those that are not
    allowed. The record's own values are trusted.
    """
    if not extensions:
        return _RECORDS.encode(record)
    fields: dict[str, Json] = msgspec.to_builtins(record)
    for key, value in extensions.items():
        pointer = f"/{key}"
        if not key.startswith(EXTENSION):
            raise LineError("E107", f"{key} is no extension", pointer, "x_...", key)
        if isinstance(record, NO_EXTENSIONS):
            raise LineError("E109", f"a record of kind {fields['_']} has no extensions", pointer)
        check_extension(value, pointer)
        fields[key] = value
    line = encode_value(fields)
    parse(line)
    return line


def encode_value(value: Json) -> bytes:
    """The canonical spelling of any JSON value, keys sorted, for comparing and for quoting in messages."""
    return _VALUES.encode(value)


def check_extension(value: Json, pointer: str) -> None:
    """Raise `LineError` E110 unless the value of an ``x_`` key is an integer or a string."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise LineError("E110", "must be an integer or a string", pointer, "an integer or a string", quote(value))


def quote(value: Json) -> str:
    """A value in at most 80 characters of printable ASCII, for a message."""
    text = ascii(encode_value(value).decode("utf-8"))[1:-1]
    return text if len(text) <= _QUOTED else f"{text[: _QUOTED - 3]}..."


def parse(line: bytes) -> dict[str, Json]:
    """The fields of a canonical line of at most `MAX_LINE` bytes; raises `LineError` with a code E001 to E019.

    Takes time linear in the length of the line; all limits hold before anything is built.
    """
    if len(line) > MAX_LINE:
        raise LineError(
            "E005", "the line is too long", expected=f"at most {MAX_LINE} bytes", actual=f"at least {len(line)} bytes"
        )
    if line.startswith(b"\xef\xbb\xbf"):
        raise LineError("E002", "the line starts with a byte order mark", byte=0)
    if b"\r" in line:
        raise LineError("E003", "the line has a carriage return", byte=line.index(b"\r"))
    if not line.strip(b" \t\n"):
        raise LineError("E004", "the line is blank", expected="a record")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise LineError(
            "E001", f"not UTF-8: {error.reason}", actual=line[error.start : error.end].hex(" "), byte=error.start
        ) from None
    value = _Scanner(text).whole()
    if not isinstance(value, dict):
        raise LineError("E007", "the line is not an object", "", "an object", quote(value), byte=0)
    return value


_SPACE: Final = " \t\n\r"
_STRING: Final = re.compile(r'"((?:[^"\\]++|\\.)*+)"', re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_NUMBER: Final = re.compile(r"[-+]?[0-9][-+.0-9eE]*|-")
_INTEGER: Final = re.compile(r"0|-?[1-9][0-9]*")
_DIGITS: Final = re.compile(r"[-+]?[0-9]+")
_FLOAT: Final = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_NOT_ASCII: Final = re.compile(r"[^ -~]")
_KEY: Final = re.compile(r"_|[a-z][a-z0-9_]*")
_DISPLAY_NAME: Final = re.compile(r"/seats/[0-9]+/bot")
_ENTROPY: Final = re.compile(r"/e/[0-9]+")
_FORBIDDEN: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
_LITERALS: Final[tuple[tuple[str, bool | None], ...]] = (("true", True), ("false", False), ("null", None))


class _Scanner:
    """A recursive descent over one line; recursion is bounded by `MAX_DEPTH`."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def whole(self) -> Json:
        value = self._value("", 1)
        if self._peek():
            raise self._fault("E006", "something follows the record", "", "the end of the line")
        return value

    def _peek(self) -> str:
        """The next character, or nothing at the end; white space is a fault wherever a token may start."""
        char = self._text[self._at : self._at + 1]
        if char and char in _SPACE:
            raise self._fault("E008", "white space outside a string", "")
        return char

    def _value(self, pointer: str, depth: int) -> Json:
        char = self._peek()
        if char in ("{", "["):
            if depth > MAX_DEPTH:
                raise self._fault("E016", "nested too deeply", pointer, f"at most {MAX_DEPTH} levels")
            self._at += 1
            return self._object(pointer, depth) if char == "{" else self._list(pointer, depth)
        if char == '"':
            return self._string(pointer)
        if number := _NUMBER.match(self._text, self._at):
            return self._number(number.group(), pointer)
        for word, value in _LITERALS:
            if self._text.startswith(word, self._at):
                if value is None and not _ENTROPY.fullmatch(pointer):
                    raise self._fault("E018", "null is not allowed here", pointer, "a value, or no such field", "null")
                self._at += len(word)
                return value
        raise self._fault("E006", "no JSON value", pointer, "a value")

    def _object(self, pointer: str, depth: int) -> dict[str, Json]:
        fields: dict[str, Json] = {}
        if self._take("}"):
            return fields
        last = ""
        while True:
            start = self._at
            key = self._key(pointer)
            place = f"{pointer}/{key}"
            if key in fields:
                raise self._fault("E010", f"the key {key} stands here twice", place, at=start)
            if key < last:
                raise self._fault("E009", f"{key} comes before {last}", place, f"{key} before {last}", at=start)
            last = key
            self._need(":", place)
            fields[key] = self._value(place, depth + 1)
            if self._take("}"):
                return fields
            self._need(",", pointer)

    def _list(self, pointer: str, depth: int) -> list[Json]:
        items: list[Json] = []
        if self._take("]"):
            return items
        while True:
            items.append(self._value(f"{pointer}/{len(items)}", depth + 1))
            if self._take("]"):
                return items
            self._need(",", pointer)

    def _key(self, pointer: str) -> str:
        if self._peek() != '"':
            raise self._fault("E006", "no key", pointer, "a key in quotation marks")
        start = self._at
        found = _STRING.match(self._text, start)
        if not found:
            raise self._fault("E006", "the key has no end", pointer, '"')
        if not _KEY.fullmatch(found.group(1)):
            raise self._fault("E011", "not a key of a log", pointer, "[a-z][a-z0-9_]* or _", _shown(found.group(1)))
        self._at = found.end()
        return found.group(1)

    def _string(self, pointer: str) -> str:
        start = self._at
        found = _STRING.match(self._text, start)
        if not found:
            raise self._fault("E006", "the string has no end", pointer, '"')
        raw = found.group(1)
        for escape in _ESCAPE.finditer(raw):
            if escape.group(1) not in '"\\':
                raise self._fault(
                    "E012",
                    "only a quotation mark and a backslash are escaped",
                    pointer,
                    '\\" or \\\\',
                    _shown(escape.group()),
                    at=start + 1 + escape.start(),
                )
        value = _ESCAPE.sub(r"\1", raw)
        if _DISPLAY_NAME.fullmatch(pointer):
            if fault := display_name_fault(value):
                raise self._fault("E019", fault, pointer, "a display name", _shown(value))
        elif odd := _NOT_ASCII.search(raw):
            raise self._fault(
                "E017",
                "not printable ASCII",
                pointer,
                "U+0020 to U+007E",
                _shown(odd.group()),
                at=start + 1 + odd.start(),
            )
        self._at = found.end()
        return value

    def _number(self, token: str, pointer: str) -> int:
        if not _INTEGER.fullmatch(token):
            if _DIGITS.fullmatch(token):
                raise self._fault("E013", "an integer spelled otherwise", pointer, "0 or -?[1-9][0-9]*", _shown(token))
            if _FLOAT.fullmatch(token):
                raise self._fault("E014", "a fraction or an exponent", pointer, "an integer", _shown(token))
            raise self._fault("E006", "not a number", pointer, "an integer", _shown(token))
        # Its length first: turning thousands of digits into a number takes long, or is refused.
        if len(token) > 17 or abs(int(token)) > MAX_INTEGER:
            raise self._fault("E015", "beyond 2^53 - 1", pointer, f"-{MAX_INTEGER} to {MAX_INTEGER}", _shown(token))
        self._at += len(token)
        return int(token)

    def _take(self, char: str) -> bool:
        if self._peek() != char:
            return False
        self._at += 1
        return True

    def _need(self, char: str, pointer: str) -> None:
        if not self._take(char):
            raise self._fault("E006", f"no {char} where one must follow", pointer, char)

    def _fault(
        self,
        code: str,
        message: str,
        pointer: str,
        expected: str = "",
        actual: str = "",
        *,
        at: int | None = None,
    ) -> LineError:
        place = self._at if at is None else at
        seen = actual or _shown(self._text[place : place + 16]) or "the end of the line"
        return LineError(code, message, pointer, expected, seen, byte=len(self._text[:place].encode("utf-8")))


def display_name_fault(name: str) -> str:
    """Why a text cannot be a bot's display name, or nothing if it can (its length, 1 to 64, is not looked at)."""
    for char in name:
        category = unicodedata.category(char)
        if category in _FORBIDDEN:
            return f"U+{ord(char):04X} (category {category}) is not allowed in a display name"
    if not unicodedata.is_normalized("NFC", name):
        return "the display name is not in normalization form C"
    return ""


def _shown(text: str) -> str:
    shown = ascii(text[:_QUOTED])[1:-1]
    return shown if len(shown) <= _QUOTED else f"{shown[: _QUOTED - 3]}..."
