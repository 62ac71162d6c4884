"""What some pictures of a camera tell about it: light, focus, pace, whether it has frozen, and how the table lies."""

import time
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from companion.core.layout import Layout
from companion.core.message import Message, message
from companion.core.rulings import ShinpanError
from companion.upkeep.facts import CameraFacts, MarkerFacts
from vision.calibration.aiming_report import aim
from vision.calibration.calibrate import (
    Calibration,
    CalibrationFailed,
    exposure_fault,
    find_markers,
    marker_drift,
)
from vision.camera.live import LiveCamera
from vision.camera.sources import open_camera
from vision.pictures import Image

SECONDS = 4.0
"""How long a camera is looked at: it needs a while to find its exposure."""
SETTLED = 1.5
ENOUGH = 12
"""Frames of a film, which has no pace of its own here."""
CALIBRATION = "calibration.json"


def sharpness(frame: Image) -> float | None:
    """How steep the edges of the markers are, in parts of their contrast per pixel; None where there is no marker."""
    grey = frame if frame.ndim == 2 else cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    found = []
    for quad in find_markers(frame).values():
        (left, top), (right, bottom) = np.floor(quad.min(axis=0)) - 4, np.ceil(quad.max(axis=0)) + 4
        part = grey[max(0, int(top)) : int(bottom), max(0, int(left)) : int(right)].astype(np.float32)
        if min(part.shape) < 8:
            continue
        dark, light = np.percentile(part, (5, 95))
        slope = np.hypot(cv2.Sobel(part, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(part, cv2.CV_32F, 0, 1) / 8)
        found.append(float(np.percentile(slope, 98)) / max(float(light - dark), 1.0))
    return float(np.median(found)) if found else None


def camera_facts(
    wanted: str, frames: Sequence[Image], seconds: float, fault: Message | None, live: bool
) -> CameraFacts:
    """`frames` were taken one after the other within `seconds`."""
    if not frames:
        return CameraFacts(wanted, fault or message("The camera gives no picture."))
    same = live and len(frames) > 3 and all(np.array_equal(frames[0], each) for each in frames[1:])
    return CameraFacts(
        wanted,
        looked=True,
        light=exposure_fault(frames[-1]),
        sharpness=sharpness(frames[-1]),
        rate=len(frames) / seconds if live and seconds > 0 else None,
        frozen=same,
    )


def look(wanted: str, seconds: float = SECONDS) -> tuple[CameraFacts, Image | None]:
    """Open the camera for a moment. A table that runs has it already, and is asked instead."""
    if wanted == "none":
        return CameraFacts(wanted), None
    try:
        eye = open_camera(wanted)
    except ShinpanError as error:
        return CameraFacts(wanted, error.message), None
    live = isinstance(eye, LiveCamera)
    frames: list[Image] = []
    begin = first = time.monotonic()
    try:
        while time.monotonic() - begin < seconds and (live or len(frames) < ENOUGH):
            frame = eye.read()
            if frame is not None and (not live or time.monotonic() - begin > SETTLED):
                first = first if frames else time.monotonic()
                frames.append(frame)
            elif not live:
                break
            else:
                time.sleep(0.005)
        facts = camera_facts(wanted, frames, time.monotonic() - first, eye.condition.message, live)
    finally:
        eye.close()
    return facts, frames[-1] if frames else None


def marker_facts(
    frame: Image | None, layout: Layout, data: Path, calibration: Calibration | None = None
) -> MarkerFacts:
    """How the table lies in this picture, and what is kept of it."""
    path, fault, days = data / CALIBRATION, None, None
    try:
        kept = calibration or Calibration.load(path)
    except CalibrationFailed as error:
        kept, fault = None, error.message if path.exists() else None
    if path.exists():
        days = max(0.0, (time.time() - path.stat().st_mtime) / 86400)
    if frame is None:
        return MarkerFacts(measured=kept is not None, fault=fault, days=days)
    report = aim(frame, layout, kept)
    drift = None if kept is None else marker_drift(find_markers(frame), kept)
    return MarkerFacts(True, report.fits, report.words, kept is not None, fault, days, drift)
