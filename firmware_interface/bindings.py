"""Which board sits at which seat, kept over restarts: a small file that a person may read, edit or delete."""

import logging
import os
from pathlib import Path

import msgspec

from companion.core.rulings import ShinpanError
from firmware_interface.panels import Bound

log = logging.getLogger("shinpan")

FILE = "panels.json"


class BadBindings(ShinpanError, ValueError):
    """A file of seats that cannot be used, and why."""


def load(path: Path) -> Bound:
    """Board number -> seats, counted from 1 in the file as people count them; nothing where there is no file yet."""
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=dict[str, tuple[int, ...]])
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.DecodeError) as error:
        raise BadBindings(
            f"The panels' seats in {path} cannot be read ({error}). Set it right, or delete it."
        ) from None
    seats = [seat for mine in kept.values() for seat in mine]
    if min(seats, default=1) < 1 or len(set(seats)) < len(seats):
        raise BadBindings(f"{path} gives a seat to two panels, or one below 1. Set it right, or delete it.")
    return {uid: tuple(seat - 1 for seat in mine) for uid, mine in kept.items()}


def save(path: Path, bound: Bound) -> None:
    """Whole or not at all: a power cut leaves the old file."""
    text = msgspec.json.format(msgspec.json.encode({uid: [seat + 1 for seat in mine] for uid, mine in bound.items()}))
    beside = path.with_suffix(".new")
    try:
        beside.write_bytes(text + b"\n")
        os.replace(beside, path)
    except OSError as error:  # no reason to stop a match
        log.warning("The panels' seats could not be kept in %s: %s.", path, error.strerror)
