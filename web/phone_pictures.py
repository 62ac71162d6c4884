"""The pictures of a phone that is the table's camera: native ASGI, one at a time, the newest wins.

A picture costs the table its bytes and a look at its head; the camera's thread decodes it when it looks. A phone that
sends a picture before the last one was answered is turned away, so nothing can pile up.
"""

from collections.abc import Collection

import msgspec
from werkzeug.datastructures import Headers

from companion.core.message import Message, message
from companion.core.phone_camera import MOST_BYTES, PhoneInUse, PhoneLink
from companion.core.rulings import ShinpanError
from companion.core.wording import sentence
from web import guard, words
from web.bodies import whole_body
from web.cookies import cookies
from web.events import Receive, Scope, Send, refuse, start

PATH = "/api/phone/picture"
PHONE, LATE = "X-Phone", "X-Late"
"""Which phone it is, and how many milliseconds its last picture took to arrive."""
LONGEST_NAME = 64
AT_ONCE = 2
"""Pictures that are on their way at once: that of the camera, and one of a phone that does not know yet that another
has taken over."""


class PictureTaken(msgspec.Struct, frozen=True):
    """The picture is here."""

    ok: bool = True


class PhonePictures:
    def __init__(self, link: PhoneLink, hosts: Collection[str]) -> None:
        self._link, self._hosts = link, hosts
        self._arriving: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send, headers: Headers, *, allowed: bool) -> None:
        refusal = self._refusal(scope["method"], headers, allowed)
        phone = headers.get(PHONE, "")
        if refusal is None and (phone in self._arriving or len(self._arriving) >= AT_ONCE):
            refusal = 429, message("One picture at a time.")
        if refusal is not None:
            await self._turn_away(send, headers, *refusal)
            return
        self._arriving.add(phone)
        try:
            body = await whole_body(headers, receive, MOST_BYTES)
        finally:
            self._arriving.discard(phone)
        if body is None:
            return  # the phone has gone
        if isinstance(body, tuple):
            await self._turn_away(send, headers, *body)
            return
        try:
            self._link.give(phone, body, max(0.0, min(headers.get(LATE, 0.0, type=float), 60_000.0)) / 1000)
        except PhoneInUse as error:
            await self._turn_away(send, headers, 409, error.message)
        except ShinpanError as error:
            await self._turn_away(send, headers, 400, error.message)
        else:
            await start(send, 200, [(b"content-type", b"application/json")])
            await send({"type": "http.response.body", "body": msgspec.json.encode(PictureTaken())})

    def _refusal(self, method: str, headers: Headers, allowed: bool) -> tuple[int, Message] | None:
        """What Flask would say to any other request that changes something."""
        if method != "POST":
            return 405, message("That cannot be done here.")
        refusal = guard.refusal(method, headers, self._hosts)
        if refusal is not None:
            return refusal
        if not allowed:
            return 403, message("Log in with the PIN first.")
        if headers.get("Content-Type", "") != "image/jpeg":
            return 415, message("Send that as a JPEG.")
        if not 0 < len(headers.get(PHONE, "")) <= LONGEST_NAME:
            return 400, message("Say which phone it is.")
        return None

    async def _turn_away(self, send: Send, headers: Headers, status: int, said: Message) -> None:
        language = words.choose(None, cookies(headers.get("Cookie", "")).get("lang"), None)
        # What was not read of the body would be taken for the next request.
        close = [] if status == 409 else [(b"connection", b"close")]
        await refuse(send, status, sentence(said, language), close)
