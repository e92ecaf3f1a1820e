"""The edge between protobuf and the plain structs: nothing past this file knows the wire.

Incoming answers become acts, or `Malformed` with a sentence for their author; records become public events. Numbers
of enums are the same on both sides by construction, and a test holds them together.
"""

from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec import UNSET

from referee.cards import INDEX, NAMES, PACK_SIZE, mask_of
from referee.game import records as game
from referee.game.game import Game
from referee.game.records import Record
from referee.game.state import NOBODY
from referee.log.records import Conduct, Late
from referee.ruleset import OPTIONS, Ruleset
from referee.table.steps import PASS, Answer, Pass
from referee.table.table import Malformed
from referee.v1 import acts_pb2, events_pb2, play_pb2, rules_pb2, table_pb2

SIGNS: Final = {acts_pb2.SIGN_WHISTLE: "whistle", acts_pb2.SIGN_SING: "sing", acts_pb2.SIGN_STAND: "stand"}
SIGN_NUMBERS: Final = {name: number for number, name in SIGNS.items()}
OUT_REASONS: Final = {
    "limit": events_pb2.OUT_REASON_LIMIT,
    "crosses": events_pb2.OUT_REASON_CROSSES,
    "penalty": events_pb2.OUT_REASON_PENALTY,
    "resign": events_pb2.OUT_REASON_RESIGN,
    "forfeit": events_pb2.OUT_REASON_FORFEIT,
}
VERDICTS: Final[dict[str, events_pb2.LateVerdict]] = {
    "bot": events_pb2.LATE_VERDICT_BOT,
    "link": events_pb2.LATE_VERDICT_LINK,
    "host": events_pb2.LATE_VERDICT_HOST,
    "referee": events_pb2.LATE_VERDICT_REFEREE,
}
STATUS: Final = {
    "waiting": play_pb2.MATCH_STATUS_WAITING,
    "playing": play_pb2.MATCH_STATUS_PLAYING,
    "complete": play_pb2.MATCH_STATUS_COMPLETE,
    "forfeited": play_pb2.MATCH_STATUS_FORFEITED,
    "abandoned": play_pb2.MATCH_STATUS_ABANDONED,
}


# -- in ----------------------------------------------------------------------------------------------------------------


def read_answer(answer: play_pb2.Answer, seat: int) -> Answer | Malformed:
    """The act in an answer, by the seat that the ask was for; `Malformed` when the schema has no such act."""
    name = answer.WhichOneof("act")
    if name == "decline":  # By far the most frequent.
        until = answer.decline.until
        return PASS if not until else _read_pass(until)
    if name is None:
        return Malformed("the answer has no act that this referee knows")
    return READERS[name](answer, seat)


def _read_pass(until: int) -> Answer | Malformed:
    return Pass(until) if until in (1, 2) else Malformed(f"decline.until: {until} is not a PassUntil")


def _read_play(answer: play_pb2.Answer, seat: int) -> Answer | Malformed:
    card = answer.play.card
    if not 1 <= card <= PACK_SIZE:
        return Malformed(f"play.card: {card} is not a card")
    return game.Play(card=NAMES[card - 1], seat=seat)


def _read_cut(answer: play_pb2.Answer, seat: int) -> Answer | Malformed:
    at = answer.cut.at
    return game.Cut(at=at, seat=seat) if 1 <= at < PACK_SIZE else Malformed(f"cut.at: {at} is not between 1 and 31")


def _read_signal(answer: play_pb2.Answer, seat: int) -> Answer | Malformed:
    sign = answer.signal.sign
    if sign not in SIGNS:
        return Malformed(f"signal.sign: {sign} is not a Sign")
    return game.Signal(seat=seat, sign=SIGNS[sign])  # type: ignore[arg-type]


def _read_discard(answer: play_pb2.Answer, seat: int) -> Answer | Malformed:
    cards = list(answer.discard.cards)
    if not all(1 <= card <= PACK_SIZE for card in cards) or len(set(cards)) != len(cards) or len(cards) > PACK_SIZE:
        return Malformed("discard.cards: not a list of different cards")
    return game.Discard(cards=[NAMES[card - 1] for card in sorted(cards)], seat=seat)


READERS: Final[dict[str, Callable[[play_pb2.Answer, int], Answer | Malformed]]] = {
    "decline": lambda answer, _: _read_pass(answer.decline.until),
    "play": _read_play,
    "toep": lambda _, seat: game.Toep(seat=seat),
    "stay": lambda _, seat: game.Stay(seat=seat),
    "fold": lambda _, seat: game.Fold(seat=seat),
    "exchange": lambda _, seat: game.Exchange(seat=seat),
    "challenge": lambda _, seat: game.Challenge(seat=seat),
    "signal": _read_signal,
    "blind": lambda _, seat: game.Blind(seat=seat),
    "peek": lambda _, seat: game.Peek(seat=seat),
    "chance": lambda _, seat: game.Chance(seat=seat),
    "discard": _read_discard,
    "cut": _read_cut,
    "confess": lambda _, seat: game.Confess(seat=seat),
    "resign": lambda _, seat: game.Resign(seat=seat),
}
"""How to read each act of the wire."""


# -- out ---------------------------------------------------------------------------------------------------------------


class News:
    """What a table tells everybody. The message is kept, and only what has changed since the last one is set anew."""

    def __init__(self, table: int, match: Game) -> None:
        self._match = match
        self._response = play_pb2.PlayResponse()
        self._update = self._response.updates.add(table=table)
        self._deal = -1
        self._plays = 0
        self._seats: dict[str, int] = {}
        self._numbers: tuple[int, ...] = ()
        self._raw: list[int] = []
        self._accepted: list[int] = []

    def message(self, records: list[Record]) -> bytes:
        """A serialised PlayResponse with these public records and how the table stands now."""
        events = self._update.events
        del events[:]
        for record in records:
            WRITERS[type(record)](events.add(), record)
        self._refresh(self._update.state)
        return self._response.SerializeToString()

    def _refresh(self, state: table_pb2.TableState) -> None:
        match = self._match
        if match.deals != self._deal:
            self._deal, self._plays = match.deals, 0
            del state.plays[:]
        if len(match.plays) < self._plays:  # A revoked card was taken back.
            del state.plays[len(match.plays) :]
        elif len(match.plays) > self._plays:
            state.plays.extend([trick << 8 | seat << 5 | card for trick, seat, card in match.plays[self._plays :]])
        self._plays = len(match.plays)
        self._set_numbers(state, match)
        if match.raw != self._raw:
            self._raw = match.raw.copy()
            state.points[:] = [match.points(seat) for seat in range(match.seats)]
        if match.accepted != self._accepted:
            self._accepted = match.accepted.copy()
            state.accepted[:] = self._accepted

    def _set_numbers(self, state: table_pb2.TableState, match: Game) -> None:
        numbers = (
            match.round,
            match.trick_number,
            match.dealer,
            match.lead,
            match.turn,
            match.stake,
            match.toeper,
            match.in_round,
            match.in_game,
            mask_of(match.answer_queue) if match.answer_queue else 0,
            len(match.stock),
            NOBODY if match.claim is None else match.claim.seat,
            match.exchanged,
            match.signalled,
            match.try_,
        )
        if self._numbers:
            changed = [place for place, number in enumerate(numbers) if number != self._numbers[place]]
        else:
            changed = list(range(len(numbers)))
        self._numbers = numbers
        for place in changed:
            if numbers[place] == NOBODY:
                state.ClearField(NUMBERS[place])
            else:
                setattr(state, NUMBERS[place], numbers[place])


NUMBERS: Final[tuple[Any, ...]] = (
    "round", "trick", "dealer", "lead", "turn", "stake", "toeper", "in_round", "in_game", "answering", "stock",
    "claimer", "exchanged", "signalled", "attempt",
)  # fmt: skip
"""The numbers of a TableState, in the order in which `News` compares them."""


def event(record: Record) -> events_pb2.Event:
    """A public record as an event."""
    message = events_pb2.Event()
    WRITERS[type(record)](message, record)
    return message


Writer = Callable[[events_pb2.Event, Any], None]


def _acted(fill: Writer) -> Writer:
    """A writer for records that have a seat, and perhaps were the referee's doing."""

    def write(message: events_pb2.Event, record: Any) -> None:
        message.seat = record.seat
        if getattr(record, "by", UNSET) is not UNSET:
            message.by_referee = True
        fill(message, record)

    return write


def _is(name: str) -> Writer:
    """A writer for an event that has no fields of its own."""

    def write(message: events_pb2.Event, _: Any) -> None:
        getattr(message, name).SetInParent()

    return _acted(write)


def _has(name: str, **fields: Callable[[Any], Any]) -> Writer:
    """A writer for an event whose fields come from the record; a field whose value is unset stays so."""

    def write(message: events_pb2.Event, record: Any) -> None:
        part = getattr(message, name)
        part.SetInParent()
        for field, read in fields.items():
            value = read(record)
            if isinstance(value, list):
                getattr(part, field).extend(value)
            elif value is not UNSET:
                setattr(part, field, value)

    return write


def _play(message: events_pb2.Event, record: game.Play) -> None:
    message.seat = record.seat
    if record.by is not UNSET:
        message.by_referee = True
    message.play.card = INDEX[record.card] + 1  # type: ignore[assignment]


def _trick(message: events_pb2.Event, record: game.Trick) -> None:
    message.seat = record.win
    message.trick.SetInParent()
    if record.lead is not UNSET:
        message.trick.lead = record.lead


def _round(message: events_pb2.Event, record: game.Round) -> None:
    message.seat = record.dealer
    message.round.round = record.round
    message.round.attempt = record.try_


def _mask(cards: list[Any]) -> int:
    return mask_of(INDEX[card] for card in cards)


WRITERS: Final[dict[type[Record], Writer]] = {
    game.Play: _play,
    game.Trick: _trick,
    game.Round: _round,
    game.Toep: _acted(_has("toep", stake=lambda r: r.stake)),
    game.Stay: _is("stay"),
    game.Fold: _acted(_has("fold", pay=lambda r: r.pay)),
    game.Score: _has("score", points=lambda r: r.points, total=lambda r: r.total),
    game.Out: _acted(_has("out", reason=lambda r: OUT_REASONS[r.why])),
    game.Exchange: _is("exchange"),
    game.Challenge: _acted(_has("challenge", genuine=lambda r: r.genuine, shown=lambda r: _mask(r.shown))),
    game.Penalty: _acted(_has("penalty", points=lambda r: r.points, rule=lambda r: r.why)),
    game.Signal: _acted(_has("signal", sign=lambda r: SIGN_NUMBERS[r.sign])),
    game.Resign: _is("resign"),
    game.Auto: _has("along", seats=lambda r: r.seats),
    game.Open: _has("open", seats=lambda r: r.seats, stake=lambda r: r.stake),
    game.Draw: _has("draw", cards=lambda r: [seat << 5 | INDEX[card] for seat, card in r.cards]),
    game.Cut: _acted(_has("cut", at=lambda r: r.at)),
    game.Blind: _acted(_has("blind", stake=lambda r: r.stake)),
    game.Peek: _is("peek"),
    game.Chance: _is("chance"),
    game.Show: _acted(_has("show", cards=lambda r: _mask(r.cards))),
    game.Confess: _acted(
        _has("confess", card=lambda r: UNSET if r.card is UNSET else INDEX[r.card] + 1, pay=lambda r: r.pay)
    ),
    game.Forfeit: _acted(_has("forfeit", reason=lambda r: r.why)),
    game.Void: _has("voided", reason=lambda r: r.why),
    Late: _acted(_has("late", budget_ms=lambda r: r.budget, verdict=lambda r: VERDICTS[r.verdict])),
}
"""How to write each public record; a record without an entry is private."""


def rule_options(rules: Ruleset) -> list[rules_pb2.RuleOption]:
    """Every option of a rule set and its value."""
    return [rule_option(name, getattr(rules, name)) for name in OPTIONS]


def rule_option(name: str, value: str | int | bool) -> rules_pb2.RuleOption:
    """One option and its value."""
    if isinstance(value, bool):
        return rules_pb2.RuleOption(name=name, flag=value)
    if isinstance(value, int):
        return rules_pb2.RuleOption(name=name, number=value)
    return rules_pb2.RuleOption(name=name, choice=value)


def read_options(options: Any) -> dict[str, object]:
    """Options of the wire as the overrides that `referee.ruleset.resolve` takes; one without a value gets None."""
    return {
        option.name: getattr(option, field) if (field := option.WhichOneof("value")) else None for option in options
    }


LEFT: Final = {"forfeit": rules_pb2.LEFT_POLICY_FORFEIT, "wait": rules_pb2.LEFT_POLICY_WAIT}
STALL: Final = {
    "count": rules_pb2.STALL_POLICY_COUNT,
    "excuse": rules_pb2.STALL_POLICY_EXCUSE,
    "void": rules_pb2.STALL_POLICY_VOID,
}
NAMED: Final[dict[str, dict[str, Any]]] = {"left": LEFT, "stall": STALL}
"""The fields of a conduct policy that are no numbers."""


def conduct_message(conduct: Conduct) -> rules_pb2.Conduct:
    """A conduct policy; what it does not say is not set."""
    fields: dict[str, Any] = {
        name: NAMED[name][str(value)] if name in NAMED else value
        for name, value in msgspec.to_builtins(conduct).items()
    }
    return rules_pb2.Conduct(**fields)


def read_conduct(message: rules_pb2.Conduct) -> dict[str, object]:
    """The fields of a conduct policy that are set, as `referee.log.policy.make_conduct` takes them."""
    fields = {name: getattr(message, name) for name in Conduct.__struct_fields__ if message.HasField(name)}
    for name, values in NAMED.items():
        if fields.get(name) == 0:
            del fields[name]
        elif name in fields:
            fields[name] = {number: value for value, number in values.items()}.get(fields[name], fields[name])
    return fields
