"""Level L2: the order of records, as a small machine over their kinds (`_`)."""

from enum import Enum
from typing import Final, get_args

from referee.game.records import ACTS, Cut, Record
from referee.log.records import AnyRecord, Entropy, Ruling
from referee.validate.findings import Fault

TAG: Final[dict[type[Record], str]] = {kind: str(kind.__struct_config__.tag) for kind in get_args(AnyRecord)}
"""The kind of every record, as it stands in the log."""


class At(Enum):
    """Where in a log the next line stands; the value is the code of a line that may not stand there."""

    START = "E201"
    HEAD = "E203"
    OPENING = "E204"
    BETWEEN = "E205"
    DEAL = "E206"
    ROUND = "E207"
    REFUSALS = "E208"
    SCORED = "E209"
    END = "E211"
    SEALED_END = "E212"
    REVEALED = "E213"
    DONE = "E214"


_ROUND: Final = {
    **{TAG[kind]: At.ROUND for kind in ACTS if kind is not Cut},
    **dict.fromkeys(
        ("auto", "cards", "forfeit", "late", "open", "out", "penalty", "ruling", "show", "trick", "void"), At.ROUND
    ),
    "refused": At.REFUSALS,
    "score": At.SCORED,
}
NEXT: Final[dict[At, dict[str, At]]] = {
    At.START: {"head": At.HEAD},
    At.HEAD: {"seal": At.OPENING},
    At.OPENING: {
        "draw": At.BETWEEN, "end": At.END, "entropy": At.OPENING, "round": At.DEAL, "ruling": At.OPENING,
    },
    At.BETWEEN: {"end": At.END, "round": At.DEAL, "ruling": At.BETWEEN},
    At.DEAL: {"cards": At.ROUND, "cut": At.DEAL, "ruling": At.DEAL},
    At.ROUND: _ROUND,
    At.REFUSALS: {"refused": At.REFUSALS, "score": At.SCORED},
    At.SCORED: {"out": At.SCORED, "seal": At.BETWEEN},
    At.END: {"seal": At.SEALED_END},
    At.SEALED_END: {"reveal": At.REVEALED},
    At.REVEALED: {"seal": At.DONE},
    At.DONE: {},
}  # fmt: skip
"""The kinds that may follow, and where they lead."""

_FOLLOWING: Final[dict[At, dict[type[Record], At]]] = {
    at: {kind: tags[tag] for kind, tag in TAG.items() if tag in tags} for at, tags in NEXT.items()
}
_ONCE: Final = frozenset((Cut, Entropy))
"""Kinds that lead back to where they stand, and yet stand there once."""


class Order:
    """Follows a log line by line."""

    def __init__(self) -> None:
        self.at = At.START
        self._following = _FOLLOWING[At.START]
        self._last: type[Record] = Record

    def step(self, record: Record) -> None:
        """Take the next record; raises `Fault` (E2xx) when it cannot stand here."""
        kind = type(record)
        at = self._following.get(kind)
        if at is None or (kind in _ONCE and self._last is kind):
            raise self._fault(TAG[kind])
        if at is not self.at:
            self.at = at
            self._following = _FOLLOWING[at]
        if kind is not Ruling:
            self._last = kind

    def _fault(self, tag: str) -> Fault:
        code = self.at.value
        if tag == "head" and self.at is not At.START:
            code = "E202"
        elif tag == "seal" and self.at in (At.START, At.OPENING, At.BETWEEN, At.DEAL, At.ROUND, At.REFUSALS):
            code = "E210"
        elif tag == "cut":
            code = "E215"
        elif tag in ("draw", "entropy") and self.at is not At.START:
            code = "E204"
        expected = sorted(other for other in NEXT[self.at] if other != tag)
        return Fault(
            code, f"{tag} cannot stand here", pointer="/_", expected=" ".join(expected) or "nothing more", actual=tag
        )
