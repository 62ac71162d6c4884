"""A certificate for a table at home: its own authority, which a phone is told to trust once, and a certificate for the
names that the table has today.

The authority can vouch for nothing but this table's names and addresses of private networks: whoever trusts it trusts
it with nothing else, and a stolen key opens no bank.
"""

import ipaddress
import ssl
from collections.abc import Callable, Collection
from datetime import UTC, datetime, timedelta
from pathlib import Path

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

from companion.core.files import PRIVATE, set_aside, write_whole
from companion.core.message import Message, message
from companion.core.rulings import ShinpanError
from web.trust import Authority

FOLDER = "tls"
AUTHORITY, TABLE = "authority.pem", "table.pem"
"""A private key and its certificate each."""
AUTHORITY_LASTS, TABLE_LASTS = timedelta(days=3650), timedelta(days=365)
"""Phones take no certificate that is good for more than 825 days."""
RENEWED = timedelta(days=30)
"""So long before its end a certificate is made anew."""
PRIVATE_NETWORKS = (
    *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8", "100.64.0.0/10"),
    *("fc00::/7", "fe80::/10", "::1/128"),
)

Pair = tuple[ec.EllipticCurvePrivateKey, x509.Certificate]


class Certificates:
    """What a table proves by TLS that it is. `context` is for the server, and stays the same when certificates are
    renewed."""

    def __init__(self, data: Path, names: Callable[[], Collection[str]]) -> None:
        """`names` gives the host names and addresses of the table, which may change while it runs."""
        self._folder, self._names = data / FOLDER, names
        self.notices: list[Message] = []
        """Files that were damaged and set aside."""
        self._folder.mkdir(0o700, parents=True, exist_ok=True)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.minimum_version = ssl.TLSVersion.TLSv1_2
        self.renew()

    def renew(self, now: datetime | None = None) -> bool:
        """Make certificates where there are none, or where they do not fit the names or the day any more. Whether one
        was made; new connections get it at once."""
        now, names = now or datetime.now(UTC), self._names()
        authority = self._load(AUTHORITY)
        if authority is None or not _lasts(authority[1], now):
            authority = _new_authority(names, now)
            self._save(AUTHORITY, authority)
        certificate = authority[1]
        fingerprint = certificate.fingerprint(hashes.SHA256()).hex(":").upper()
        self.authority = Authority(fingerprint, certificate.public_bytes(Encoding.DER))
        wanted, table = _alternatives(names, authority[1]), self._load(TABLE)
        made = table is None or not _fits(table[1], authority[1], wanted, now)
        if made:
            self._save(TABLE, _new_certificate(authority, wanted, now))
        self.context.load_cert_chain(self._folder / TABLE)
        return made

    def _load(self, name: str) -> Pair | None:
        path = self._folder / name
        try:
            data = path.read_bytes()
            key, certificate = load_pem_private_key(data, None), x509.load_pem_x509_certificate(data)
            if not isinstance(key, ec.EllipticCurvePrivateKey) or key.public_key() != certificate.public_key():
                raise ValueError(name)
        except FileNotFoundError:
            return None
        except (OSError, ValueError):
            self.notices.append(set_aside(path, message("{file} does not hold a certificate.", file=name)))
            return None
        return key, certificate

    def _save(self, name: str, pair: Pair) -> None:
        key, certificate = pair
        text = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        write_whole(self._folder / name, text + certificate.public_bytes(Encoding.PEM), ShinpanError, PRIVATE)


def _lasts(certificate: x509.Certificate, now: datetime) -> bool:
    return certificate.not_valid_before_utc <= now <= certificate.not_valid_after_utc - RENEWED


def _fits(
    certificate: x509.Certificate, authority: x509.Certificate, wanted: list[x509.GeneralName], now: datetime
) -> bool:
    try:
        certificate.verify_directly_issued_by(authority)
        has = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except Exception:  # whatever is wrong with it, another one is made
        return False
    return list(has) == wanted and _lasts(certificate, now)


def _new_authority(names: Collection[str], now: datetime) -> Pair:
    key = ec.generate_private_key(ec.SECP256R1())
    hosts = [name for name in names if not _address(name)]
    called = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Shinpan on {min(hosts, default='this table')}")])
    permitted: list[x509.GeneralName] = [x509.DNSName(name) for name in ("local", "localhost", *hosts)]
    addresses = [address for name in names if (address := _address(name)) is not None]
    permitted += [x509.IPAddress(ipaddress.ip_network(network)) for network in (*PRIVATE_NETWORKS, *addresses)]
    certificate = (
        _begun(called, called, key, now, AUTHORITY_LASTS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .sign(key, hashes.SHA256())
    )
    return key, certificate


def _new_certificate(authority: Pair, wanted: list[x509.GeneralName], now: datetime) -> Pair:
    signing, issuer = authority
    key = ec.generate_private_key(ec.SECP256R1())
    called = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Shinpan")])
    certificate = (
        _begun(called, issuer.subject, key, now, min(TABLE_LASTS, issuer.not_valid_after_utc - now))
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(wanted), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(signing.public_key()),
            critical=False,
        )
        .sign(signing, hashes.SHA256())
    )
    return key, certificate


def _begun(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, now: datetime, lasts: timedelta
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + lasts)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _alternatives(names: Collection[str], authority: x509.Certificate) -> list[x509.GeneralName]:
    """The names that this authority can vouch for, in an order that is always the same."""
    constraints = authority.extensions.get_extension_for_class(x509.NameConstraints).value
    permitted = constraints.permitted_subtrees or ()
    hosts = [each.value for each in permitted if isinstance(each, x509.DNSName)]
    networks = [ipaddress.ip_network(each.value) for each in permitted if isinstance(each, x509.IPAddress)]
    found: list[x509.GeneralName] = []
    for name in sorted({"localhost", "127.0.0.1", "::1", *names}):
        address = _address(name)
        if address is None:
            found += [x509.DNSName(name)] if any(name == host or name.endswith(f".{host}") for host in hosts) else []
        elif any(address in network for network in networks):
            found.append(x509.IPAddress(address))
    return found


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None
