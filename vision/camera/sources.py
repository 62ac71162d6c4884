"""Where pictures come from: a camera by its name, as people write it in the configuration or on the command line."""

import os
from pathlib import Path

import cv2

from companion.core.message import message
from vision.camera.films import open_film
from vision.camera.frames import Camera, NoCamera
from vision.camera.live import LiveCamera, PiCamera, Webcam, any_camera


def open_camera(source: str, *, patient: bool = False) -> Camera:
    """`auto`, `picamera2`, `v4l2:DEVICE`, `file:VIDEO` or `images:FOLDER`. With `patient` a camera that is not
    plugged in yet is returned as well, and gives pictures as soon as it is.

    A film may be followed by `?` and how it is shown, joined by `&`: `loop`, `hold` and `pace=` pictures a second, or
    `max`. At a running table (`patient`) a video has its own pace; otherwise each read gives the next picture."""
    # More threads than that only wait for each other: a frame is small, and the pages want a core as well.
    cv2.setNumThreads(1 if (os.cpu_count() or 1) < 4 else 2)
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "2")  # seconds; by default it is ten
    kind, _, place = source.partition(":")
    match kind:
        case "auto" if not place:
            return any_camera(patient)
        case "picamera2" if not place:
            return LiveCamera("picamera2", PiCamera, patient=patient)
        case "v4l2" if place:
            path = f"/dev/video{place}" if place.isdigit() else place if "/" in place else f"/dev/{place}"
            return LiveCamera(Path(path).name, lambda: Webcam(path), patient=patient)
        case "file" | "images" if place:
            return open_film(source, kind, *place.partition("?")[::2], at_table=patient)
        case "phone" if not place:
            raise NoCamera(
                message("A phone sends its pictures to a running table: `shinpan serve --camera phone`, page /camera.")
            )
        case "none":
            raise NoCamera(message("No camera is wanted."))
    raise NoCamera(
        message(
            "{source} is no camera: say auto, none, phone, picamera2, v4l2:DEVICE, file:VIDEO or images:FOLDER.",
            source=repr(source),
        )
    )
