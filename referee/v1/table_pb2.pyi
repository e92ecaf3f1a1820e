from referee.v1 import events_pb2 as _events_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TableState(_message.Message):
    __slots__ = ("round", "trick", "dealer", "lead", "turn", "stake", "toeper", "in_round", "in_game", "points", "plays", "answering", "stock", "accepted", "claimer", "exchanged", "signalled", "attempt")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    TRICK_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    LEAD_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    STAKE_FIELD_NUMBER: _ClassVar[int]
    TOEPER_FIELD_NUMBER: _ClassVar[int]
    IN_ROUND_FIELD_NUMBER: _ClassVar[int]
    IN_GAME_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    PLAYS_FIELD_NUMBER: _ClassVar[int]
    ANSWERING_FIELD_NUMBER: _ClassVar[int]
    STOCK_FIELD_NUMBER: _ClassVar[int]
    ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    CLAIMER_FIELD_NUMBER: _ClassVar[int]
    EXCHANGED_FIELD_NUMBER: _ClassVar[int]
    SIGNALLED_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    round: int
    trick: int
    dealer: int
    lead: int
    turn: int
    stake: int
    toeper: int
    in_round: int
    in_game: int
    points: _containers.RepeatedScalarFieldContainer[int]
    plays: _containers.RepeatedScalarFieldContainer[int]
    answering: int
    stock: int
    accepted: _containers.RepeatedScalarFieldContainer[int]
    claimer: int
    exchanged: int
    signalled: int
    attempt: int
    def __init__(self, round: _Optional[int] = ..., trick: _Optional[int] = ..., dealer: _Optional[int] = ..., lead: _Optional[int] = ..., turn: _Optional[int] = ..., stake: _Optional[int] = ..., toeper: _Optional[int] = ..., in_round: _Optional[int] = ..., in_game: _Optional[int] = ..., points: _Optional[_Iterable[int]] = ..., plays: _Optional[_Iterable[int]] = ..., answering: _Optional[int] = ..., stock: _Optional[int] = ..., accepted: _Optional[_Iterable[int]] = ..., claimer: _Optional[int] = ..., exchanged: _Optional[int] = ..., signalled: _Optional[int] = ..., attempt: _Optional[int] = ...) -> None: ...

class TableUpdate(_message.Message):
    __slots__ = ("table", "events", "state")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    table: int
    events: _containers.RepeatedCompositeFieldContainer[_events_pb2.Event]
    state: TableState
    def __init__(self, table: _Optional[int] = ..., events: _Optional[_Iterable[_Union[_events_pb2.Event, _Mapping]]] = ..., state: _Optional[_Union[TableState, _Mapping]] = ...) -> None: ...
