"""Clean Debian roots, for this processor and for a Raspberry Pi's, and ways to run things in them.

A root is bootstrapped once and kept as a tar file; every run begins with a fresh copy. One for another processor runs
under qemu; one for this processor can also be booted with systemd.
"""

import os
import platform
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

CACHE = Path(os.environ.get("PI_ROOTS", Path(__file__).resolve().parents[2] / "build" / "roots"))
PACKAGES = {
    "mmdebstrap": "mmdebstrap",
    "qemu-aarch64-static": "qemu-user-static",
    "update-binfmts": "binfmt-support",
    "systemd-nspawn": "systemd-container",
    "shellcheck": "shellcheck",
    "systemd-analyze": "systemd",
}
IN_IT = "systemd,systemd-sysv,dbus,udev,ca-certificates"
"""What a Raspberry Pi OS has at the least, beside Debian's smallest set."""
CPU = "cortex-a72"
"""A Pi 4's. With qemu's own default OpenBLAS reckons wrongly."""
MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
NATIVE = {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()]


class Failed(Exception):
    """Something in a root did not go as it has to."""


def get_ready(more: Mapping[str, str] | None = None) -> None:
    """Install what is missing here, and let the kernel run programs for a Pi. `more`: programs and their packages that
    are wanted beside."""
    wanted = PACKAGES | dict(more or {})
    missing = [package for program, package in wanted.items() if shutil.which(program) is None]
    if missing:
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing], check=True)
    if not Path("/proc/sys/fs/binfmt_misc/status").exists():
        subprocess.run(["mount", "-t", "binfmt_misc", "binfmt_misc", "/proc/sys/fs/binfmt_misc"], check=False)
    if NATIVE != "arm64":
        subprocess.run(["update-binfmts", "--enable", "qemu-aarch64"], check=False)


@dataclass(frozen=True)
class Root:
    """A fresh copy of a Debian."""

    suite: str
    architecture: str
    path: Path

    @property
    def name(self) -> str:
        return f"{self.suite} {self.architecture}"

    @property
    def native(self) -> bool:
        return self.architecture == NATIVE

    def run(self, *command: str, fails: bool = False, more: Mapping[str, str] | None = None) -> str:
        """Run this in the root, which is not booted; what it said."""
        environment = {"PATH": PATH, "HOME": "/root", "LC_ALL": "C.UTF-8", "QEMU_CPU": CPU, **(more or {})}
        return checked(["chroot", str(self.path), *command], environment, fails)

    def python(self) -> str:
        return {"bookworm": "3.11", "trixie": "3.13"}[self.suite]


def checked(command: Sequence[str], environment: Mapping[str, str] | None = None, fails: bool = False) -> str:
    done = subprocess.run(
        command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, timeout=3600
    )
    if bool(done.returncode) != fails:
        raise Failed(f"{' '.join(command)}: exit {done.returncode}\n{done.stdout[-4000:]}")
    return done.stdout


def bootstrapped(suite: str, architecture: str) -> Path:
    kept = CACHE / f"{suite}-{architecture}.tar"
    if not kept.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        making = kept.with_suffix(".new.tar")
        print(f"bootstrapping {suite} {architecture}; this takes some minutes once", file=sys.stderr, flush=True)
        asked = [f"--architectures={architecture}", "--variant=minbase", f"--include={IN_IT}", suite, str(making)]
        checked(["mmdebstrap", *asked], os.environ | {"QEMU_CPU": CPU})
        making.rename(kept)
    return kept


@contextmanager
def fresh(suite: str, architecture: str, *, keep: bool = False) -> Iterator[Root]:
    """A root that nobody has touched; with what a program expects to be mounted."""
    path = CACHE / "live" / f"{suite}-{architecture}"
    taken_down(path)
    path.mkdir(parents=True)
    checked(["tar", "-C", str(path), "-xf", str(bootstrapped(suite, architecture))])
    shutil.copy("/etc/resolv.conf", path / "etc" / "resolv.conf")
    # Packages that apt has fetched once are not fetched again.
    archives = CACHE / f"apt-{suite}-{architecture}"
    archives.mkdir(parents=True, exist_ok=True)
    mounts = [
        ["-t", "proc", "proc", str(path / "proc")],
        ["--rbind", "/dev", str(path / "dev")],
        ["--bind", str(archives), str(path / "var/cache/apt/archives")],
    ]
    try:
        (path / "etc/apt/apt.conf.d/99keep").write_text('Binary::apt::APT::Keep-Downloaded-Packages "true";\n')
        for each in mounts:
            checked(["mount", *each])
        checked(["mount", "--make-rslave", str(path / "dev")])
        yield Root(suite, architecture, path)
    finally:
        unmounted(path)
        if not keep:
            taken_down(path)


def unmounted(path: Path) -> None:
    for name in ("var/cache/apt/archives", "dev", "proc"):
        subprocess.run(["umount", "-R", "-l", str(path / name)], check=False, capture_output=True)


def taken_down(path: Path) -> None:
    """Nothing is removed before nothing of the machine itself is mounted there any more."""
    unmounted(path)
    mounted = Path("/proc/self/mounts").read_text()
    if f" {path}/" in mounted:
        raise Failed(f"something is still mounted below {path}")
    if path.exists():
        shutil.rmtree(path)


class Booted:
    """A root of this processor, booted with systemd, in a network of its own that is connected to nothing."""

    def __init__(self, root: Root) -> None:
        unmounted(root.path)
        self._log = (root.path.parent / f"{root.path.name}.console").open("wb")
        quietly = ["--register=no", "--keep-unit", "--private-network", "--console=pipe", "--resolv-conf=off"]
        self.began = time.monotonic()
        self._nspawn = subprocess.Popen(
            ["systemd-nspawn", "-q", "-D", str(root.path), *quietly, "-b"],
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=subprocess.STDOUT,
        )
        self._init = self._find_init()
        self.wait_for("systemctl", "is-system-running", "--wait", tolerant=True)
        self.run("ip", "link", "set", "lo", "up", tolerant=True)

    def _find_init(self) -> int:
        for _ in range(600):
            if self._nspawn.poll() is not None:
                raise Failed("systemd-nspawn ended at once; see the console file beside the root")
            told = Path(f"/proc/{self._nspawn.pid}/task/{self._nspawn.pid}/children").read_text().split()
            for child in told:
                if (Path(f"/proc/{child}/root") / "run/systemd/private").exists():
                    return int(child)
            time.sleep(0.1)
        raise Failed("systemd did not come up in the root")

    def run(self, *command: str, tolerant: bool = False, fails: bool = False) -> str:
        """Run this as root in the running system."""
        entered = ["nsenter", "-t", str(self._init), "-m", "-u", "-i", "-n", "-p", "-r", "-w", "--", *command]
        environment = {"PATH": PATH, "HOME": "/root", "LC_ALL": "C.UTF-8"}
        if tolerant:
            done = subprocess.run(
                entered, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
            )
            return done.stdout
        return checked(entered, environment, fails)

    def wait_for(self, *command: str, tolerant: bool = False) -> str:
        return self.run(*command, tolerant=tolerant)

    def power_cut(self) -> None:
        """Everything ends at once."""
        os.kill(self._init, signal.SIGKILL)
        self._nspawn.wait(30)
        self._log.close()

    def close(self) -> None:
        if self._nspawn.poll() is None:
            self.run("systemctl", "poweroff", tolerant=True)
            try:
                self._nspawn.wait(60)
            except subprocess.TimeoutExpired:
                self.power_cut()
        self._log.close()

    def __enter__(self) -> "Booted":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
