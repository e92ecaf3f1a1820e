"""What follows from the results that count: the standings' digest, and where a sequential test stops."""

from typing import Final

from msgspec import UNSET

from referee.tournament.ledger import Ledger
from referee.tournament.spec_types import Pair, Spec
from referee.tournament.statistics.sequential import improvements, run
from referee.tournament.statistics.standings import standings


def standings_digest(ledger: Ledger) -> str:
    """SHA-256, hex, of the standings; empty when nothing counts."""
    blocks = list(ledger.counted())
    return standings(blocks, ledger.schedule.bots).digest if blocks else ""


class Test:
    """The sequential test of an event, if it has one, on the blocks that count."""

    __test__ = False  # For pytest: it is none of those.

    def __init__(self, spec: Spec) -> None:
        self._spec: Final = spec
        self._values: dict[tuple[int, str], list[tuple[int, float]]] = {}
        """By block and its deals, what the test reads of it: it is worked out once."""

    def reason(self, ledger: Ledger) -> str:
        """Why the event need not go on behind the blocks that are decided; empty: it is to go on."""
        spec = self._spec
        if spec.stop is UNSET or not isinstance(spec.format, Pair):
            return ""
        first, second = spec.format.candidates
        values: list[tuple[int, float]] = []
        for block in ledger.counted():
            key = block.index, block.matches[0].match
            if key not in self._values:
                self._values[key] = improvements([block], first, second)
            values += self._values[key]
        state = run(spec.stop, values)
        if not state.decision:
            return ""
        effect = spec.stop.high if state.decision == "high" else spec.stop.low
        return f"the test accepts an effect of {effect:g} after {state.n} blocks (llr {state.llr:.3f})"
