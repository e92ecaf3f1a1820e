from referee.v1 import play_pb2 as _play_pb2
from referee.v1 import rules_pb2 as _rules_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Clock(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CLOCK_UNSPECIFIED: _ClassVar[Clock]
    CLOCK_MS: _ClassVar[Clock]
    CLOCK_NONE: _ClassVar[Clock]
CLOCK_UNSPECIFIED: Clock
CLOCK_MS: Clock
CLOCK_NONE: Clock

class CreateMatchRequest(_message.Message):
    __slots__ = ("bots", "preset", "overrides", "rounds", "clock", "conduct", "match_id", "open_seed", "deals", "lobby_seconds")
    BOTS_FIELD_NUMBER: _ClassVar[int]
    PRESET_FIELD_NUMBER: _ClassVar[int]
    OVERRIDES_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    CONDUCT_FIELD_NUMBER: _ClassVar[int]
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    OPEN_SEED_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    LOBBY_SECONDS_FIELD_NUMBER: _ClassVar[int]
    bots: _containers.RepeatedScalarFieldContainer[str]
    preset: str
    overrides: _containers.RepeatedCompositeFieldContainer[_rules_pb2.RuleOption]
    rounds: int
    clock: Clock
    conduct: _rules_pb2.Conduct
    match_id: str
    open_seed: bytes
    deals: str
    lobby_seconds: int
    def __init__(self, bots: _Optional[_Iterable[str]] = ..., preset: _Optional[str] = ..., overrides: _Optional[_Iterable[_Union[_rules_pb2.RuleOption, _Mapping]]] = ..., rounds: _Optional[int] = ..., clock: _Optional[_Union[Clock, str]] = ..., conduct: _Optional[_Union[_rules_pb2.Conduct, _Mapping]] = ..., match_id: _Optional[str] = ..., open_seed: _Optional[bytes] = ..., deals: _Optional[str] = ..., lobby_seconds: _Optional[int] = ...) -> None: ...

class CreateMatchResponse(_message.Message):
    __slots__ = ("info",)
    INFO_FIELD_NUMBER: _ClassVar[int]
    info: MatchInfo
    def __init__(self, info: _Optional[_Union[MatchInfo, _Mapping]] = ...) -> None: ...

class MatchInfo(_message.Message):
    __slots__ = ("match_id", "status", "bots", "connected", "round", "total", "rank", "commit", "table", "revealed", "awaited", "waited_ms", "lobby_seconds")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    CONNECTED_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    RANK_FIELD_NUMBER: _ClassVar[int]
    COMMIT_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    REVEALED_FIELD_NUMBER: _ClassVar[int]
    AWAITED_FIELD_NUMBER: _ClassVar[int]
    WAITED_MS_FIELD_NUMBER: _ClassVar[int]
    LOBBY_SECONDS_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    status: _play_pb2.MatchStatus
    bots: _containers.RepeatedScalarFieldContainer[str]
    connected: int
    round: int
    total: _containers.RepeatedScalarFieldContainer[int]
    rank: _containers.RepeatedScalarFieldContainer[int]
    commit: str
    table: int
    revealed: bool
    awaited: int
    waited_ms: int
    lobby_seconds: int
    def __init__(self, match_id: _Optional[str] = ..., status: _Optional[_Union[_play_pb2.MatchStatus, str]] = ..., bots: _Optional[_Iterable[str]] = ..., connected: _Optional[int] = ..., round: _Optional[int] = ..., total: _Optional[_Iterable[int]] = ..., rank: _Optional[_Iterable[int]] = ..., commit: _Optional[str] = ..., table: _Optional[int] = ..., revealed: _Optional[bool] = ..., awaited: _Optional[int] = ..., waited_ms: _Optional[int] = ..., lobby_seconds: _Optional[int] = ...) -> None: ...

class CloseDealsRequest(_message.Message):
    __slots__ = ("deals",)
    DEALS_FIELD_NUMBER: _ClassVar[int]
    deals: str
    def __init__(self, deals: _Optional[str] = ...) -> None: ...

class CloseDealsResponse(_message.Message):
    __slots__ = ("playing", "final")
    PLAYING_FIELD_NUMBER: _ClassVar[int]
    FINAL_FIELD_NUMBER: _ClassVar[int]
    playing: int
    final: int
    def __init__(self, playing: _Optional[int] = ..., final: _Optional[int] = ...) -> None: ...

class GetMatchRequest(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class GetMatchResponse(_message.Message):
    __slots__ = ("info",)
    INFO_FIELD_NUMBER: _ClassVar[int]
    info: MatchInfo
    def __init__(self, info: _Optional[_Union[MatchInfo, _Mapping]] = ...) -> None: ...

class ListMatchesRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListMatchesResponse(_message.Message):
    __slots__ = ("infos", "next_page_token")
    INFOS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    infos: _containers.RepeatedCompositeFieldContainer[MatchInfo]
    next_page_token: str
    def __init__(self, infos: _Optional[_Iterable[_Union[MatchInfo, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class DownloadLogRequest(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class DownloadLogResponse(_message.Message):
    __slots__ = ("chunk",)
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    chunk: bytes
    def __init__(self, chunk: _Optional[bytes] = ...) -> None: ...
