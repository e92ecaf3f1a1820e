"""How long a bot takes for its answers, by kind of ask."""

from collections import Counter
from typing import Final

from referee.conformance.bot.tap import Tap
from referee.conformance.bot.words import KINDS


class Times:
    """The answers to one kind of ask."""

    def __init__(self) -> None:
        self.ms: Final[list[float]] = []
        self._budgets: Final[Counter[int]] = Counter()

    def add(self, ms: float, budget: int) -> None:
        """One more answer."""
        self.ms.append(ms)
        self._budgets[budget] += 1

    @property
    def budget(self) -> int:
        """The time that there was for most of them, in milliseconds."""
        return self._budgets.most_common(1)[0][0]

    def quantile(self, share: float) -> float:
        """The time in which this share of the answers came."""
        ordered = sorted(self.ms)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    @property
    def p50(self) -> float:
        """Half of them took no longer."""
        return self.quantile(0.5)

    @property
    def p99(self) -> float:
        """Of a hundred 99 took no longer."""
        return self.quantile(0.99)


class Measure:
    """Everything that was measured, over all steps."""

    def __init__(self) -> None:
        self.kinds: Final[dict[str, Times]] = {}
        self.idle = 0
        """Asks that may be passed and were not answered at all."""
        self.batch = 0
        """The most asks that came in one message."""

    def take(self, tap: Tap, idle: int) -> None:
        """What one step has heard."""
        self.idle += idle
        self.batch = max(self.batch, tap.batch)
        for put in tap.answered():
            if put.ask.kind in KINDS and put.ms is not None:
                self.kinds.setdefault(put.kind, Times()).add(put.ms, put.ask.budget_ms)

    def rows(self) -> list[tuple[str, Times]]:
        """The kinds in the order of their numbers."""
        return [(kind, self.kinds[kind]) for kind in KINDS.values() if kind in self.kinds]
