"""A match from its first moment to its last: the board as it stood, the rulings up to there, a link to each moment."""

import msgspec
from flask import Flask, Response, abort, g, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.core.message import message
from companion.history.evidence_kept import KeptShown, evidence_kept
from companion.history.frames import AT_ONCE, frames
from companion.history.moments import MomentShown, lines, moments
from companion.history.retelling import Retelling
from companion.referee.table_view import AnyPage
from web import words
from web.answers import answer, as_json, common, remembering, script_safe
from web.api import deck_shown
from web.bootstrap import Bootstrap
from web.history import READING, MatchShown, Shelf, in_sentences, told


class ReviewBootstrap(Bootstrap, frozen=True, kw_only=True):
    role: str = ""
    referee: bool
    game: str
    """Whose rules the numbers are."""
    match: MatchShown
    moments: tuple[MomentShown, ...]
    page: AnyPage
    """The last moment, as everybody saw it."""
    kept: tuple[KeptShown, ...]
    """Pictures and clips, for the referee alone."""
    fault: str
    """Why the match cannot be told to its end."""
    verified: tuple[str, ...]
    """What is known of its signature."""
    proven: int
    """0: the whole of it is signed by this table; 1: something was altered; 3: neither is known."""


class MomentsAnswer(msgspec.Struct, frozen=True):
    """What has been added to a match since somebody last asked."""

    running: bool
    moments: tuple[MomentShown, ...]
    undone: tuple[int, ...]
    """Lines that were taken back, all of them."""
    kept: tuple[KeptShown, ...]
    """Pictures and clips, all of them, for the referee alone."""
    fault: str


def add_review(app: Flask, shelf: Shelf) -> None:
    def opened(name: str) -> Retelling:
        retelling = shelf.library.open(name)
        if not retelling.then:
            reason = retelling.fault or message("{name}", name=name)
            abort(answer(409, message("{name} cannot be looked at: {reason}", name=name, reason=reason)))
        return retelling

    def kept(name: str, retelling: Retelling) -> tuple[KeptShown, ...]:
        if not shelf.by_referee:
            return ()
        return tuple(evidence_kept(retelling, shelf.library.evidence(name), g.language))

    def fault(retelling: Retelling) -> str:
        return "" if retelling.fault is None else told(retelling.fault)

    @app.get("/history/<name>")
    @in_sentences
    def review(name: str) -> AnyResponse:
        library = shelf.library
        library.refresh(READING)
        retelling, match = opened(name), library.match(name)
        verdict = library.verified(name)
        last = retelling.then[-1]
        page = retelling.page(last, g.language)
        data = ReviewBootstrap(
            language=g.language,
            words=words.for_scripts(g.language),
            referee=shelf.by_referee,
            game=page.game,
            match=shelf.shown(match),
            moments=tuple(moments(retelling, g.language)),
            page=page,
            kept=kept(name, retelling),
            fault=fault(retelling),
            verified=tuple(told(each) for each in verdict.told),
            proven=int(verdict.proven),
        )
        html = render_template("review.html", title=page.title, game=page.game, data=script_safe(data), **common())
        return remembering(Response(html))

    @app.get("/api/history/<name>/moments")
    @in_sentences
    def since(name: str) -> AnyResponse:
        retelling = opened(name)
        new = moments(retelling, g.language, request.args.get("after", 0, int))
        struck = tuple(sorted(retelling.then[-1].struck))
        return as_json(
            MomentsAnswer(shelf.library.running(name), tuple(new), struck, kept(name, retelling), fault(retelling))
        )

    @app.get("/api/history/<name>/frames")
    @in_sentences
    def some(name: str) -> AnyResponse:
        """The pages of the moments from that line on, as many as go into one answer."""
        retelling = opened(name)
        start = request.args.get("from", 0, int)
        return as_json(frames(retelling, lines(retelling, start, AT_ONCE), g.language))

    @app.get("/api/history/<name>/page")
    @in_sentences
    def page_then(name: str) -> AnyResponse:
        """The whole page of one line: what a spectator saw once it was written."""
        retelling = opened(name)
        return as_json(retelling.page(retelling.at(request.args.get("at", 2**53, int)), g.language))

    @app.get("/api/history/<name>/deck")
    @in_sentences
    def deck_then(name: str) -> AnyResponse:
        return as_json(deck_shown(opened(name).match, g.language))
