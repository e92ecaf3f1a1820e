"""Whether the stream is encrypted, and with which certificates."""

import ssl
from pathlib import Path
from typing import Final

import grpc

from toep_client.errors import USAGE, Trouble
from toep_client.settings import TLS_CA, TLS_CERT, Settings

MAX_BYTES: Final = 1 << 20
"""Bytes of a file of certificates that are read at most."""


def credentials(settings: Settings) -> grpc.ChannelCredentials | None:
    """What encrypts the stream; None when nothing is to. Raises `Trouble` for a file that cannot be used."""
    if not settings.tls:
        return None
    roots = _system_roots() if settings.tls_ca is None else _read(TLS_CA, settings.tls_ca)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if settings.tls_ca is not None:
        try:
            context.load_verify_locations(cadata=(roots or b"").decode("ascii"))
        except (ssl.SSLError, ValueError):
            raise Trouble(USAGE, f"{TLS_CA}={settings.tls_ca!r} has no certificate in PEM") from None
    if settings.tls_cert is None or settings.tls_key is None:
        return grpc.ssl_channel_credentials(roots)
    chain, key = _read(TLS_CERT, settings.tls_cert), _read("TOEP_TLS_KEY", settings.tls_key)
    try:
        context.load_cert_chain(settings.tls_cert, settings.tls_key, password="")
    except (ssl.SSLError, OSError, ValueError):
        why = f"{TLS_CERT}={settings.tls_cert!r} and TOEP_TLS_KEY={settings.tls_key!r}"
        raise Trouble(USAGE, f"{why} are no certificate and key in PEM that fit each other") from None
    return grpc.ssl_channel_credentials(roots, key, chain)


def _read(variable: str, path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            return file.read(MAX_BYTES)
    except OSError as error:
        raise Trouble(USAGE, f"{variable}={path!r}: {error.strerror}") from None


def _system_roots() -> bytes | None:
    """The certificates that this system trusts, in PEM; None where they are not found: gRPC then has its own."""
    file = ssl.get_default_verify_paths().cafile
    if file is not None:
        try:
            return Path(file).read_bytes()
        except OSError:
            return None
    found = ssl.create_default_context().get_ca_certs(binary_form=True)
    return "".join(map(ssl.DER_cert_to_PEM_cert, found)).encode() or None
