"""Everything about a table that does not run, looked up where it is: the facts that the doctor judges."""

import os
import socket
import time
from collections.abc import Callable
from pathlib import Path

from companion.core.message import Message, message
from companion.core.rulings import ShinpanError
from companion.games import game
from companion.games.kit.game import Game
from companion.record.match import Match
from companion.upkeep.config import Configured, TableConfig
from companion.upkeep.facts import (
    BackupFacts,
    CameraFacts,
    CardFacts,
    ConfigFacts,
    Facts,
    MarkerFacts,
    NetworkFacts,
    PanelFacts,
    PanelsFacts,
    ServiceFacts,
    TimerFacts,
)
from companion.upkeep.machine import MachineProbe, disk_facts, port_taken, system_facts
from firmware_interface import protocol
from firmware_interface.panels import Panels, PanelStatus
from hardware.timer import open_timer
from web.mdns import own_addresses

FIND = 2.5
"""Seconds after which a port counts as one without an answer."""
MOST_SEATS = 6


def gathered(
    holds: Configured, config: ConfigFacts, machine: MachineProbe, service: ServiceFacts, say: Callable[[Message], None]
) -> Facts:
    """All facts, with every device opened for a moment."""
    table, data = holds.table, holds.data
    say(message("Looking at the camera ..."))
    camera, markers, cards = _eyes(table, data, machine)
    say(message("Asking the panels ..."))
    return Facts(
        config,
        system_facts(machine, groups_for(table)),
        disk_facts(machine, data),
        camera,
        markers,
        cards,
        panels_facts(table, machine),
        timer_facts(table),
        network_facts(table, data, ours=service.process is not None),
        backup_facts(table, data),
        service,
    )


def groups_for(table: TableConfig) -> tuple[str, ...]:
    """The groups that what is wanted here needs."""
    wanted = {"video": table.camera != "none", "dialout": "none" not in table.panels, "gpio": table.timer == "gpio"}
    return tuple(group for group, needed in wanted.items() if needed)


def _eyes(table: TableConfig, data: Path, machine: MachineProbe) -> tuple[CameraFacts, MarkerFacts, CardFacts]:
    if table.camera == "none":
        return CameraFacts("none"), MarkerFacts(), CardFacts()
    closed = forbidden(machine, "video*") if table.camera in ("auto", "picamera2") or table.camera[:4] == "v4l2" else ()
    from companion.upkeep.pictures import look, marker_facts

    chosen = game(table.game or "sen_so")
    camera, frame = look(table.camera)
    if closed:
        camera = CameraFacts(table.camera, camera.fault, closed)
    trial = trial_match(chosen, len(table.players))
    layout = chosen.table.layout(trial.state)
    return camera, marker_facts(frame, layout, data), card_facts(data, trial)


def trial_match(chosen: Game, players: int) -> Match:
    count = max(chosen.seats.start, min(players, chosen.seats.stop - 1))
    return Match(chosen, [f"{number + 1}" for number in range(count)])


def card_facts(data: Path, trial: Match) -> CardFacts:
    from vision.enrolment.from_folder import gallery_path
    from vision.recognition.gallery import Gallery

    name, wanted = trial.game.name, list(trial.game.table.deck(trial.state).cards)
    path = gallery_path(data, name)
    try:
        enrolled = set(Gallery.load(path).cards)
    except ShinpanError as error:
        if path.exists():
            return CardFacts(name, True, fault=error.message)
        return CardFacts(name, True, len(wanted), len(wanted))
    return CardFacts(name, True, sum(card not in enrolled for card in wanted), len(wanted))


def forbidden(machine: MachineProbe, pattern: str) -> tuple[str, ...]:
    """Devices that are there and that this user may not open."""
    found = sorted((machine.root / "dev").glob(pattern))
    return tuple(f"/{each.relative_to(machine.root)}" for each in found if not os.access(each, os.R_OK | os.W_OK))


def panels_facts(table: TableConfig, machine: MachineProbe) -> PanelsFacts:
    if "none" in table.panels:
        return PanelsFacts()
    ports = [port for port in table.panels if port != "auto"]
    panels = Panels(MOST_SEATS, ports or None, clock=time.monotonic)
    try:
        end = time.monotonic() + FIND
        while time.monotonic() < end:
            panels.poll(time.monotonic())
            panels.wait(0.02)
            found = panels.status()
            if found and not any(each.greeting for each in found) and time.monotonic() > end - FIND + 0.5:
                break
        found = panels.status()
    finally:
        panels.close()
    closed = forbidden(machine, "ttyACM*") if not ports else ()
    return PanelsFacts(True, True, tuple(map(panel_facts, found)), forbidden=closed)


def panel_facts(status: PanelStatus) -> PanelFacts:
    fault = status.condition.message
    if fault is None and not status.uid:
        fault = message("nobody answers; is it a panel, and has it its firmware?")
    major, _, minor = status.firmware.partition(".")
    old = minor.isdigit() and (int(major), int(minor)) < (protocol.MAJOR, protocol.MINOR)
    return PanelFacts(
        status.port, status.uid, status.firmware, fault, old, status.lost, status.bad, round(status.trip * 1000, 2)
    )


def timer_facts(table: TableConfig) -> TimerFacts:
    if table.timer == "none":
        return TimerFacts()
    try:
        open_timer(table.timer == "simulated", time.monotonic, table.timer_pins).close()
    except ShinpanError as error:
        return TimerFacts(True, error.message)
    return TimerFacts(True)


def network_facts(table: TableConfig, data: Path, *, ours: bool) -> NetworkFacts:
    """`ours`: the table runs, so whoever has the port is the table."""
    taken, closed = (None, False) if ours else port_taken(table.host, table.port)
    name = socket.gethostname().split(".")[0]
    return NetworkFacts(
        True,
        name,
        tuple(own_addresses()),
        table.port,
        taken,
        closed,
        table.tls,
        _tls_fault(data) if table.tls else None,
    )


def _tls_fault(data: Path) -> Message | None:
    from cryptography import x509

    path = data / "tls" / "table.pem"
    if not path.exists():
        return None  # it is made at the next start
    try:
        certificate = x509.load_pem_x509_certificates(path.read_bytes())[0]
    except (OSError, ValueError):
        return message("{file} is damaged: it is made anew at the next start.", file=path.name)
    if certificate.not_valid_after_utc.timestamp() < time.time():
        return message("The certificate has run out: it is made anew at the next start.")
    return None


def backup_facts(table: TableConfig, data: Path) -> BackupFacts:
    from companion.upkeep.backup import folder_of, kept

    folder = folder_of(table, data)
    matches = sum(1 for _ in (data / "matches").glob("*.kifu"))
    if table.backup_folder and not folder.is_dir():
        fault = message("The folder for backups, {folder}, is not there.", folder=str(folder))
        return BackupFacts(True, table.backup_every, None, str(folder), matches, fault)
    newest = max((each.stat().st_mtime for each in kept(folder)), default=None)
    days = None if newest is None else max(0.0, (time.time() - newest) / 86400)
    return BackupFacts(True, table.backup_every, days, str(folder), matches)
