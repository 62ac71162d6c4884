"""What a table that runs knows of itself: the facts for the lobby's check list, and for the doctor beside it."""

import os
import time
from datetime import datetime
from pathlib import Path

from msgspec.structs import replace

from companion.app.wiring import RunningTable
from companion.core.camera_setup import NO_CAMERA
from companion.core.message import Message
from companion.core.rulings import ShinpanError
from companion.referee.lobby_view import Check
from companion.upkeep.config import Configured
from companion.upkeep.facts import (
    CameraFacts,
    CardFacts,
    ConfigFacts,
    DiskFacts,
    Facts,
    MarkerFacts,
    PanelFacts,
    PanelsFacts,
    ServiceFacts,
    SystemFacts,
    TimerFacts,
)
from companion.upkeep.gathering import backup_facts, groups_for, network_facts, panel_facts
from companion.upkeep.machine import MachineProbe, disk_facts, free_space, system_facts
from companion.upkeep.pictures import CALIBRATION, sharpness
from companion.upkeep.sense_checks import BEFORE_A_MATCH, examined
from vision.calibration.calibrate import exposure_fault


def check_list(running: RunningTable, data: Path) -> tuple[Check, ...]:
    """The lobby's: what has to be well before a match. Without a picture there is nothing to say about it."""
    now = datetime.now()
    free, fault = free_space(data)
    camera, markers, cards = _eyes(running)
    facts = Facts(
        system=SystemFacts(today=now.date(), time=now.strftime("%H:%M")),
        disk=DiskFacts(free=free, fault=fault),
        camera=camera,
        markers=markers,
        cards=cards,
        panels=_panels(running),
        undecided=_undecided(running),
    )
    found = examined(facts, BEFORE_A_MATCH)
    return tuple(each for each in found if each.state != "off" or each.name in ("camera", "panels"))


def all_facts(running: RunningTable, holds: Configured, config: ConfigFacts) -> Facts:
    """For the doctor: what the table knows of its devices, and what the machine says."""
    table, data, machine = holds.table, holds.data, MachineProbe()
    camera, markers, cards = _eyes(running)
    frame = running.feed.frame
    if frame is not None and camera.fault is None and camera.wanted != "none":
        camera = replace(
            camera,
            looked=True,
            light=exposure_fault(frame),
            sharpness=sharpness(frame),
            rate=running.feed.pace.rate_awake(time.monotonic()),
        )
    path = data / CALIBRATION
    if path.exists():
        markers = replace(markers, days=max(0.0, (time.time() - path.stat().st_mtime) / 86400))
    condition = running.service.senses.get("timer")
    fault = None if condition is None else condition.message
    return Facts(
        config,
        system_facts(machine, groups_for(table)),
        disk_facts(machine, data),
        camera,
        markers,
        cards,
        _panels(running),
        TimerFacts(table.timer != "none", fault),
        network_facts(table, data, ours=True),
        backup_facts(table, data),
        ServiceFacts(os.getpid(), True, running.service.heartbeats.silent()),
        undecided=_undecided(running),
    )


def _undecided(running: RunningTable) -> bool:
    """Only with a camera does it matter which mat lies there."""
    lobby = running.service.lobby
    return lobby is not None and not lobby.arrangement.game and running.feed.camera is not None


def _eyes(running: RunningTable) -> tuple[CameraFacts, MarkerFacts, CardFacts]:
    setup = running.service.camera_setup
    if setup is NO_CAMERA or running.feed.camera is None:
        condition = running.service.senses.get("camera")
        if condition is None or condition.message is None:
            return CameraFacts("none"), MarkerFacts(), CardFacts()
        return CameraFacts("auto", condition.message), MarkerFacts(), CardFacts()
    fault: Message | None = None
    try:
        aim = setup.aim()
        markers = MarkerFacts(True, aim.fits, aim.words, aim.measured)
    except ShinpanError as error:
        fault, markers = error.message, MarkerFacts()
    if fault is not None:
        return CameraFacts("auto", fault), markers, CardFacts()
    known = setup.known()
    missing = sum(not looks for looks in known.cards.values())
    return CameraFacts("auto"), markers, CardFacts(known.deck, True, missing, len(known.cards))


def _panels(running: RunningTable) -> PanelsFacts:
    panels = running.senses.panels
    if panels is None:
        return PanelsFacts()
    senses = running.service.senses
    lobby = running.service.lobby
    places = lobby.arrangement.places if lobby is not None else ()
    usable = {name for name, each in senses.items() if name.startswith("panel ") and each.usable}
    boards = [panel_facts(each) for each in panels.status() if each.uid]
    known = tuple(boards) or tuple(PanelFacts(name) for name in sorted(usable) if name[6:].isdecimal())
    without = tuple(place + 1 for place in places if f"panel {place + 1}" not in usable) if known else ()
    return PanelsFacts(True, True, known, without)
