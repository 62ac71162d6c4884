"""The check list of the lobby: what has to be well before a match, and what to do where it is not."""

import shutil
from datetime import datetime
from pathlib import Path

from companion.app.wiring import RunningTable
from companion.core.camera_setup import NO_CAMERA
from companion.core.message import Message, message, plural
from companion.core.rulings import ShinpanError
from companion.referee.lobby_view import Check

ROOM = 200 * 2**20
"""Bytes that should be free on the disk; a match takes far less, its pictures included."""
BUILT = 2026
"""No match was refereed before this year: a clock that says so has not been set."""


def check_list(running: RunningTable, data: Path) -> tuple[Check, ...]:
    return (*_camera(running), _panels(running), _disk(data), _clock())


def _camera(running: RunningTable) -> list[Check]:
    setup = running.service.camera_setup
    if setup is NO_CAMERA or running.feed.camera is None:
        condition = running.service.senses.get("camera")
        if condition is None or condition.message is None:
            return [Check("camera", "off", message("There is no camera: cards are tapped on the phones."), "/camera")]
        return [Check("camera", "trouble", condition.message, "/camera")]
    try:
        aim = setup.aim()
    except ShinpanError as error:
        return [Check("camera", "trouble", error.message, "/calibrate")]
    found = [Check("camera", "ok", message("The camera gives a picture."))]
    if not aim.fits:
        words = aim.words[0] if aim.words else message("The markers in the corners of the table are not all seen.")
        found.append(Check("markers", "trouble", words, "/calibrate"))
    elif not aim.measured:
        found.append(
            Check("markers", "trouble", message("The table has not been measured yet: calibrate."), "/calibrate")
        )
    else:
        found.append(Check("markers", "ok", message("The camera sees the four markers, and the table is measured.")))
    missing = [card for card, looks in setup.known().cards.items() if not looks]
    if missing:
        told = plural(
            "{count} card of this game is not enrolled.", "{count} cards of this game are not enrolled.", len(missing)
        )
        found.append(Check("cards", "trouble", told, "/enrol"))
    else:
        found.append(Check("cards", "ok", message("Every card of this game is enrolled.")))
    return found


def _panels(running: RunningTable) -> Check:
    senses = running.service.senses
    panels = {name: each for name, each in senses.items() if name.startswith("panel ") and name[6:].isdecimal()}
    if running.senses.panels is None:
        return Check("panels", "off", message("There are no panels: ready is tapped on the phones."))
    lobby = running.service.lobby
    places = lobby.arrangement.places if lobby is not None else ()
    there = [name for name, each in panels.items() if each.usable]
    without = [place + 1 for place in places if f"panel {place + 1}" not in there]
    if not there:
        return Check("panels", "trouble", message("No panel answers: plug one in, or tap ready on the phones."))
    if without:
        told = plural("Seat {seats} has no panel.", "Seats {seats} have no panel.", len(without), seats=tuple(without))
        return Check("panels", "trouble", told)
    return Check("panels", "ok", plural("{count} panel answers.", "{count} panels answer.", len(there)))


def _disk(data: Path) -> Check:
    try:
        free = shutil.disk_usage(data).free
    except OSError as error:
        return Check("disk", "trouble", message("The disk cannot be read: {detail}.", detail=error.strerror))
    if free < ROOM:
        return Check("disk", "trouble", message("Only {size} MB are free on the disk: make room.", size=free // 2**20))
    return Check("disk", "ok", _free(free))


def _free(free: int) -> Message:
    return message("There is room on the disk: {size} GB.", size=round(free / 2**30, 1))


def _clock() -> Check:
    now = datetime.now()
    if now.year < BUILT:
        return Check(
            "clock",
            "trouble",
            message("The clock says {date}; connect the table to the network, or set it.", date=str(now.date())),
        )
    return Check("clock", "ok", message("The clock says {time}.", time=now.strftime("%H:%M")))
