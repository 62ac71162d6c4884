"""The machine that an update is made on: systemd, the installer, and the table's own answers."""

import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path

import msgspec

from companion.core.message import message
from companion.core.validation import read_json
from companion.upkeep.updating import CannotUpdate, TableHealth

SERVICE = "shinpan.service"


class ThisMachine:
    """A Debian machine with systemd, on which the table answers at this address."""

    def __init__(self, health_url: str) -> None:
        self._health_url = health_url

    def installer(self, folder: Path, *arguments: str) -> None:
        # Not so that a match that begins meanwhile would feel it.
        done = said(["nice", "-n", "10", "bash", str(folder / "install.sh"), *arguments])
        if done.returncode:
            raise CannotUpdate(message("The installer said: {said}", said=done.stdout.strip()[-600:]))

    def start(self) -> None:
        # It is not waited for here: whether it comes up is asked of the table itself.
        said(["systemctl", "start", "--no-block", SERVICE])

    def stop(self) -> None:
        said(["systemctl", "stop", SERVICE])

    def health(self) -> TableHealth | None:
        try:
            with urllib.request.urlopen(self._health_url, timeout=5) as answer:
                return read_json(answer.read(), TableHealth)
        except urllib.error.HTTPError as error:
            return _ill(error.read())
        except (OSError, msgspec.DecodeError):
            return None

    def falls(self) -> int:
        told = said(["systemctl", "show", "-P", "NRestarts", SERVICE]).stdout.strip()
        return int(told) if told.isdecimal() else 0

    def wait(self, seconds: float) -> None:
        time.sleep(seconds)

    def last_words(self) -> str:
        return said(["journalctl", "-u", SERVICE, "-n", "200", "--no-pager"]).stdout


def _ill(answer: bytes) -> TableHealth | None:
    try:
        return read_json(answer, TableHealth)
    except msgspec.DecodeError:
        return None


def said(command: Sequence[str], folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command; what it said, errors included, is its output."""
    try:
        return subprocess.run(
            command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        )
    except OSError as error:
        return subprocess.CompletedProcess(command, 127, f"{command[0]}: {error.strerror}", "")
