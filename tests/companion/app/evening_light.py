"""An evening's light over a table that was drawn by day: dusk, clouds, a lamp that is switched on, people who lean in.

Computed on linear light, as `tests/bench/vision/harsh_table.py` does, but applied to finished pictures, so that whole
matches can be filmed in it."""

import cv2
import numpy as np

from vision.pictures import Floats, Image

DUSK = -2.5
"""Stops from the first picture to the last."""
LAMP_AT = 0.55
"""Part of the evening after which somebody switches the lamp on."""
CLOUD_EVERY, CLOUD = 70, 25
"""Pictures from cloud to cloud, and how many one lasts."""
LEANING_EVERY, LEANING = 90, 12
READ_NOISE, SHOT_NOISE = 0.0008, 0.0022


class EveningLight:
    """`lit` is called for one picture after the other; `length` is how many an evening has, about."""

    def __init__(self, length: int, seed: int) -> None:
        self._length, self._count = length, 0
        self._noise = np.random.default_rng(seed)
        self._grain: Floats | None = None

    def lit(self, frame: Image) -> Image:
        part, count = min(1.0, self._count / self._length), self._count
        self._count += 1
        height, width = frame.shape[:2]
        x, y = np.meshgrid(np.linspace(0, 1, 48, dtype=np.float32), np.linspace(0, 1, 48, dtype=np.float32))
        light = np.full((48, 48), 2.0 ** (DUSK * part), np.float32)
        if count % CLOUD_EVERY > CLOUD_EVERY - CLOUD:
            light *= 0.6
        colour = np.stack([light * (1 - 0.25 * part), light, light * (1 + 0.1 * part)], -1)
        if part > LAMP_AT:
            lamp = 0.55 * np.exp(-((x - 0.15) ** 2 + (y - 0.2) ** 2) / 0.35)
            colour += lamp[..., None] * np.array([0.45, 0.8, 1.0], np.float32)
        if count % LEANING_EVERY > LEANING_EVERY - LEANING:
            edge = 1 / (1 + np.exp((y - 0.78) * -30))
            colour *= (1 - 0.4 * edge)[..., None]
        field = cv2.resize(colour, (width, height), interpolation=cv2.INTER_LINEAR)
        linear = _LINEAR[frame] * field
        return self._exposed(linear.astype(np.float32))

    def _exposed(self, linear: Floats) -> Image:
        """Grain is drawn once and shifted for each picture: noise that is never the same, at the cost of a copy."""
        if self._grain is None or self._grain.shape != linear.shape:
            self._grain = self._noise.normal(0, 1, linear.shape).astype(np.float32)
        down, across = (int(each) for each in self._noise.integers(1, 400, 2))
        grain = np.roll(self._grain, (down, across), (0, 1))
        noisy = linear + grain * np.sqrt(READ_NOISE**2 + SHOT_NOISE**2 * np.maximum(linear, 0))
        levels = np.clip(noisy * 4095, 0, 4095).astype(np.uint16)
        return np.asarray(_SHOWN[levels], np.uint8)


_LINEAR = ((np.arange(256) / 255) ** 2.2).astype(np.float32)
_SHOWN = np.rint(255 * (np.arange(4096) / 4095) ** (1 / 2.2)).astype(np.uint8)
