"""The timer panel: four digits, a bar of lights, a buzzer, and buttons for start/pause and reset.

It shows the match clock and has none itself: it is told the elapsed time and whether the clock runs, and counts on
from there by the service's steady clock until it is told otherwise. Like the other panels it has no thread;
`poll(now)` does what is due.
"""

import math
import time
import warnings
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

import click
import msgspec
from gpiozero import BadPinFactory, Button, Buzzer, Device, GPIOZeroError, LEDBarGraph, PinFactoryFallback
from gpiozero.pins.mock import MockFactory

from companion.core.clock import MatchClock, warning
from companion.core.events import OK, SIMULATED, Press, Sense
from companion.core.message import message
from companion.core.rulings import ShinpanError
from companion.core.validation import wrong_field
from companion.core.wording import LANGUAGES, sentence
from hardware.displays import DIGITS, TM1637, BareDigits, Display
from hardware.panel.main import Button as Debounced

SEAT = -1
"""The timer's buttons belong to no player."""
LAST_SECONDS = 10
BEEP = 0.1
WARNING_BEEP = 0.6
END_BEEP = 2.0
HOLD = 2.0
"""Seconds after which a button counts as held."""
PART = 2.5
"""Seconds for which a part of a longer number is shown."""


class NoPins(ShinpanError):
    """This computer has no pins to drive, or nothing to drive them with."""


class TimerPins(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which GPIO has what. The defaults are those of the build guide."""

    start: int = 17
    reset: int = 27
    buzzer: int | None = 22
    bar: tuple[int, ...] = (5, 6, 13, 19, 26)
    clock: int = 23
    data: int = 24
    segments: tuple[int, ...] = ()
    """A to G, for bare digits instead of a TM1637."""
    point: int = 18
    digits: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.segments and (len(self.segments), len(self.digits)) != (7, DIGITS):
            raise ValueError(f"bare digits need 7 segments and {DIGITS} digits")


def real_pins() -> Any:
    """The pins that gpiozero finds on this computer. Simulated pins take their place only when asked for."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PinFactoryFallback)
            Device.ensure_pin_factory()
    except (BadPinFactory, ImportError, OSError) as error:
        raise NoPins(
            message(
                "this computer has no GPIO pins that gpiozero can drive: on a Raspberry Pi run 'sudo apt install "
                "python3-lgpio'; elsewhere ask for a simulated timer"
            )
        ) from error
    return Device.pin_factory


def simulated_pins() -> Any:
    """Simulated pins."""
    return MockFactory()


def open_timer(simulated: bool, clock: Callable[[], float], wiring: Mapping[str, Any]) -> "TimerPanel":
    """The timer panel of this computer, wired as `wiring` says where that differs from the build guide."""
    try:
        pins = msgspec.convert(wiring, TimerPins)
        return TimerPanel(simulated_pins() if simulated else real_pins(), clock, pins)
    except msgspec.ValidationError as error:
        raise NoPins(message("the wiring of the timer cannot be read: {reason}", reason=wrong_field(error))) from None
    except GPIOZeroError as error:
        raise NoPins(message("the timer's pins cannot be used: {reason}", reason=str(error))) from error


class TimerPanel:
    """The timer on these pins. `clock` is the service's steady clock; it stamps the buttons."""

    def __init__(self, pin_factory: Any, clock: Callable[[], float], pins: TimerPins | None = None) -> None:
        pins = pins or TimerPins()
        self.simulated = isinstance(pin_factory, MockFactory)
        self._display: Display = (
            BareDigits(pins.segments, pins.point, pins.digits, pin_factory)
            if pins.segments
            else TM1637(pins.clock, pins.data, pin_factory)
        )
        self._bar = LEDBarGraph(*pins.bar, pin_factory=pin_factory)
        self._buzzer = None if pins.buzzer is None else Buzzer(pins.buzzer, pin_factory=pin_factory)
        buttons = {"start": pins.start, "reset": pins.reset}
        self._keys = [_Key(name, pin, clock, pin_factory) for name, pin in buttons.items()]
        self._told = False
        self._set = (0.0, False, 0.0)
        """Match clock, whether it runs, and when that was true."""
        self._limit: float | None = None
        self._when_held = ""
        self._before: float | None = None
        self._quiet_at = 0.0
        self.text = ""
        """What the four digits show."""

    def show(self, elapsed: float, running: bool, now: float, limit: float | None = None, when_held: str = "") -> None:
        """The match clock stands at `elapsed` seconds now. With a limit the panel shows what is left of it. While
        start is held the digits of `when_held` are shown instead, three at a time."""
        self._set, self._limit, self._when_held = (elapsed, running, now), limit, when_held

    def elapsed(self, now: float) -> float:
        """The match clock at this moment, as the panel has it."""
        elapsed, running, at = self._set
        return elapsed + max(0.0, now - at) if running else elapsed

    def poll(self, now: float) -> list[Press | Sense]:
        """Update the display; gives back what the buttons did."""
        left = None if self._limit is None else max(0.0, self._limit - self.elapsed(now))
        self._face(now, left)
        self._sound(now, left)
        told, self._told = self._told, True
        presses = [press for key in self._keys for press in key.presses(now)]
        if any(press.button == "reset" for press in presses):
            self._quiet_at = now  # somebody has noticed the end
        return [*presses] if told else [Sense("timer", SIMULATED if self.simulated else OK, now), *presses]

    def close(self) -> None:
        for part in (self._display, self._bar, self._buzzer, *self._keys):
            if part is not None:
                part.close()

    def _face(self, now: float, left: float | None) -> None:
        seconds = self.elapsed(now) if left is None else left
        held = self._keys[0].held(now)
        if self._when_held and held >= HOLD:
            self.text = part_of(self._when_held, held - HOLD)
            self._display.show(self.text, colon=False)
        else:
            self.text = digits(seconds, up=left is None)
            self._display.show(self.text, colon=not self._set[1] or seconds % 1.0 < 0.5)
        lights = len(self._bar)
        lit = lights if left is None or not self._limit else math.ceil(lights * left / self._limit)
        if self._bar.lit_count != lit:
            self._bar.lit_count = lit

    def _sound(self, now: float, left: float | None) -> None:
        before = self._before
        if self._set[1] or left == 0.0 or before is None:
            self._before = left  # what changes in a pause is heard when the match goes on
        if left is not None and before is not None:
            whole = math.ceil(left)
            if left == 0.0 < before:
                self._beep(now, END_BEEP)
            elif self._set[1] and warning(before, left) is not None:
                self._beep(now, WARNING_BEEP)
            elif self._set[1] and whole < math.ceil(before) and whole <= LAST_SECONDS:
                self._beep(now, BEEP)
        if self._buzzer is not None and self._buzzer.value and now >= self._quiet_at:
            self._buzzer.off()

    def _beep(self, now: float, seconds: float) -> None:
        # Switched on and off by the service's clock: gpiozero's beep() would start a thread with its own timing.
        if self._buzzer is not None:
            self._buzzer.on()
            self._quiet_at = now + seconds


def digits(seconds: float, up: bool = False) -> str:
    """Four digits, minutes and seconds; hours and minutes where those are too few.

    Counting down it is zero only when nothing is left; counting up a second counts when it is over.
    """
    whole = math.floor(seconds) if up else math.ceil(seconds)
    big, small = divmod(whole if whole < 6000 else whole // 60, 60)
    return f"{big:02}{small:02}"


def part_of(number: str, seconds: float) -> str:
    """Three digits of a longer number, the next three after a while; the first three have a dash before them.

    >>> [part_of("123456", seconds) for seconds in (0.0, 2.5, 5.0)]
    ['-123', ' 456', '-123']
    """
    parts = [number[at : at + 3] for at in range(0, len(number), 3)]
    place = int(seconds / PART) % len(parts)
    return f"{' ' if place else '-'}{parts[place]:<3}"


class _Key:
    """A button whose edges are stamped as they happen and debounced here: gpiozero's `bounce_time` drops edges that
    matter."""

    def __init__(self, name: str, pin: int, clock: Callable[[], float], pin_factory: Any) -> None:
        self._name = name
        self._edges: deque[tuple[float, bool]] = deque()  # filled by the pin factory's thread
        self._contact = Debounced()
        self._level = False
        self._button = Button(pin, bounce_time=None, pin_factory=pin_factory)
        self._button.when_pressed = lambda: self._edges.append((clock(), True))
        self._button.when_released = lambda: self._edges.append((clock(), False))

    def presses(self, now: float) -> list[Press]:
        found = []
        edges = [self._edges.popleft() for _ in range(len(self._edges))]
        for at, level in [*edges, (now, self._level if not edges else edges[-1][1])]:
            # The level before this edge, then the edge itself.
            if self._contact.scan(self._level, _ms(at)):
                found.append(Press(SEAT, self._name, self._contact.touched / 1000))
            self._level = level
            self._contact.scan(level, _ms(at))
        return found

    def held(self, now: float) -> float:
        """Seconds for which it has been held down; 0 if it is not."""
        return max(0.0, now - self._contact.touched / 1000) if self._level else 0.0

    def close(self) -> None:
        self._button.close()


def _ms(at: float) -> int:
    return round(at * 1000)


@click.command()
@click.option("--simulate", is_flag=True, help="Use simulated pins, and say so.")
@click.option("--seconds", default=10.0, show_default=True, help="How long to count down.")
@click.option("--language", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Of what is printed.")
def try_out(simulate: bool, seconds: float, language: str) -> None:
    """Count down once on the timer panel, to check the wiring by eye and ear."""
    try:
        panel = TimerPanel(simulated_pins() if simulate else real_pins(), time.monotonic)
    except NoPins as error:
        raise click.ClickException(sentence(error.message, language)) from None
    clock, shown = MatchClock(), ""
    clock.start(time.monotonic())
    try:
        while clock.read(time.monotonic()) < seconds + END_BEEP:
            now = time.monotonic()
            for press in panel.poll(now):
                if isinstance(press, Press) and press.button == "reset":
                    clock = MatchClock()
                    clock.start(now)
                elif isinstance(press, Press):
                    clock.pause(now) if clock.running else clock.start(now)
            panel.show(clock.read(now), clock.running, now, seconds)
            if panel.text != shown:
                shown = panel.text
                time_left = f"{shown[:2]}:{shown[2:]}"
                told = message("{time}  SIMULATED", time=time_left) if panel.simulated else None
                click.echo(sentence(told, language) if told else time_left)
            time.sleep(0.01)
    finally:
        panel.close()


if __name__ == "__main__":
    try_out()
