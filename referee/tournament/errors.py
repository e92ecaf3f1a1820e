"""What can be wrong with an event, as types: each has one message that names the thing and the way out."""

from pathlib import Path


class TournamentError(Exception):
    """Something about an event that its organiser can put right."""


class SpecError(TournamentError):
    """A spec that no event can be made of. The message is ``FILE:LINE: KEY: what is wrong and what to write``."""

    def __init__(self, path: Path | str, line: int, key: str, why: str) -> None:
        """``line``: from 1; ``key``: the path of the key, such as ``bots[1].command``, or empty for the whole file."""
        super().__init__(f"{path}:{line}: {key}: {why}" if key else f"{path}:{line}: {why}")
        self.path = str(path)
        self.line = line
        self.key = key
        self.why = why


class TrustError(TournamentError):
    """Seatings that would show a bot hidden cards which it remembers. ``bot`` is the first such bot's name."""

    def __init__(self, bot: str, why: str) -> None:
        super().__init__(why)
        self.bot = bot


class ScheduleError(TournamentError):
    """Something was asked of a schedule that it does not have."""


class DirectorError(TournamentError):
    """An event that cannot be begun, or cannot go on."""
