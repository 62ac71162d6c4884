"""How well a table is measured, to be told to whoever calibrates it."""

from functools import partial

import numpy as np

from companion.core.layout import Layout
from companion.core.message import Message, message
from vision.calibration.calibrate import CORNERS, Calibration, find_markers, fit_markers
from vision.pictures import Image

TRIES = 6  # fits to corners that are shaken by as much as they are off
SEEN_TO = 0.1  # pixels to which a corner can be measured at best
NOTEWORTHY = 0.015  # part by which markers may be larger or smaller before it is said
ENOUGH = 1.0  # millimetres


def how_well(frame: Image, layout: Layout, found: Calibration) -> tuple[Message, ...]:
    """The error in millimetres at the places of cards, and how large the markers were printed if that is off."""
    seen = {number: quad for number, quad in find_markers(frame).items() if number in CORNERS}
    lens = found.projection.lens
    by_sheet = lens is not None and lens.measured
    if lens is not None and by_sheet:
        seen = {number: lens.undistort(quad) for number, quad in seen.items()}
    fit = partial(fit_markers, size=found.projection.size, width=layout.width, height=layout.height)
    bends = 0 if lens is None or by_sheet or len(seen) < len(CORNERS) else 2
    best = fit(seen, bends=bends)
    places = np.array([(zone.x, zone.y) for zone in layout.zones] or [(layout.width / 2, layout.height / 2)])
    there, shaken = best.projection.pixels(places), np.random.default_rng(1)
    fits = [
        fit(
            {n: quad + shaken.normal(0, max(SEEN_TO, best.misfit / 2), quad.shape) for n, quad in seen.items()},
            bends=bends,
        )
        for _ in range(TRIES)
    ]
    off = [np.linalg.norm(other.projection.millimetres(there) - places, axis=1).max() for other in fits]
    error = float(np.sqrt(np.mean(np.square(off))))
    if bends:
        # Four markers say little about the middle of a wide lens: what the second coefficient changes is half known.
        simpler = fit(seen, bends=1).projection.millimetres(there)
        error += 0.5 * float(np.linalg.norm(simpler - places, axis=1).max())
    words = [_told(max(0.3 if by_sheet else 0.1, error))]
    if abs(best.marker_size - 1) > NOTEWORTHY:
        share = f"{100 * best.marker_size:.0f}"
        words.append(message("The markers are printed at {share} %: that is taken into account.", share=share))
    return tuple(words)


def _told(error: float) -> Message:
    if error <= ENOUGH:
        return message("The places of the cards are known to {error} mm.", error=f"{error:.1f}")
    return message(
        "The places of the cards are known only to {error} mm. The lens sheet (`shinpan print lens`) measures a wide"
        " lens better.",
        error=f"{error:.1f}",
    )
