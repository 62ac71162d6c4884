"""The one place where broker, store, venue and pages are put together."""

import secrets
import socket
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlsplit

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from flask import Flask

from companion.app import logins
from companion.club.broker import LIGHTS_USER, VENUE_USER, Broker, BrokerKind, TlsFiles
from companion.club.home_assistant import HomeAssistant
from companion.club.joining import JoinAnswer
from companion.club.link import Account, address_of
from companion.club.membership import BrokerAddress
from companion.club.store import KnownTable, Store
from companion.club.venue import Venue
from companion.core.files import PRIVATE, write_whole
from companion.core.message import message
from companion.core.rulings import ShinpanError
from web.app import Settings
from web.certificates import AUTHORITY, FOLDER, TABLE, Certificates
from web.guard import own_names
from web.mdns import public_url
from web.pins import new_pin
from web.server import Server
from web.venue.app import create_venue_app
from web.venue.desk import ListenerAnswer
from web.venue.news import GAP, VenueNews

DATABASE = "venue.db"


@dataclass
class VenueConfig:
    data: Path
    name: str = ""
    broker: str = "auto"
    """auto, mosquitto, nats, or the club's own by its URL."""
    broker_port: int = 1883
    database: str = ""
    """Empty: SQLite in the data folder."""
    host: str = "0.0.0.0"
    port: int = 8090
    tls: bool = True
    """Between the tables and the venue's own broker."""


class RunningVenue:
    """Runs as soon as it is made; `close` it."""

    def __init__(self, config: VenueConfig) -> None:
        data = config.data
        data.mkdir(0o700, parents=True, exist_ok=True)
        self.venue = Venue(
            Store(config.database or f"sqlite:///{(data / DATABASE).absolute()}"),
            config.name,
            software=version("shinpan"),
        )
        self._secret = secret = self._kept_secret("broker secret")
        self._lights_secret = self._kept_secret("lights secret")
        kept, _ = logins.kept(data, "")
        self.pin = kept.referee_pin or new_pin()
        self._tls = _tls(data) if config.tls and "://" not in config.broker else None
        self.broker: Broker | None = None
        if "://" in config.broker:
            address = address_of(config.broker)
            user, password = _user(config.broker) or (VENUE_USER, secret)
            account = Account(address, user, password, "")
            self._for_tables = address
        else:
            self.broker = Broker(
                _kind(config.broker), data / "broker", self.venue.id, config.broker_port, config.host, self._tls
            )
            self._let_in()
            self.broker.start()
            account = Account(self.broker.address, VENUE_USER, secret, _pem(self._tls))
            where = urlsplit(public_url(config.host, 80)).hostname or "127.0.0.1"
            self._for_tables = BrokerAddress(where, self.broker.port, self._tls is not None)
        try:
            self._put_pages_up(config, kept.secret)
            self.venue.open(account)
        except BaseException:
            if self.broker is not None:
                self.broker.stop()
            raise

    def _put_pages_up(self, config: VenueConfig, cookies: str) -> None:
        where = public_url(config.host, config.port)
        settings = Settings(referee_pin=self.pin, secret=cookies, data=config.data, address=where)
        self.app: Flask = create_venue_app(self.venue, settings, self)
        news: VenueNews = self.app.extensions["shinpan"]["news"]
        HomeAssistant(self.venue)
        self.server = Server(self.app, news, config.host, config.port, None, GAP, news)

    def _kept_secret(self, name: str) -> str:
        kept = self.venue.store.setting(name) or secrets.token_hex(16)
        self.venue.store.set(name, kept)
        return kept

    def _let_in(self) -> None:
        if self.broker is not None:
            known = {each.id: each.secret for each in self.venue.store.tables()}
            self.broker.let_in({VENUE_USER: self._secret, LIGHTS_USER: self._lights_secret, **known})

    # --- the door of the broker -----------------------------------------------------------------------------------

    def joined(self, table: KnownTable) -> JoinAnswer:
        self._let_in()
        return JoinAnswer(
            venue=self.venue.id,
            venue_name=self.venue.name,
            table=table.id,
            name=table.name,
            secret=table.secret,
            broker=self._for_tables,
            authority=_pem(self._tls),
        )

    def dropped(self) -> None:
        self._let_in()

    def listener(self) -> ListenerAnswer:
        if self.broker is None:
            raise ShinpanError(
                message("The broker is the club's own: make an account there that may read what docs/club.md lists.")
            )
        return ListenerAnswer(self._for_tables, LIGHTS_USER, self._lights_secret, _pem(self._tls))

    def keep_broker(self) -> None:
        """A broker of the venue's own that has died is started again."""
        if self.broker is not None and not self.broker.running:
            self.venue.alarm("", message("The broker has stopped, and is started again."))
            self.broker.start()

    def close(self) -> None:
        self.server.stop()
        self.venue.close()
        if self.broker is not None:
            self.broker.stop()


def _kind(asked: str) -> BrokerKind:
    if asked in ("mosquitto", "nats"):
        return asked  # type: ignore[return-value]
    if asked != "auto":
        raise ShinpanError(message("--broker is auto, mosquitto, nats or an address like mqtt://host:1883."))
    from companion.club.broker import NoBroker, program

    try:
        program("mosquitto")
        return "mosquitto"
    except NoBroker:
        return "nats"


def _tls(data: Path) -> TlsFiles:
    """A certificate for the broker, from an authority of the venue's own; in files, because a broker reads files."""
    names = {*own_names(), _address()}
    Certificates(data, lambda: names)
    folder = data / FOLDER
    both = (folder / TABLE).read_bytes()
    key, mark, certificate = both.partition(b"-----BEGIN CERTIFICATE-----")
    authority = x509.load_pem_x509_certificate((folder / AUTHORITY).read_bytes()).public_bytes(Encoding.PEM)
    files = TlsFiles(folder / "broker.crt", folder / "broker.key", folder / "authority.crt")
    write_whole(files.certificate, mark + certificate, rights=PRIVATE)
    write_whole(files.key, key, rights=PRIVATE)
    write_whole(files.authority, authority)
    return files


def _address() -> str:
    return urlsplit(public_url("0.0.0.0", 80)).hostname or socket.gethostname()


def _pem(tls: TlsFiles | None) -> str:
    return "" if tls is None else tls.authority.read_text()


def _user(url: str) -> tuple[str, str] | None:
    parts = urlsplit(url)
    return (parts.username, parts.password or "") if parts.username else None
