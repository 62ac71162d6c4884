"""USB sticks that are plugged in and mounted: removable disks among what the kernel says is mounted."""

import re
from pathlib import Path

import msgspec

from companion.upkeep.machine import MachineProbe

_DISK = re.compile(r"/dev/(sd[a-z]+)\d*")
_ESCAPED = re.compile(r"\\([0-7]{3})")


class Mounted(msgspec.Struct, frozen=True):
    number: str
    """Tells it from other sticks: what the file system calls itself."""
    name: str
    place: Path


def mounted_sticks(machine: MachineProbe) -> list[Mounted]:
    """Those that can be written to."""
    found = []
    for line in machine.read("/proc/self/mounts").splitlines():
        device, place, _, options, *_ = [*line.split(), "", "", "", ""]
        disk = _DISK.fullmatch(device)
        if disk is None or machine.read(f"/sys/block/{disk[1]}/removable") != "1" or "rw" not in options.split(","):
            continue
        where = Path(_ESCAPED.sub(lambda code: chr(int(code[1], 8)), place))
        found.append(Mounted(_number(machine, device), where.name or device, where))
    return found


def _number(machine: MachineProbe, device: str) -> str:
    for link in (machine.root / "dev/disk/by-uuid").glob("*"):
        if link.resolve().name == Path(device).name:
            return link.name
    return device
