"""What the hall refuses, and why, in the terms of gRPC."""

from typing import Final

from referee.log.writer import LogWriteError
from referee.service.options import MAX_NAME


class HallError(Exception):
    """Something was asked of the hall that it refuses. ``code`` is the name of a gRPC status code.

    ``retry_ms``: after how many milliseconds it may be worth asking again; 0: it is not.
    """

    def __init__(self, code: str, message: str, retry_ms: int = 0) -> None:
        super().__init__(message)
        self.code: Final = code
        self.retry_ms: Final = retry_ms


def cannot_write(match: str, error: LogWriteError) -> HallError:
    """The refusal of a match whose log cannot be begun."""
    code = "ALREADY_EXISTS" if isinstance(error.__cause__, FileExistsError) else "FAILED_PRECONDITION"
    return HallError(code, f"cannot write the log of match {match}: {error.strerror}")


def check_name(bot: str) -> None:
    """Raise `HallError` unless this can be a bot's name."""
    if not 1 <= len(bot) <= MAX_NAME or not bot.isprintable() or not bot.isascii():
        raise HallError("INVALID_ARGUMENT", f"bot: a name has 1 to {MAX_NAME} printable ASCII characters")
