"""What a bot can answer, as small immutable values, and their JSON and protobuf forms.

In JSON an act is an object with its name under ``_``, as in the replay log: ``{"_":"play","card":"Th"}``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

from referee.v1 import acts_pb2, play_pb2
from toep_client.cards import INDEX

Until = Literal["trick", "round"]
Sign = Literal["whistle", "sing", "stand"]
SIGNS: Final[tuple[Sign, ...]] = get_args(Sign)


@dataclass(frozen=True, slots=True)
class Pass:
    """Declines a window: only this one, or every one until the running trick or the round ends."""

    until: Until | None = None

    def __post_init__(self) -> None:
        if self.until not in (None, *get_args(Until)):
            raise ValueError(f'a pass reaches until "trick" or "round", not {self.until!r}')


@dataclass(frozen=True, slots=True)
class Cut:
    """Cuts the pack: ``at`` cards, 1 to 31, go from the top to the bottom."""

    at: int

    def __post_init__(self) -> None:
        if type(self.at) is not int or not 1 <= self.at <= 31:
            raise ValueError(f"a pack is cut at 1 to 31, not {self.at!r}")


@dataclass(frozen=True, slots=True)
class Blind:
    """Toeps before anybody has seen a card."""


@dataclass(frozen=True, slots=True)
class Peek:
    """Looks at one's cards too early."""


@dataclass(frozen=True, slots=True)
class Chance:
    """Draws one card to three alike: kans op toep."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """Lays down the whole hand for four new cards: vuile was."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """Turns up the hand that was laid down in the latest exchange."""


@dataclass(frozen=True, slots=True)
class Signal:
    """Gives a sign: ``"whistle"``, ``"sing"`` or ``"stand"``."""

    sign: Sign

    def __post_init__(self) -> None:
        if self.sign not in SIGNS:
            raise ValueError(f"a sign is one of {', '.join(SIGNS)}, not {self.sign!r}")


@dataclass(frozen=True, slots=True)
class Toep:
    """Knocks: raises the stake by one."""


@dataclass(frozen=True, slots=True)
class Stay:
    """Goes along with a toep."""


@dataclass(frozen=True, slots=True)
class Fold:
    """Declines a toep and leaves the round."""


@dataclass(frozen=True, slots=True)
class Play:
    """Plays a card, such as ``"Th"``."""

    card: str

    def __post_init__(self) -> None:
        _check_card(self.card)


@dataclass(frozen=True, slots=True)
class Discard:
    """Lays away three different cards in a finale; any sequence of names will do."""

    cards: tuple[str, ...]

    def __post_init__(self) -> None:
        cards = tuple(self.cards)
        for card in cards:
            _check_card(card)
        if len(cards) != 3 or len(set(cards)) != 3:
            raise ValueError(f"three different cards are laid away, not {', '.join(cards) or 'none'}")
        object.__setattr__(self, "cards", cards)


@dataclass(frozen=True, slots=True)
class Confess:
    """Owns up to a revoke."""


@dataclass(frozen=True, slots=True)
class Resign:
    """Gives up the game. Allowed as an answer to any ask, and never in a view's list of legal acts."""


@dataclass(frozen=True, slots=True)
class Malformed:
    """Not an act: an answer without one, which the referee refuses. The bridge sends it for a line it cannot read."""


Act = (
    Pass
    | Cut
    | Blind
    | Peek
    | Chance
    | Exchange
    | Challenge
    | Signal
    | Toep
    | Stay
    | Fold
    | Play
    | Discard
    | Confess
    | Resign
    | Malformed
)
ACTS: Final[tuple[type[Act], ...]] = tuple(kind for kind in get_args(Act) if kind is not Malformed)
"""Every act there is."""

BY_NAME: Final[dict[str, type[Act]]] = {kind.__name__.lower(): kind for kind in ACTS}
"""The acts by their names in JSON."""

# A field is found by the type of its message: one of them is named like a keyword of Python.
_FIELDS: Final = {
    field.message_type.name: field.name
    for field in play_pb2.Answer.DESCRIPTOR.oneofs_by_name["act"].fields
    if field.message_type is not None
}
_UNTIL: Final[dict[str, acts_pb2.PassUntil]] = {
    "trick": acts_pb2.PASS_UNTIL_TRICK,
    "round": acts_pb2.PASS_UNTIL_ROUND,
}
_SIGN: Final[dict[str, acts_pb2.Sign]] = {
    "whistle": acts_pb2.SIGN_WHISTLE,
    "sing": acts_pb2.SIGN_SING,
    "stand": acts_pb2.SIGN_STAND,
}


def to_answer(act: Act, table: int, ask: int) -> play_pb2.Answer:
    """The protobuf answer that says ``act`` to one ask. Raises `TypeError` for something that is not an act."""
    answer = play_pb2.Answer(table=table, ask=ask)
    if isinstance(act, Malformed):
        return answer
    if not isinstance(act, ACTS):
        raise TypeError(f"not an act: {act!r}")
    message = getattr(answer, _FIELDS[type(act).__name__])
    message.SetInParent()
    match act:
        case Play(card):
            message.card = INDEX[card] + 1
        case Pass(str(until)):
            message.until = _UNTIL[until]
        case Cut(at):
            message.at = at
        case Signal(sign):
            message.sign = _SIGN[sign]
        case Discard(cards):
            message.cards.extend(INDEX[card] + 1 for card in cards)
    return answer


def to_plain(act: Act) -> dict[str, object]:
    """An act as a JSON object; a pass without a reach has no ``until``, and `Malformed` has the name ``malformed``."""
    plain: dict[str, object] = {"_": type(act).__name__.lower()}
    for name in act.__slots__:
        value = getattr(act, name)
        if value is not None:
            plain[name] = list(value) if isinstance(value, tuple) else value
    return plain


def from_plain(plain: Mapping[str, object]) -> Act:
    """The act that a JSON object means. Raises `ValueError`, with a message for its author, when it means none."""
    name = plain.get("_")
    kind = BY_NAME.get(name) if isinstance(name, str) else None
    if kind is None:
        raise ValueError(f'"_" must be one of {", ".join(BY_NAME)}, not {name!r}')
    given = {key: value for key, value in plain.items() if key != "_"}
    for key, value in given.items():
        if key not in kind.__slots__:
            raise ValueError(f"{name} has no {key!r}")
        if isinstance(value, list):
            given[key] = tuple(value)
    missing = [key for key in kind.__slots__ if key not in given and kind is not Pass]
    if missing:
        raise ValueError(f"{name} needs {missing[0]!r}")
    if kind is Discard and not isinstance(given["cards"], tuple):
        raise ValueError(f"the cards to lay away are a list, not {given['cards']!r}")
    make: Callable[..., Act] = kind
    return make(**given)


def _check_card(card: object) -> None:
    if not isinstance(card, str) or card not in INDEX:
        raise ValueError(f'a card is a rank of JQKA789T and a suit of cdsh, such as "Th", not {card!r}')
