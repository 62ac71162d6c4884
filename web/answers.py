"""How the table answers a browser: JSON for a program, a page for a person, and a clear sentence for either."""

from typing import Any, TypeVar

import msgspec
from flask import Response, abort, g, render_template, request

from companion.core.message import Message, message
from companion.core.validation import read_json, wrong_field
from companion.core.wording import LANGUAGES, sentence, translate
from web.tls import travels_openly

T = TypeVar("T")


class Done(msgspec.Struct, frozen=True):
    """It was accepted."""

    ok: bool = True


class EmptyBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing has to be said with it."""


class Trouble(msgspec.Struct, frozen=True, omit_defaults=True):
    """It was not accepted, and why."""

    text: str
    refused: tuple[str, ...] = ()
    """The rules that stand in the way."""
    ask: bool = False
    """Whoever is sure can ask again and say so."""
    row: str = ""
    """The row of printed values that has the wrong one, and below the field."""
    field: str = ""


def as_json(data: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(data), status, mimetype="application/json")


def answer(status: int, said: Message) -> Response:
    text = sentence(said, g.language)
    if request.path.startswith("/api/") or request.method != "GET":
        return as_json(Trouble(text), status)
    return Response(render_template("sentence.html", text=text, **common()), status)


def log_in_first() -> Response:
    return answer(403, message("Log in with the PIN first."))


def for_the_referee() -> Response:
    return answer(403, message("Only the referee can do that here: log in with the PIN first."))


def login_page(role: str) -> Response:
    """The page that asks for the PIN of that role."""
    response = Response(render_template("login.html", role=role, **common()), 401)
    response.headers["WWW-Authenticate"] = "PIN"
    return response


def remembering(response: Response) -> Response:
    """A page that was asked for in a language keeps it for all that follow."""
    if request.args.get("lang") in LANGUAGES:
        response.set_cookie("lang", g.language, max_age=400 * 86400, samesite="Strict")
    return response


def script_safe(data: Any) -> str:
    """JSON that cannot end the element it stands in, whatever a player is called."""
    text = msgspec.json.encode(data).decode()
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def common() -> dict[str, Any]:
    """What every template needs."""
    language = g.language
    return {
        "_": lambda template: translate(template, language),
        "language": language,
        "languages": LANGUAGES,
        "in_the_open": travels_openly(request.scheme, request.remote_addr or ""),
    }


def decoded(kind: type[T]) -> T:
    """The request's JSON body as that struct; where it does not fit, the request ends with a sentence about it."""
    try:
        return read_json(request.get_data(), kind)
    except msgspec.DecodeError as error:
        abort(unreadable(wrong_field(error)))


def converted(data: dict[str, Any], kind: type[T]) -> T:
    """A part of a request as that struct, likewise."""
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        abort(unreadable(wrong_field(error)))


def unreadable(detail: Message) -> Response:
    return answer(400, message("That request cannot be read: {detail}.", detail=detail))
