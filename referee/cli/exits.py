"""Exit codes of every command, and the error that ends one with a message instead of a traceback."""

from typing import Final

VALID: Final = 0
"""Valid and complete; or simply: done."""

INVALID: Final = 1
"""Proven invalid."""

USAGE: Final = 2
"""Wrong use, or something could not be read or written."""

UNSUPPORTED: Final = 3
"""A version or a record this program does not know."""

INCOMPLETE: Final = 4
"""Incomplete, or not checkable."""

FORK: Final = 5
"""A proven fork."""

WORST_FIRST: Final = (INVALID, FORK, UNSUPPORTED, INCOMPLETE, USAGE, VALID)
"""For many files the exit code is the first of these that any of them has."""


class CommandError(Exception):
    """A user's mistake, or a world that is not as it should be: one line, no traceback."""

    def __init__(self, message: str, exit_code: int = USAGE) -> None:
        super().__init__(message)
        self.exit_code: int = exit_code
