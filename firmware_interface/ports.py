"""Finding serial ports and opening them, and saying in one sentence why that did not work."""

import errno
import grp
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import serial
from serial.tools import list_ports
from serial.urlhandler import protocol_socket

from companion.core.message import Message, message
from companion.core.rulings import ShinpanError
from firmware_interface.link import Port

RASPBERRY_PI = 0x2E8A
"""USB vendor of every Pico."""
DEBUG_PROBES = (0x0004, 0x000C)
"""Products of the same vendor that are not panels: the debug probe with either of its firmwares."""


# A computer that does not answer would hold up every other panel for the five seconds that pyserial gives it.
protocol_socket.POLL_TIMEOUT = 0.5


class PortTrouble(ShinpanError):
    """A port that cannot be opened, and what to do about it."""


def usb_ports() -> list[str]:
    """The ports behind which a Pico sits, told by its USB identity and not by its name."""
    return sorted(
        port.device for port in list_ports.comports() if port.vid == RASPBERRY_PI and port.pid not in DEBUG_PROBES
    )


def open_port(url: str) -> Port:
    """A device path, or anything else that pyserial takes: `socket://…`, `spy://…`, `rfc2217://…`.

    Opened for us alone: two programs that read one port each get half of every line.
    """
    try:
        # A write timeout of zero would spin inside pyserial while the other end's buffer is full. A short one fails
        # although everything was written, where a busy machine stops us for that long in the middle of a line.
        port = serial.serial_for_url(url, baudrate=115200, timeout=0, write_timeout=2.0, exclusive=True)
    except (OSError, ValueError) as error:
        raise PortTrouble(_why(url, error)) from error
    return cast(Port, port)


def _why(url: str, error: Exception) -> Message:
    number = getattr(error, "errno", None)
    path = url.removeprefix("spy://").partition("?")[0]
    if number == errno.EACCES:
        group = _group(path)
        return message(
            "no permission to open {port}: it belongs to the group {group}; run '{command}', then log out and in again",
            port=path,
            group=group,
            command=f"sudo usermod -aG {group} $USER",
        )
    if number == errno.ENOENT:
        return message("there is no port {port}", port=path)
    if number in (errno.EAGAIN, errno.EBUSY):
        user = next(_users(path), None)
        if user is None:
            return message("{port} is in use by another program: close that first", port=path)
        return message("{port} is in use by {user}: close that first", port=path, user=user)
    reason = re.sub(r"\[Errno -?\d+\] ", "", str(error).removeprefix(f"Could not open port {url}: "))
    return message("{port} cannot be opened: {reason}", port=url, reason=reason)


def _group(path: str) -> str:
    try:
        return grp.getgrgid(os.stat(path).st_gid).gr_name
    except (OSError, KeyError):
        return "dialout"


def _users(path: str) -> Iterator[Message]:
    """Programs that hold this port open, as far as we may look."""
    device = os.path.realpath(path)
    for process in Path("/proc").glob("[0-9]*"):
        if int(process.name) == os.getpid():
            continue
        try:
            if any(os.path.realpath(file) == device for file in (process / "fd").iterdir()):
                name = (process / "comm").read_text().strip()
                yield message("{name} (process {number})", name=name, number=process.name)
        except OSError:
            continue
