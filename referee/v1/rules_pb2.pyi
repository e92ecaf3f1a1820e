from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

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
    __slots__ = ("act_ms", "window_ms", "tries", "faults", "max_deals")
    ACT_MS_FIELD_NUMBER: _ClassVar[int]
    WINDOW_MS_FIELD_NUMBER: _ClassVar[int]
    TRIES_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    MAX_DEALS_FIELD_NUMBER: _ClassVar[int]
    act_ms: int
    window_ms: int
    tries: int
    faults: int
    max_deals: int
    def __init__(self, act_ms: _Optional[int] = ..., window_ms: _Optional[int] = ..., tries: _Optional[int] = ..., faults: _Optional[int] = ..., max_deals: _Optional[int] = ...) -> None: ...
