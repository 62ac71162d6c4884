"""How the table answers a browser: JSON for a program, a page for a person, one clear sentence either way."""

from typing import Any, TypeVar

import msgspec
from flask import Response, abort, g, render_template, request

from companion.core.message import message
from companion.core.wording import LANGUAGES, sentence, translate

T = TypeVar("T")


def as_json(data: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(data), status, mimetype="application/json")


def answer(status: int, template: str, **facts: Any) -> Response:
    text = sentence(message(template, **facts), g.language)
    if request.path.startswith("/api/") or request.method != "GET":
        return as_json({"text": text}, status)
    return Response(render_template("sentence.html", text=text, **common()), status)


def door(role: str) -> Response:
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
    return {"_": lambda template: translate(template, language), "language": language, "languages": LANGUAGES}


def decoded(kind: type[T]) -> T:
    """The request's JSON body as that struct, or a sentence about what is wrong with it."""
    try:
        return msgspec.json.decode(request.get_data(), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        abort(answer(400, "That request cannot be read: {detail}.", detail=str(error)))


def converted(data: dict[str, Any], kind: type[T]) -> T:
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        abort(answer(400, "That request cannot be read: {detail}.", detail=str(error)))
