"""Guests: processes that play for a bot in one match only, so that one name can sit at many tables at once.

A bot that dials in by itself has one stream, and its name says where it sits. A tournament starts a fresh process for
each bot of each match instead. Each gets a token of its own, by which it is known here under an account of its own;
what is told and logged is the bot's name.
"""

import secrets
from collections.abc import Sequence
from hashlib import sha256
from typing import Final, NamedTuple


class Guest(NamedTuple):
    """Who a process is. ``token`` is a secret."""

    bot: str
    account: str
    token: str

    def __repr__(self) -> str:
        return f"<Guest {self.bot}>"


class Guests:
    """The guests of one referee, and where they are awaited."""

    def __init__(self) -> None:
        self._known: Final[dict[bytes, Guest]] = {}
        """By the hash of the token, so that looking one up tells nothing of the others."""
        self._places: Final[dict[str, list[str]]] = {}

    def admit(self, bot: str) -> Guest:
        """A new account for a bot of this name."""
        guest = Guest(bot, f"#{secrets.token_hex(8)}", secrets.token_urlsafe(24))
        self._known[sha256(guest.token.encode()).digest()] = guest
        return guest

    def find(self, bot: str, authorization: bytes) -> Guest | None:
        """Who it is that comes under this name with this ``authorization``, if a guest."""
        scheme, _, token = authorization.partition(b" ")
        guest = self._known.get(sha256(token).digest()) if scheme == b"Bearer" else None
        return guest if guest is not None and guest.bot == bot else None

    def dismiss(self, guest: Guest) -> None:
        """Its token opens nothing any more; a stream that stands goes on."""
        self._known.pop(sha256(guest.token.encode()).digest(), None)

    def reserve(self, match: str, accounts: Sequence[str]) -> None:
        """By seat, whose sessions are to sit at a match that is about to be set up, or taken up."""
        self._places[match] = list(accounts)

    def accounts(self, match: str, bots: Sequence[str]) -> list[str]:
        """By seat, whose sessions sit at a match: those that it was reserved for, or its bots by their own names."""
        return self._places.pop(match, None) or list(bots)

    def cancel(self, match: str) -> None:
        """No place is kept at a match any more, if one still was."""
        self._places.pop(match, None)
