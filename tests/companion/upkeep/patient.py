"""A table on a machine that is made up as far as needed, to be broken and mended: real files, real commands where they
are ours, and small stand-ins for the system's (`usermod`, `timedatectl`, ...) that change the made-up machine."""

import os
import shutil
import socket
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import run
from companion.games import game
from companion.record.match import Match
from companion.referee.lobby_view import Check
from companion.upkeep import gathering, machine, mending
from companion.upkeep.facts import Facts
from companion.upkeep.gathering import gathered
from companion.upkeep.machine import NEEDED, MachineProbe, configuration
from companion.upkeep.sense_checks import examined
from vision.calibration.calibrate import calibrate
from vision.calibration.projection import TableProjection
from vision.pictures import Image
from vision.recognition.gallery import Gallery
from vision.simulation.scene import Scene, SceneRenderer

USER = "shinpan"
GAME = game("sen_so")
LAYOUT = GAME.table.layout(Match(GAME, ["1", "2"]).state)


def table_seen(shift: int = 0) -> Image:
    """The empty table as the camera sees it, or as it does after it was pushed by so many pixels."""
    seen = SceneRenderer(LAYOUT, TableProjection.overhead(LAYOUT.width, LAYOUT.height))
    frame = seen.frame(Scene(), np.random.default_rng(3))
    return frame if not shift else cv2.warpAffine(frame, np.float32([[1, 0, shift], [0, 1, 0]]), frame.shape[1::-1])


TABLE = table_seen()
CALIBRATION = calibrate(TABLE, LAYOUT)
SYSTEM = {
    "sudo": 'exec "$@"',
    "usermod": 'IFS=,; for group in $2; do sed -i "s/^\\($group:.*\\)$/\\1,$3/" "$ROOT/etc/group"; done',
    "systemctl": 'touch "$ROOT/restarted"',
    "timedatectl": 'case "$1" in show) cat "$ROOT/ntp";; *) echo "NTP=yes" > "$ROOT/ntp";; esac',
    "vcgencmd": 'cat "$ROOT/throttled"',
    "chown": 'touch "$ROOT/owned"',
    "apt-get": 'rm -f "$ROOT/full"',
    "journalctl": 'rm -f "$ROOT/full"',
    "mount": 'rm -f "$ROOT/readonly"',
    "nmtui": 'rm -f "$ROOT/offline"',
    "hostnamectl": 'echo "$2" > "$ROOT/hostname"',
    "install.sh": 'rm -f "$ROOT/packages"',
}


class Patient:
    """Well, until somebody breaks it."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path, self.root, self.data = path, path / "root", path / "data"
        self.config, self.bin = path / "shinpan.toml", path / "bin"
        self.pictures = path / "pictures"
        for folder in (self.root / "etc", self.root / "dev", self.data / "matches", self.bin, self.pictures):
            folder.mkdir(parents=True)
        (self.root / "etc/group").write_text(f"video:x:44:{USER}\ndialout:x:20:{USER}\ngpio:x:997:{USER}\n")
        (self.root / "ntp").write_text("NTP=yes\n")
        (self.root / "throttled").write_text("throttled=0x0\n")
        (self.root / "hostname").write_text("table\n")
        self._fake_system()
        self.show(TABLE)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.config.write_text(
            f"host = '127.0.0.1'\nport = {port}\npanels = ['none']\ndata = 'data'\ngame = 'sen_so'\n"
            f"camera = 'images:{self.pictures}'\n"
        )
        self.config.chmod(0o600)
        monkeypatch.setenv("SHINPAN_CONFIG", str(self.config))
        monkeypatch.chdir(path)
        self._patch(monkeypatch)
        self.locks: list[object] = []
        self.sockets: list[socket.socket] = []
        (self.data / "galleries").mkdir()
        (self.data / "galleries/sen_so.gallery").write_bytes(enrolled())
        CALIBRATION.save(self.data / "calibration.json")

    def _fake_system(self) -> None:
        for name, script in SYSTEM.items():
            place = self.path if name == "install.sh" else self.bin
            (place / name).write_text(f"#!/bin/sh\nROOT={self.root}\n{script}\n")
            (place / name).chmod(0o755)

    def _patch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """What only root, or only another machine, could break."""
        root = self.root

        def access(path: object, mode: int) -> bool:
            group = "dialout" if "tty" in str(path) else "video"
            if str(path).startswith(str(root / "dev")):
                line = (root / "etc/group").read_text().partition(f"{group}:")[2].splitlines()[0]
                return USER in line.split(":")[-1].split(",")
            return not (root / "foreign").exists() or (root / "owned").exists()

        usage = shutil.disk_usage
        monkeypatch.setattr(gathering.os, "access", access)
        monkeypatch.setattr(
            machine.shutil, "disk_usage",
            lambda path: usage(path)._replace(free=2**20) if (root / "full").exists() else usage(path),
        )  # fmt: skip
        monkeypatch.setattr(machine, "_read_only", lambda data: str(root) if (root / "readonly").exists() else "")
        monkeypatch.setattr(gathering, "own_addresses", lambda: [] if (root / "offline").exists() else ["192.0.2.7"])
        monkeypatch.setattr(gathering.socket, "gethostname", lambda: (root / "hostname").read_text().strip())

    def close(self) -> None:
        for each in self.sockets:
            each.close()

    def show(self, frame: Image) -> None:
        """What the camera sees."""
        cv2.imwrite(str(self.pictures / "1.png"), frame)

    def facts(self) -> Facts:
        holds, config = configuration({}, None)
        installed = dict.fromkeys(NEEDED, "1")
        broken = self.root / "packages"
        if broken.exists():
            installed = {name: each for name, each in installed.items() if name not in broken.read_text().split()}
            installed |= dict.fromkeys((name[1:] for name in broken.read_text().split() if name[0] == "+"), "1")
        here = MachineProbe(self.root, {"PATH": f"{self.bin}:/usr/bin:/bin"}, installed, USER)
        if (self.root / "restarted").exists():
            while self.locks:
                self.locks.pop().__exit__()  # type: ignore[attr-defined]
        from companion.upkeep.asking import service_facts

        return gathered(holds, config, here, service_facts(holds.table, holds.data), lambda told: None)

    def look(self) -> dict[str, Check]:
        return {check.name: check for check in examined(self.facts())}

    def run(self, command: str) -> int:
        """Do what a check says, to the letter."""
        first = command.split()[0]
        if first == "shinpan":
            try:
                return run(command.split()[1:])
            except SystemExit as done:
                return int(done.code or 0)
        path = f"{self.bin}:{os.environ['PATH']}"
        return subprocess.run(command, shell=True, env={**os.environ, "PATH": path}, cwd=self.path).returncode

    def mend(self, check: Check) -> None:
        """What `--fix` does about it."""
        holds, config = configuration({}, None)
        mending.mend((check,), holds, config.file)

    def set(self, line: str) -> None:
        """Another line of the configuration."""
        key = line.split("=")[0].strip()
        kept = [each for each in self.config.read_text().splitlines() if not each.startswith(key)]
        self.config.write_text("\n".join([line, *kept]) + "\n")


@cache
def enrolled() -> bytes:
    """The gallery of the proxies, as a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sen_so.gallery"
        gallery_of("sen_so").save(path)
        return path.read_bytes()


def gallery_of(name: str) -> Gallery:
    chosen = game(name)
    deck = chosen.table.deck(Match(chosen, ["1", "2"]).state)
    return Gallery.from_faces(name, {card: each.face for card, each in deck.cards.items()}, deck.back)
