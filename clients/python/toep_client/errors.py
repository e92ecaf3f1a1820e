"""What ends a bot other than the end of its work."""

from typing import Final

LOST: Final = 1
"""Exit code: the connection was lost, or a bridged program died."""
USAGE: Final = 2
"""Exit code: the bot never started playing, for a reason its user can mend."""
BOT_FAILED: Final = 70
"""Exit code: the bot's own code raised an exception."""


class Trouble(Exception):
    """Something that the user should be told in one line. ``code`` is the exit code of the process."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code: int = code


class BotError(Exception):
    """The bot's own code raised an exception: it is this one's ``__cause__``."""
