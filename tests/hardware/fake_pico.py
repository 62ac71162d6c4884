"""A Pico in a process of its own: the files as they lie on the board, MicroPython's modules faked, nothing else.

    python fake_pico.py FOLDER CONTROL LOG

Standard input and output are the USB cable. A line "2 0" on the control pipe pulls pin 2 to ground; every change of the
lights and of the buzzer is written to the log pipe as a line of JSON. `main.py` is run as the board runs it.
"""

import io
import json
import os
import runpy
import sys
import time
from types import SimpleNamespace

folder, control, log = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
os.chdir(folder)
sys.path.insert(0, folder)
os.set_blocking(control, False)
levels: dict[int, int] = {}
unread = b""


def fingers() -> None:
    global unread
    try:
        *lines, unread = (unread + os.read(control, 4096)).split(b"\n")
    except BlockingIOError:
        return
    for line in lines:
        pin, level = map(int, line.split())
        levels[pin] = level


def tell(what: str, *values: object) -> None:
    os.write(log, json.dumps([what, *values]).encode() + b"\n")


class Pin:
    IN, PULL_UP = 0, 1

    def __init__(self, number: int, *mode: int) -> None:
        self.number = number

    def value(self) -> int:
        return levels.get(self.number, 1)


class PWM:
    def __init__(self, pin: Pin) -> None:
        self.hertz = 0

    def freq(self, hertz: int) -> None:
        self.hertz = hertz

    def duty_u16(self, duty: int) -> None:
        tell("tone", self.hertz if duty else 0)


class WDT:
    def __init__(self, timeout: int) -> None:
        self.timeout = timeout

    def feed(self) -> None:
        fingers()
        time.sleep(0.0005)  # a Pico has its processor to itself; we have not


class NeoPixel(list[tuple[int, int, int]]):
    def __init__(self, pin: Pin, lights: int) -> None:
        super().__init__([(0, 0, 0)] * lights)

    def write(self) -> None:
        tell("lights", *self)


def reset() -> None:
    tell("reset")
    os._exit(0)


faked = {
    "machine": SimpleNamespace(
        Pin=Pin, PWM=PWM, WDT=WDT, reset=reset, unique_id=lambda: bytes.fromhex("e6614103e7123456")
    ),
    "micropython": SimpleNamespace(kbd_intr=lambda byte: None),
    "neopixel": SimpleNamespace(NeoPixel=NeoPixel),
}
sys.modules.update(faked)  # type: ignore[arg-type]
sys.modules["firmware_interface"] = None  # type: ignore[assignment]  # on the board there is no such package
time.ticks_ms = lambda: int(time.monotonic() * 1000) % (1 << 30)  # type: ignore[attr-defined]
sys.stdin = SimpleNamespace(fileno=lambda: 0, buffer=io.FileIO(0, "r"))  # type: ignore[assignment]
sys.stdout = SimpleNamespace(buffer=io.FileIO(1, "w"))  # type: ignore[assignment]
fingers()
runpy.run_path("main.py", run_name="__main__")
tell("prompt")
