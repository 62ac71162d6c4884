"""A light-and-button test: every light is shown and named, every button is asked for and heard."""

from collections.abc import Callable, Iterable

from companion.core.events import Light, Press
from companion.core.message import Message, message
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
    say: Callable[[Message], None],
    now: Callable[[], float],
    patience: float = 15.0,
) -> list[Message]:
    """Lead somebody through the test; what failed, each in a sentence."""
    failed = []
    for seat in seats:
        say(message("Seat {seat}: watch the lights.", seat=seat + 1))
        for phase in protocol.PHASES:
            count = 3 if phase == "countdown" else seat if phase in protocol.SINCE_1_1 else 0
            say(message("  {light}", light=phase))
            panels.show(Light(seat, phase, count), now())
            step(LOOK)
        for button in protocol.BUTTONS:
            say(message("Seat {seat}: press {button}.", seat=seat + 1, button=button.upper()))
            panels.show(Light(seat, "choice"), now())
            press = _wait(step, patience)
            trouble = _trouble(press, seat, button, patience)
            panels.show(Light(seat, "refused" if trouble else "locked"), now())
            say(_verdict(press, trouble))
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


def _verdict(press: Press | None, trouble: Message | None) -> Message:
    if press is None or trouble is not None:
        return message("  {trouble}", trouble=trouble)
    return message("  good, timed to {uncertainty} ms", uncertainty=f"{press.uncertainty * 1000:.1f}")


def _trouble(press: Press | None, seat: int, button: str, patience: float) -> Message | None:
    if press is None:
        return message(
            "seat {seat}: {button} was not heard within {seconds} seconds",
            seat=seat + 1,
            button=button,
            seconds=f"{patience:g}",
        )
    if (press.seat, press.button) == (seat, button):
        return None
    return message(
        "seat {seat}: {button} was asked for, and {other} of seat {other_seat} came; check the wires",
        seat=seat + 1,
        button=button,
        other=press.button,
        other_seat=press.seat + 1,
    )
