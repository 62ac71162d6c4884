"""A report to attach to a description of a fault: what the doctor found, the settings without secrets, the log, and the
events of the last evening. No picture, no PIN, no key."""

import io
import os
import platform
import re
import tarfile
import time
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from companion.core.files import PRIVATE
from companion.core.message import message
from companion.core.rulings import ShinpanError
from companion.referee.lobby_view import CheckShown
from companion.upkeep.config import FIELDS, Configured
from companion.upkeep.machine import MachineProbe
from companion.upkeep.settings import SETTINGS

LAST = 500_000
"""Bytes of the log's end."""
EVENTS = 5_000_000
HIDDEN = "******"
_DIGITS = re.compile(rb"(?<![\d.])\d{6,12}(?![\d.])")
"""Whatever could be a PIN in a log."""


def public_settings(holds: Configured) -> dict[str, Any]:
    """What holds and where it comes from, without PINs."""
    return {
        key: {
            "value": HIDDEN if SETTINGS[key].secret and getattr(holds.table, key) else getattr(holds.table, key),
            "from": str(holds.origin(key).told),
        }
        for key in FIELDS
    }


def write_bundle(path: Path, checks: Iterable[CheckShown], holds: Configured, machine: MachineProbe) -> Path:
    """Write the report; the file."""
    about = {
        "made": datetime.now().isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "machine": platform.machine(),
        "system": machine.read("/etc/os-release").partition("\n")[0],
        "model": machine.read("/proc/device-tree/model"),
        "packages": dict(sorted(_versions().items())),
    }
    parts = {
        "doctor.json": msgspec.json.format(msgspec.json.encode(list(checks))),
        "about.json": msgspec.json.format(msgspec.json.encode(about)),
        "settings.json": msgspec.json.format(msgspec.json.encode(public_settings(holds))),
        "log.txt": _log(machine),
        **_events(holds.data),
    }
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE)
        with os.fdopen(handle, "wb") as file, tarfile.open(fileobj=file, mode="w:gz") as tar:
            for name, content in parts.items():
                entry = tarfile.TarInfo(f"shinpan-report/{name}")
                entry.size, entry.mtime = len(content), int(time.time())
                tar.addfile(entry, io.BytesIO(content))
    except OSError as error:
        raise ShinpanError(
            message("{file} cannot be written: {detail}.", file=str(path), detail=error.strerror)
        ) from None
    return path


def _versions() -> dict[str, str]:
    from importlib import metadata

    return {each.metadata["Name"] or "": each.version for each in metadata.distributions()}


def _log(machine: MachineProbe) -> bytes:
    told = machine.run("journalctl", "-u", "shinpan", "-n", "2000", "--no-pager", "-o", "short-iso")
    text = (told or "There is no journal of the service on this machine, or it may not be read.\n").encode()
    return _DIGITS.sub(HIDDEN.encode(), text[-LAST:])


def _events(data: Path) -> dict[str, bytes]:
    """The newest record of events, from its beginning: it cannot be relived without that."""
    found = sorted((*data.glob("*.events"), *data.glob("events/*.events")), key=lambda path: path.stat().st_mtime)
    if not found:
        return {}
    with found[-1].open("rb") as file:
        content = file.read(EVENTS)
    return {found[-1].name: content[: content.rfind(b"\n") + 1]}
