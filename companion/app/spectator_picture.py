"""The camera's picture for everybody but the referee: a card that somebody lifts to look at must not be seen in it.

`delayed` shows the table as it lay when the last reveal had been read; `masked` shows it now, with the places where
cards lie face down painted over.
"""

import cv2
import numpy as np

from companion.app.camera_feed import QUALITY, CameraFeed
from companion.core.layout import Layout, Zone, owner_of
from companion.referee.service import Service
from vision.calibration.projection import TableProjection, corners, rigid_transform
from vision.pictures import Image
from web.pins import CameraFor

MARGIN = 0.5
"""How far around a place it is painted over, in widths of a card: a lifted card is nearer to the camera, and askew."""
PAINT = (70, 70, 70)


class SpectatorPicture:
    """`follow` is called by the camera's thread after each frame, the picture is asked for by any thread."""

    def __init__(self, feed: CameraFeed, camera_for: CameraFor) -> None:
        self._feed, self._camera_for = feed, camera_for
        self._kept: bytes | None = None
        self._waiting = True
        """The cards of the next reveal are not all turned up yet."""
        self._live = True
        """Nobody has anything to hide: no match is played."""
        self._hidden: tuple[str, ...] = ()
        """Who may have covered cards in front of them."""

    def follow(self, service: Service, *, read: bool) -> None:
        """`read`: a move has just been read from the last frame."""
        lying = service.lying_open
        self._live = lying is None
        self._hidden = () if self._live or not service.match.game.reveals.kinds else service.match.players
        if self._camera_for != "delayed" or self._live:
            return
        if not lying:
            self._waiting = True
        elif self._waiting if self._hidden else read:
            self._waiting, self._kept = False, self._feed.picture()

    def __call__(self) -> bytes | None:
        if self._live:
            return self._feed.shown()
        if self._camera_for == "delayed":
            return self._kept
        return self._masked()

    def _masked(self) -> bytes | None:
        """Nothing where nobody knows which part of the picture is which place."""
        frame, watcher = self._feed.frame, self._feed.watcher
        if frame is None or watcher is None:
            return None
        layout = watcher.layout
        hidden = [zone for zone in layout.zones if owner_of(zone.name) in self._hidden]
        painted = masked(frame, layout, hidden, watcher.calibration.projection)
        done, jpeg = cv2.imencode(".jpg", painted, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        return jpeg.tobytes() if done else None


def masked(frame: Image, layout: Layout, hidden: list[Zone], projection: TableProjection) -> Image:
    """A copy of the frame with these places painted over."""
    frame, margin = frame.copy(), 2 * MARGIN * layout.card[0]
    for zone in hidden:
        outline = rigid_transform(corners(zone.width + margin, zone.height + margin), zone.x, zone.y, zone.turn)
        cv2.fillConvexPoly(frame, np.round(projection.pixels(outline)).astype(np.int32), PAINT)
    return frame
