"""Deal sets: matches that get the same cards, so that none of their seeds is revealed before all of them are over.

A set is opened by its first match and closed by the organiser. Its seed lies beside the log of each of its matches, in
a file that only this user can read, until it is in the log; so a referee that is started again can go on.
"""

import asyncio
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, field
from typing import Final

import structlog

from referee.log.note import Signer
from referee.log.reveal import RevealError, reveal, standing
from referee.service.store import Store

log = structlog.get_logger()


@dataclass(eq=False)
class DealSet:
    """The matches of one set."""

    name: str
    seed: bytes = field(repr=False)
    closed: bool = False
    """No more matches are taken."""
    playing: set[str] = field(default_factory=set)
    """Matches that wait for bots or are being played."""
    final: list[str] = field(default_factory=list)
    """Matches whose log is final and not revealed."""


class DealSets:
    """Every set of one referee that is not revealed."""

    def __init__(self, store: Store, signer: Signer | None, revealed: Callable[[str], None]) -> None:
        """``revealed`` is told of each match whose log is complete now."""
        self._store = store
        self._signer = signer
        self._told = revealed
        self._sets: Final[dict[str, DealSet]] = {}
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self.failed: Final[dict[str, str]] = {}
        """By match, why its seed could not be revealed; whoever takes up what is left tries again."""

    @property
    def names(self) -> list[str]:
        """The sets that are not revealed yet."""
        return list(self._sets)

    def find(self, name: str) -> DealSet | None:
        """A set that is not revealed yet."""
        return self._sets.get(name)

    def open(self, name: str, seed: bytes) -> DealSet:
        """The set of that name; a new one has this seed."""
        return self._sets.setdefault(name, DealSet(name, seed))

    def over(self, name: str, match: str, *, final: bool) -> None:
        """A match of a set is over; ``final``: its log has an end and a seal."""
        deals = self._sets[name]
        deals.playing.discard(match)
        if final:
            deals.final.append(match)
        self._reveal_if_done(deals)

    def close(self, name: str) -> DealSet | None:
        """Take no more matches into a set; its seeds are revealed when the last one is over. None: no such set."""
        deals = self._sets.get(name)
        if deals is not None:
            deals.closed = True
            self._reveal_if_done(deals)
        return deals

    def _reveal_if_done(self, deals: DealSet) -> None:
        if deals.closed and not deals.playing and self._sets.get(deals.name) is deals:
            del self._sets[deals.name]
            self._start(deals.final, deals.seed)

    def _start(self, matches: Iterable[str], seed: bytes) -> None:
        task = asyncio.get_running_loop().create_task(self._reveal(list(matches), seed))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _reveal(self, matches: list[str], seed: bytes) -> None:
        for match in matches:
            try:
                await asyncio.to_thread(reveal, self._store.log_path(match), seed, self._signer)
            except (OSError, RevealError) as error:
                # The seed's file stays, so that it can be done later.
                self.failed[match] = why = getattr(error, "strerror", None) or str(error)
                log.error("not revealed", match=match, error=why)
                continue
            self._store.open_up(match)
            self._store.drop_seed(match)
            self._told(match)
            log.info("revealed", match=match)

    async def wait(self) -> None:
        """Until everything that is to be revealed now has been."""
        while self._tasks:
            await asyncio.gather(*self._tasks)

    def take_up(self, known: Container[str] = ()) -> None:
        """Go on with what an earlier process left: finish single logs that lack their seed, remember open sets.

        ``known``: matches that somebody else has looked at.
        """
        for match, seed in self._store.seeds():
            if match in known:
                continue
            try:
                now = standing(self._store.log_path(match))
            except (OSError, RevealError) as error:
                log.warning("a seed without a usable log", match=match, error=str(error))
                continue
            if now.stage == "begun":
                log.warning("a match was broken off", match=match)
            elif now.head.deals == match:
                self._start([match], seed)
            elif now.stage == "complete":
                self._store.drop_seed(match)
            else:
                self.open(now.head.deals, seed).final.append(match)
                log.info("a set is still to be closed", deals=now.head.deals, match=match)
