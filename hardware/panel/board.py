"""A real Raspberry Pi Pico under the panel: the only file that knows MicroPython's `machine`."""

import os
import select
import sys

import machine
import micropython
import neopixel
import pins
import protocol

FLAG = "repl.flag"
"""Left behind by the host's REPL command: the next start goes to the prompt. The watchdog cannot be stopped once
it runs, so the way to the prompt is a fresh start without it."""

WATCHDOG_MS = 5000


class Pico:
    """The `Board` of main.py, by its methods: importing main from here would load it a second time."""

    def __init__(self):
        self.uid = "".join(f"{byte:02x}" for byte in machine.unique_id())[-16:]
        self.uid = "0" * (16 - len(self.uid)) + self.uid
        self.seats = len(pins.BUTTONS)
        self.pixels = pins.PIXELS
        self.abilities = protocol.RGB | (0 if pins.BUZZER_PIN is None else protocol.BUZZER)
        self._contacts = [contact(number) for seat in pins.BUTTONS for number in seat]
        self._strip = neopixel.NeoPixel(machine.Pin(pins.PIXELS_PIN), self.seats * self.pixels)
        self._buzzer = None if pins.BUZZER_PIN is None else machine.PWM(machine.Pin(pins.BUZZER_PIN))
        self._waiting = select.poll()
        self._waiting.register(sys.stdin, select.POLLIN)
        self._watchdog = machine.WDT(timeout=WATCHDOG_MS)
        self.tone(0)

    def read(self):
        # After poll only a read of one byte is sure not to block.
        data = b""
        while len(data) < 256 and self._waiting.poll(0):
            data += sys.stdin.buffer.read(1)
        return data

    def write(self, line):
        sys.stdout.buffer.write(line)

    def pressed(self):
        levels = 0
        for bit, pin in enumerate(self._contacts):
            if not pin.value():  # a pressed button pulls its pin to ground
                levels |= 1 << bit
        return levels

    def light(self, seat, colours):
        for number, colour in enumerate(colours):
            self._strip[seat * self.pixels + number] = tuple(part * pins.BRIGHTNESS // 100 for part in colour)
        self._strip.write()

    def tone(self, hertz):
        if self._buzzer is not None:
            if hertz:
                self._buzzer.freq(hertz)
            self._buzzer.duty_u16(32768 if hertz else 0)

    def repl(self):
        open(FLAG, "w").close()
        machine.reset()

    def feed(self):
        self._watchdog.feed()


def contact(number):
    return machine.Pin(number, machine.Pin.IN, machine.Pin.PULL_UP)


def start():
    """The board, or None if the prompt is wanted: by the host's word, or by holding the first seat's select."""
    if FLAG in os.listdir():
        os.remove(FLAG)
        return None
    if not contact(pins.BUTTONS[0][3]).value():
        return None
    micropython.kbd_intr(-1)  # byte 3 on the line must not stop the panel
    return Pico()
