"""A light-and-button test: every light is shown and named, every button is asked for and heard."""

from collections.abc import Callable, Iterable

from companion.core.events import Light, Press
from firmware_interface import protocol
from firmware_interface.panels import Panels

LOOK = 0.7
"""Seconds to look at a light."""
SLICE = 0.05

Step = Callable[[float], list[Press]]
"""Lets so many seconds pass; the presses in them."""


def examine(
    panels: Panels,
    seats: Iterable[int],
    step: Step,
    say: Callable[[str], None],
    now: Callable[[], float],
    patience: float = 15.0,
) -> list[str]:
    """Lead somebody through the test; what failed, each in a sentence."""
    failed = []
    for seat in seats:
        say(f"Seat {seat + 1}: watch the lights.")
        for phase in protocol.PHASES:
            count = 3 if phase == "countdown" else 0
            say(f"  {phase}")
            panels.show(Light(seat, phase, count), now())
            step(LOOK)
        for button in protocol.BUTTONS:
            say(f"Seat {seat + 1}: press {button.upper()}.")
            panels.show(Light(seat, "choice"), now())
            press = _wait(step, patience)
            trouble = _trouble(press, seat, button, patience)
            panels.show(Light(seat, "refused" if trouble else "locked"), now())
            say(f"  {trouble}" if press is None or trouble else f"  good, timed to {press.uncertainty * 1000:.1f} ms")
            failed += [trouble] if trouble else []
            step(LOOK / 2)
        panels.show(Light(seat, "idle"), now())
        step(SLICE)
    return failed


def _wait(step: Step, patience: float) -> Press | None:
    for _ in range(round(patience / SLICE)):
        for press in step(SLICE):
            return press
    return None


def _trouble(press: Press | None, seat: int, button: str, patience: float) -> str:
    if press is None:
        return f"seat {seat + 1}: {button} was not heard within {patience:g} seconds"
    if (press.seat, press.button) == (seat, button):
        return ""
    return f"seat {seat + 1}: {button} was asked for, and {press.button} of seat {press.seat + 1} came; check the wires"
