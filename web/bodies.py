"""The body of a request, read as a whole before anybody works on it, with limits of size and time."""

import asyncio

from werkzeug.datastructures import Headers

from companion.core.message import Message, message
from web.events import Receive

BODY = 64 * 1024
BODY_SECONDS = 10.0
TOO_LONG = message("That is too long.")
TOO_SLOW = message("That took too long to arrive.")


async def whole_body(headers: Headers, receive: Receive, most: int = BODY) -> bytes | tuple[int, Message] | None:
    """The request's body; or why it is not taken; or None where the client leaves before it is there."""
    if headers.get("Content-Length", 0, type=int) > most:
        return 413, TOO_LONG
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while True:
                part = await receive()
                if part["type"] == "http.disconnect":
                    return None
                body += part.get("body", b"")
                if len(body) > most:
                    return 413, TOO_LONG
                if not part.get("more_body", False):
                    return bytes(body)
    except TimeoutError:
        return 408, TOO_SLOW
