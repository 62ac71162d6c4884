"""Lets the table look through a phone, and through its own camera again."""

from companion.app.camera_feed import CameraFeed
from companion.core.phone_camera import PhoneState
from vision.camera.frames import Camera
from vision.camera.phone import PhoneCamera


class LivePhoneLink:
    """`own` is the camera that is plugged in, if there is one; it is not closed for a phone, so it is back at once."""

    def __init__(self, feed: CameraFeed, phone: PhoneCamera, own: Camera | None) -> None:
        self._feed, self._phone = feed, phone
        self._own = None if own is phone else own

    def begin(self, phone: str, *, instead: bool) -> None:
        self._phone.begin(phone, instead=instead)
        self._feed.look_through(self._phone)

    def give(self, phone: str, picture: bytes, late: float) -> None:
        self._phone.give(phone, picture, late)

    def leave(self, phone: str) -> None:
        """The page was closed on purpose: a table that has a camera of its own looks through that again."""
        if phone == self._phone.phone:
            self._phone.leave(phone)
            if self._own is not None:
                self._feed.look_through(self._own)

    def use_own(self) -> None:
        self._phone.close()
        self._feed.look_through(self._own)

    def state(self) -> PhoneState:
        phone, condition = self._phone, self._phone.condition
        return PhoneState(
            chosen=self._feed.camera is phone,
            sends=condition.usable and phone.size != (0, 0),
            phone=phone.phone,
            size=phone.size,
            rate=round(phone.rate, 1),
            late=round(phone.late, 3),
            own="" if self._own is None else self._own.name,
            said=condition.message,
        )
