"""What goes over the wireless network goes compressed, where the browser takes gzip and there is something to win.

Nothing is ever held back for it: an answer is compressed as a whole, and each message of the live stream by itself, so
that it leaves at once and one compressed message serves every viewer of the same kind.
"""

import gzip
import zlib

from flask import Request, Response

LEAST = 1000
"""Bytes below which an answer fits one packet as it is."""
LEVEL = 6
KINDS = ("text/", "application/json", "image/svg+xml")
STREAM_BEGINS = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""The head of a gzip stream."""


def compressed(response: Response, request: Request) -> Response:
    """The same answer, compressed if that helps."""
    if not (response.mimetype or "").startswith(KINDS) or response.is_streamed or response.direct_passthrough:
        return response
    response.vary.add("Accept-Encoding")
    etag, weak = response.get_etag()
    if etag is not None and not weak:
        response.set_etag(etag, weak=True)  # it stands for the content, whichever way that is sent
    body = response.get_data()
    if "Content-Encoding" not in response.headers and len(body) >= LEAST and takes_gzip(request):
        response.set_data(gzip.compress(body, LEVEL, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
    return response


def takes_gzip(request: Request) -> bool:
    return request.accept_encodings.quality("gzip") > 0


def stream_part(data: bytes) -> bytes:
    """A message as a part of a gzip stream: whole bytes that refer to nothing before them, so that any such parts can
    follow one another."""
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush(zlib.Z_FULL_FLUSH)
