"""What follows from the results that count: the standings' digest, and where a sequential test stops."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec import UNSET

from referee.tournament.ledger import Ledger
from referee.tournament.spec_types import Pair, Spec
from referee.tournament.statistics.blocks import Block
from referee.tournament.statistics.sequential import improvements, run
from referee.tournament.statistics.standings import Order, Standings, standings


def order_of(spec: Spec) -> Order:
    """What decides in this event: points where every match has so many rounds, places where it is a game."""
    return "places" if spec.length == "game" else "points"


def standings_of(ledger: Ledger, spec: Spec) -> Standings | None:
    """The standings by all blocks that count; None when none does."""
    return standings_by(list(ledger.counted()), ledger.schedule.bots, spec)


def standings_by(blocks: Sequence[Block], names: Sequence[str], spec: Spec) -> Standings | None:
    """The standings by these blocks; None when there are none."""
    return standings(blocks, names, order=order_of(spec)) if blocks else None


def standings_digest(ledger: Ledger, spec: Spec) -> str:
    """SHA-256, hex, of the standings; empty when nothing counts."""
    found = standings_of(ledger, spec)
    return found.digest if found else ""


class Answer(NamedTuple):
    """What a sequential test has found."""

    block: int
    """The last block that it has read: none behind it counts."""
    why: str
    """The answer, with the test's figures."""


class Test:
    """The sequential test of an event, if it has one, on the blocks that count."""

    __test__ = False  # For pytest: it is none of those.

    def __init__(self, spec: Spec) -> None:
        self._spec: Final = spec
        self._values: dict[tuple[int, str], list[tuple[int, float]]] = {}
        """By block and its deals, what the test reads of it: it is worked out once."""

    def answer(self, ledger: Ledger) -> Answer | None:
        """Where the event stops, and why; None: it is to go on. Blocks behind one that is not decided are not read."""
        spec = self._spec
        if spec.stop is UNSET or not isinstance(spec.format, Pair):
            return None
        first, second = spec.format.candidates
        values: list[tuple[int, float]] = []
        for block in ledger.counted():
            if block.index >= ledger.frontier:
                break
            key = block.index, block.matches[0].match
            if key not in self._values:
                self._values[key] = improvements([block], first, second)
            values += self._values[key]
        state = run(spec.stop, values)
        if state.decided_by is None:
            return None
        effect = spec.stop.high if state.decision == "high" else spec.stop.low
        why = f"the test accepts an effect of {effect:g} after {state.n} blocks (llr {state.llr:.3f})"
        return Answer(state.decided_by, why)
