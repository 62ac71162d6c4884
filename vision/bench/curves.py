"""Accuracy over resolution, blur, noise, light, glare and tilt, one of them made worse at a time."""

from collections.abc import Iterator

import numpy as np

from companion.drawing import Face
from vision.bench.decks import Snap, flower_cards, photograph, playing_cards, scanned
from vision.photo import NEAR, read_quad
from vision.recognise import Recogniser

USUAL = Snap(ppmm=1.6, tilt=8.0, blur=0.5, noise=3.0, slope=0.15)
CURVES: dict[str, list[dict[str, object]]] = {
    "pixels per mm": [{"ppmm": value} for value in (2.5, 1.6, 1.2, 0.9, 0.7)],
    "blur (pixels)": [{"blur": value} for value in (0.0, 0.8, 1.2, 1.8, 2.5)],
    "noise (levels)": [{"noise": value} for value in (0.0, 6.0, 12.0, 20.0, 30.0)],
    "light (slope)": [{"slope": value} for value in (0.0, 0.3, 0.5, 0.7, 0.9)],
    "colour of light": [{"cast": (1 - v, 1.0, 1 + v)} for v in (0.0, 0.15, 0.3, 0.45, 0.6)],
    "glare": [{"glare": value} for value in (0.0, 0.4, 0.6, 0.8, 0.95)],
    "tilt (degrees)": [{"tilt": value} for value in (0.0, 15.0, 25.0, 35.0, 45.0)],
}


def lines(cards: int, seed: int = 1) -> Iterator[str]:
    decks = {"playing": playing_cards(), "flower": flower_cards()}
    readers = {name: Recogniser(scanned(name, faces)) for name, faces in decks.items()}
    for name, faces in decks.items():
        for curve, steps in CURVES.items():
            points = []
            for step in steps:
                right, unsure, wrong = count(readers[name], faces, USUAL._replace(**step), cards, seed)  # type: ignore[arg-type]
                value = next(iter(step.values()))
                shown = f"{value[2] - 1:.2f}" if isinstance(value, tuple) else f"{value:g}"
                points.append(f"{shown}: {right}/{unsure}/{wrong}")
            yield f"{name:8} {curve:16} " + "   ".join(points)


def count(
    recogniser: Recogniser, faces: dict[str, Face], snap: Snap, cards: int, seed: int = 1
) -> tuple[int, int, int]:
    """Right, unsure and wrong among so many photographs taken like this; corners are known to a few per cent, as on a
    calibrated table."""
    rng = np.random.default_rng(seed)
    names = list(faces)
    right = unsure = wrong = 0
    for _ in range(cards):
        card = names[int(rng.integers(len(names)))]
        image, corners = photograph(faces[card], snap._replace(turn=float(rng.uniform(0, 360))), rng)
        off = 0.02 * float(np.linalg.norm(corners[1] - corners[0]))
        reading = read_quad(recogniser, image, corners + rng.normal(0, off, (4, 2)), NEAR)
        right += reading.card == card
        unsure += reading.card is None
        wrong += reading.card not in (card, None)
    return right, unsure, wrong
