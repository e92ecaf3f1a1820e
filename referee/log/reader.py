"""Reading a log: bounded lines from a stream, and the gate through which every line must pass (levels L0 and L1).

The gate fails closed and never repairs. Its fast path is a typed decode, an encode and a comparison of bytes; any
doubt goes to `referee.log.canonical.parse`, which names the fault. No input makes it raise anything but `LineError`.
"""

import io
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, cast, get_args

import msgspec
import zstandard
from msgspec import UNSET

from referee.game import records as game
from referee.log.canonical import (
    EXTENSION,
    NO_EXTENSIONS,
    Json,
    LineError,
    Unsupported,
    check_extension,
    encode_value,
    parse,
    quote,
)
from referee.log.records import (
    EDITION,
    FORMAT,
    MAX_LINE,
    PRIVATE,
    PROTOCOL_CODES,
    SHUFFLE,
    AnyRecord,
    Head,
    Refused,
    Ruling,
    Seal,
)

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

STDIN: Final = "-"
MAX_WINDOW: Final = 8 * 1024 * 1024
"""Bytes of history a compressed log may ask for: what RFC 8878, section 3.1.1.1.2 tells every decoder to support."""

# A block of zstd is 4 bytes at least and 128 KiB at most once decompressed, so a step gives 8 MiB at most.
_STEP: Final = 256
_READ: Final = 64 * 1024
_SPOOL: Final = 1024 * 1024
"""Bytes of standard input that are kept in memory; more go to a temporary file."""


class LogReadError(OSError):
    """A compressed log cannot be decompressed: damaged, cut short, or asking for too much memory."""


class RawLine(msgspec.Struct, frozen=True, gc=False):
    """A line as it stands in the (uncompressed) stream."""

    index: int
    """0-based."""

    offset: int
    """Of its first byte, 0-based."""

    data: bytes
    """Without its LF; of a line that is too long only the first `MAX_LINE` + 1 bytes."""

    complete: bool
    """Whether an LF followed; of a line that is too long nothing is known."""


def read_lines(stream: BinaryIO) -> Iterator[RawLine]:
    """The lines of a stream, one at a time; holds `MAX_LINE` + 1 bytes of a line at most, however long it is.

    Raises `OSError` when reading fails (`LogReadError` for a compressed log).
    """
    index = offset = 0
    while data := stream.readline(MAX_LINE + 1):
        complete = data.endswith(b"\n")
        size = len(data)
        if complete:
            data = data[:-1]
        yield RawLine(index, offset, data, complete)
        if not complete and size > MAX_LINE:
            # Only now: whoever stops at such a line need not read an endless one to its end.
            while rest := stream.readline(_READ):
                size += len(rest)
                if rest.endswith(b"\n"):
                    break
        index += 1
        offset += size


def read_blocks(stream: BinaryIO) -> Iterator[tuple[list[bytes], bool]]:
    """The lines of a stream without their LF, as many at a time as come in at once, and whether they are whole.

    One that is not comes alone and is the last: the end of the stream, or the beginning of a line that is too long.
    Holds little more than `MAX_LINE` and a block at a time. Raises `OSError` as `read_lines` does.
    """
    read, rest = _what_is_there(stream), b""
    while data := read(_READ):
        *lines, rest = (rest + data).split(b"\n")
        yield lines, True
        if len(rest) > MAX_LINE:
            break
    if rest:
        yield [rest], False


def _what_is_there(stream: BinaryIO) -> Callable[[int], bytes]:
    """Reads what can be had at once, where a stream knows the difference: whoever waits at a pipe sees it in time."""
    read: Callable[[int], bytes] = getattr(stream, "read1", stream.read)
    return read


@contextmanager
def open_log(path: str | Path) -> Iterator[BinaryIO]:
    """A log's uncompressed bytes: of a file, of a file ``*.zst``, or of standard input for ``-``.

    It can be rewound with ``seek(0)`` once it has been read to its end. Raises `OSError` when the file cannot be
    opened. Standard input is left open.
    """
    if str(path) == STDIN:
        with tempfile.SpooledTemporaryFile(_SPOOL) as spool:
            yield cast(BinaryIO, _Kept(sys.stdin.buffer, spool))
        return
    with open(path, "rb") as file:
        if Path(path).suffix != ".zst":
            yield file
            return
        # The cast: a reader on top of a raw stream has every method of a binary file but `write`.
        yield cast(BinaryIO, io.BufferedReader(_Decompressed(file, str(path)), _READ))


class _Kept:
    """A stream that can be read once, kept as it is read, so that it can be read again."""

    def __init__(self, stream: BinaryIO, spool: "tempfile.SpooledTemporaryFile[bytes]") -> None:
        self._stream = stream
        self._spool = spool
        self._again = False

    def readline(self, size: int = -1) -> bytes:
        if self._again:
            return self._spool.readline(size)
        data = self._stream.readline(size)
        self._spool.write(data)
        return data

    def read(self, size: int = -1) -> bytes:
        if self._again:
            return self._spool.read(size)
        data = self._stream.read(size)
        self._spool.write(data)
        return data

    def read1(self, size: int = -1) -> bytes:
        if self._again:
            return self._spool.read1(size)
        data = _what_is_there(self._stream)(size)
        self._spool.write(data)
        return data

    def seek(self, offset: int) -> int:
        self._again = True
        return self._spool.seek(offset)


class _Decompressed(io.RawIOBase):
    """The content of a zstd file, frame after frame, in bounded memory; a frame that is cut short is an error."""

    def __init__(self, file: BinaryIO, path: str) -> None:
        self._file = file
        self._path = path
        self._context = zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW)
        self._rewind()

    def _rewind(self) -> None:
        self._frame = self._context.decompressobj()
        self._frames = 0
        self._begun = False
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if offset or whence != io.SEEK_SET:
            raise io.UnsupportedOperation("a compressed log is only read from its beginning")
        self._rewind()
        return self._file.seek(0)

    def tell(self) -> int:
        return 0

    def readinto(self, buffer: "WriteableBuffer") -> int:
        room = memoryview(buffer).cast("B")
        while not self._ready and self._step():
            pass
        count = min(len(room), len(self._ready))
        room[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count

    def _step(self) -> bool:
        """Decompress a little more; False at the end of the file."""
        if self._begun and self._frame.eof:
            data = self._frame.unused_data
            self._frame = self._context.decompressobj()
            self._frames += 1
            self._begun = False
        else:
            data = b""
        data = data or self._file.read(_STEP)
        if not data:
            if self._begun or not self._frames:
                raise LogReadError(None, "the compressed file ends in the middle of a frame", self._path)
            return False
        self._begun = True
        try:
            self._ready = memoryview(self._frame.decompress(data))
        except zstandard.ZstdError as error:
            raise LogReadError(None, f"not a zstd file that can be read: {error}", self._path) from None
        return True


# Without the calls that lead to them: every line of every log passes here.
_decode: Final = msgspec.json.Decoder(AnyRecord).decode
_encode: Final = msgspec.json.Encoder().encode
_TAGS: Final = frozenset(kind.__struct_config__.tag for kind in get_args(AnyRecord))
_NO_EXTENSIONS: Final = frozenset(kind.__struct_config__.tag for kind in NO_EXTENSIONS)


def decode(raw: RawLine) -> AnyRecord:
    """The record of a line. Raises `LineError`, and of it `Unsupported`, with a code of the families E0xx and E1xx.

    Extensions (``x_`` keys) are checked and left out of the record; the line's own bytes keep them for the hash.
    """
    if not raw.complete and len(raw.data) <= MAX_LINE:
        raise LineError("E020", "the last line has no LF: it was cut off", byte=len(raw.data))
    return decode_bytes(raw.data)


def decode_bytes(line: bytes) -> AnyRecord:
    """As `decode`, for a whole line without its LF."""
    if len(line) <= MAX_LINE:
        try:
            record = _decode(line)
            same = _encode(record) == line
        except (ValueError, RecursionError):
            same = False
        if same and (type(record) not in _FREE_TEXT or _is_plain(line)):
            if check := _CHECKS.get(type(record)):
                check(record)
            return record
    return _from_fields(parse(line[: MAX_LINE + 1]))


def decode_lines(lines: Iterable[bytes]) -> tuple[list[AnyRecord], LineError | None]:
    """As `decode_bytes`, for many: the records up to the first line that has none, and what is wrong with that one."""
    records: list[AnyRecord] = []
    try:
        records.extend(map(decode_bytes, lines))
    except LineError as error:
        return records, error
    return records, None


_FREE_TEXT: Final = frozenset((Head, Ruling, Seal))
"""Records with strings that are no choice of names and have no pattern."""


def _is_plain(line: bytes) -> bool:
    """Whether none of it needs a closer look: escapes, DEL and everything beyond ASCII survive the round trip, but few
    of them are allowed."""
    return line.isascii() and b"\\" not in line and b"\x7f" not in line


def _from_fields(fields: dict[str, Json]) -> AnyRecord:
    """The slow path after the bytes are known to be canonical: what the schema has to say."""
    tag = fields.get("_")
    if not isinstance(tag, str):
        raise LineError("E105", "there is no kind of record", "/_", "a string", "" if tag is None else quote(tag))
    if tag not in _TAGS:
        raise Unsupported("E101", "this kind of record is not known", "/_", actual=quote(tag))
    if tag == "head":
        _check_supported(fields.get("fmt"), fields.get("edition"), fields.get("shuffle"))
    known: dict[str, Json] = {}
    for key, value in fields.items():
        if not key.startswith(EXTENSION):
            known[key] = value
        elif tag in _NO_EXTENSIONS:
            raise LineError("E109", f"a record of kind {tag} has no extensions", f"/{key}")
        else:
            check_extension(value, f"/{key}")
    try:
        record = _decode(encode_value(known))
    except msgspec.ValidationError as error:
        raise _schema_error(str(error), known) from None
    if _encode(record) != encode_value(known):
        # The types fill in what has a default; a log writes it out.
        raise _left_out(msgspec.to_builtins(record), known, "")
    if check := _CHECKS.get(type(record)):
        check(record)
    return record


def _left_out(whole: Json, given: Json, pointer: str) -> LineError:
    """The first field that one value has and the other lacks."""
    while isinstance(whole, dict) and isinstance(given, dict):
        for key, value in whole.items():
            if key not in given:
                return LineError("E106", f"the field {key} is missing", f"{pointer}/{key}")
            if value != given[key]:
                whole, given, pointer = value, given[key], f"{pointer}/{key}"
                break
        else:
            break
    return LineError("E108", "not the value that it stands for", pointer, quote(whole), quote(given))


_MESSAGE: Final = re.compile(r"(.*?)(?: - at `\$(.*)`)?", re.DOTALL)
_FIELD: Final = re.compile(r"Object (missing required|contains unknown) field `(.*)`", re.DOTALL)
_STEPS: Final = re.compile(r"\.(\w+)|\[([0-9]+)\]")
_GOT_TYPE: Final = re.compile(r", got .*", re.DOTALL)


def _schema_error(message: str, fields: dict[str, Json]) -> LineError:
    """What the typed decoder says about canonical fields, as one of this project's errors."""
    found = _MESSAGE.fullmatch(message)
    text, path = found.groups() if found else (message, None)
    steps = [name or index for name, index in _STEPS.findall(path or "")]
    pointer = "".join(f"/{step}" for step in steps)
    if field := _FIELD.fullmatch(text):
        kind, name = field.groups()
        if kind == "missing required":
            return LineError("E106", f"the field {name} is missing", f"{pointer}/{name}")
        return LineError("E107", f"there is no field {name} here", f"{pointer}/{name}")
    value = _at(fields, steps)
    if steps and steps[-1] == "_" and isinstance(value, str) and value not in _TAGS:
        return Unsupported("E101", "this kind of record is not known", pointer, actual=quote(value))
    expected = _GOT_TYPE.sub("", text).replace("`", "") if text.startswith("Expected ") else ""
    return LineError("E108", "wrong type or value", pointer, expected.removeprefix("Expected "), quote(value))


def _at(value: Json, steps: list[str]) -> Json:
    """The value at the end of a path, or None where the path leads nowhere."""
    for step in steps:
        if isinstance(value, list):
            value = value[int(step)] if step.isdecimal() and int(step) < len(value) else None
        else:
            value = value.get(step) if isinstance(value, dict) else None
    return value


def _check_act(record: game.AnyAct) -> None:
    if record.ms is not UNSET:
        if record.by is not UNSET:
            raise LineError("E111", "the referee acted, and yet there is a time for the player", "/ms")
        if type(record) in PRIVATE:
            raise LineError("E114", "a private record carries no time", "/ms")
    if names := game.COMPLETE.get(type(record)):
        for name in names:
            if getattr(record, name) is UNSET:
                raise LineError("E106", f"the field {name} is missing", f"/{name}")


def _check_head(record: Head) -> None:
    _check_supported(record.fmt, record.edition, record.shuffle)
    if record.clock == "none" and record.engine is not UNSET:
        raise LineError("E115", "the engine is not named under clock none", "/engine")


def _check_refused(record: Refused) -> None:
    act = record.got
    if (act is UNSET) is not (record.code in PROTOCOL_CODES):
        expected = "no got" if act is not UNSET else "got"
        raise LineError("E112", f"got does not fit the code {record.code}", "/got", expected)
    if act is UNSET:
        return
    if act.seat != record.seat:
        raise LineError("E108", "the act of another seat", "/got/seat", str(record.seat), str(act.seat))
    derived = ("card", "pay") if isinstance(act, game.Confess) else game.COMPLETE.get(type(act), ())
    for name in ("by", "ms", *derived):
        if getattr(act, name) is not UNSET:
            raise LineError("E113", f"a player does not send {name}", f"/got/{name}")


def _check_supported(fmt: Json, edition: Json, shuffle: Json) -> None:
    """Raise `Unsupported` for another version; values that are no versions at all are left to the schema."""
    if isinstance(fmt, str) and fmt != FORMAT:
        raise Unsupported("E102", "another format", "/fmt", FORMAT, quote(fmt))
    if isinstance(edition, int) and edition != EDITION:
        raise Unsupported("E103", "another edition of the rules", "/edition", str(EDITION), quote(edition))
    if isinstance(shuffle, str) and shuffle != SHUFFLE:
        raise Unsupported("E104", "another shuffle", "/shuffle", SHUFFLE, quote(shuffle))


_CHECKS: Final[dict[type[game.Record], Callable[[Any], None]]] = {
    **dict.fromkeys(game.ACTS, _check_act),
    Head: _check_head,
    Refused: _check_refused,
}
"""By kind of record, what its types alone cannot say."""
