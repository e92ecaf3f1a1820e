"""Certificates for tests: an authority, and what it signs."""

import datetime
import ipaddress
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

NOW: Final = datetime.datetime.now(datetime.UTC)
DAY: Final = datetime.timedelta(days=1)


class Pair(NamedTuple):
    """The files of a certificate and its key."""

    cert: Path
    key: Path


class Authority:
    """Signs certificates; keeps its files in a folder."""

    def __init__(self, folder: Path, name: str = "ca") -> None:
        folder.mkdir(exist_ok=True)
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _named(name)
        basic = x509.BasicConstraints(ca=True, path_length=0)
        built = _builder(self._name, self._name, self._key, NOW - DAY, NOW + DAY).add_extension(basic, critical=True)
        self.ca: Final = folder / f"{name}.pem"
        """The authority's own certificate."""
        self.ca.write_bytes(_pem(built.sign(self._key, hashes.SHA256())))

    def pair(
        self,
        name: str,
        hosts: Sequence[str] = ("localhost", "127.0.0.1"),
        begins: datetime.datetime = NOW - DAY,
        ends: datetime.datetime = NOW + DAY,
        passphrase: bytes = b"",
    ) -> Pair:
        """A certificate for these names and addresses, and its key."""
        key = ec.generate_private_key(ec.SECP256R1())
        builder = _builder(_named(name), self._name, key, begins, ends)
        if hosts:
            builder = builder.add_extension(x509.SubjectAlternativeName(list(map(_host, hosts))), critical=False)
        pair = Pair(self._folder / f"{name}.pem", self._folder / f"{name}.key")
        pair.cert.write_bytes(_pem(builder.sign(self._key, hashes.SHA256())))
        encryption = serialization.BestAvailableEncryption(passphrase) if passphrase else serialization.NoEncryption()
        pair.key.touch(0o600)
        pair.key.write_bytes(
            key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, encryption)
        )
        return pair


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _host(text: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(text))
    except ValueError:
        return x509.DNSName(text)


def _builder(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    begins: datetime.datetime,
    ends: datetime.datetime,
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(ends)
    )


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)
