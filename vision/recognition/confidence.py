"""The logistic function that turns a measurement into a confidence, as in Platt scaling."""

import numpy as np


def sigmoid(value: float, midpoint: float, slope: float) -> float:
    """0 far below the midpoint, 0.5 at it, 1 far above it."""
    return float(1 / (1 + np.exp(-np.clip((value - midpoint) * slope, -50, 50))))
