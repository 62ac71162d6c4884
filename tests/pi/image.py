"""`make test-image`: a disk image made with the image's own stage, and booted in a whole simulated machine.

Root and kernel are Debian's and not Raspberry Pi's, so neither pi-gen nor Raspberry Pi's archive is needed. What is
tried is what our stage brings, from the unpacked release to the lobby that opens after a cold boot. Needs root.
`python -m tests.pi.image "trixie arm64"` does only this one. Exit 1 if anything failed.
"""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.pi import roots
from tests.pi.__main__ import Report, make_wheels
from tests.pi.roots import CPU, Failed, Root, checked
from tests.pi.trials import Here, Trial, must
from tests.pi.versions import make_versions

TOOLS = {"qemu-system-aarch64": "qemu-system-arm", "qemu-system-x86_64": "qemu-system-x86", "mke2fs": "e2fsprogs"}
KERNELS = {"amd64": "linux-image-cloud-amd64", "arm64": "linux-image-cloud-arm64"}
# Emulated, also where this processor could do it itself: a machine that is virtual already cannot hand on all it has.
MACHINES = {
    "amd64": ("qemu-system-x86_64", "ttyS0", ("-machine", "q35", "-cpu", "max")),
    "arm64": ("qemu-system-aarch64", "ttyAMA0", ("-machine", "virt", "-cpu", CPU)),
}
SIZE = "3G"
MEMORY = "1024"
"""Megabytes: the smallest Pi 4 that is sold."""
BOOTS = 1800.0
"""Seconds: a processor that is emulated on a busy machine takes its time."""
NETWORK = "[Match]\nName=en* eth*\n[Network]\nDHCP=ipv4\n"
"""Raspberry Pi OS has NetworkManager for this."""


def main(asked: list[str]) -> int:
    if os.geteuid():
        print("make test-image has to be run as root: it makes Debian roots.", file=sys.stderr)
        return 1
    roots.get_ready(TOOLS)
    report = Report()
    chosen = [each.split() for each in asked or ["trixie arm64"]]
    wheels = make_wheels([(suite, architecture) for suite, architecture in chosen])
    with TemporaryDirectory(dir=roots.CACHE) as scratch:
        versions = make_versions(Path(scratch))
        for suite, architecture in chosen:
            with roots.fresh(suite, architecture) as root:
                trial = Trial(root, versions, wheels, Here(Path(scratch)))
                report.tried(f"image {root.name}", rows(trial, Path(scratch)))
    print(f"\n{report.failures or 'Nothing'} failed.")
    return 1 if report.failures else 0


def rows(trial: Trial, scratch: Path) -> Iterator[tuple[str, str]]:
    root = trial.root
    trial.like_pi_gen(trial.versions.first)
    yield "the stage's scripts, as pi-gen runs them", "done"
    kernel = make_bootable(root)
    image = scratch / f"{root.suite}-{root.architecture}.img"
    roots.unmounted(root.path)
    checked(["mke2fs", "-q", "-t", "ext4", "-L", "shinpan", "-d", str(root.path), str(image), SIZE])
    yield "an image with ext4", f"{image.stat().st_blocks * 512 / 2**20:.0f} MB used of {SIZE}"
    for what in ("cold boot", "booted again after its plug was pulled"):
        with machine(root, kernel, image) as made:
            took, told = lobby_opened(made)
            must(told["playing"] is False, "it plays")
            must(get(f"{made.address}/").endswith("/welcome"), "the first visit does not lead to the wizard")
        yield what, f"the lobby answers {took:.0f} s after the machine was switched on; the first visit is offered"


def make_bootable(root: Root) -> tuple[Path, Path]:
    """A kernel with its first file system, and a network."""
    install = ("apt-get", "install", "-y", "-qq", "--no-install-recommends")
    root.run(*install, KERNELS[root.architecture], "initramfs-tools", more={"DEBIAN_FRONTEND": "noninteractive"})
    (root.path / "etc/systemd/network/80-shinpan-test.network").write_text(NETWORK)
    root.run("systemctl", "enable", "systemd-networkd")
    (root.path / "etc/fstab").write_text("/dev/vda / ext4 rw,noatime 0 1\n")
    boot = root.path / "boot"
    return next(boot.glob("vmlinuz-*")), next(boot.glob("initrd.img-*"))


@dataclass(frozen=True)
class Machine:
    address: str
    console: Path
    process: subprocess.Popen[bytes]


@contextmanager
def machine(root: Root, kernel: tuple[Path, Path], image: Path) -> Iterator[Machine]:
    """A machine that is switched on with this disk, and whose plug is pulled in the end."""
    program, console, kind = MACHINES[root.architecture]
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    log = image.with_suffix(".console")
    network = ("-netdev", f"user,id=net,hostfwd=tcp:127.0.0.1:{port}-:80", "-device", "virtio-net-pci,netdev=net")
    process = subprocess.Popen(
        [
            *(program, *kind, "-accel", "tcg", "-m", MEMORY, "-smp", "2", "-nographic", "-no-reboot", *network),
            *("-drive", f"file={image},if=virtio,format=raw"),
            *("-kernel", str(kernel[0]), "-initrd", str(kernel[1])),
            *("-append", f"root=/dev/vda rw console={console} systemd.show_status=1"),
        ],
        stdin=subprocess.DEVNULL, stdout=log.open("ab"), stderr=subprocess.STDOUT,
    )  # fmt: skip
    try:
        yield Machine(f"http://127.0.0.1:{port}", log, process)
    finally:
        process.kill()
        process.wait()


def lobby_opened(made: Machine) -> tuple[float, dict[str, object]]:
    address, console = made.address, made.console
    began = time.monotonic()
    while time.monotonic() - began < BOOTS and made.process.poll() is None:
        try:
            told: dict[str, object] = json.loads(get(f"{address}/healthz", body=True))
        except (OSError, ValueError):
            time.sleep(1.0)
            continue
        if told.get("ok"):
            return time.monotonic() - began, told
    raise Failed(f"the lobby did not open:\n{console.read_text(errors='replace')[-3000:]}")


def get(url: str, *, body: bool = False) -> str:
    """What is there, or where it led to."""
    try:
        with urllib.request.urlopen(url, timeout=20) as answer:
            return str(answer.read().decode() if body else answer.url)
    except urllib.error.HTTPError as error:
        return error.read().decode()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
