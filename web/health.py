"""`/healthz`: whether the table works, for a service manager. It takes no worker, so a busy table answers too."""

import msgspec

from web.events import Send, start
from web.news_source import NewsSource


class Health(msgspec.Struct, frozen=True):
    ok: bool
    silent: tuple[str, ...] = ()
    """Threads that have not completed a step for longer than they may take."""
    playing: bool = False
    """A match is under way: not the moment for an update."""


async def tell_health(service: NewsSource, send: Send) -> None:
    silent = service.heartbeats.silent()
    await start(send, 503 if silent else 200, [(b"content-type", b"application/json")])
    await send({"type": "http.response.body", "body": msgspec.json.encode(Health(not silent, silent, service.playing))})
