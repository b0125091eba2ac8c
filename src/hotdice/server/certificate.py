"""Certificates for https in the house: an authority of its own, made once, and what it signs for this machine.

Nobody out there vouches for an address such as 192.168.1.20, so the house vouches for itself. The authority can sign
for private addresses and for this machine's names alone, which makes it harmless to trust.
`trust` says to people what their browser's warning means.
"""

from __future__ import annotations

import hashlib
import ipaddress
import os
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from hotdice.errors import HotdiceError

AUTHORITY_LASTS: Final = timedelta(days=3650)
LASTS: Final = timedelta(days=397)
"""Phones refuse what is good for longer."""
RENEW: Final = timedelta(days=30)
"""What ends sooner than this is made anew."""
BACKDATED: Final = timedelta(days=1)
"""Not every clock in a house is right."""
PRIVATE: Final = tuple(
    ipaddress.ip_network(net)
    for net in (
        "127.0.0.0/8",
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "100.64.0.0/10",
        "169.254.0.0/16",
        "::1/128",
        "fc00::/7",
    )
)
"""The addresses of houses."""

Key = ec.EllipticCurvePrivateKey


class CertificateError(HotdiceError):
    """A certificate that can be neither read nor made."""


@dataclass(frozen=True, slots=True)
class HouseCertificate:
    """What a server needs for https, and what people get to trust it."""

    chain: Path
    key: Path
    authority: bytes
    """The authority's certificate, as phones and computers read it (DER)."""

    @property
    def fingerprint(self) -> str:
        """The authority's SHA-256, as browsers and phones write it."""
        digest = hashlib.sha256(self.authority).hexdigest().upper()
        return ":".join(digest[at : at + 2] for at in range(0, len(digest), 2))


def house_certificate(folder: Path, names: Sequence[str], now: datetime | None = None) -> HouseCertificate:
    """The certificate for a machine of those names and addresses; what is missing or too old is made."""
    now = now or datetime.now(UTC)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        authority, authority_key = _authority(folder, now)
        chain, key = folder / "server.pem", folder / "server.key"
        if not _still_good(chain, authority, names, now):
            _sign(chain, key, authority, authority_key, names, now)
    except OSError as error:
        raise CertificateError(f"The certificate cannot be kept in {folder} ({error.strerror}).") from None
    return HouseCertificate(chain, key, authority.public_bytes(Encoding.DER))


def _authority(folder: Path, now: datetime) -> tuple[x509.Certificate, Key]:
    """The authority of this house, made on first use."""
    file, key_file = folder / "authority.pem", folder / "authority.key"
    if file.exists() and key_file.exists():
        try:
            authority = x509.load_pem_x509_certificate(file.read_bytes())
            key = load_pem_private_key(key_file.read_bytes(), None)
        except ValueError:
            raise CertificateError(
                f"{folder} has no readable certificate; delete that folder, and it is made anew."
            ) from None
        if (
            isinstance(key, Key)
            and authority.public_key() == key.public_key()
            and authority.not_valid_after_utc > now + LASTS
        ):
            return authority, key
    key = ec.generate_private_key(ec.SECP256R1())
    # A house may have several of these machines, and a list of authorities should tell them apart.
    number = x509.random_serial_number()
    name = _name(f"Hotdice at home {number % 0x10000:04x}")
    constraints = x509.NameConstraints(
        [*map(x509.IPAddress, PRIVATE), x509.DNSName("localhost"), x509.DNSName("local"), x509.DNSName(_host())], None
    )
    authority = (
        x509.CertificateBuilder(name, name, key.public_key(), number, now - BACKDATED, now + AUTHORITY_LASTS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs=True), critical=True)
        .add_extension(constraints, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    _write(key_file, _private(key))
    _write(file, authority.public_bytes(Encoding.PEM))
    return authority, key


def _still_good(chain: Path, authority: x509.Certificate, names: Sequence[str], now: datetime) -> bool:
    """Whether there is a certificate of this authority for all of these names that lasts a while."""
    try:
        found = x509.load_pem_x509_certificate(chain.read_bytes())
        found.verify_directly_issued_by(authority)
        known = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except Exception:  # whatever is wrong with it, it is made anew
        return False
    return found.not_valid_after_utc > now + RENEW and set(_alternatives(names)) <= set(known)


def _sign(
    chain: Path, key_file: Path, authority: x509.Certificate, authority_key: Key, names: Sequence[str], now: datetime
) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    signer = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key())
    certificate = (
        x509.CertificateBuilder(
            authority.subject,
            _name("Hotdice"),
            key.public_key(),
            x509.random_serial_number(),
            now - BACKDATED,
            now + LASTS - BACKDATED,
        )
        .add_extension(x509.SubjectAlternativeName(_alternatives(names)), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(signer, critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    _write(key_file, _private(key))
    _write(chain, certificate.public_bytes(Encoding.PEM) + authority.public_bytes(Encoding.PEM))


def _alternatives(names: Sequence[str]) -> list[x509.GeneralName]:
    """The names that the authority may sign for; a public address is none of them."""
    found: list[x509.GeneralName] = []
    for name in names:
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            if name in ("localhost", _host()) or name.endswith(".local"):
                found.append(x509.DNSName(name))
        else:
            if any(address in net for net in PRIVATE):
                found.append(x509.IPAddress(address))
    return found


def _host() -> str:
    name = socket.gethostname().lower()
    return name if name.isascii() and name else "localhost"


def _name(text: str) -> x509.Name:
    return x509.Name(
        [x509.NameAttribute(NameOID.COMMON_NAME, text), x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Hotdice")]
    )


def _usage(*, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs, key_cert_sign=signs, crl_sign=signs, content_commitment=False,
        key_encipherment=False, data_encipherment=False, key_agreement=False, encipher_only=False, decipher_only=False,
    )  # fmt: skip


def _private(key: Key) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _write(path: Path, data: bytes) -> None:
    """Write a file that only this user can read, whole or not at all."""
    part = path.with_suffix(f"{path.suffix}.part")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(data)
    part.replace(path)
