"""The options of the gRPC server: that their names are right, since a wrong one never raises."""

from pathlib import Path

import grpc

from referee.service import options


def test_the_names_and_values_of_server_options() -> None:
    """They are written down twice, so that none changes by accident."""
    assert dict(options.SERVER_OPTIONS) == {
        "grpc.so_reuseport": 0,
        "grpc.max_concurrent_streams": 256,
        "grpc.max_receive_message_length": 262_144,
        "grpc.max_metadata_size": 8192,
        "grpc.server_handshake_timeout_ms": 10_000,
        "grpc.keepalive_time_ms": 20_000,
        "grpc.keepalive_timeout_ms": 10_000,
        "grpc.http2.ping_timeout_ms": 10_000,
        "grpc.keepalive_permit_without_calls": 1,
        "grpc.http2.min_ping_interval_without_data_ms": 5_000,
        "grpc.http2.max_pings_without_data": 0,
    }
    assert len({name for name, _ in options.SERVER_OPTIONS}) == len(options.SERVER_OPTIONS)


def test_the_library_knows_every_name() -> None:
    """Each stands in the compiled library to its end; one that is misspelt does not."""
    (path,) = (Path(grpc.__file__).parent / "_cython").glob("cygrpc*.so")
    library = path.read_bytes()
    for name in ("grpc.max_connection_ages_ms", *dict(options.SERVER_OPTIONS)):
        known = name.encode() + b"\0" in library
        assert known == (name in dict(options.SERVER_OPTIONS)), name


def test_a_client_of_ours_pings_no_more_often_than_the_referee_allows() -> None:
    """Otherwise the referee would hang up on it: too many pings."""
    from toep_client import connection

    assert dict(connection.OPTIONS)["grpc.keepalive_time_ms"] >= options.KEEPALIVE_MS > 5_000
