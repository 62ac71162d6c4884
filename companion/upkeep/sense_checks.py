"""Camera, cards, panels and timer: one small check for each thing that can be wrong, with what mends it."""

from collections.abc import Callable

from companion.core.message import message, plural
from companion.referee.lobby_view import Check
from companion.upkeep.checks import MACHINE, clock, disk
from companion.upkeep.facts import Facts

BLURRED = 0.17
SLOW_CAMERA = 4.0
"""Pictures a second; with fewer, a reveal has to wait for the camera."""
DRIFTED = 4.0
"""Pixels by which the markers may have moved since the table was measured."""
POOR_LINK = 5
"""Lines that may be lost or damaged on a panel's cable before somebody should look at it."""


def camera(facts: Facts) -> Check:
    found = facts.camera
    if found.wanted == "none":
        return Check("camera", "off", message("There is no camera: cards are tapped on the phones."), "/camera")
    if found.forbidden:
        told = message("The camera {device} is there, and may not be opened.", device=found.forbidden[0])
        return Check("camera", "trouble", told, command=f"sudo usermod -aG video {facts.system.user}")
    if found.fault is not None:
        return Check("camera", "trouble", found.fault, "/camera", command="shinpan config set camera=none")
    if found.frozen:
        told = message("The camera gives the same picture again and again: unplug it and plug it in.")
        return Check("camera", "trouble", told, "/calibrate")
    return Check("camera", "ok", message("The camera gives a picture."))


def exposure(facts: Facts) -> Check:
    found = facts.camera
    if not found.looked:
        return _no_picture("exposure")
    if found.light is not None:
        return Check("exposure", "trouble", found.light, "/calibrate")
    return Check("exposure", "ok", message("The picture is neither too dark nor too bright."))


def focus(facts: Facts) -> Check:
    found = facts.camera
    if not found.looked or found.sharpness is None:
        return _no_picture("focus")
    if found.sharpness < BLURRED:
        told = message("The picture is out of focus: turn the ring of the lens until the markers are sharp.")
        return Check("focus", "trouble", told, "/calibrate")
    return Check("focus", "ok", message("The picture is sharp."))


def rate(facts: Facts) -> Check:
    found = facts.camera
    if not found.looked:
        return _no_picture("rate")
    if found.rate is None:
        return Check("rate", "off", message("The camera rests, because nobody is there; a hand wakes it."))
    told = message("The camera gives {rate} pictures a second.", rate=round(found.rate, 1))
    if found.rate < SLOW_CAMERA:
        slow = message("{told} That is slow: more light, another USB socket, or no hub.", told=told)
        return Check("rate", "trouble", slow)
    return Check("rate", "ok", told)


def _no_picture(name: str) -> Check:
    return Check(name, "off", message("There is no picture to look at."))


def _measure(facts: Facts) -> str:
    wanted = facts.camera.wanted
    return "shinpan calibrate" if wanted == "auto" else f"shinpan calibrate --camera {wanted}"


def _undecided(name: str) -> Check:
    return Check(name, "off", message("Choose a game first: each has a mat and cards of its own."), "/")


def markers(facts: Facts) -> Check:
    found = facts.markers
    if facts.undecided:
        return _undecided("markers")
    if not found.looked:
        return _no_picture("markers")
    if not found.fits:
        words = found.words[0] if found.words else message("The markers in the corners of the table are not all seen.")
        return Check("markers", "trouble", words, "/calibrate", command="shinpan print markers")
    if not found.measured:
        told = message("The table has not been measured yet: calibrate.")
        return Check("markers", "trouble", told, "/calibrate", command=_measure(facts))
    if found.words:  # what could be better, although it does: a hidden marker where three are enough, a coarse picture
        return Check("markers", "ok", found.words[0], "/calibrate")
    return Check("markers", "ok", message("The camera sees the four markers, and the table is measured."))


def calibration(facts: Facts) -> Check:
    found = facts.markers
    if facts.undecided:
        return _undecided("calibration")
    if facts.camera.wanted == "none" or (not found.looked and found.days is None and found.fault is None):
        return Check("calibration", "off", message("The table was not measured, and need not be."))
    if found.fault is not None:
        return Check("calibration", "trouble", found.fault, "/calibrate", command=_measure(facts))
    if found.drift is not None and found.drift > DRIFTED:
        told = message(
            "The camera has moved by {pixels} pixels since the table was measured.", pixels=round(found.drift)
        )
        return Check("calibration", "trouble", told, "/calibrate", command=_measure(facts))
    if found.days is None:
        told = message("The table has not been measured yet: calibrate.")
        return Check("calibration", "trouble", told, "/calibrate", command=_measure(facts))
    told = plural(
        "The table was measured {count} day ago.", "The table was measured {count} days ago.", int(found.days)
    )
    return Check("calibration", "ok", told)


def cards(facts: Facts) -> Check:
    found = facts.cards
    if facts.undecided:
        return _undecided("cards")
    if not found.looked or facts.camera.wanted == "none":
        return Check("cards", "off", message("Cards are tapped, so none has to be enrolled."))
    command = f"shinpan enrol {found.game} --camera {facts.camera.wanted}"
    if found.fault is not None:
        return Check("cards", "trouble", found.fault, "/enrol", command=command)
    if found.missing:
        told = plural(
            "{count} card of this game is not enrolled.", "{count} cards of this game are not enrolled.", found.missing
        )
        return Check("cards", "trouble", told, "/enrol", command=command)
    return Check("cards", "ok", message("Every card of this game is enrolled."))


def panels(facts: Facts) -> Check:
    found = facts.panels
    if not found.wanted:
        return Check("panels", "off", message("There are no panels: ready is tapped on the phones."))
    if found.forbidden:
        told = message("The panel at {port} is there, and may not be opened.", port=found.forbidden[0])
        return Check("panels", "trouble", told, command=f"sudo usermod -aG dialout {facts.system.user}")
    ill = next((each for each in found.panels if each.fault is not None), None)
    if ill is not None and ill.fault is not None:
        return Check("panels", "trouble", message("Panel at {port}: {fault}.", port=ill.port, fault=ill.fault))
    if not found.panels:
        told = message("No panel answers: plug one in, or tap ready on the phones.")
        return Check("panels", "trouble", told, command="shinpan config set panels=none")
    if found.without:
        told = plural(
            "Seat {seats} has no panel.", "Seats {seats} have no panel.", len(found.without), seats=found.without
        )
        return Check("panels", "trouble", told)
    return Check("panels", "ok", plural("{count} panel answers.", "{count} panels answer.", len(found.panels)))


def links(facts: Facts) -> Check:
    found = facts.panels
    if not found.panels:
        return Check("links", "off", message("There is no panel to ask."))
    old = [each for each in found.panels if each.old]
    if old:
        told = message(
            "Panel {board} has firmware {firmware}; a newer one is here.", board=old[0].board, firmware=old[0].firmware
        )
        return Check("links", "trouble", told, command="shinpan panel flash --keep-pins")
    worst = max(found.panels, key=lambda each: each.lost + each.damaged)
    if worst.lost + worst.damaged > POOR_LINK:
        told = message(
            "On the cable of panel {board} {lost} lines were lost and {damaged} damaged: use another cable or socket.",
            board=worst.board, lost=worst.lost, damaged=worst.damaged,
        )  # fmt: skip
        return Check("links", "trouble", told)
    slowest = max(each.milliseconds for each in found.panels)
    return Check("links", "ok", message("Panels answer within {milliseconds} ms.", milliseconds=round(slowest, 1)))


def timer(facts: Facts) -> Check:
    found = facts.timer
    if not found.wanted:
        return Check("timer", "off", message("There is no timer panel."))
    if found.fault is not None:
        told = message("The timer does not work: {fault}.", fault=found.fault)
        return Check("timer", "trouble", told, command="shinpan config set timer=none")
    return Check("timer", "ok", message("The timer's pins can be used."))


SENSES = (camera, exposure, focus, rate, markers, calibration, cards, panels, links, timer)
CHECKS: tuple[Callable[[Facts], Check], ...] = (*MACHINE, *SENSES)
"""All that the doctor looks at."""
BEFORE_A_MATCH: tuple[Callable[[Facts], Check], ...] = (camera, markers, cards, panels, disk, clock)
"""What the lobby's check list shows."""


def examined(facts: Facts, checks: tuple[Callable[[Facts], Check], ...] = CHECKS) -> tuple[Check, ...]:
    return tuple(check(facts) for check in checks)
