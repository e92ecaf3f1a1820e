"""The base class of bots."""

# ruff: noqa: B027 - the hooks are optional, so their bodies are empty

from abc import ABC, abstractmethod
from collections.abc import Awaitable

from toep_client.acts import Act
from toep_client.news import Event, Over, Refusal
from toep_client.view import Match, View


class Bot(ABC):
    """A bot. Only `act` must be written; it needs no memory, since a view holds all that a bot may know.

    ``parallel`` is how many asks the referee may put at once; their clocks run at the same time, so a bot that thinks
    for long should say 1. ``version`` is for people.
    """

    parallel: int = 1024
    version: str = ""

    @abstractmethod
    def act(self, view: View) -> Act | Awaitable[Act]:
        """Answers one ask. May be a coroutine; it is cancelled when the stream ends before it is done."""

    def seated(self, match: Match) -> None:
        """The bot has this seat in a match: once for each of its seats when the match starts, and once more each time
        it has dialled in again in the middle of it, when the table may have another number. ``match.match_id`` says
        which match it is."""

    def event(self, event: Event) -> None:
        """Something happened at a table."""

    def refused(self, view: View | None, refusal: Refusal) -> None:
        """The referee did not accept an answer; ``view`` is None when it is about an ask that is no longer known."""

    def over(self, over: Over) -> None:
        """A match is over; not called for one that ended while the bot was away."""
