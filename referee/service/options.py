"""Options of the gRPC server and limits of the protocol, in one place, because an unknown option never raises."""

from typing import Final

PROTOCOL: Final = 1
MAX_REQUEST_BYTES: Final = 256 * 1024
"""Bytes of a message from a bot."""

MAX_ANSWERS: Final = 4096
"""Answers in one message from a bot."""

MAX_PARALLEL: Final = 8192
"""Asks in flight to one bot."""

MAX_BACKLOG_BYTES: Final = 16 * 1024 * 1024
"""Bytes that may wait for one bot to read before its stream is ended."""

MAX_BOTS: Final = 1024
"""Bots connected at once."""

MAX_NAME: Final = 64
"""Characters of a bot's name."""

SERVER_OPTIONS: Final[tuple[tuple[str, int], ...]] = (
    # Without it a second server binds the same port silently.
    ("grpc.so_reuseport", 0),
    ("grpc.max_concurrent_streams", 256),
    ("grpc.max_receive_message_length", MAX_REQUEST_BYTES),
    ("grpc.max_metadata_size", 8192),
    # Dead peers: the keepalive timeout alone is overridden by the ping timeout, so both are set.
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.http2.max_pings_without_data", 0),
)
