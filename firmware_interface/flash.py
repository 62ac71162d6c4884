"""Putting the firmware on a board with mpremote."""

import importlib.util
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import resources
from pathlib import Path

from companion.core.message import Message, message
from companion.core.rulings import ShinpanError
from firmware_interface.link import Hello, Link, LinkLost, WrongVersion
from firmware_interface.ports import PortTrouble, open_port

RESTART = 10.0
"""Seconds that a board may take to be back on USB."""
LEAVE = 2.0
"""Seconds that a board may take to leave USB."""


class FlashFailed(ShinpanError):
    """The firmware did not get onto the board, and why."""


def sources(pins: Path | None, keep_pins: bool) -> list[Path]:
    """The files of the firmware; main.py last, so that a copy broken off half-way starts nothing."""
    panel = Path(str(resources.files("hardware"))) / "panel"
    codec = Path(str(resources.files("firmware_interface"))) / "protocol.py"
    wiring = [] if keep_pins else [pins or panel / "pins.py"]
    return [codec, panel / "board.py", *wiring, panel / "main.py"]


def mpremote() -> list[str]:
    """How to call it here."""
    if found := shutil.which("mpremote"):
        return [found]
    if importlib.util.find_spec("mpremote"):
        return [sys.executable, "-m", "mpremote"]
    raise FlashFailed(message("flashing needs mpremote: install it with 'pip install mpremote'"))


def flash(port: str, files: list[Path], say: Callable[[Message], None]) -> Hello:
    """Copy the files to the board at this port, start it, and give back how it introduces itself."""
    tool = mpremote()
    if to_prompt(port):
        say(message("The panel restarts to take its new firmware."))
        _wait_until(lambda: not _there(port), LEAVE)
        if not _wait_until(lambda: _there(port), RESTART):
            raise FlashFailed(
                message(
                    "the board did not come back at {port} within {seconds} seconds", port=port, seconds=f"{RESTART:g}"
                )
            )
    for file in files:
        say(message("Copying {file}", file=file.name))
        # A pins file of any name is pins.py on the board.
        name = file.name if file.name in ("protocol.py", "board.py", "main.py") else "pins.py"
        _call([*tool, "connect", port, "cp", str(file), f":{name}"])
    _call([*tool, "connect", port, "reset"])
    hello = greet(port, RESTART)
    if hello is None:
        raise FlashFailed(
            message(
                "the firmware was copied, but no panel answers at {port}; unplug it and plug it in again", port=port
            )
        )
    return hello


def greet(port: str, patience: float) -> Hello | None:
    """Who is there, or None."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        try:
            link = Link(open_port(port), time.monotonic())
        except PortTrouble:
            time.sleep(0.2)
            continue
        try:
            while True:
                for heard in link.poll(time.monotonic()):
                    if isinstance(heard, Hello):
                        return heard
                time.sleep(0.01)
        except LinkLost:
            continue
        finally:
            link.close()
    return None


def to_prompt(port: str) -> bool:
    """Ask a running panel to give way; False where none is running, and the prompt is there already."""
    link = Link(open_port(port), time.monotonic())
    try:
        while True:
            if any(isinstance(heard, Hello) for heard in link.poll(time.monotonic())):
                break
            time.sleep(0.01)
    except WrongVersion:
        pass  # it understands this one word all the same
    except LinkLost:
        link.close()
        return False
    link.ask_repl()
    link.close()
    return True


def _there(port: str) -> bool:
    return "://" in port or Path(port).exists()


def _wait_until(done: Callable[[], bool], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not done():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def _call(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines() or [f"exit {done.returncode}"]
        raise FlashFailed(
            message("mpremote could not do '{command}': {reason}", command=" ".join(command[3:5]), reason=said[-1])
        )
