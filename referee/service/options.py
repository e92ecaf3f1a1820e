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

MAX_REFUSED_LINES: Final = 1000
"""Refused answers of one stream that get a line in the referee's own log, so that no bot can fill a disk with it."""

MAX_LOBBY_SECONDS: Final = 31_536_000
"""Seconds, a year, that a match may be told to wait for its bots before it is cancelled."""

MAX_MATCHES: Final = 2_000
"""Matches that may wait or be played at once, unless the operator says otherwise."""

MAX_GRACE_SECONDS: Final = 86_400
"""Seconds, a day, that a bot that was lost may be given to come back."""

HOLD_MS: Final = 5_000
"""For how long a name is kept for a bot that was lost, where no bearer tokens say who is who."""

RETRY_AFTER_MS: Final = 2_000
"""The hint that goes with RESOURCE_EXHAUSTED, in trailing metadata: earlier another try is not worth while."""

RETRY_KEY: Final = "retry-after-ms"

KEEPALIVE_MS: Final = 20_000
"""Silence after which a peer is pinged."""

PING_TIMEOUT_MS: Final = 10_000
"""Silence after a ping for which a peer is taken for gone: at most this after the ping, its stream is over."""

# The names are those of gRPC's channel_arg_names.h; a test looks for each of them in the library that is installed.
SERVER_OPTIONS: Final[tuple[tuple[str, int], ...]] = (
    # Without it a second server binds the same port silently.
    ("grpc.so_reuseport", 0),
    ("grpc.max_concurrent_streams", 256),
    ("grpc.max_receive_message_length", MAX_REQUEST_BYTES),
    ("grpc.max_metadata_size", 8192),
    # A peer that connects and then does not finish its handshake.
    ("grpc.server_handshake_timeout_ms", 10_000),
    # Dead peers: the keepalive timeout alone is overridden by the ping timeout, so both are set.
    ("grpc.keepalive_time_ms", KEEPALIVE_MS),
    ("grpc.keepalive_timeout_ms", PING_TIMEOUT_MS),
    ("grpc.http2.ping_timeout_ms", PING_TIMEOUT_MS),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.http2.max_pings_without_data", 0),
)
