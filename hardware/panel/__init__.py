"""The firmware of a player's panel: MicroPython for a Raspberry Pi Pico, run by the simulator as it is."""
