"""A table's place in a club: who it is there and how it proves it. One private file, made by `shinpan club join`."""

from pathlib import Path

import msgspec

from companion.core.files import PRIVATE, set_aside, write_whole
from companion.core.message import Message, message
from companion.core.rulings import ShinpanError
from companion.core.validation import read_json

FILE = "club.json"


class BrokerAddress(msgspec.Struct, frozen=True):
    host: str
    port: int
    tls: bool = False


class Membership(msgspec.Struct, frozen=True, kw_only=True):
    venue: str
    """The id of the venue."""
    venue_name: str
    table: str
    """The id of this table there, which is its user name at the broker."""
    name: str
    """What people call it."""
    secret: str
    broker: BrokerAddress
    authority: str = ""
    """PEM of the authority that vouches for the broker."""
    since: str = ""
    """The newest match when it joined: that one and those before it stay at home."""
    pages: str = ""
    """Where the venue's pages are."""


def save(data: Path, membership: Membership) -> None:
    write_whole(data / FILE, msgspec.json.format(msgspec.json.encode(membership)) + b"\n", rights=PRIVATE)


def load(data: Path) -> tuple[Membership | None, Message | None]:
    """None: this table is in no club. And a notice if the file was damaged: the table plays on by itself."""
    path = data / FILE
    try:
        path.chmod(PRIVATE)
        return read_json(path.read_bytes(), Membership), None
    except FileNotFoundError:
        return None, None
    except (OSError, msgspec.DecodeError):
        return None, set_aside(path, message("{file} does not say which club this table belongs to.", file=FILE))


def leave(data: Path) -> Membership:
    found, _ = load(data)
    if found is None:
        raise ShinpanError(message("This table is in no club."))
    (data / FILE).unlink()
    return found
