from referee.v1 import acts_pb2 as _acts_pb2
from referee.v1 import rules_pb2 as _rules_pb2
from referee.v1 import table_pb2 as _table_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AskKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ASK_KIND_UNSPECIFIED: _ClassVar[AskKind]
    ASK_KIND_CARD: _ClassVar[AskKind]
    ASK_KIND_ANSWER: _ClassVar[AskKind]
    ASK_KIND_WINDOW: _ClassVar[AskKind]
    ASK_KIND_EXCHANGE: _ClassVar[AskKind]
    ASK_KIND_CHECK: _ClassVar[AskKind]
    ASK_KIND_CUT: _ClassVar[AskKind]
    ASK_KIND_BLIND: _ClassVar[AskKind]
    ASK_KIND_CHANCE: _ClassVar[AskKind]
    ASK_KIND_DISCARD: _ClassVar[AskKind]

class RefusalCode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REFUSAL_CODE_UNSPECIFIED: _ClassVar[RefusalCode]
    REFUSAL_CODE_MALFORMED: _ClassVar[RefusalCode]
    REFUSAL_CODE_TOO_LARGE: _ClassVar[RefusalCode]
    REFUSAL_CODE_STALE: _ClassVar[RefusalCode]
    REFUSAL_CODE_WRONG_SEAT: _ClassVar[RefusalCode]
    REFUSAL_CODE_WRONG_TABLE: _ClassVar[RefusalCode]
    REFUSAL_CODE_NOT_ASKED: _ClassVar[RefusalCode]
    REFUSAL_CODE_ILLEGAL: _ClassVar[RefusalCode]

class MatchStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MATCH_STATUS_UNSPECIFIED: _ClassVar[MatchStatus]
    MATCH_STATUS_WAITING: _ClassVar[MatchStatus]
    MATCH_STATUS_PLAYING: _ClassVar[MatchStatus]
    MATCH_STATUS_COMPLETE: _ClassVar[MatchStatus]
    MATCH_STATUS_FORFEITED: _ClassVar[MatchStatus]
    MATCH_STATUS_ABANDONED: _ClassVar[MatchStatus]
ASK_KIND_UNSPECIFIED: AskKind
ASK_KIND_CARD: AskKind
ASK_KIND_ANSWER: AskKind
ASK_KIND_WINDOW: AskKind
ASK_KIND_EXCHANGE: AskKind
ASK_KIND_CHECK: AskKind
ASK_KIND_CUT: AskKind
ASK_KIND_BLIND: AskKind
ASK_KIND_CHANCE: AskKind
ASK_KIND_DISCARD: AskKind
REFUSAL_CODE_UNSPECIFIED: RefusalCode
REFUSAL_CODE_MALFORMED: RefusalCode
REFUSAL_CODE_TOO_LARGE: RefusalCode
REFUSAL_CODE_STALE: RefusalCode
REFUSAL_CODE_WRONG_SEAT: RefusalCode
REFUSAL_CODE_WRONG_TABLE: RefusalCode
REFUSAL_CODE_NOT_ASKED: RefusalCode
REFUSAL_CODE_ILLEGAL: RefusalCode
MATCH_STATUS_UNSPECIFIED: MatchStatus
MATCH_STATUS_WAITING: MatchStatus
MATCH_STATUS_PLAYING: MatchStatus
MATCH_STATUS_COMPLETE: MatchStatus
MATCH_STATUS_FORFEITED: MatchStatus
MATCH_STATUS_ABANDONED: MatchStatus

class PlayRequest(_message.Message):
    __slots__ = ("answers", "hello", "leave")
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    HELLO_FIELD_NUMBER: _ClassVar[int]
    LEAVE_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedCompositeFieldContainer[Answer]
    hello: Hello
    leave: Leave
    def __init__(self, answers: _Optional[_Iterable[_Union[Answer, _Mapping]]] = ..., hello: _Optional[_Union[Hello, _Mapping]] = ..., leave: _Optional[_Union[Leave, _Mapping]] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("protocol", "bot", "version", "parallel", "resume_token")
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    PARALLEL_FIELD_NUMBER: _ClassVar[int]
    RESUME_TOKEN_FIELD_NUMBER: _ClassVar[int]
    protocol: int
    bot: str
    version: str
    parallel: int
    resume_token: bytes
    def __init__(self, protocol: _Optional[int] = ..., bot: _Optional[str] = ..., version: _Optional[str] = ..., parallel: _Optional[int] = ..., resume_token: _Optional[bytes] = ...) -> None: ...

class Leave(_message.Message):
    __slots__ = ("reason",)
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: str
    def __init__(self, reason: _Optional[str] = ...) -> None: ...

class Answer(_message.Message):
    __slots__ = ("table", "ask", "decline", "play", "toep", "stay", "fold", "exchange", "challenge", "signal", "blind", "peek", "chance", "discard", "cut", "confess", "resign")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    ASK_FIELD_NUMBER: _ClassVar[int]
    DECLINE_FIELD_NUMBER: _ClassVar[int]
    PLAY_FIELD_NUMBER: _ClassVar[int]
    TOEP_FIELD_NUMBER: _ClassVar[int]
    STAY_FIELD_NUMBER: _ClassVar[int]
    FOLD_FIELD_NUMBER: _ClassVar[int]
    EXCHANGE_FIELD_NUMBER: _ClassVar[int]
    CHALLENGE_FIELD_NUMBER: _ClassVar[int]
    SIGNAL_FIELD_NUMBER: _ClassVar[int]
    BLIND_FIELD_NUMBER: _ClassVar[int]
    PEEK_FIELD_NUMBER: _ClassVar[int]
    CHANCE_FIELD_NUMBER: _ClassVar[int]
    DISCARD_FIELD_NUMBER: _ClassVar[int]
    CUT_FIELD_NUMBER: _ClassVar[int]
    CONFESS_FIELD_NUMBER: _ClassVar[int]
    RESIGN_FIELD_NUMBER: _ClassVar[int]
    table: int
    ask: int
    decline: _acts_pb2.Pass
    play: _acts_pb2.Play
    toep: _acts_pb2.Toep
    stay: _acts_pb2.Stay
    fold: _acts_pb2.Fold
    exchange: _acts_pb2.Exchange
    challenge: _acts_pb2.Challenge
    signal: _acts_pb2.Signal
    blind: _acts_pb2.Blind
    peek: _acts_pb2.Peek
    chance: _acts_pb2.Chance
    discard: _acts_pb2.Discard
    cut: _acts_pb2.Cut
    confess: _acts_pb2.Confess
    resign: _acts_pb2.Resign
    def __init__(self, table: _Optional[int] = ..., ask: _Optional[int] = ..., decline: _Optional[_Union[_acts_pb2.Pass, _Mapping]] = ..., play: _Optional[_Union[_acts_pb2.Play, _Mapping]] = ..., toep: _Optional[_Union[_acts_pb2.Toep, _Mapping]] = ..., stay: _Optional[_Union[_acts_pb2.Stay, _Mapping]] = ..., fold: _Optional[_Union[_acts_pb2.Fold, _Mapping]] = ..., exchange: _Optional[_Union[_acts_pb2.Exchange, _Mapping]] = ..., challenge: _Optional[_Union[_acts_pb2.Challenge, _Mapping]] = ..., signal: _Optional[_Union[_acts_pb2.Signal, _Mapping]] = ..., blind: _Optional[_Union[_acts_pb2.Blind, _Mapping]] = ..., peek: _Optional[_Union[_acts_pb2.Peek, _Mapping]] = ..., chance: _Optional[_Union[_acts_pb2.Chance, _Mapping]] = ..., discard: _Optional[_Union[_acts_pb2.Discard, _Mapping]] = ..., cut: _Optional[_Union[_acts_pb2.Cut, _Mapping]] = ..., confess: _Optional[_Union[_acts_pb2.Confess, _Mapping]] = ..., resign: _Optional[_Union[_acts_pb2.Resign, _Mapping]] = ...) -> None: ...

class PlayResponse(_message.Message):
    __slots__ = ("welcome", "seated", "updates", "refusals", "superseded", "asks", "over", "draining")
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    SEATED_FIELD_NUMBER: _ClassVar[int]
    UPDATES_FIELD_NUMBER: _ClassVar[int]
    REFUSALS_FIELD_NUMBER: _ClassVar[int]
    SUPERSEDED_FIELD_NUMBER: _ClassVar[int]
    ASKS_FIELD_NUMBER: _ClassVar[int]
    OVER_FIELD_NUMBER: _ClassVar[int]
    DRAINING_FIELD_NUMBER: _ClassVar[int]
    welcome: Welcome
    seated: _containers.RepeatedCompositeFieldContainer[Seated]
    updates: _containers.RepeatedCompositeFieldContainer[_table_pb2.TableUpdate]
    refusals: _containers.RepeatedCompositeFieldContainer[Refusal]
    superseded: _containers.RepeatedCompositeFieldContainer[Superseded]
    asks: _containers.RepeatedCompositeFieldContainer[Ask]
    over: _containers.RepeatedCompositeFieldContainer[MatchOver]
    draining: Draining
    def __init__(self, welcome: _Optional[_Union[Welcome, _Mapping]] = ..., seated: _Optional[_Iterable[_Union[Seated, _Mapping]]] = ..., updates: _Optional[_Iterable[_Union[_table_pb2.TableUpdate, _Mapping]]] = ..., refusals: _Optional[_Iterable[_Union[Refusal, _Mapping]]] = ..., superseded: _Optional[_Iterable[_Union[Superseded, _Mapping]]] = ..., asks: _Optional[_Iterable[_Union[Ask, _Mapping]]] = ..., over: _Optional[_Iterable[_Union[MatchOver, _Mapping]]] = ..., draining: _Optional[_Union[Draining, _Mapping]] = ...) -> None: ...

class Welcome(_message.Message):
    __slots__ = ("protocol", "referee", "max_request_bytes", "max_answers", "parallel", "resume_token")
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    REFEREE_FIELD_NUMBER: _ClassVar[int]
    MAX_REQUEST_BYTES_FIELD_NUMBER: _ClassVar[int]
    MAX_ANSWERS_FIELD_NUMBER: _ClassVar[int]
    PARALLEL_FIELD_NUMBER: _ClassVar[int]
    RESUME_TOKEN_FIELD_NUMBER: _ClassVar[int]
    protocol: int
    referee: str
    max_request_bytes: int
    max_answers: int
    parallel: int
    resume_token: bytes
    def __init__(self, protocol: _Optional[int] = ..., referee: _Optional[str] = ..., max_request_bytes: _Optional[int] = ..., max_answers: _Optional[int] = ..., parallel: _Optional[int] = ..., resume_token: _Optional[bytes] = ...) -> None: ...

class Seated(_message.Message):
    __slots__ = ("table", "match_id", "seat", "bots", "rules", "rounds", "conduct")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    CONDUCT_FIELD_NUMBER: _ClassVar[int]
    table: int
    match_id: str
    seat: int
    bots: _containers.RepeatedScalarFieldContainer[str]
    rules: _containers.RepeatedCompositeFieldContainer[_rules_pb2.RuleOption]
    rounds: int
    conduct: _rules_pb2.Conduct
    def __init__(self, table: _Optional[int] = ..., match_id: _Optional[str] = ..., seat: _Optional[int] = ..., bots: _Optional[_Iterable[str]] = ..., rules: _Optional[_Iterable[_Union[_rules_pb2.RuleOption, _Mapping]]] = ..., rounds: _Optional[int] = ..., conduct: _Optional[_Union[_rules_pb2.Conduct, _Mapping]] = ...) -> None: ...

class Ask(_message.Message):
    __slots__ = ("table", "ask", "seat", "kind", "hand", "legal", "may", "budget_ms")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    ASK_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    MAY_FIELD_NUMBER: _ClassVar[int]
    BUDGET_MS_FIELD_NUMBER: _ClassVar[int]
    table: int
    ask: int
    seat: int
    kind: AskKind
    hand: int
    legal: int
    may: int
    budget_ms: int
    def __init__(self, table: _Optional[int] = ..., ask: _Optional[int] = ..., seat: _Optional[int] = ..., kind: _Optional[_Union[AskKind, str]] = ..., hand: _Optional[int] = ..., legal: _Optional[int] = ..., may: _Optional[int] = ..., budget_ms: _Optional[int] = ...) -> None: ...

class Refusal(_message.Message):
    __slots__ = ("table", "ask", "code", "rule", "message", "tries_left")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    ASK_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    TRIES_LEFT_FIELD_NUMBER: _ClassVar[int]
    table: int
    ask: int
    code: RefusalCode
    rule: str
    message: str
    tries_left: int
    def __init__(self, table: _Optional[int] = ..., ask: _Optional[int] = ..., code: _Optional[_Union[RefusalCode, str]] = ..., rule: _Optional[str] = ..., message: _Optional[str] = ..., tries_left: _Optional[int] = ...) -> None: ...

class Superseded(_message.Message):
    __slots__ = ("table", "ask")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    ASK_FIELD_NUMBER: _ClassVar[int]
    table: int
    ask: int
    def __init__(self, table: _Optional[int] = ..., ask: _Optional[int] = ...) -> None: ...

class MatchOver(_message.Message):
    __slots__ = ("table", "match_id", "status", "rank", "total")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    RANK_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    table: int
    match_id: str
    status: MatchStatus
    rank: _containers.RepeatedScalarFieldContainer[int]
    total: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, table: _Optional[int] = ..., match_id: _Optional[str] = ..., status: _Optional[_Union[MatchStatus, str]] = ..., rank: _Optional[_Iterable[int]] = ..., total: _Optional[_Iterable[int]] = ...) -> None: ...

class Draining(_message.Message):
    __slots__ = ("reason",)
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: str
    def __init__(self, reason: _Optional[str] = ...) -> None: ...
