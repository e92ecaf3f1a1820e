"""The journal of an event: what was decided, in order, as canonical JSON lines of which each names the one before it.

Every line has ``prev``, the SHA-256 of the line before (of the first: 64 zeros), so that no line can be changed, taken
out or put in without every later one changing too. Lines are only ever appended. A last line without LF is what a crash
left of it: nobody has acted on it, and it is cut when the journal is opened again. Anything else that is wrong is an
error that names the line, and nothing is repaired.
"""

import errno
import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple, Self

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from referee.log.canonical import encode_value
from referee.tournament.results import Isolation, MatchResult

FILE: Final = "journal.jsonl"
"""Its name in the folder of an event."""

FIRST: Final = "0" * 64
"""The ``prev`` of the first line."""

Digest = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
When = Annotated[str, Meta(pattern=r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\Z")]
"""A moment in UTC, to the second."""

Request = Annotated[str, Meta(pattern=r"\A\d{20}-\d{1,10}\Z")]
"""The name of a request for a ruling: when it was made, and by which process."""

What = Literal["counted", "dropped", "replaced"]
"""What becomes of a deal block: its results count; nobody's results of it count; another block takes its place."""

RulingKind = Literal["pause", "resume", "drain", "concurrency", "drop", "rerun", "disqualify", "accept"]


class JournalError(Exception):
    """A journal that is not as it should be, or cannot be read or written."""

    def __init__(self, path: Path, line: int, why: str) -> None:
        """``line`` is 1-based; 0: it is about the whole file."""
        super().__init__(f"{path}:{line}: {why}" if line else f"{path}: {why}")
        self.path: Final = path
        self.line: Final = line
        self.why: Final = why


class File(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file that a bot's command line names."""

    arg: int
    """Which word of the command line, from 0; -1: the sample bots' own package."""
    sha256: Digest


class BotFiles(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a bot is made of, as far as its command line tells; of a remote bot nothing is known."""

    bot: str
    files: tuple[File, ...]


class Line(Struct, frozen=True, kw_only=True, tag_field="_", forbid_unknown_fields=True):
    """Any line of a journal."""

    prev: Digest = FIRST


class Event(Line, frozen=True, kw_only=True, tag="event"):
    """The first line: what is played."""

    at: When
    bots: tuple[BotFiles, ...]
    commit: Digest
    """The commitment to the event's seed, as in the head of a log."""
    engine: str
    isolation: Isolation
    name: str
    open_seed: Digest | UnsetType = UNSET
    """The seed itself, where the spec declares it."""
    schedule: Digest
    spec: Digest
    """SHA-256 of the bytes of ``event.toml``."""


class Begun(Line, frozen=True, kw_only=True, tag="begun"):
    """A director takes over."""

    at: When
    concurrency: int
    engine: str


class Match(Line, frozen=True, kw_only=True, tag="match"):
    """A match is being set up."""

    at: When
    block: int
    match: str
    number: int
    """Its place in its block."""
    replacement: int
    """Which try of the block it belongs to."""


class Result(Line, frozen=True, kw_only=True, tag="result"):
    """What a match came to; its log is on disk and valid, or it never began (status ``absent``)."""

    result: MatchResult


class Block(Line, frozen=True, kw_only=True, tag="block"):
    """A deal block is over; its results stand before this line, as far as there are any."""

    at: When
    block: int
    deals: str
    """The name of its deal set."""
    faulted: bool
    replacement: int
    """Which try of the block this was."""
    what: What
    why: str


class Ruling(Line, frozen=True, kw_only=True, tag="ruling"):
    """A decision of the organiser, or one that the spec leaves to the director."""

    at: When
    block: int | UnsetType = UNSET
    bot: str | UnsetType = UNSET
    by: Literal["organiser", "director"]
    files: tuple[File, ...] | UnsetType = UNSET
    """Of ``accept``: what the bot is made of from now on."""
    kind: RulingKind
    number: int | UnsetType = UNSET
    """Of ``concurrency``."""
    request: Request | UnsetType = UNSET
    """Which request of the organiser it answers, so that none is answered twice."""
    why: str


class Stop(Line, frozen=True, kw_only=True, tag="stop"):
    """The sequential test has its answer: no block behind this one counts."""

    at: When
    block: int
    why: str


class Done(Line, frozen=True, kw_only=True, tag="done"):
    """The event is over."""

    at: When
    results: Digest
    """Over the results that count, in schedule order."""
    seed: Digest
    standings: Annotated[str, Meta(pattern=r"\A([0-9a-f]{64})?\Z")]
    """Of the standings; empty: there is nothing that counts."""


AnyLine = Event | Begun | Match | Result | Block | Ruling | Stop | Done

_DECODER: Final = msgspec.json.Decoder(AnyLine)


def encode(line: AnyLine) -> bytes:
    """The canonical spelling, without LF."""
    return encode_value(msgspec.to_builtins(line))


class Entry(NamedTuple):
    """A line where it stands."""

    number: int
    """1-based."""
    line: AnyLine


class Journal:
    """A journal that is appended to. Whoever opens one has the event's folder for himself (see `lock`)."""

    def __init__(self, path: Path, fd: int, prev: str, count: int) -> None:
        self.path: Final = path
        self.lines = count
        """Lines so far."""
        self._fd = fd
        self._prev = prev
        self._failed = ""

    @classmethod
    def create(cls, path: Path) -> Self:
        """A new, empty journal. Raises `JournalError`."""
        return cls(path, _open(path, os.O_CREAT | os.O_EXCL), FIRST, 0)

    @classmethod
    def reopen(cls, path: Path) -> tuple[Self, list[Entry]]:
        """A journal that is there, and its lines; a torn last line is cut. Raises `JournalError`."""
        data = _read(path)
        whole = data.rfind(b"\n") + 1
        entries = list(parse(path, data[:whole]))
        fd = _open(path, 0)
        try:
            if whole < len(data):
                os.ftruncate(fd, whole)
            # What an earlier director wrote need not be on the disk, and this one goes by it.
            os.fsync(fd)
        except OSError as error:
            os.close(fd)
            raise JournalError(path, 0, error.strerror or str(error)) from error
        last = data[:whole].splitlines()[-1] if entries else b""
        return cls(path, fd, sha256(last).hexdigest() if entries else FIRST, len(entries)), entries

    def append(self, *lines: AnyLine, sync: bool = True) -> list[AnyLine]:
        """Append lines, with their ``prev``, in one piece; ``sync``: wait for the disk. Raises `JournalError`.

        Once that has failed nothing is appended any more: a part of the lines may stand in the file, and whoever opens
        it again finds out which.
        """
        if self._failed:
            raise JournalError(self.path, 0, self._failed)
        data = b""
        written: list[AnyLine] = []
        prev = self._prev
        for line in lines:
            linked: AnyLine = msgspec.structs.replace(line, prev=prev)
            text = encode(linked)
            prev = sha256(text).hexdigest()
            data += text + b"\n"
            written.append(linked)
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(self._fd, rest) :]
            if sync:
                os.fsync(self._fd)
            if not os.fstat(self._fd).st_nlink:
                raise FileNotFoundError(errno.ENOENT, "it was deleted")
        except OSError as error:
            self._failed = f"cannot write the journal: {error.strerror or error}"
            raise JournalError(self.path, 0, self._failed) from error
        self._prev = prev
        self.lines += len(lines)
        return written

    def close(self) -> None:
        """Append no more."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def _open(path: Path, flags: int) -> int:
    try:
        return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC | flags, 0o644)
    except OSError as error:
        raise JournalError(path, 0, error.strerror or str(error)) from error


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise JournalError(path, 0, error.strerror or str(error)) from error


def read(path: Path) -> list[Entry]:
    """The whole lines of a journal, also of one that a director works on; raises `JournalError`."""
    data = _read(path)
    return list(parse(path, data[: data.rfind(b"\n") + 1]))


def has_lines(path: Path) -> bool:
    """Whether there is a journal with a whole line in it. Raises `JournalError`."""
    try:
        with path.open("rb") as file:
            return file.readline().endswith(b"\n")
    except FileNotFoundError:
        return False
    except OSError as error:
        raise JournalError(path, 0, error.strerror or str(error)) from error


def is_torn(path: Path) -> bool:
    """Whether the last line has no LF. Raises `JournalError`."""
    data = _read(path)
    return bool(data) and not data.endswith(b"\n")


def parse(path: Path, data: bytes) -> Iterator[Entry]:
    """The lines of whole bytes of a journal, each checked: its spelling, its link, its place. Raises `JournalError`."""
    prev = FIRST
    for number, text in enumerate(data.split(b"\n")[:-1], 1):
        try:
            line = _DECODER.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise JournalError(path, number, f"not a line of a journal: {error}") from None
        if encode(line) != text:
            raise JournalError(path, number, "not in its canonical spelling")
        if line.prev != prev:
            raise JournalError(path, number, "prev is not the hash of the line before: something was changed")
        if (number == 1) is not isinstance(line, Event):
            raise JournalError(path, number, "the first line, and no other, says what the event is")
        prev = sha256(text).hexdigest()
        yield Entry(number, line)
