"""Level L3: which code, and which rule, a line has that is not the one that the game answers with."""

from typing import Final

import msgspec

from referee.game.game import Game
from referee.game.records import (
    AnyAct,
    Auto,
    Blind,
    Cards,
    Challenge,
    Chance,
    Confess,
    Discard,
    Exchange,
    Fold,
    Forfeit,
    Open,
    Out,
    Penalty,
    Record,
    Resign,
    Score,
    Show,
    Toep,
    Trick,
    Void,
)  # fmt: skip
from referee.validate.findings import Fault

FIELDS: Final[dict[type[Record], tuple[tuple[str, str], ...]]] = {
    Toep: (("stake", "E331"),),
    Blind: (("stake", "E331"),),
    Fold: (("pay", "E332"),),
    Challenge: (("genuine", "E333"), ("shown", "E334")),
    Confess: (("card", "E335"), ("pay", "E336")),
    Discard: (("seat", "E328"), ("cards", "E328")),
    Trick: (("win", "E340"), ("lead", "E341")),
    Score: (("points", "E342"), ("total", "E343")),
    Penalty: (("seat", "E344"), ("why", "E347"), ("points", "E348")),
    Auto: (("seats", "E345"),),
    Out: (("seat", "E346"), ("why", "E349")),
    Open: (("seats", "E393"), ("stake", "E331")),
    Show: (("seat", "E394"), ("cards", "E395")),
    Void: (("why", "E396"),),
}
"""By kind of record, the fields that follow from the rules, in the order in which they are looked at."""

MISSING: Final[dict[type[Record], str]] = {
    Trick: "E350",
    Score: "E351",
    Penalty: "E352",
    Auto: "E353",
    Out: "E354",
    Cards: "E324",
    Open: "E355",
    Show: "E356",
    Void: "E357",
    Discard: "E358",
}
"""A record that the game makes, and the log does not have."""

EXTRA: Final[dict[type[Record], str]] = {
    Trick: "E360",
    Score: "E361",
    Penalty: "E362",
    Auto: "E363",
    Out: "E364",
    Cards: "E326",
    Open: "E365",
    Show: "E366",
}
"""A record that the log has, and the game does not make."""


def fault(record: Record, expected: Record, game: Game, in_round: int) -> Fault:
    """The first field in which a record differs from the expected one of the same kind.

    ``in_round`` is the mask of the seats still in when it was made.
    """
    for field, code in FIELDS.get(type(expected), ()):
        want, have = getattr(expected, field), getattr(record, field)
        if want != have:
            return Fault(
                code,
                f"wrong {field}",
                pointer=f"/{field}",
                expected=_text(want),
                actual=_text(have),
                rule=_bonus_rule(want, have, field) or broken_rule(expected, field, game, in_round),
            )
    raise AssertionError(f"no field of {type(expected).__name__} differs")


def broken_rule(expected: Record, field: str, game: Game, in_round: int) -> str:
    """The rule that this very line breaks; empty where the code's own rule is the right one."""
    if isinstance(expected, Penalty):
        return expected.why
    if isinstance(expected, Out):
        if expected.why == "crosses":
            return "R-KRUIS-01"
        return "R-END-01" if game.rules.game_end == "first_out" else "R-END-02"
    if isinstance(expected, Trick):
        if field == "lead":
            return "R-TRICK-02" if in_round >> expected.win & 1 else "R-TRICK-03"
        return _trick_rule(game, in_round)
    if field == "stake":
        return {Blind: "R-BLIND-02", Open: "R-ARM-03"}.get(type(expected), "")
    if isinstance(expected, Confess) and field == "pay":
        return "R-VERZ-03" if expected.pay == game.stake + 1 else "R-VERZ-04"
    if isinstance(expected, Discard):
        return "R-KANS-04" if game.rules.chance else "R-GRAF-01"
    return ""


def _bonus_rule(want: list[int], have: list[int], field: str) -> str:
    """R-BOER-01 where points differ that only a jack in the last trick makes negative."""
    if field != "points" or not isinstance(want, list):
        return ""
    return "R-BOER-01" if any(a != b and min(a, b) < 0 for a, b in zip(want, have, strict=False)) else ""


def draw_rule(act: Exchange | Chance) -> str:
    """The rule by which an act draws cards."""
    return "R-KANS-03" if isinstance(act, Chance) else "R-WAS-04"


LEAVING: Final = frozenset((Fold, Resign, Forfeit, Confess))
"""Acts after which a seat is not in the round any more."""


def still_in(act: AnyAct | Forfeit | Void, game: Game) -> int:
    """The mask of the seats still in after an act of `LEAVING`, before what follows from it; ``game`` is the one before
    the act."""
    gone = 0 if isinstance(act, Void) else 1 << act.seat
    for seat, _ in game.sealed_folds:
        gone |= 1 << seat
    return game.in_round & ~gone


def _trick_rule(game: Game, in_round: int) -> str:
    """Which rule decided the latest trick: the plain one, that of folded cards, or the order when nobody followed."""
    number = game.plays[-1][0]
    cards = [(seat, card) for trick, seat, card in game.plays if trick == number]
    led = cards[0][1] >> 3
    following = {card: seat for seat, card in cards if card >> 3 == led}
    if not in_round >> following[max(following)] & 1:
        anybody = any(in_round >> seat & 1 for seat in following.values())
        return "R-FOLD-02" if anybody or game.rules.folded_cards == "win" else "R-TIE-02"
    return "R-TRICK-01"


def _text(value: object) -> str:
    """A field's value, as JSON; "nothing" for an absent field."""
    return "nothing" if value is msgspec.UNSET else msgspec.json.encode(value).decode()
