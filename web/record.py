"""The head of the kifu as a code to scan, for `shinpan verify --head`."""

import io
from typing import Any

import segno
from flask import Flask, Response

from companion.core.message import message
from companion.referee.lobby_view import LobbyPage
from companion.referee.service import Service
from web.answers import answer


def add_record(app: Flask, service: Service) -> None:
    @app.get("/record.svg")
    def record() -> Response:
        page = service.page(None)
        head = None if isinstance(page, LobbyPage) else page.record
        if head is None:
            return answer(404, message("This match is not written to a disk."))
        code: Any = segno.make(head.text)  # its methods carry no types
        drawn = io.BytesIO()
        code.save(drawn, kind="svg", border=3, dark="#000", light="#fff", xmldecl=False)
        return Response(drawn.getvalue(), mimetype="image/svg+xml")
