"""Electrical symbols that sit on a wire running from left to right; each is about ten millimetres wide."""

from hardware.svg import INK, box, path, ring, shape, text

PAPER = "#ffffff"


def switch(x: float, y: float, label: str) -> list[str]:
    """A button, not pressed."""
    return [
        box(x - 4, y - 1, 8, 2, PAPER, PAPER),
        ring(x - 4, y, 0.7, PAPER, width=0.4),
        ring(x + 4, y, 0.7, PAPER, width=0.4),
        path([(x - 3.4, y - 0.4), (x + 3, y - 2.6)], INK, 0.6),
        text(x, y - 3, label, 2.4, "middle"),
    ]


def resistor(x: float, y: float, label: str) -> list[str]:
    return [box(x - 5, y - 1.6, 10, 3.2, PAPER, INK, 0.5), text(x, y + 0.9, label, 2.4, "middle")]


def diode(x: float, y: float, label: str) -> list[str]:
    """The current flows to the right; the bar is the ring on the part."""
    return [
        shape([(x - 2, y - 2), (x + 2, y), (x - 2, y + 2)], INK),
        path([(x + 2, y - 2), (x + 2, y + 2)], INK, 0.7),
        text(x, y - 2.6, label, 2.4, "middle"),
    ]


def light(x: float, y: float, label: str) -> list[str]:
    """A light-emitting diode, its current flowing away from the board."""
    way = -1 if label == "<" else 1
    return [
        shape([(x - 2 * way, y - 2), (x + 2 * way, y), (x - 2 * way, y + 2)], "#ff9090"),
        path([(x + 2 * way, y - 2), (x + 2 * way, y + 2)], INK, 0.7),
    ]


def buzzer(x: float, y: float, label: str) -> list[str]:
    return [ring(x, y, 3.2, "#dddddd", width=0.5), text(x, y + 0.9, label, 2.4, "middle")]


SYMBOLS = {"switch": switch, "resistor": resistor, "diode": diode, "light": light, "buzzer": buzzer}
