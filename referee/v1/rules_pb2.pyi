from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class LeftPolicy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LEFT_POLICY_UNSPECIFIED: _ClassVar[LeftPolicy]
    LEFT_POLICY_FORFEIT: _ClassVar[LeftPolicy]
    LEFT_POLICY_WAIT: _ClassVar[LeftPolicy]

class StallPolicy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STALL_POLICY_UNSPECIFIED: _ClassVar[StallPolicy]
    STALL_POLICY_COUNT: _ClassVar[StallPolicy]
    STALL_POLICY_EXCUSE: _ClassVar[StallPolicy]
    STALL_POLICY_VOID: _ClassVar[StallPolicy]
LEFT_POLICY_UNSPECIFIED: LeftPolicy
LEFT_POLICY_FORFEIT: LeftPolicy
LEFT_POLICY_WAIT: LeftPolicy
STALL_POLICY_UNSPECIFIED: StallPolicy
STALL_POLICY_COUNT: StallPolicy
STALL_POLICY_EXCUSE: StallPolicy
STALL_POLICY_VOID: StallPolicy

class RuleOption(_message.Message):
    __slots__ = ("name", "choice", "number", "flag")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CHOICE_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    FLAG_FIELD_NUMBER: _ClassVar[int]
    name: str
    choice: str
    number: int
    flag: bool
    def __init__(self, name: _Optional[str] = ..., choice: _Optional[str] = ..., number: _Optional[int] = ..., flag: _Optional[bool] = ...) -> None: ...

class Conduct(_message.Message):
    __slots__ = ("act_ms", "window_ms", "tries", "faults", "max_deals", "bank_ms", "increment_ms", "ready_ms", "late_faults", "link_faults", "refused_faults", "left", "stall")
    ACT_MS_FIELD_NUMBER: _ClassVar[int]
    WINDOW_MS_FIELD_NUMBER: _ClassVar[int]
    TRIES_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    MAX_DEALS_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    INCREMENT_MS_FIELD_NUMBER: _ClassVar[int]
    READY_MS_FIELD_NUMBER: _ClassVar[int]
    LATE_FAULTS_FIELD_NUMBER: _ClassVar[int]
    LINK_FAULTS_FIELD_NUMBER: _ClassVar[int]
    REFUSED_FAULTS_FIELD_NUMBER: _ClassVar[int]
    LEFT_FIELD_NUMBER: _ClassVar[int]
    STALL_FIELD_NUMBER: _ClassVar[int]
    act_ms: int
    window_ms: int
    tries: int
    faults: int
    max_deals: int
    bank_ms: int
    increment_ms: int
    ready_ms: int
    late_faults: int
    link_faults: int
    refused_faults: int
    left: LeftPolicy
    stall: StallPolicy
    def __init__(self, act_ms: _Optional[int] = ..., window_ms: _Optional[int] = ..., tries: _Optional[int] = ..., faults: _Optional[int] = ..., max_deals: _Optional[int] = ..., bank_ms: _Optional[int] = ..., increment_ms: _Optional[int] = ..., ready_ms: _Optional[int] = ..., late_faults: _Optional[int] = ..., link_faults: _Optional[int] = ..., refused_faults: _Optional[int] = ..., left: _Optional[_Union[LeftPolicy, str]] = ..., stall: _Optional[_Union[StallPolicy, str]] = ...) -> None: ...
