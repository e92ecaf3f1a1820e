"""Asks and answers of the wire in words, for the author of a bot."""

from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec
from msgspec import UNSET

from referee.cards import NAMES, PACK_SIZE, names
from referee.game.records import AnyAct
from referee.table.messages import AskKind, RefusalCode
from referee.table.steps import Answer as Act
from referee.table.steps import Pass
from referee.table.table import Malformed
from referee.v1 import acts_pb2, play_pb2

KINDS: Final = {int(kind): kind.name.lower() for kind in AskKind}
CODES: Final = {int(code): code.name.lower() for code in RefusalCode}
UNTIL: Final = {0: "", 1: " until the trick is closed", 2: " until the round ends"}
SIGNS: Final = {1: "whistle", 2: "sing", 3: "stand"}


def kind_name(kind: int) -> str:
    """The name of a kind of ask, ``card`` or ``answer``; a number that has none as it is."""
    return KINDS.get(kind, str(kind))


def code_name(code: int) -> str:
    """The name of a refusal's code, ``illegal`` or ``stale``."""
    return CODES.get(code, str(code))


def ask_words(ask: play_pb2.Ask) -> str:
    """``table 1, ask 65 (card) to seat 1, hand 7c 9d: may play 7c, toep; 2000 ms``."""
    hand = f", hand {' '.join(names(ask.hand))}" if ask.hand else ""
    return (
        f"table {ask.table}, ask {ask.ask} ({kind_name(ask.kind)}) to seat {ask.seat}{hand}: "
        f"may {', '.join(may_words(ask)) or 'do nothing'}; {ask.budget_ms} ms"
    )


def may_words(ask: play_pb2.Ask) -> Iterator[str]:
    """What may be answered, one after the other."""
    if ask.legal:
        yield f"play {' '.join(names(ask.legal))}"
    for value in acts_pb2.ActKind.DESCRIPTOR.values:
        if ask.may >> value.number & 1 and value.number:
            yield value.name.removeprefix("ACT_KIND_").lower()


def _card(number: int) -> str:
    return NAMES[number - 1] if 1 <= number <= PACK_SIZE else f"card number {number}"


_DETAILS: Final[dict[str, Callable[[Any], str]]] = {
    "decline": lambda answer: UNTIL.get(answer.decline.until, f" until {answer.decline.until}"),
    "play": lambda answer: f" {_card(answer.play.card)}",
    "cut": lambda answer: f" at {answer.cut.at}",
    "signal": lambda answer: f" {SIGNS.get(answer.signal.sign, answer.signal.sign)}",
    "discard": lambda answer: "".join(f" {_card(card)}" for card in answer.discard.cards),
}


def answer_words(answer: play_pb2.Answer) -> str:
    """``play 7c``, ``pass until the round ends``, ``no act``."""
    name = answer.WhichOneof("act")
    if name is None:
        return "no act"
    details = _DETAILS.get(name)
    return ("pass" if name == "decline" else name) + (details(answer) if details else "")


def act_words(act: Act | Malformed) -> str:
    """An act of a log in the same words."""
    if isinstance(act, Malformed):
        return "no act"
    if isinstance(act, Pass):
        return f"pass{UNTIL.get(act.until, '')}"
    fields = act_fields(act)
    name = fields.pop("_")
    at = "at " if name == "cut" else ""
    values = (" ".join(value) if isinstance(value, list) else str(value) for value in fields.values())
    return " ".join((str(name), *(at + value for value in values)))


def act_fields(act: AnyAct) -> dict[str, Any]:
    """What a player says in an act: its kind under ``_``, and a card, cards, a place or a sign."""
    said = ("at", "card", "cards", "sign")
    fields: dict[str, Any] = {"_": act.__struct_config__.tag}
    for name in act.__struct_fields__:
        value = getattr(act, name)
        if name in said and value is not UNSET and fields["_"] != "confess":
            fields[name] = msgspec.to_builtins(value)
    return fields


def same_act(one: Act | Malformed, other: Act | Malformed) -> bool:
    """Whether two answers say the same; how far a pass reaches is no matter."""
    if isinstance(one, Malformed) or isinstance(other, Malformed):
        return type(one) is type(other)
    if isinstance(one, Pass) or isinstance(other, Pass):
        return type(one) is type(other)
    return act_fields(one) == act_fields(other)


def plain_lines(data: bytes, lines: int) -> list[str]:
    """The last lines of what a program wrote, fit for a terminal."""
    text = data.decode("utf-8", "backslashreplace").rstrip("\n")
    kept = text.split("\n")[-lines:] if text else []
    return ["".join(letter if letter.isprintable() else "?" for letter in line)[:400] for line in kept]
