"""The disputed second: the clip of a ruling and what was known in it, for the referee, who sees the whole picture."""

import re
from pathlib import Path

from flask import Flask, Response, abort, g, request, session
from werkzeug.wrappers import Response as AnyResponse

from companion.core.message import message
from companion.core.rulings import Refused, ShinpanError
from companion.games import game
from companion.record import kifu
from companion.record.evidence import CLIP, Evidence
from companion.record.match import Match
from companion.referee.dispute import Dispute as Dispute
from companion.referee.dispute import dispute
from companion.referee.service import Service
from web.answers import answer, as_json
from web.pins import REFEREE, Pins

_MATCH = re.compile(r"\d{4}-\d{2}-\d{2}-\d{6}(?:-\d+)?-\w+")
GONE = message("That clip is not kept any more.")


def add_disputes(app: Flask, service: Service, pins: Pins, data: Path | None) -> None:
    def kept() -> tuple[Evidence, Match, bool]:
        """The clips that are asked for: those of the match that has the table, or of one that was played before."""
        if REFEREE not in pins.held(session):
            abort(answer(403, message("Log in with the PIN first.")))
        asked = request.args.get("match", "")
        if not asked:
            return service.evidence, service.referee.match, True
        if data is None or not _MATCH.fullmatch(asked):
            abort(answer(404, GONE))
        path = data / "matches" / f"{asked}.kifu"
        try:
            header = next(kifu.read(kifu.load(path))).line
            assert isinstance(header, kifu.Header)
            return Evidence(path.with_suffix("")), Match(game(header.game), header.players, header.options), False
        except (ShinpanError, Refused, OSError):
            abort(answer(404, GONE))

    @app.get("/api/dispute/<name>")
    def disputed(name: str) -> Response:
        evidence, match, playing = kept()
        clip = evidence.clip(name)
        if clip is None:
            abort(answer(404, GONE))
        back = service.moves_since(int(name)) if playing and name.isdecimal() else 0
        return as_json(dispute(clip, match, g.language, back))

    @app.get("/api/clips/<name>.avi")
    def clip(name: str) -> AnyResponse:
        found = kept()[0].read(name, CLIP)
        if found is None:
            return answer(404, GONE)
        return Response(found, mimetype="video/x-msvideo", headers={"Cache-Control": "private, max-age=3600"})
