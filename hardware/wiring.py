"""Wiring pictures, drawn from the pin numbers that the programs use, so that they are never out of date."""

from collections.abc import Sequence
from itertools import cycle
from typing import NamedTuple

from hardware.insets import led, strip, transistor, usb
from hardware.panel import pins as panel_pins
from hardware.svg import INK, Point, box, path, ring, sheet, text
from hardware.symbols import SYMBOLS
from hardware.timer import TimerPins

PICO = (
    "GP0 GP1 GND GP2 GP3 GP4 GP5 GND GP6 GP7 GP8 GP9 GND GP10 GP11 GP12 GP13 GND GP14 GP15 "
    "GP16 GP17 GND GP18 GP19 GP20 GP21 GND GP22 RUN GP26 GP27 AGND GP28 VREF 3V3 3V3_EN GND VSYS VBUS"
)
"""By pin number: down the left side, up the right."""

PI = (
    "3V3 5V GPIO2 5V GPIO3 GND GPIO4 GPIO14 GND GPIO15 GPIO17 GPIO18 GPIO27 GND GPIO22 GPIO23 3V3 GPIO24 GPIO10 GND "
    "GPIO9 GPIO25 GPIO11 GPIO8 GND GPIO7 GPIO0 GPIO1 GPIO5 GND GPIO6 GPIO12 GPIO13 GND GPIO19 GPIO16 GPIO26 GPIO20 "
    "GND GPIO21"
)
"""By pin number: odd ones on the left, even ones on the right."""

BLACK, RED = "#000000", "#cc2222"
COLOURS = ("#1f77b4", "#2ca02c", "#9467bd", "#e07b00", "#17a2b8", "#8c564b", "#d62bb0")
PITCH = 7.0
REACH = 44.0
"""Length of a wire outside the board."""


class Wire(NamedTuple):
    """From a pin of the board to whatever is at the other end, over the parts that sit on it."""

    pin: int
    to: str
    colour: str
    parts: tuple[tuple[str, str], ...] = ()
    """Symbol and label, seen from the board."""
    loop: str = ""
    """Wires of one loop are joined at their far ends."""


def find(board: str, name: str, near: int = 1) -> int:
    """The pin with this name, the nearest one where there are several."""
    found = [pin for pin, label in enumerate(board.split(), 1) if label == name]
    return min(found, key=lambda pin: abs(pin - near))


def panel_wires() -> list[Wire]:
    """What the panel's firmware expects, wire by wire, for its first seat."""
    colours = cycle(COLOURS)
    buttons = [
        Wire(find(PICO, f"GP{gpio}"), "", next(colours), (("switch", name.upper()),), "buttons")
        for name, gpio in zip(("ready", "up", "down", "select"), panel_pins.BUTTONS[0], strict=True)
    ]
    buzzer = panel_pins.BUZZER_PIN
    sound = [] if buzzer is None else [
        Wire(find(PICO, "GND", near=18), "", BLACK, (), "buzzer"),
        Wire(find(PICO, f"GP{buzzer}"), "passive piezo", next(colours), (("buzzer", "~"),), "buzzer"),
    ]  # fmt: skip
    return [
        *buttons,
        Wire(find(PICO, "GND", near=8), "other leg of all buttons", BLACK, (), "buttons"),
        *sound,
        Wire(find(PICO, f"GP{panel_pins.PIXELS_PIN}"), "lights DIN", next(colours), (("resistor", "330"),)),
        Wire(find(PICO, "GND", near=38), "lights GND", BLACK),
        Wire(find(PICO, "VBUS"), "lights 5V", RED, (("diode", "1N4001"),)),
    ]


def timer_wires() -> list[Wire]:
    """What the timer panel expects on a Raspberry Pi's header."""
    pins = TimerPins()
    colours = cycle(COLOURS)

    def to(gpio: int, what: str, *parts: tuple[str, str], loop: str = "") -> Wire:
        return Wire(find(PI, f"GPIO{gpio}"), what, next(colours), parts, loop)

    bar = [to(gpio, "", ("resistor", "330"), ("light", "<"), loop="bar") for gpio in pins.bar]
    return [
        Wire(find(PI, "3V3"), "TM1637 VCC (not 5V: it would reach the Pi)", RED),
        Wire(find(PI, "GND", near=9), "other leg of both buttons", BLACK, (), "buttons"),
        to(pins.start, "", ("switch", "START/PAUSE"), loop="buttons"),
        to(pins.reset, "", ("switch", "RESET"), loop="buttons"),
        *([] if pins.buzzer is None else [to(pins.buzzer, "base of a BC547", ("resistor", "1k"))]),
        *bar,
        Wire(find(PI, "GND", near=39), "short leg of all lights", BLACK, (), "bar"),
        to(pins.clock, "TM1637 CLK"),
        to(pins.data, "TM1637 DIO"),
        Wire(find(PI, "GND", near=20), "TM1637 GND, and emitter of the BC547", BLACK),
        Wire(find(PI, "5V"), "collector of the BC547", RED, (("buzzer", "+ −"),)),
    ]


def panel_picture() -> str:
    rows = [*range(1, 21), *range(40, 20, -1)]
    beside = [*usb(140, 20), *strip(206, 70, panel_pins.PIXELS)]
    return _picture("A player's panel: Raspberry Pi Pico, seen from above", PICO, rows, panel_wires(), beside)


def timer_picture() -> str:
    rows = [*range(1, 41, 2), *range(2, 41, 2)]
    title = "The timer panel: Raspberry Pi header, the end with pin 1 (far from the USB sockets) at the top"
    beside = [text(162, 20, "even pins: along the board's edge", 2.6, "start", "#888888")]
    return _picture(title, PI, rows, timer_wires(), [*beside, *transistor(205, 128), *led(250, 128)])


def _picture(title: str, board: str, rows: Sequence[int], wires: Sequence[Wire], beside: Sequence[str]) -> str:
    """A board in the middle, the first half of its pins on the left, and each wire led to its label."""
    left, right, top = 120.0, 160.0, 26.0
    names, half = board.split(), len(rows) // 2
    place: dict[int, Point] = {}
    parts = [text(140, 10, title, 5, "middle"), box(left, top - 6, right - left, half * PITCH + 6, "#e8f3ea", INK, 0.6)]
    for row, pin in enumerate(rows):
        on_left = row < half
        y = top + row % half * PITCH
        x = left + 4 if on_left else right - 4
        place[pin] = (x, y)
        parts.append(ring(x, y, 1.4, "#f0d060"))
        parts.append(text(x + (3 if on_left else -3), y + 1, names[pin - 1], 2.8, "start" if on_left else "end"))
        outside, anchor = (left - 1, "end") if on_left else (right + 1, "start")
        parts.append(text(outside, y - 0.8, str(pin), 2.2, anchor, "#888888"))
    ends: dict[str, list[Point]] = {}
    for wire in wires:
        x, y = place[wire.pin]
        on_left = x < (left + right) / 2
        away = -1 if on_left else 1
        edge = left if on_left else right
        end = edge + away * REACH
        parts.append(path([(x, y), (end, y)], wire.colour, 0.9))
        for number, (symbol, label) in enumerate(wire.parts, 1):
            parts += SYMBOLS[symbol](edge + away * REACH * number / (len(wire.parts) + 1), y, label)
        parts.append(text(end + away * 2, y + 1, wire.to, 3, "end" if on_left else "start", wire.colour))
        ends.setdefault(wire.loop or wire.to, []).append((end, y))
    parts += [path(sorted(points), BLACK, 0.9) for points in ends.values()]
    return sheet(280, top + half * PITCH + 6, title, *parts, *beside)
