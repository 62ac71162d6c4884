"""Which wire goes where. The one file to change for a panel that is wired otherwise."""

BUTTONS = ((2, 3, 4, 5),)
"""GPIO numbers of ready, up, down and select, for each seat in turn. A hub for three players would have
((2, 3, 4, 5), (6, 7, 8, 9), (10, 11, 12, 13)); one Pico has pins for six."""

PIXELS_PIN = 16
"""Data line of the WS2812 lights; one strip runs through all seats in turn."""

PIXELS = 3
"""Lights for each seat: the countdown shows as many as are left to count."""

BRIGHTNESS = 40
"""Percent. Full power dazzles across a table, and draws 60 mA for each light."""

BUZZER_PIN = 15
"""A passive piezo buzzer, or None."""
