"""A Sen So table whose camera is a phone: what the phone's page sends is all that is seen of it."""

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
from playwright.sync_api import BrowserContext, Page

from companion.app.phone_link import LivePhoneLink
from tests.web.camera_table import CameraTable
from vision.calibration.calibrate import calibrate
from vision.camera.phone import PhoneCamera
from vision.pictures import Image
from vision.simulation.scene import Scene

FAKE_PHONE = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")
"""How Chromium is told to have a camera of its own making."""


class PhoneTable(CameraTable):
    """`drawn()` is what lies on the table; nothing of it reaches the table but through a phone."""

    def __init__(self, data: Path | None, **options: Any) -> None:
        super().__init__(data, **options)
        self.phone = PhoneCamera()
        self.service.phone_camera = LivePhoneLink(self.feed, self.phone, self.camera)

    def drawn(self) -> Image:
        return self._studio.frame(Scene(self.cards), self._noise)

    def measured_and_taught(self) -> None:
        """By another camera's picture of the empty table, on another evening."""
        empty = self._studio.frame(Scene(), self._noise)
        self.plug(self.gallery(), calibrate(empty, self.layout))

    def film(self, path: Path, frames: int = 3) -> Path:
        """What a phone over this table would film, as Chromium's fake camera plays it."""
        path.write_bytes(b"".join(cv2.imencode(".jpg", self.drawn())[1].tobytes() for _ in range(frames)))
        return path

    @contextmanager
    def running(self) -> Iterator[None]:
        """The table looks by itself, in threads of its own, as a real one does."""
        self.senses.start()
        try:
            yield
        finally:
            self.senses.stop()


CANVAS_CAMERA = """
(() => {
  const canvas = document.createElement("canvas");
  const stream = () => canvas.captureStream(30);
  window.tableIsDrawn = async (data, width, height) => {
    const bytes = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
    canvas.width = width;
    canvas.height = height;
    const paint = canvas.getContext("2d");
    paint.drawImage(picture, 0, 0);
  };
  navigator.mediaDevices.getUserMedia = async () => stream();
})();
"""
"""A camera whose lens is a canvas: what is drawn there is what the phone sees."""


class CanvasPhone:
    """A phone before whose lens pictures of a drawn table are held. Only pixels pass."""

    def __init__(self, context: BrowserContext, phone: PhoneCamera) -> None:
        context.add_init_script(CANVAS_CAMERA)
        self.page: Page = context.new_page()
        self._phone = phone

    def hold(self, frame: Image) -> None:
        height, width = frame.shape[:2]
        data = base64.b64encode(cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()).decode()
        self.page.evaluate(
            "([data, width, height]) => window.tableIsDrawn(data, width, height)",
            [data, width, height],
        )
