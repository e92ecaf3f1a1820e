"""What a crash must not take along although it stands in no log yet: the refused answers of a running round.

A log shows refused answers at the end of their round, so that their place tells nothing. An act of the referee may rest
on them before. So they are kept beside the log, in a file that only this user can read and that goes when the match is
over. It is no log: it is written anew when a match is taken up.
"""

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from referee.log.records import Refused
from referee.log.writer import LogWriteError
from referee.table.journal import Refusal

_NO_SALT: Final = "0" * 32
_LINE: Final = msgspec.json.Decoder(tuple[int, Refused])


def encode(refusals: Sequence[Refusal]) -> bytes:
    """Refusals as lines of the file."""
    lines = [(attempt, msgspec.structs.replace(one, salt=_NO_SALT)) for _at, _seat, attempt, one in refusals]
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def decode(data: bytes) -> list[Refusal]:
    """What the lines say, up to one that a crash has torn: nothing rests on what comes behind it."""
    found: list[Refusal] = []
    with contextlib.suppress(msgspec.DecodeError, msgspec.ValidationError):
        for line in data.split(b"\n")[:-1]:
            attempt, refused = _LINE.decode(line)
            found.append((refused.at, refused.seat, attempt, refused))
    return found


class Memo:
    """The refusals of one match."""

    def __init__(self, path: Path, *, durable: bool = False) -> None:
        """``durable``: wait for the disk before anything can rest on them. The file is made when there is one."""
        self.path: Final = path
        self._durable = durable

    def __call__(self, refusals: Sequence[Refusal]) -> None:
        """Keep more of them. Raises `LogWriteError`."""
        self._write(refusals, os.O_APPEND)

    def replace(self, refusals: Sequence[Refusal]) -> None:
        """Keep these and no others. Raises `LogWriteError`."""
        if not refusals:
            self.drop()
            return
        new = Memo(self.path.with_name(self.path.name + ".new"), durable=True)
        new._write(refusals, os.O_TRUNC)
        try:
            new.path.replace(self.path)
        except OSError as error:
            raise self._error(error) from error

    def read(self) -> list[Refusal]:
        """What was kept."""
        try:
            return decode(self.path.read_bytes())
        except OSError:
            return []

    def drop(self) -> None:
        """They stand in the log now, or never will."""
        with contextlib.suppress(OSError):
            self.path.unlink(missing_ok=True)

    def _write(self, refusals: Sequence[Refusal], flag: int) -> None:
        try:
            fd = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | flag, 0o600)
            with os.fdopen(fd, "wb") as file:
                file.write(encode(refusals))
                file.flush()
                if self._durable:
                    os.fsync(fd)
        except OSError as error:
            raise self._error(error) from error

    def _error(self, error: OSError) -> LogWriteError:
        return LogWriteError(error.errno, f"cannot keep refused answers: {error.strerror}", str(self.path))
