"""Certificates of a team's own authority, made anew for each run: one that is right, and those that are not."""

import ipaddress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

Fault = Literal["", "expired", "other-host", "self-signed"]
_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Certificate:
    """PEM files. `roots` is what a client has to trust; a certificate that signs itself is in nobody's roots."""

    chain: Path
    key: Path
    roots: Path


class Authority:
    """Signs for 127.0.0.1, ::1 and localhost, and writes what it signs into `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _named("Tests of Desktop Rater")
        self.roots = folder / "roots.pem"
        own = _signed(self._name, self._name, self._key, self._key, names=None, days=(-1, 30))
        self.roots.write_bytes(own.public_bytes(serialization.Encoding.PEM))

    def certificate(self, fault: Fault = "") -> Certificate:
        """One for a server on loopback, or one that nobody should take."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = _named("loopback")
        signer, signed_by = (key, subject) if fault == "self-signed" else (self._key, self._name)
        names = [x509.DNSName("elsewhere.example")] if fault == "other-host" else _loopback()
        days = (-3, -1) if fault == "expired" else (-1, 30)
        made = _signed(subject, signed_by, key, signer, names=names, days=days)
        stem = self._folder / (fault or "right")
        chain, private = stem.with_suffix(".pem"), stem.with_suffix(".key")
        chain.write_bytes(made.public_bytes(serialization.Encoding.PEM))
        private.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
        return Certificate(chain, private, self.roots)


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _loopback() -> list[x509.GeneralName]:
    addresses = (x509.IPAddress(ipaddress.ip_address(one)) for one in ("127.0.0.1", "::1"))
    return [x509.DNSName("localhost"), *addresses]


def _signed(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    signer: ec.EllipticCurvePrivateKey,
    *,
    names: list[x509.GeneralName] | None,
    days: tuple[int, int],
) -> x509.Certificate:
    """`names` is None for the authority itself."""
    today = datetime.now(UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today + days[0] * _DAY)
        .not_valid_after(today + days[1] * _DAY)
        .add_extension(x509.BasicConstraints(ca=names is None, path_length=None), critical=True)
    )
    if names is not None:
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    return builder.sign(signer, hashes.SHA256())
