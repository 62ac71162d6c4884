"""A table's configuration: `shinpan.toml` in the data folder, or a file given on the command line."""

import re
import tomllib
from pathlib import Path
from typing import Any, Literal

import msgspec

from companion.core.message import message
from companion.core.rulings import ShinpanError
from companion.core.validation import read_toml, wrong_field
from web.pins import CameraFor

FILE = "shinpan.toml"


class BadConfig(ShinpanError, ValueError):
    """A configuration that cannot be used, and why."""


class TableConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What can be set for a table; everything has a default."""

    game: str = ""
    """The game that is begun at once, with these players and options. Empty: the lobby asks."""
    players: tuple[str, ...] = ()
    options: dict[str, Any] = {}
    camera: str = "auto"
    """auto, none, v4l2:<device>, picamera2, file:<video>, images:<folder>"""
    camera_for: CameraFor = "referee"
    """Whose pages show the camera's picture. A card that somebody lifts to look at can be seen in it: `delayed` shows
    everybody the table after each reveal, `masked` shows it live with the places of covered cards painted over."""
    lobby_for: Literal["everyone", "players", "referee"] = "everyone"
    """Who may seat people and start matches: everybody in the house, those who sit at the table, or the referee."""
    review: bool = False
    """A result counts only when the referee has confirmed it."""
    panels: tuple[str, ...] = ("auto",)
    """auto, none, or device paths and URLs"""
    timer: Literal["none", "gpio", "simulated"] = "none"
    """A timer panel on this machine's own pins."""
    timer_pins: dict[str, Any] = {}
    """Its wiring, where it differs from the build guide: `start = 17`, `bar = [5, 6, 13]`, ..."""
    host: str = "0.0.0.0"
    port: int = 8080
    tls: bool = False
    """Encrypted pages, with a certificate that phones are told to trust once."""
    referee_pin: str = ""
    """Empty: one that is made at the first start and kept."""
    seat_pins: dict[str, str] = {}
    """Name -> the PIN of whatever seat that player takes, at least six digits; others get one that is made up."""


def load(path: Path) -> TableConfig:
    """Read a configuration file, which must exist."""
    table = _read(path)
    for pin in (table.referee_pin, *table.seat_pins.values()):
        if pin and not (pin.isascii() and pin.isdecimal() and 6 <= len(pin) <= 12):
            raise BadConfig(
                message("The configuration {file} has a PIN that does not have 6 to 12 digits.", file=str(path))
            )
    return table


def _read(path: Path) -> TableConfig:
    try:
        return msgspec.convert(read_toml(path.read_bytes().decode()), TableConfig)
    except OSError as error:
        raise BadConfig(
            message("The configuration {file} cannot be read: {detail}.", file=str(path), detail=error.strerror)
        ) from None
    except msgspec.ValidationError as error:
        raise BadConfig(
            message("The configuration {file} has a wrong value: {detail}.", file=str(path), detail=wrong_field(error))
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        found = re.search(r"line (\d+)", str(error))
        where = message("look at line {line}", line=int(found[1])) if found else message("look at its end")
        raise BadConfig(
            message("The configuration {file} is not TOML: {where}.", file=str(path), where=where)
        ) from None
