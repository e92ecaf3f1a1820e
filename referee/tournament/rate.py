"""How many rounds a second this machine plays of an event: its first matches, by a director, with its own bots."""

import asyncio
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from referee.service.errors import HallError
from referee.service.server import BindError
from referee.tournament.director import Director
from referee.tournament.errors import TournamentError
from referee.tournament.folder import Folder
from referee.tournament.observer import Figures, Silent
from referee.tournament.plan import Rate
from referee.tournament.schedule import ScheduledMatch
from referee.tournament.spec_types import Bot, Spec

STAND_IN: Final = "careful"
"""The sample bot that sits where a remote bot will."""

LONGEST_SECONDS: Final = 120.0
"""After so long, running matches are left as they stand."""


class RateError(TournamentError):
    """No match could be played."""


class Watch(Silent):
    """Sums up how long tables were taken, and tells when it has seen enough."""

    def __init__(self, seconds: float, say: Callable[[str], None], enough: Callable[[], None]) -> None:
        self.rounds = 0
        self.matches = 0
        """That are over."""
        self.taken = 0.0
        """Seconds, summed over tables."""
        self.said = ""
        """What was said first."""
        self._until: Final = seconds
        self._say: Final = say
        self._enough: Final = enough
        self._asked = 0
        self._since: Final[dict[str, float]] = {}

    def match_started(self, match: ScheduledMatch, bots: tuple[str, ...]) -> None:
        """Its table is taken."""
        self._since[match.match] = time.monotonic()

    def match_over(self, match: ScheduledMatch, status: str) -> None:
        """Its table is free."""
        self.taken += time.monotonic() - self._since.pop(match.match)
        self.matches += 1

    def figures(self, figures: Figures) -> None:
        """Time passes."""
        self.rounds = figures.rounds
        late = figures.seconds > self._until, figures.seconds > LONGEST_SECONDS
        while self._asked < sum(late):
            self._asked += 1
            self._enough()

    def fault(self, match: str, bot: str, what: str) -> None:
        """Somebody may want to know before the event."""
        self.say(f"{bot} {what} in {match}")

    def say(self, text: str) -> None:
        """Pass it on."""
        self.said = self.said or text
        self._say(text)

    def close(self) -> None:
        """Tables of matches that were left were taken until now."""
        self.taken += sum(time.monotonic() - since for since in self._since.values())
        self._since.clear()


def measure(spec: Spec, folder: Path, *, seconds: float, say: Callable[[str], None]) -> Rate:
    """Play the event in a folder that is removed; after ``seconds`` no more matches begin.

    ``folder``: where paths of the spec are seen from; ``say`` gets a line for whatever a person should know. The rate
    is that of a table, times the tables at once, so that it does not matter when the last of them is over. Raises
    `RateError`, and what `Director.prepare` raises.
    """
    # What dials in is not there yet, and a secret seed is kept for the event itself.
    bots = [Bot(name=bot.name, command=[STAND_IN]) if bot.remote else bot for bot in spec.bots]
    played = msgspec.structs.replace(spec, bots=bots, seed="", seed_file="", tokens="", tls_cert="", tls_key="")
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="toep-rate-") as where:
        # Bots under other users may pass it, and see nothing in it.
        Path(where).chmod(0o711)
        watch = Watch(seconds, say, lambda: director.stop())  # noqa: PLW0108 - it comes after
        director = Director(played, b"", folder, Folder(Path(where) / "event"), watch)
        director.prepare()
        try:
            asyncio.run(director.run())
        except (HallError, BindError) as error:
            raise RateError(f"no match could be played: {error}") from None
        finally:
            director.close()
    if not watch.rounds:
        why = watch.said or f"no round was over after {time.monotonic() - begun:.0f} s; say the rate with --rate"
        raise RateError(f"no match could be played: {why}")
    tables = min(director.concurrency, director.schedule.matches)
    return Rate(
        rounds_per_second=watch.rounds * tables / watch.taken,
        source="measured",
        matches=watch.matches,
        seconds=time.monotonic() - begun,
    )
