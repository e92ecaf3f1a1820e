from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor

class Card(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CARD_UNSPECIFIED: _ClassVar[Card]
    CARD_JC: _ClassVar[Card]
    CARD_QC: _ClassVar[Card]
    CARD_KC: _ClassVar[Card]
    CARD_AC: _ClassVar[Card]
    CARD_7C: _ClassVar[Card]
    CARD_8C: _ClassVar[Card]
    CARD_9C: _ClassVar[Card]
    CARD_TC: _ClassVar[Card]
    CARD_JD: _ClassVar[Card]
    CARD_QD: _ClassVar[Card]
    CARD_KD: _ClassVar[Card]
    CARD_AD: _ClassVar[Card]
    CARD_7D: _ClassVar[Card]
    CARD_8D: _ClassVar[Card]
    CARD_9D: _ClassVar[Card]
    CARD_TD: _ClassVar[Card]
    CARD_JS: _ClassVar[Card]
    CARD_QS: _ClassVar[Card]
    CARD_KS: _ClassVar[Card]
    CARD_AS: _ClassVar[Card]
    CARD_7S: _ClassVar[Card]
    CARD_8S: _ClassVar[Card]
    CARD_9S: _ClassVar[Card]
    CARD_TS: _ClassVar[Card]
    CARD_JH: _ClassVar[Card]
    CARD_QH: _ClassVar[Card]
    CARD_KH: _ClassVar[Card]
    CARD_AH: _ClassVar[Card]
    CARD_7H: _ClassVar[Card]
    CARD_8H: _ClassVar[Card]
    CARD_9H: _ClassVar[Card]
    CARD_TH: _ClassVar[Card]
CARD_UNSPECIFIED: Card
CARD_JC: Card
CARD_QC: Card
CARD_KC: Card
CARD_AC: Card
CARD_7C: Card
CARD_8C: Card
CARD_9C: Card
CARD_TC: Card
CARD_JD: Card
CARD_QD: Card
CARD_KD: Card
CARD_AD: Card
CARD_7D: Card
CARD_8D: Card
CARD_9D: Card
CARD_TD: Card
CARD_JS: Card
CARD_QS: Card
CARD_KS: Card
CARD_AS: Card
CARD_7S: Card
CARD_8S: Card
CARD_9S: Card
CARD_TS: Card
CARD_JH: Card
CARD_QH: Card
CARD_KH: Card
CARD_AH: Card
CARD_7H: Card
CARD_8H: Card
CARD_9H: Card
CARD_TH: Card
