"""What the referee tells a bot besides its asks, as plain values.

Names of kinds, codes and statuses are those of the protobuf enums in lower case and without their prefix; a value that
this version does not know is called ``"unknown"``.
"""

from dataclasses import dataclass, field
from typing import Final

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

from referee.v1 import events_pb2, play_pb2
from toep_client.acts import Act
from toep_client.cards import NAMES, names

UNKNOWN: Final = "unknown"


@dataclass(frozen=True, slots=True)
class Event:
    """A public event at a table.

    ``kind`` is the name of the event (``"play"``, ``"toep"``, ``"score"``...), ``seat`` the seat it is about, None for
    the whole table. ``by_referee`` is true when the referee acted in the seat's place. ``data`` has the event's own
    values: cards by name, masks of cards as lists of names.
    """

    table: int
    kind: str
    seat: int | None
    by_referee: bool
    data: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Refusal:
    """An answer that was not accepted.

    ``code`` is ``"malformed"``, ``"too_large"``, ``"stale"``, ``"wrong_seat"``, ``"wrong_table"``, ``"not_asked"`` or
    ``"illegal"``; ``rule`` the id of the rule that was broken, or empty; ``message`` one sentence. With ``tries_left``
    the question comes again as a new ask; at 0 the referee has acted. ``act`` is what was answered, when that is known.
    """

    table: int
    ask: int
    code: str
    rule: str
    message: str
    tries_left: int
    act: Act | None = None


@dataclass(frozen=True, slots=True)
class Over:
    """A match that is over.

    ``status`` is ``"complete"``, ``"forfeited"`` or ``"abandoned"``; ``rank`` the places by seat, 1 is the best;
    ``total`` the points by seat; ``seats`` this bot's own seats.
    """

    table: int
    match_id: str
    status: str
    rank: tuple[int, ...]
    total: tuple[int, ...]
    seats: tuple[int, ...] = ()


def enum_name(enum: EnumDescriptor, number: int, prefix: str) -> str:
    """The name of an enum's value: lower case, without ``prefix``; ``"unknown"`` for a number that has none."""
    value = enum.values_by_number.get(number)
    return UNKNOWN if value is None or not number else value.name.removeprefix(prefix).lower()


def event_of(table: int, event: events_pb2.Event) -> Event:
    """A protobuf event as a plain one."""
    kind = event.WhichOneof("event")
    seat = event.seat if event.HasField("seat") else None
    if kind is None:
        return Event(table, UNKNOWN, seat, event.by_referee)
    return Event(table, kind, seat, event.by_referee, _values(getattr(event, kind)))


def refusal_of(refusal: play_pb2.Refusal, act: Act | None) -> Refusal:
    """A protobuf refusal as a plain one; ``act`` is what was answered, if that is known."""
    code = enum_name(play_pb2.RefusalCode.DESCRIPTOR, refusal.code, "REFUSAL_CODE_")
    return Refusal(refusal.table, refusal.ask, code, refusal.rule, refusal.message, refusal.tries_left, act)


def over_of(over: play_pb2.MatchOver, seats: tuple[int, ...]) -> Over:
    """A protobuf match result as a plain one; ``seats`` are the bot's own."""
    status = enum_name(play_pb2.MatchStatus.DESCRIPTOR, over.status, "MATCH_STATUS_")
    return Over(over.table, over.match_id, status, tuple(over.rank), tuple(over.total), seats)


def _values(message: Message) -> dict[str, object]:
    values: dict[str, object] = {}
    for item in message.DESCRIPTOR.fields:
        if item.has_presence and not message.HasField(item.name):
            continue
        value = getattr(message, item.name)
        if item.is_repeated:
            values[item.name] = list(value)
        elif item.type == FieldDescriptor.TYPE_FIXED32:
            values[item.name] = names(value)
        elif item.enum_type is None:
            values[item.name] = value
        elif item.enum_type.name == "Card":
            values[item.name] = NAMES[value - 1] if 1 <= value <= len(NAMES) else None
        else:
            prefix = f"{_shouting(item.enum_type.name)}_"
            values[item.name] = enum_name(item.enum_type, value, prefix)  # type: ignore[arg-type] # one class, two stubs
    return values


def _shouting(name: str) -> str:
    return "".join(f"_{letter}" if letter.isupper() else letter.upper() for letter in name).lstrip("_")
