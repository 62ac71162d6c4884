"""A table's configuration: `shinpan.toml` in the data folder, or a file given on the command line."""

import re
from pathlib import Path
from typing import Any, Literal

import msgspec

from companion.core.message import message
from companion.core.rulings import ShinpanError
from companion.core.validation import wrong_field

FILE = "shinpan.toml"


class BadConfig(ShinpanError, ValueError):
    """A configuration that cannot be used, and why."""


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything a club may want to fix for a table; what is left out has a sensible value."""

    game: str = "sen_so"
    players: tuple[str, ...] = ()
    options: dict[str, Any] = {}
    camera: str = "auto"
    """auto, none, v4l2:<device>, picamera2, file:<video>, images:<folder>"""
    panels: tuple[str, ...] = ("auto",)
    """auto, none, or device paths and URLs"""
    timer: Literal["none", "gpio", "simulated"] = "none"
    """A timer panel on this machine's own pins."""
    timer_pins: dict[str, Any] = {}
    """Its wiring, where that is not the build guide's: `start = 17`, `bar = [5, 6, 13]`, ..."""
    host: str = "0.0.0.0"
    port: int = 8080
    referee_pin: str = ""
    """Made anew for every match where it is left out."""
    seat_pins: dict[str, str] = {}


def load(path: Path) -> Table:
    """Read a configuration; a missing file is an empty one only where nobody asked for it by name."""
    try:
        return msgspec.toml.decode(path.read_bytes(), type=Table)
    except OSError as error:
        raise BadConfig(
            message("The configuration {file} cannot be read: {detail}.", file=str(path), detail=error.strerror)
        ) from None
    except msgspec.ValidationError as error:
        raise BadConfig(
            message("The configuration {file} has a wrong value: {detail}.", file=str(path), detail=wrong_field(error))
        ) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        found = re.search(r"line (\d+)", str(error))
        where = message("look at line {line}", line=int(found[1])) if found else message("look at its end")
        raise BadConfig(
            message("The configuration {file} is not TOML: {where}.", file=str(path), where=where)
        ) from None
