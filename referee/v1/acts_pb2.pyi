from referee.v1 import cards_pb2 as _cards_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ActKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ACT_KIND_UNSPECIFIED: _ClassVar[ActKind]
    ACT_KIND_PASS: _ClassVar[ActKind]
    ACT_KIND_CUT: _ClassVar[ActKind]
    ACT_KIND_BLIND: _ClassVar[ActKind]
    ACT_KIND_PEEK: _ClassVar[ActKind]
    ACT_KIND_CHANCE: _ClassVar[ActKind]
    ACT_KIND_EXCHANGE: _ClassVar[ActKind]
    ACT_KIND_CHALLENGE: _ClassVar[ActKind]
    ACT_KIND_SIGNAL: _ClassVar[ActKind]
    ACT_KIND_TOEP: _ClassVar[ActKind]
    ACT_KIND_STAY: _ClassVar[ActKind]
    ACT_KIND_FOLD: _ClassVar[ActKind]
    ACT_KIND_PLAY: _ClassVar[ActKind]
    ACT_KIND_DISCARD: _ClassVar[ActKind]
    ACT_KIND_CONFESS: _ClassVar[ActKind]
    ACT_KIND_RESIGN: _ClassVar[ActKind]

class PassUntil(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PASS_UNTIL_UNSPECIFIED: _ClassVar[PassUntil]
    PASS_UNTIL_TRICK: _ClassVar[PassUntil]
    PASS_UNTIL_ROUND: _ClassVar[PassUntil]

class Sign(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SIGN_UNSPECIFIED: _ClassVar[Sign]
    SIGN_WHISTLE: _ClassVar[Sign]
    SIGN_SING: _ClassVar[Sign]
    SIGN_STAND: _ClassVar[Sign]
ACT_KIND_UNSPECIFIED: ActKind
ACT_KIND_PASS: ActKind
ACT_KIND_CUT: ActKind
ACT_KIND_BLIND: ActKind
ACT_KIND_PEEK: ActKind
ACT_KIND_CHANCE: ActKind
ACT_KIND_EXCHANGE: ActKind
ACT_KIND_CHALLENGE: ActKind
ACT_KIND_SIGNAL: ActKind
ACT_KIND_TOEP: ActKind
ACT_KIND_STAY: ActKind
ACT_KIND_FOLD: ActKind
ACT_KIND_PLAY: ActKind
ACT_KIND_DISCARD: ActKind
ACT_KIND_CONFESS: ActKind
ACT_KIND_RESIGN: ActKind
PASS_UNTIL_UNSPECIFIED: PassUntil
PASS_UNTIL_TRICK: PassUntil
PASS_UNTIL_ROUND: PassUntil
SIGN_UNSPECIFIED: Sign
SIGN_WHISTLE: Sign
SIGN_SING: Sign
SIGN_STAND: Sign

class Pass(_message.Message):
    __slots__ = ("until",)
    UNTIL_FIELD_NUMBER: _ClassVar[int]
    until: PassUntil
    def __init__(self, until: _Optional[_Union[PassUntil, str]] = ...) -> None: ...

class Cut(_message.Message):
    __slots__ = ("at",)
    AT_FIELD_NUMBER: _ClassVar[int]
    at: int
    def __init__(self, at: _Optional[int] = ...) -> None: ...

class Blind(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Peek(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Chance(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Exchange(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Challenge(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Signal(_message.Message):
    __slots__ = ("sign",)
    SIGN_FIELD_NUMBER: _ClassVar[int]
    sign: Sign
    def __init__(self, sign: _Optional[_Union[Sign, str]] = ...) -> None: ...

class Toep(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Stay(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Fold(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Play(_message.Message):
    __slots__ = ("card",)
    CARD_FIELD_NUMBER: _ClassVar[int]
    card: _cards_pb2.Card
    def __init__(self, card: _Optional[_Union[_cards_pb2.Card, str]] = ...) -> None: ...

class Discard(_message.Message):
    __slots__ = ("cards",)
    CARDS_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    def __init__(self, cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ...) -> None: ...

class Confess(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Resign(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
