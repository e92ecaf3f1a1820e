"""The file of a referee's private key: one line, the key's text (`referee.log.note`), for its owner's eyes only."""

import os
import stat
from enum import StrEnum
from pathlib import Path
from typing import Final

from referee.log.note import MAX_VKEY, KeyTextError, Signer

MODE: Final = 0o600
OTHERS: Final = 0o077
"""The permissions that a key file must not have."""

_MOST: Final = MAX_VKEY + 64
"""Bytes of a key file at most."""


class KeyFileCode(StrEnum):
    """What is wrong with a key file."""

    IO = "io"
    """It cannot be read or written."""
    EXISTS = "exists"
    """It is there already; keys are never overwritten."""
    MODE = "mode"
    """Others than its owner have access to it."""
    CONTENT = "content"
    """There is no private key in it."""


class KeyFileError(Exception):
    """A key file that cannot be used; ``code`` says why, and the message names the file and quotes nothing of it."""

    def __init__(self, code: KeyFileCode, path: Path, message: str) -> None:
        super().__init__(f"{path}: {message}")
        self.code: Final = code


def public_path(path: Path) -> Path:
    """Where the public key of a key file stands."""
    return path.with_name(path.name + ".pub")


def read_key(path: Path) -> Signer:
    """The private key in a file; raises `KeyFileError`, also when anybody but the owner has access to it."""
    try:
        # Not blocking: opening a pipe would wait for its other end.
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        with os.fdopen(fd, "rb") as file:
            status = os.fstat(fd)
            if not stat.S_ISREG(status.st_mode):
                raise KeyFileError(KeyFileCode.CONTENT, path, "not a file")
            if status.st_mode & OTHERS:
                mode = stat.S_IMODE(status.st_mode)
                raise KeyFileError(
                    KeyFileCode.MODE,
                    path,
                    f"others have access to this private key (mode {mode:04o}): chmod 600 {path}",
                )
            data = file.read(_MOST + 1)
    except OSError as error:
        raise KeyFileError(KeyFileCode.IO, path, error.strerror or "it cannot be read") from None
    try:
        return Signer.from_text(data.removesuffix(b"\n").decode("ascii"))
    except UnicodeDecodeError:
        raise KeyFileError(KeyFileCode.CONTENT, path, "not a private key: it is not ASCII") from None
    except KeyTextError as error:
        raise KeyFileError(KeyFileCode.CONTENT, path, f"not a private key: {error}") from None


def write_key(path: Path, signer: Signer) -> Path:
    """Write a new key file (mode 0600) and, beside it, ``.pub`` with the vkey; returns the path of that.

    Both are on disk then. Raises `KeyFileError`; nothing that was there is overwritten, and no half of a pair is left.
    """
    public = public_path(path)
    _write(path, signer.private_text(), MODE)
    try:
        _write(public, signer.vkey, 0o644)
    except KeyFileError:
        path.unlink()
        raise
    return public


def _write(path: Path, text: str, mode: int) -> None:
    try:
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    except FileExistsError:
        raise KeyFileError(KeyFileCode.EXISTS, path, "it exists, and a key is never overwritten") from None
    except OSError as error:
        raise KeyFileError(KeyFileCode.IO, path, error.strerror or "it cannot be made") from None
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(text.encode("ascii") + b"\n")
            file.flush()
            os.fsync(fd)
    except OSError as error:
        path.unlink(missing_ok=True)
        raise KeyFileError(KeyFileCode.IO, path, error.strerror or "it cannot be written") from None
