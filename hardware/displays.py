"""Four digits to show a time on: a TM1637 module on two wires, or bare seven-segment digits by gpiozero.

Both take four characters and whether the colon (or the point in the middle) is lit.
"""

from typing import Any, Protocol

from gpiozero import Device, LEDCharDisplay, LEDMultiCharDisplay, OutputDevice

DIGITS = 4


class Display(Protocol):
    def show(self, text: str, colon: bool) -> None: ...

    def close(self) -> None: ...


class TM1637:
    """The driver chip of the common clock displays.

    We only write. Where the chip answers each byte by pulling the data line low we hold it low too: nobody listens to
    the answer, and two outputs must not pull against each other.
    """

    SEGMENTS = {
        " ": 0x00, "-": 0x40, "0": 0x3F, "1": 0x06, "2": 0x5B, "3": 0x4F, "4": 0x66,
        "5": 0x6D, "6": 0x7D, "7": 0x07, "8": 0x7F, "9": 0x6F,
    }  # fmt: skip
    COLON = 0x80
    WRITE, FIRST_DIGIT, ON = 0x40, 0xC0, 0x88

    def __init__(self, clock: int, data: int, pin_factory: Any, brightness: int = 4) -> None:
        self._clock = OutputDevice(clock, initial_value=True, pin_factory=pin_factory)
        self._data = OutputDevice(data, initial_value=True, pin_factory=pin_factory)
        self._brightness = brightness
        self._shown: tuple[str, bool] | None = None

    def show(self, text: str, colon: bool) -> None:
        if (text, colon) == self._shown:
            return
        digits = [self.SEGMENTS[letter] for letter in f"{text:>{DIGITS}}"]
        if colon:
            digits[1] |= self.COLON
        self._send(self.WRITE)
        self._send(self.FIRST_DIGIT, *digits)
        self._send(self.ON | self._brightness)
        self._shown = (text, colon)

    def close(self) -> None:
        if not self._clock.closed:
            self.show("", False)
        self._clock.close()
        self._data.close()

    def _send(self, *data: int) -> None:
        self._data.off()  # falls while the clock is high: a new command begins
        self._clock.off()
        for byte in data:
            for bit in range(8):
                self._data.value = byte >> bit & 1
                self._clock.on()
                self._clock.off()
            self._data.off()
            self._clock.on()
            self._clock.off()
        self._clock.on()
        self._data.on()  # rises while the clock is high: the command is complete


class BareDigits:
    """Four common-cathode digits side by side, lit one after the other by gpiozero; the cheapest, and it flickers."""

    def __init__(self, segments: tuple[int, ...], point: int, digits: tuple[int, ...], pin_factory: Any) -> None:
        # gpiozero takes some of this display's pins from its global factory, whatever it is given.
        before, Device.pin_factory = Device.pin_factory, pin_factory
        try:
            self._char = LEDCharDisplay(*segments, dp=point, pin_factory=pin_factory)
            self._all = LEDMultiCharDisplay(self._char, *digits, pin_factory=pin_factory)
        finally:
            Device.pin_factory = before
        self._shown: tuple[str, ...] = ()

    def show(self, text: str, colon: bool) -> None:
        letters = list(f"{text:>{DIGITS}}")
        if colon:
            letters[1] += "."
        if tuple(letters) != self._shown:
            self._all.value = self._shown = tuple(letters)

    def close(self) -> None:
        self._all.close()
        self._char.close()
