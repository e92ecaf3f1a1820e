"""The referee's certificate and key, as gRPC takes them, and one line about whatever is wrong with them.

gRPC takes any bytes for credentials and then fails each handshake without a word, so everything is checked here first.
"""

import datetime
import os
import stat
from pathlib import Path
from typing import Final, NamedTuple

import grpc
from cryptography import x509
from cryptography.hazmat.primitives import serialization

MAX_PEM: Final = 1024 * 1024
"""Bytes of a file of certificates or keys at most."""

OTHERS: Final = 0o027
"""Permissions that the file of a key must not have: a group may read it, as is usual for certificates that other
programs renew, and nobody else may do anything."""


class TlsError(Exception):
    """A file that cannot be used; the message is one line, names the file, and quotes nothing of it."""


class Certificates(NamedTuple):
    """What the files of a referee said when they were read."""

    configuration: grpc.ServerCertificateConfiguration
    expires: datetime.datetime
    """When the certificate is no longer good."""


class Tls:
    """What a listening referee needs to encrypt. Its files can be read again while it listens."""

    def __init__(self, certificates: Certificates, cert: Path, key: Path, client_ca: Path | None) -> None:
        """``certificates``: as they were read from these files."""
        self._files = (cert, key, client_ca)
        self._configuration = certificates.configuration
        self.expires = certificates.expires
        """When the certificate is no longer good."""
        self.credentials: Final = grpc.dynamic_ssl_server_credentials(
            certificates.configuration, self._next, require_client_authentication=client_ca is not None
        )

    def reread(self) -> Certificates:
        """What the files say now; nothing changes by that. Raises `TlsError` as `load` does."""
        return read(*self._files)

    def use(self, certificates: Certificates) -> None:
        """Have these for every connection from now on; those that stand go on."""
        self._configuration, self.expires = certificates.configuration, certificates.expires

    def _next(self) -> grpc.ServerCertificateConfiguration:
        """gRPC asks before every handshake, in a thread of its own."""
        return self._configuration


def load(cert: Path, key: Path, client_ca: Path | None = None, now: datetime.datetime | None = None) -> Tls:
    """Read a certificate with its chain, and its key; with ``client_ca`` every client needs a certificate of that CA.

    Raises `TlsError` when a file is missing or no PEM, when the key does not fit or others may read it, and when the
    certificate is not good at ``now`` (default: today).
    """
    return Tls(read(cert, key, client_ca, now), cert, key, client_ca)


def read(cert: Path, key: Path, client_ca: Path | None = None, now: datetime.datetime | None = None) -> Certificates:
    """What `load` reads."""
    chain = _read("--tls-cert", cert)
    leaf = _certificates("--tls-cert", cert, chain)[0]
    moment = now or datetime.datetime.now(datetime.UTC)
    if leaf.not_valid_after_utc < moment:
        raise TlsError(f"--tls-cert {cert}: it was good until {leaf.not_valid_after_utc:%Y-%m-%d}; renew it")
    if leaf.not_valid_before_utc > moment:
        raise TlsError(f"--tls-cert {cert}: it is good from {leaf.not_valid_before_utc:%Y-%m-%d} on, not yet")
    secret = _read("--tls-key", key, private=True)
    if _public_key(key, secret) != _spki(leaf.public_key()):
        raise TlsError(f"--tls-key {key}: it does not fit the certificate {cert}")
    roots = None
    if client_ca is not None:
        roots = _read("--tls-client-ca", client_ca)
        _certificates("--tls-client-ca", client_ca, roots)
    configuration = grpc.ssl_server_certificate_configuration([(secret, chain)], root_certificates=roots)
    return Certificates(configuration, leaf.not_valid_after_utc)


def _read(option: str, path: Path, *, private: bool = False) -> bytes:
    try:
        # Not blocking: opening a pipe would wait for its other end.
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        with os.fdopen(fd, "rb") as file:
            status = os.fstat(fd)
            if not stat.S_ISREG(status.st_mode):
                raise TlsError(f"{option} {path}: not a file")
            if private and status.st_mode & OTHERS:
                mode = stat.S_IMODE(status.st_mode)
                raise TlsError(f"{option} {path}: others have access to it (mode {mode:04o}): chmod 600 {path}")
            data = file.read(MAX_PEM + 1)
    except OSError as error:
        raise TlsError(f"{option} {path}: {error.strerror or 'it cannot be read'}") from None
    if len(data) > MAX_PEM:
        raise TlsError(f"{option} {path}: more than {MAX_PEM:,} bytes")
    return data


def _certificates(option: str, path: Path, data: bytes) -> list[x509.Certificate]:
    try:
        return x509.load_pem_x509_certificates(data)
    except ValueError:
        raise TlsError(f"{option} {path}: no certificate in PEM") from None


def _public_key(path: Path, data: bytes) -> bytes:
    """The public half of a private key."""
    try:
        return _spki(serialization.load_pem_private_key(data, password=None).public_key())
    except TypeError:
        raise TlsError(f"--tls-key {path}: it has a passphrase, which nobody could type here") from None
    except Exception:
        # Whatever the library says about it may quote it.
        raise TlsError(f"--tls-key {path}: no private key in PEM") from None


def _spki(key: object) -> bytes:
    encoded: bytes = key.public_bytes(  # type: ignore[attr-defined]
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return encoded
