"""The disputed second: the clip of a ruling and what was known in it, and the picture that it was read from. They are
for the referee, who sees the whole picture, at the table and when looking back.

Browsers keep none of it: the same name means another clip in the next match, and other names in it once somebody wants
to be anonymous.
"""

from typing import NamedTuple

from flask import Flask, Response, abort, g, request, session
from werkzeug.wrappers import Response as AnyResponse

from companion.core.message import message
from companion.core.rulings import ShinpanError
from companion.history.other_names import witnessed_otherwise
from companion.record.clip import decode, in_pictures, retold
from companion.record.evidence import CLIP, Evidence
from companion.record.match import Match
from companion.referee.dispute import Dispute as Dispute
from companion.referee.dispute import dispute
from companion.referee.service import FilmPictures, Service
from web.answers import answer, as_json
from web.history import Shelf, in_sentences
from web.pins import REFEREE, Pins

GONE = message("That clip is not kept any more.")
NO_PICTURE = message("That picture is not kept any more.")


class MatchEvidence(NamedTuple):
    """The pictures and clips of a match."""

    evidence: Evidence
    match: Match
    names: dict[str, str]
    """Whoever wants to be anonymous -> what they are called instead. At the table everybody has their own name."""
    playing: bool

    def film(self, name: str, pictures: FilmPictures) -> bytes | None:
        """The clip as it may be shown, in single JPEGs; None: it is not there, or not whole."""
        found = self.evidence.read(name, CLIP)
        try:
            if found is None:
                return None
            if self.names:
                found = retold(found, lambda testimony: witnessed_otherwise(testimony, self.names))
            return in_pictures(found, pictures)
        except (ShinpanError, ValueError):
            return None


def add_disputes(app: Flask, service: Service, pins: Pins, shelf: Shelf) -> None:
    def kept() -> MatchEvidence:
        """Of the match that has the table, or of the one that is asked for by its name."""
        if REFEREE not in pins.held(session):
            abort(answer(403, message("Log in with the PIN first.")))
        asked = request.args.get("match", "")
        if not asked:
            return MatchEvidence(service.evidence, service.referee.match, {}, playing=True)
        told = shelf.library.open(asked)
        return MatchEvidence(shelf.library.evidence(asked), told.match, told.names, playing=False)

    @app.get("/api/dispute/<name>")
    @in_sentences
    def disputed(name: str) -> AnyResponse:
        found = kept()
        film = found.film(name, service.film_pictures)
        if film is None:
            return answer(404, GONE)
        back = service.moves_since(int(name)) if found.playing and name.isdecimal() else 0
        return as_json(dispute(decode(film), found.match, g.language, back))

    @app.get("/api/clips/<name>.avi")
    @in_sentences
    def clip(name: str) -> AnyResponse:
        film = kept().film(name, service.film_pictures)
        if film is None:
            return answer(404, GONE)
        return Response(film, mimetype="video/x-msvideo")

    @app.get("/api/evidence/<name>.jpg")
    @in_sentences
    def picture(name: str) -> AnyResponse:
        jpeg = kept().evidence.read(name)
        if jpeg is None:
            return answer(404, NO_PICTURE)
        return Response(jpeg, mimetype="image/jpeg")
