"""Whose a name is: resume tokens, and the names of bots whose streams were lost.

A resume token is a code over the bot's name under a key of the referee's own, so that none has to be kept. It says that
who shows it was let in under that name before.
"""

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from typing import Final

KEY_SIZE: Final = 32
"""Bytes of the key."""

CONTEXT: Final = b"toep/resume/1\n"
"""What stands before the name, so that a code under this key never means something else."""


class Names:
    """The names of one referee."""

    def __init__(self, key: bytes | None = None, hold_ms: int = 0) -> None:
        """``key``: under which tokens are made, None: one that nobody knows and that is gone with the process.
        ``hold_ms``: how long a name is kept for a bot that was lost, in milliseconds."""
        self._key = key or secrets.token_bytes(KEY_SIZE)
        self._hold_ms = hold_ms
        self._lost: dict[str, int] = {}

    def token(self, bot: str) -> bytes:
        """The resume token of a name."""
        return hmac.digest(self._key, CONTEXT + bot.encode(), hashlib.sha256)

    def proves(self, bot: str, token: bytes) -> bool:
        """Whether this is the resume token of the name."""
        return hmac.compare_digest(self.token(bot), token)

    @property
    def lost(self) -> Mapping[str, int]:
        """Bots that are awaited back, and since when, in milliseconds of the hall's clock."""
        return self._lost

    def lose(self, bot: str, now: int) -> None:
        """The stream of a bot that has a seat is gone, without a goodbye."""
        self._lost.setdefault(bot, now)

    def forget(self, bot: str) -> None:
        """It is back, or nobody waits for it any more."""
        self._lost.pop(bot, None)

    def kept_ms(self, bot: str, now: int) -> int:
        """For how many milliseconds from now the name is kept for the bot that was lost; 0: anybody may have it."""
        since = self._lost.get(bot)
        return 0 if since is None else max(0, since + self._hold_ms - now)
