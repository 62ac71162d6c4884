"""What the machine says of itself, read below one folder, `/`: so a broken machine can be made up."""

import grp
import os
import pwd
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from importlib import metadata
from pathlib import Path

import msgspec

from companion.core.files import PRIVATE
from companion.core.message import Message, message
from companion.upkeep.config import BadConfig, Configured, configured, file_in_use
from companion.upkeep.facts import ConfigFacts, DiskFacts, SystemFacts

NEEDED = ("a2wsgi", "cachetools", "click", "cryptography", "flask", "gpiozero", "msgspec", "numpy",
          "opencv-python-headless", "pyserial", "segno", "uvicorn", "zeroconf")  # fmt: skip
SECRETS = ("logins.json", "table.key", "tls/authority.pem", "tls/table.pem")
SAMPLES = 5


class MachineProbe(msgspec.Struct, frozen=True):
    """One machine, and who asks about it."""

    root: Path = Path("/")
    environment: Mapping[str, str] = {}
    installed: Mapping[str, str] | None = None
    """Package -> version; None: look."""
    user: str = ""

    def read(self, path: str) -> str:
        try:
            return (self.root / path.lstrip("/")).read_text(errors="replace").strip("\0\n ")
        except OSError:
            return ""

    def run(self, *command: str) -> str | None:
        """What a program prints; None where it is not there or fails."""
        path = self.environment.get("PATH", os.environ.get("PATH", ""))
        program = shutil.which(command[0], path=path)
        if program is None:
            return None
        try:
            done = subprocess.run([program, *command[1:]], capture_output=True, text=True, timeout=5, check=True)
        except (OSError, subprocess.SubprocessError):
            return None
        return done.stdout

    @property
    def name(self) -> str:
        return self.user or pwd.getpwuid(os.getuid()).pw_name

    def groups(self) -> dict[str, tuple[str, ...]]:
        """Group -> its members, of those on this machine."""
        lines = (line.split(":") for line in self.read("/etc/group").splitlines())
        return {line[0]: tuple(line[3].split(",")) for line in lines if len(line) == 4}


def configuration(given: Mapping[str, str | None], file: Path | None) -> tuple[Configured, ConfigFacts]:
    """What holds, and what is to be said about it. With a file that cannot be used, the defaults hold."""
    try:
        holds, fault = configured(given, file), None
    except BadConfig as error:
        holds, fault = configured(given, environment={}, file=Path(os.devnull)), error.message
    path = holds.file if fault is None else file_in_use(given.get("data"), file, os.environ)
    secret = bool(holds.table.referee_pin or holds.table.seat_pins)
    exposed = False
    if path is not None:
        with suppress(OSError):
            exposed = secret and bool(path.stat().st_mode & 0o007)
    return holds, ConfigFacts("" if path is None else str(path), fault, exposed)


def system_facts(machine: MachineProbe, wanted_groups: Sequence[str]) -> SystemFacts:
    now = datetime.now()
    installed = machine.installed if machine.installed is not None else _installed()
    model = machine.read("/proc/device-tree/model")
    known = machine.groups()
    return SystemFacts(
        python=sys.version_info[:2],
        bits=64 if sys.maxsize > 2**32 else 32,
        missing=tuple(name for name in NEEDED if name not in installed),
        two_opencv=sum(name in installed for name in ("opencv-python", "opencv-python-headless")) > 1,
        user=machine.name,
        without=tuple(each for each in wanted_groups if each in known and not _is_in(machine, each, known[each])),
        today=now.date(),
        time=now.strftime("%H:%M"),
        clock_set=_clock_set(machine),
        throttled=_throttled(machine),
        celsius=_celsius(machine),
        pi=model if model.startswith("Raspberry Pi") else "",
    )


def _installed() -> dict[str, str]:
    return {(each.metadata["Name"] or "").lower(): each.version for each in metadata.distributions()}


def _is_in(machine: MachineProbe, group: str, members: tuple[str, ...]) -> bool:
    if machine.name == "root" or machine.name in members:
        return True
    with suppress(KeyError):  # the user's own first group
        return machine.root == Path("/") and grp.getgrnam(group).gr_gid == pwd.getpwnam(machine.name).pw_gid
    return False


def _clock_set(machine: MachineProbe) -> bool | None:
    if any((machine.root / "dev").glob("rtc*")):
        return True
    told = machine.run("timedatectl", "show", "--property=NTPSynchronized", "--property=NTP")
    if told is None:
        return None
    return "NTPSynchronized=yes" in told or "NTP=yes" in told


def _throttled(machine: MachineProbe) -> int | None:
    found = re.search(r"throttled=0x([0-9a-f]+)", machine.run("vcgencmd", "get_throttled") or "")
    return int(found[1], 16) if found else None


def _celsius(machine: MachineProbe) -> float | None:
    text = machine.read("/sys/class/thermal/thermal_zone0/temp")
    return int(text) / 1000 if text.isdigit() else None


def disk_facts(machine: MachineProbe, data: Path) -> DiskFacts:
    folder = str(data)
    if not data.is_dir():
        return DiskFacts(folder, there=False, free=free_space(data)[0])
    free, fault = free_space(data)
    fsync = _time_to_disk(data)
    return DiskFacts(
        folder,
        writable=os.access(data, os.W_OK) and fsync is not None,
        read_only=_read_only(data),
        free=free,
        fault=fault,
        fsync=fsync,
        wear=_wear(machine),
        aside=tuple(sorted(each.name for each in data.glob("*.damaged-*"))),
        exposed=tuple(name for name in SECRETS if _open_to_others(data / name)),
    )


def free_space(data: Path) -> tuple[int | None, str]:
    there = next(each for each in (data.absolute(), *data.absolute().parents) if each.exists())
    try:
        return shutil.disk_usage(there).free, ""
    except OSError as error:
        return None, error.strerror or str(error)


def _time_to_disk(data: Path) -> float | None:
    """Of some lines, the slowest but one: a card that is busy once is not slow."""
    path = data / "doctor.line"
    taken = []
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, PRIVATE)
        try:
            for _ in range(SAMPLES):
                begin = time.perf_counter()
                os.write(file, b"a line of a kifu is about that long\n")
                os.fdatasync(file)
                taken.append(time.perf_counter() - begin)
        finally:
            os.close(file)
            path.unlink()
    except OSError:
        return None
    return sorted(taken)[-2]


def _read_only(data: Path) -> str:
    try:
        if not os.statvfs(data).f_flag & os.ST_RDONLY:
            return ""
    except OSError:
        return ""
    place = data.resolve()
    while not place.is_mount():
        place = place.parent
    return str(place)


def _wear(machine: MachineProbe) -> int | None:
    """An eMMC tells in steps of 10 %; most SD cards do not."""
    for file in (machine.root / "sys/block").glob("mmcblk*/device/life_time"):
        text = machine.read(str(file.relative_to(machine.root)))
        used = max((int(each, 16) for each in text.split()), default=0)
        if used:
            return used * 10
    return None


def _open_to_others(path: Path) -> bool:
    try:
        return bool(path.stat().st_mode & 0o077)
    except OSError:
        return False


def port_taken(host: str, port: int) -> tuple[Message | None, bool]:
    """Who has this port; and whether we may not open it at all."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host or "0.0.0.0", port))
        except PermissionError:
            return None, True
        except OSError as error:
            return message("{detail}", detail=error.strerror), False
    return None, False
