"""The edge between protobuf and the plain structs: nothing past this file knows the wire.

Incoming answers become acts, or `Malformed` with a sentence for their author; records become public events. Numbers
of enums are the same on both sides by construction, and a test holds them together.
"""

from collections.abc import Callable
from typing import Any, Final, Literal

from referee.cards import INDEX, NAMES, PACK_SIZE, mask_of
from referee.game import records as game
from referee.game.game import Game
from referee.game.records import Record
from referee.game.state import NOBODY
from referee.log.records import Conduct, Late
from referee.ruleset import OPTIONS, Ruleset
from referee.table.messages import Ask
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
    if name is None:
        return Malformed("the answer has no act that this referee knows")
    return READERS[name](answer, seat)


def _read_pass(answer: play_pb2.Answer, _: int) -> Answer | Malformed:
    until = answer.decline.until
    if not until:
        return PASS
    return Pass(until) if until in (1, 2) else Malformed(f"pass.until: {until} is not a PassUntil")


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
    "decline": _read_pass,
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


def ask_message(table: int, ask: Ask, budget_ms: int) -> play_pb2.Ask:
    """An ask, with the time that is left for it."""
    return play_pb2.Ask(
        table=table,
        ask=ask.id,
        seat=ask.seat,
        kind=ask.kind,  # type: ignore[arg-type]
        hand=ask.hand,
        legal=ask.legal,
        may=ask.may,
        budget_ms=budget_ms,
    )


class News:
    """What a table tells everybody. The message that holds the public state is kept, and only what changed is set."""

    def __init__(self, table: int, match: Game) -> None:
        self._match = match
        self._update = table_pb2.TableUpdate(table=table)
        self._round = 0
        self._plays = 0

    def message(self, records: list[Record]) -> bytes:
        """A serialised PlayResponse with these public records and how the table stands now."""
        update = self._update
        del update.events[:]
        update.events.extend(map(event, records))
        self._refresh(update.state)
        return play_pb2.PlayResponse(updates=(update,)).SerializeToString()

    def _refresh(self, state: table_pb2.TableState) -> None:
        match = self._match
        if match.deals != self._round:
            self._round, self._plays = match.deals, 0
            state.Clear()
            state.round, state.attempt, state.dealer = match.round, match.try_, match.dealer
        for trick, seat, card in match.plays[self._plays :]:
            state.plays.append(trick << 8 | seat << 5 | card)
        self._plays = len(match.plays)
        state.trick, state.lead, state.stake = match.trick_number, match.lead, match.stake
        state.in_round, state.in_game, state.stock = match.in_round, match.in_game, len(match.stock)
        state.points[:] = [match.points(seat) for seat in range(match.seats)]
        state.accepted[:] = match.accepted
        state.answering = mask_of(match.answer_queue)
        state.exchanged = match.exchanged
        _set_or_clear(state, "turn", match.turn)
        _set_or_clear(state, "toeper", match.toeper)
        _set_or_clear(state, "claimer", NOBODY if match.claim is None else match.claim.seat)


def _set_or_clear(state: table_pb2.TableState, field: Literal["turn", "toeper", "claimer"], seat: int) -> None:
    if seat == NOBODY:
        state.ClearField(field)
    else:
        setattr(state, field, seat)


def event(record: Record) -> events_pb2.Event:
    """A public record as an event."""
    return WRITERS[type(record)](record)


def _out(name: str, build: Callable[[Any], object]) -> Callable[[Any], events_pb2.Event]:
    """A writer for records that have a seat and perhaps were the referee's doing."""

    def write(record: Any) -> events_pb2.Event:
        by = getattr(record, "by", None) == "ref"
        seat = getattr(record, "seat", None)
        return events_pb2.Event(seat=seat, by_referee=by, **{name: build(record)})  # type: ignore[arg-type]

    return write


def _optional(record: object, field: str) -> int | None:
    value = getattr(record, field)
    return value if isinstance(value, int) else None


def _mask(cards: list[Any]) -> int:
    return mask_of(INDEX[card] for card in cards)


_STAY = events_pb2.StayEvent()

WRITERS: Final[dict[type[Record], Callable[[Any], events_pb2.Event]]] = {
    game.Play: lambda r: events_pb2.Event(
        seat=r.seat,
        by_referee=r.by == "ref",
        play=events_pb2.PlayEvent(card=INDEX[r.card] + 1),  # type: ignore[arg-type]
    ),
    game.Trick: lambda r: events_pb2.Event(seat=r.win, trick=events_pb2.TrickEvent(lead=_optional(r, "lead"))),
    game.Round: lambda r: events_pb2.Event(seat=r.dealer, round=events_pb2.RoundEvent(round=r.round, attempt=r.try_)),
    game.Toep: _out("toep", lambda r: events_pb2.ToepEvent(stake=r.stake)),
    game.Stay: _out("stay", lambda _: _STAY),
    game.Fold: _out("fold", lambda r: events_pb2.FoldEvent(pay=r.pay)),
    game.Score: _out("score", lambda r: events_pb2.ScoreEvent(points=r.points, total=r.total)),
    game.Out: _out("out", lambda r: events_pb2.OutEvent(reason=OUT_REASONS[r.why])),
    game.Exchange: _out("exchange", lambda _: events_pb2.ExchangeEvent()),
    game.Challenge: _out("challenge", lambda r: events_pb2.ChallengeEvent(genuine=r.genuine, shown=_mask(r.shown))),
    game.Penalty: _out("penalty", lambda r: events_pb2.PenaltyEvent(points=r.points, rule=r.why)),
    game.Signal: _out("signal", lambda r: events_pb2.SignalEvent(sign=SIGN_NUMBERS[r.sign])),
    game.Resign: _out("resign", lambda _: events_pb2.ResignEvent()),
    game.Auto: _out("along", lambda r: events_pb2.AutoEvent(seats=r.seats)),
    game.Open: _out("open", lambda r: events_pb2.OpenEvent(seats=r.seats, stake=r.stake)),
    game.Cut: _out("cut", lambda r: events_pb2.CutEvent(at=r.at)),
    game.Blind: _out("blind", lambda r: events_pb2.BlindEvent(stake=r.stake)),
    game.Peek: _out("peek", lambda _: events_pb2.PeekEvent()),
    game.Chance: _out("chance", lambda _: events_pb2.ChanceEvent()),
    game.Show: _out("show", lambda r: events_pb2.ShowEvent(cards=_mask(r.cards))),
    game.Confess: _out(
        "confess",
        lambda r: events_pb2.ConfessEvent(
            card=INDEX[r.card] + 1 if isinstance(r.card, str) else 0,  # type: ignore[arg-type]
            pay=_optional(r, "pay") or 0,
        ),
    ),
    game.Forfeit: _out("forfeit", lambda r: events_pb2.ForfeitEvent(reason=r.why)),
    game.Void: _out("voided", lambda r: events_pb2.VoidEvent(reason=r.why)),
    Late: _out("late", lambda r: events_pb2.LateEvent(budget_ms=r.budget)),
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


def conduct_message(conduct: Conduct) -> rules_pb2.Conduct:
    """A conduct policy, every field set."""
    return rules_pb2.Conduct(**{field: getattr(conduct, field) for field in Conduct.__struct_fields__})


def read_conduct(message: rules_pb2.Conduct) -> dict[str, int]:
    """The fields of a conduct policy that are set."""
    return {field: getattr(message, field) for field in Conduct.__struct_fields__ if message.HasField(field)}
