from referee.v1 import acts_pb2 as _acts_pb2
from referee.v1 import cards_pb2 as _cards_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class OutReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OUT_REASON_UNSPECIFIED: _ClassVar[OutReason]
    OUT_REASON_LIMIT: _ClassVar[OutReason]
    OUT_REASON_CROSSES: _ClassVar[OutReason]
    OUT_REASON_PENALTY: _ClassVar[OutReason]
    OUT_REASON_RESIGN: _ClassVar[OutReason]
    OUT_REASON_FORFEIT: _ClassVar[OutReason]

class LateVerdict(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LATE_VERDICT_UNSPECIFIED: _ClassVar[LateVerdict]
    LATE_VERDICT_BOT: _ClassVar[LateVerdict]
    LATE_VERDICT_LINK: _ClassVar[LateVerdict]
    LATE_VERDICT_HOST: _ClassVar[LateVerdict]
    LATE_VERDICT_REFEREE: _ClassVar[LateVerdict]
OUT_REASON_UNSPECIFIED: OutReason
OUT_REASON_LIMIT: OutReason
OUT_REASON_CROSSES: OutReason
OUT_REASON_PENALTY: OutReason
OUT_REASON_RESIGN: OutReason
OUT_REASON_FORFEIT: OutReason
LATE_VERDICT_UNSPECIFIED: LateVerdict
LATE_VERDICT_BOT: LateVerdict
LATE_VERDICT_LINK: LateVerdict
LATE_VERDICT_HOST: LateVerdict
LATE_VERDICT_REFEREE: LateVerdict

class Event(_message.Message):
    __slots__ = ("seat", "by_referee", "play", "toep", "stay", "fold", "trick", "score", "round", "out", "exchange", "challenge", "penalty", "signal", "resign", "along", "open", "cut", "blind", "peek", "chance", "show", "draw", "confess", "forfeit", "voided", "late")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    BY_REFEREE_FIELD_NUMBER: _ClassVar[int]
    PLAY_FIELD_NUMBER: _ClassVar[int]
    TOEP_FIELD_NUMBER: _ClassVar[int]
    STAY_FIELD_NUMBER: _ClassVar[int]
    FOLD_FIELD_NUMBER: _ClassVar[int]
    TRICK_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    OUT_FIELD_NUMBER: _ClassVar[int]
    EXCHANGE_FIELD_NUMBER: _ClassVar[int]
    CHALLENGE_FIELD_NUMBER: _ClassVar[int]
    PENALTY_FIELD_NUMBER: _ClassVar[int]
    SIGNAL_FIELD_NUMBER: _ClassVar[int]
    RESIGN_FIELD_NUMBER: _ClassVar[int]
    ALONG_FIELD_NUMBER: _ClassVar[int]
    OPEN_FIELD_NUMBER: _ClassVar[int]
    CUT_FIELD_NUMBER: _ClassVar[int]
    BLIND_FIELD_NUMBER: _ClassVar[int]
    PEEK_FIELD_NUMBER: _ClassVar[int]
    CHANCE_FIELD_NUMBER: _ClassVar[int]
    SHOW_FIELD_NUMBER: _ClassVar[int]
    DRAW_FIELD_NUMBER: _ClassVar[int]
    CONFESS_FIELD_NUMBER: _ClassVar[int]
    FORFEIT_FIELD_NUMBER: _ClassVar[int]
    VOIDED_FIELD_NUMBER: _ClassVar[int]
    LATE_FIELD_NUMBER: _ClassVar[int]
    seat: int
    by_referee: bool
    play: PlayEvent
    toep: ToepEvent
    stay: StayEvent
    fold: FoldEvent
    trick: TrickEvent
    score: ScoreEvent
    round: RoundEvent
    out: OutEvent
    exchange: ExchangeEvent
    challenge: ChallengeEvent
    penalty: PenaltyEvent
    signal: SignalEvent
    resign: ResignEvent
    along: AutoEvent
    open: OpenEvent
    cut: CutEvent
    blind: BlindEvent
    peek: PeekEvent
    chance: ChanceEvent
    show: ShowEvent
    draw: DrawEvent
    confess: ConfessEvent
    forfeit: ForfeitEvent
    voided: VoidEvent
    late: LateEvent
    def __init__(self, seat: _Optional[int] = ..., by_referee: _Optional[bool] = ..., play: _Optional[_Union[PlayEvent, _Mapping]] = ..., toep: _Optional[_Union[ToepEvent, _Mapping]] = ..., stay: _Optional[_Union[StayEvent, _Mapping]] = ..., fold: _Optional[_Union[FoldEvent, _Mapping]] = ..., trick: _Optional[_Union[TrickEvent, _Mapping]] = ..., score: _Optional[_Union[ScoreEvent, _Mapping]] = ..., round: _Optional[_Union[RoundEvent, _Mapping]] = ..., out: _Optional[_Union[OutEvent, _Mapping]] = ..., exchange: _Optional[_Union[ExchangeEvent, _Mapping]] = ..., challenge: _Optional[_Union[ChallengeEvent, _Mapping]] = ..., penalty: _Optional[_Union[PenaltyEvent, _Mapping]] = ..., signal: _Optional[_Union[SignalEvent, _Mapping]] = ..., resign: _Optional[_Union[ResignEvent, _Mapping]] = ..., along: _Optional[_Union[AutoEvent, _Mapping]] = ..., open: _Optional[_Union[OpenEvent, _Mapping]] = ..., cut: _Optional[_Union[CutEvent, _Mapping]] = ..., blind: _Optional[_Union[BlindEvent, _Mapping]] = ..., peek: _Optional[_Union[PeekEvent, _Mapping]] = ..., chance: _Optional[_Union[ChanceEvent, _Mapping]] = ..., show: _Optional[_Union[ShowEvent, _Mapping]] = ..., draw: _Optional[_Union[DrawEvent, _Mapping]] = ..., confess: _Optional[_Union[ConfessEvent, _Mapping]] = ..., forfeit: _Optional[_Union[ForfeitEvent, _Mapping]] = ..., voided: _Optional[_Union[VoidEvent, _Mapping]] = ..., late: _Optional[_Union[LateEvent, _Mapping]] = ...) -> None: ...

class PlayEvent(_message.Message):
    __slots__ = ("card",)
    CARD_FIELD_NUMBER: _ClassVar[int]
    card: _cards_pb2.Card
    def __init__(self, card: _Optional[_Union[_cards_pb2.Card, str]] = ...) -> None: ...

class ToepEvent(_message.Message):
    __slots__ = ("stake",)
    STAKE_FIELD_NUMBER: _ClassVar[int]
    stake: int
    def __init__(self, stake: _Optional[int] = ...) -> None: ...

class StayEvent(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class FoldEvent(_message.Message):
    __slots__ = ("pay",)
    PAY_FIELD_NUMBER: _ClassVar[int]
    pay: int
    def __init__(self, pay: _Optional[int] = ...) -> None: ...

class TrickEvent(_message.Message):
    __slots__ = ("lead",)
    LEAD_FIELD_NUMBER: _ClassVar[int]
    lead: int
    def __init__(self, lead: _Optional[int] = ...) -> None: ...

class ScoreEvent(_message.Message):
    __slots__ = ("points", "total")
    POINTS_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    points: _containers.RepeatedScalarFieldContainer[int]
    total: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, points: _Optional[_Iterable[int]] = ..., total: _Optional[_Iterable[int]] = ...) -> None: ...

class RoundEvent(_message.Message):
    __slots__ = ("round", "attempt")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    round: int
    attempt: int
    def __init__(self, round: _Optional[int] = ..., attempt: _Optional[int] = ...) -> None: ...

class OutEvent(_message.Message):
    __slots__ = ("reason",)
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: OutReason
    def __init__(self, reason: _Optional[_Union[OutReason, str]] = ...) -> None: ...

class ExchangeEvent(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ChallengeEvent(_message.Message):
    __slots__ = ("genuine", "shown")
    GENUINE_FIELD_NUMBER: _ClassVar[int]
    SHOWN_FIELD_NUMBER: _ClassVar[int]
    genuine: bool
    shown: int
    def __init__(self, genuine: _Optional[bool] = ..., shown: _Optional[int] = ...) -> None: ...

class PenaltyEvent(_message.Message):
    __slots__ = ("points", "rule")
    POINTS_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    points: int
    rule: str
    def __init__(self, points: _Optional[int] = ..., rule: _Optional[str] = ...) -> None: ...

class SignalEvent(_message.Message):
    __slots__ = ("sign",)
    SIGN_FIELD_NUMBER: _ClassVar[int]
    sign: _acts_pb2.Sign
    def __init__(self, sign: _Optional[_Union[_acts_pb2.Sign, str]] = ...) -> None: ...

class ResignEvent(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class AutoEvent(_message.Message):
    __slots__ = ("seats",)
    SEATS_FIELD_NUMBER: _ClassVar[int]
    seats: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, seats: _Optional[_Iterable[int]] = ...) -> None: ...

class OpenEvent(_message.Message):
    __slots__ = ("seats", "stake")
    SEATS_FIELD_NUMBER: _ClassVar[int]
    STAKE_FIELD_NUMBER: _ClassVar[int]
    seats: _containers.RepeatedScalarFieldContainer[int]
    stake: int
    def __init__(self, seats: _Optional[_Iterable[int]] = ..., stake: _Optional[int] = ...) -> None: ...

class CutEvent(_message.Message):
    __slots__ = ("at",)
    AT_FIELD_NUMBER: _ClassVar[int]
    at: int
    def __init__(self, at: _Optional[int] = ...) -> None: ...

class BlindEvent(_message.Message):
    __slots__ = ("stake",)
    STAKE_FIELD_NUMBER: _ClassVar[int]
    stake: int
    def __init__(self, stake: _Optional[int] = ...) -> None: ...

class PeekEvent(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ChanceEvent(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ShowEvent(_message.Message):
    __slots__ = ("cards",)
    CARDS_FIELD_NUMBER: _ClassVar[int]
    cards: int
    def __init__(self, cards: _Optional[int] = ...) -> None: ...

class DrawEvent(_message.Message):
    __slots__ = ("cards",)
    CARDS_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, cards: _Optional[_Iterable[int]] = ...) -> None: ...

class ConfessEvent(_message.Message):
    __slots__ = ("card", "pay")
    CARD_FIELD_NUMBER: _ClassVar[int]
    PAY_FIELD_NUMBER: _ClassVar[int]
    card: _cards_pb2.Card
    pay: int
    def __init__(self, card: _Optional[_Union[_cards_pb2.Card, str]] = ..., pay: _Optional[int] = ...) -> None: ...

class ForfeitEvent(_message.Message):
    __slots__ = ("reason",)
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: str
    def __init__(self, reason: _Optional[str] = ...) -> None: ...

class VoidEvent(_message.Message):
    __slots__ = ("reason",)
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: str
    def __init__(self, reason: _Optional[str] = ...) -> None: ...

class LateEvent(_message.Message):
    __slots__ = ("budget_ms", "verdict")
    BUDGET_MS_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    budget_ms: int
    verdict: LateVerdict
    def __init__(self, budget_ms: _Optional[int] = ..., verdict: _Optional[_Union[LateVerdict, str]] = ...) -> None: ...
