"""Pictures as arrays: their types, how they come from files and go into them, and how sharp they are."""

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.message import message
from companion.core.rulings import ShinpanError

Image = NDArray[np.uint8]
"""Height x width (x 3, blue-green-red as OpenCV has it)."""
Array = NDArray[np.float64]
Floats = NDArray[np.float32]

MAX_ASPECT = 50  # a file whose sides differ more than this is no picture
MAX_SIDE = 8192  # pixels: larger pictures are scaled down, which loses nothing that a card needs
MAX_PIXELS = 128_000_000  # that are decoded into memory at once
QUALITY = 82
SHARPNESS_WIDTH = 128  # pixels across at which pictures are compared for their sharpness


class BadPicture(ShinpanError):
    """A file that is no usable picture."""


def load(path: Path) -> Image:
    """A picture from disk, rotated as its camera noted in it, with at most `MAX_SIDE` pixels a side."""
    if path.is_dir():
        raise BadPicture(message("{file} is a folder, not a picture.", file=str(path)))
    if not path.is_file():
        raise BadPicture(message("{file} is not there.", file=str(path)))
    try:
        data = path.read_bytes()
        _refuse_if_too_large(path, data)
        image = _opaque(path) if _has_alpha(data) else _opened(path, _reduction(data))
    except OSError as problem:
        raise BadPicture(message("{file} cannot be read: {reason}.", file=str(path), reason=problem.strerror)) from None
    except (cv2.error, MemoryError):
        raise BadPicture(message("{file} is too large to be opened.", file=str(path))) from None
    if image is None or not image.size:
        raise BadPicture(message("{file} is not a picture that can be read.", file=str(path)))
    high, wide = image.shape[:2]
    if max(high, wide) > MAX_ASPECT * min(high, wide):
        raise BadPicture(
            message("{file} is only a strip of {width} x {height} pixels.", file=str(path), width=wide, height=high)
        )
    if _truncated(data) and float(image[-8:].std()) < 2:
        raise BadPicture(message("{file} is damaged: a part of the picture is missing.", file=str(path)))
    scale = MAX_SIDE / max(high, wide)
    return resized(image, max(1, round(wide * scale)), max(1, round(high * scale))) if scale < 1 else image


def _opened(path: Path, how: int) -> Image | None:
    found = cv2.imread(str(path), how)
    return None if found is None else np.asarray(found)


def _refuse_if_too_large(path: Path, data: bytes) -> None:
    """Only a JPEG is scaled down while it is decoded, and a progressive one is held in memory whole even then."""
    wide, high, frame = announced_size(data)
    if wide * high > MAX_PIXELS and frame not in _SEQUENTIAL:
        raise BadPicture(
            message(
                "{file} is too large to be opened: {width} x {height} pixels; at most {most} million can be used.",
                file=str(path),
                width=wide,
                height=high,
                most=MAX_PIXELS // 1_000_000,
            )
        )


def _reduction(data: bytes) -> int:
    """How a picture is to be decoded so that it is not much larger than needed."""
    wide, high, frame = announced_size(data)
    if frame not in _SEQUENTIAL or max(wide, high) <= MAX_SIDE:
        return cv2.IMREAD_COLOR
    reduced = {2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4}
    return next((how for factor, how in reduced.items() if max(wide, high) <= factor * MAX_SIDE), _SMALLEST)


_SEQUENTIAL = (0xC0, 0xC1)  # JPEG's markers of frames that are decoded row by row
_SMALLEST = cv2.IMREAD_REDUCED_COLOR_8


def announced_size(data: bytes) -> tuple[int, int, int]:
    """Width and height that a PNG or a JPEG announces, and the marker of a JPEG's frame; zeros for other files."""
    if data[:4] == b"\x89PNG":
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big"), 0
    at = 2
    while data[:2] == b"\xff\xd8" and at + 9 <= len(data):
        marker = data[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big"), marker
        at += 1 if marker == 0xFF else 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return 0, 0, 0


def _has_alpha(data: bytes) -> bool:
    """Is this a PNG with an alpha channel?"""
    return data[:4] == b"\x89PNG" and data[25:26] in (b"\x04", b"\x06")


def _opaque(path: Path) -> Image | None:
    """A picture without transparency: what is transparent gets the mean colour of the rest."""
    image = _opened(path, cv2.IMREAD_UNCHANGED)
    if image is None or image.ndim != 3 or image.shape[2] != 4:
        return _opened(path, cv2.IMREAD_COLOR)
    pixels = image.astype(np.float32) / (257 if image.dtype == np.uint16 else 1)
    colours, share = pixels[..., :3], pixels[..., 3:] / 255
    rest = (colours * share).sum((0, 1)) / max(float(share.sum()), 1.0)
    return np.asarray(np.rint(colours * share + rest * (1 - share)), np.uint8)


def _truncated(data: bytes) -> bool:
    """Is this a JPEG whose last part was never written? Its segments are walked to the image data, which must have an
    end marker."""
    at = 2
    while data[:2] == b"\xff\xd8" and at + 4 <= len(data):
        if data[at + 1] == 0xDA:  # here the image data begins
            return data.find(b"\xff\xd9", at) < 0
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return False


def decode(data: bytes) -> Image | None:
    """A stored picture, or None when these bytes are none."""
    found = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    return None if found is None else np.asarray(found, np.uint8)


def jpeg(image: Image, most: int = 1600) -> bytes:
    """A picture to be sent, no wider or higher than `most`."""
    scale = min(1.0, most / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    return cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()


def resized(image: Image, width: int, height: int) -> Image:
    """The picture at this size, averaged where it shrinks."""
    how = cv2.INTER_AREA if image.shape[1] > width else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(image, (width, height), interpolation=how), np.uint8)


def sharpness(image: Image) -> float:
    """How steep the sharpest edges of a picture are, relative to its contrast."""
    size = (SHARPNESS_WIDTH, round(SHARPNESS_WIDTH * image.shape[0] / image.shape[1]))
    grey = cv2.cvtColor(resized(image, *size), cv2.COLOR_BGR2GRAY).astype(np.float32)
    gradients = cv2.magnitude(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)) / 8
    dark, bright = np.percentile(grey, (0.5, 99.5))
    return float(np.percentile(gradients, 99.5) / max(bright - dark, 8.0))
