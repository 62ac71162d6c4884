"""Which board sits at which seat, kept over restarts: a small file that a person may read, edit or delete."""

import logging
from pathlib import Path

import msgspec

from companion.core.files import NotWritten, set_aside, write_whole
from companion.core.message import Message, message
from companion.core.rulings import ShinpanError
from companion.core.validation import read_json, wrong_field
from firmware_interface.panels import Bound

log = logging.getLogger("shinpan")

FILE = "panels.json"


class BadBindings(ShinpanError, ValueError):
    """A file of seats that cannot be used, and why."""


def load(path: Path) -> Bound:
    """Board number -> seats, counted from 1 in the file as people count them; nothing where there is no file yet."""
    try:
        kept = read_json(path.read_bytes(), dict[str, tuple[int, ...]])
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.DecodeError) as error:
        raise BadBindings(
            message(
                "The panels' seats in {file} cannot be read ({detail}). Correct the file, or delete it.",
                file=str(path),
                detail=wrong_field(error) if isinstance(error, msgspec.DecodeError) else error.strerror,
            )
        ) from None
    seats = [seat for mine in kept.values() for seat in mine]
    if min(seats, default=1) < 1 or len(set(seats)) < len(seats):
        raise BadBindings(
            message(
                "{file} gives a seat to two panels, or one below 1. Correct the file, or delete it.", file=str(path)
            )
        )
    return {uid: tuple(seat - 1 for seat in mine) for uid, mine in kept.items()}


def load_or_set_aside(path: Path) -> tuple[Bound, Message | None]:
    """The same for a table that is about to play: a file that cannot be used is set aside, with a notice. Boards find
    seats without it."""
    try:
        return load(path), None
    except BadBindings:
        return {}, set_aside(path, message("{file} is damaged.", file=path.name))


def save(path: Path, bound: Bound) -> None:
    """Whole or not at all: a power cut leaves the old file."""
    kept = {uid: [seat + 1 for seat in mine] for uid, mine in bound.items()}
    try:
        write_whole(path, msgspec.json.format(msgspec.json.encode(kept)) + b"\n")
    except NotWritten as error:  # no reason to stop a match
        log.warning("The panels' seats could not be kept: %s", error)
