"""Why an act is not legal: a rule id and a sentence."""

from typing import Final

from msgspec import Struct


class Refusal(Struct, frozen=True, gc=False):
    """An act that the rules do not allow here. Nothing changed."""

    rule: str
    """The id of the rule it breaks, as in the rule book: ``"R-SUIT-01"``."""

    why: str
    """One sentence for the author of a bot. It never names a card that its reader may not see."""


class IllegalAct(ValueError):
    """`Game.apply` was given an act that `Game.check` refuses; ``refusal`` says why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.rule}: {refusal.why}")
        self.refusal: Final = refusal
