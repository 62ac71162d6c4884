"""Drawings of parts as they look in the hand, because a symbol does not show which leg is which."""

from hardware.svg import INK, box, path, ring, shape, text

PAPER = "#ffffff"
BODY = "#d8d8d8"


def usb(x: float, y: float) -> list[str]:
    """The socket at a Pico's end, its lower edge here."""
    return [box(x - 7, y - 5, 14, 8, BODY, INK, 0.5), text(x, y + 0.2, "USB", 2.8, "middle")]


def strip(x: float, y: float, lights: int) -> list[str]:
    """Lights cut from a strip, data coming in from the left."""
    pads = ("5V", "DIN", "GND")
    drawn = [text(x, y - 5, f"{lights} lights WS2812B, cut from a strip", 2.8)]
    for number in range(lights):
        left = x + 14 * number
        drawn += [box(left, y - 3, 14, 13, "#f7f2e4", INK, 0.4), box(left + 4.5, y + 1, 5, 5, PAPER, INK, 0.4)]
        drawn += [path([(left + 5.5, y + 8), (left + 9.5, y + 8)], INK, 0.4)]
        drawn += [shape([(left + 9.5, y + 7.2), (left + 11, y + 8), (left + 9.5, y + 8.8)], INK)]
        drawn += [ring(left, y + 4 * row, 0.9, "#e0a060") for row in range(3)]
    drawn += [text(x - 2, y + 4 * row + 0.9, pad, 2.4, "end") for row, pad in enumerate(pads)]
    return [*drawn, text(x, y + 14.5, "solder to the end where the arrows begin", 2.4)]


def transistor(x: float, y: float) -> list[str]:
    """A BC547 as it lies on the table, its flat side up, its legs towards you."""
    drawn = [
        text(x, y - 9, "BC547, flat side towards you", 2.8, "middle"),
        shape([(x - 5, y), (x - 5, y - 5), (x - 3, y - 7), (x + 3, y - 7), (x + 5, y - 5), (x + 5, y)], BODY, INK, 0.5),
        text(x, y - 2.5, "BC547", 2.2, "middle"),
    ]
    for place, (leg, to) in enumerate((("C", "buzzer −"), ("B", "1k"), ("E", "GND"))):
        at = x + (place - 1) * 3.5
        drawn += [path([(at, y), (at, y + 9)], INK, 0.6), text(at, y + 12, leg, 2.6, "middle")]
        drawn.append(text(x + (place - 1) * 11, y + 16, to, 2.4, "middle"))
    return drawn


def led(x: float, y: float) -> list[str]:
    """Long leg and short leg."""
    return [
        text(x, y - 9, "LED", 2.8, "middle"),
        shape([(x - 3, y), (x - 3, y - 5), (x - 1.5, y - 7), (x + 1.5, y - 7), (x + 3, y - 5), (x + 3, y)], "#ff9090"),
        path([(x - 1.5, y), (x - 1.5, y + 11)], INK, 0.6),
        path([(x + 1.5, y), (x + 1.5, y + 7)], INK, 0.6),
        text(x - 3, y + 11, "long: resistor", 2.4, "end"),
        text(x + 3, y + 7, "short: GND", 2.4),
    ]
