"""Scripts, styles and pictures as a browser gets them: one script for each page, compressed once, kept for good.

A page's modules are joined when they are first asked for. The usual bundlers need Node, which a Raspberry Pi need not
have, and a bundle kept beside its sources would be one more file to keep fresh. So the joining is done here, for the
few forms of `import` and `export` that our scripts use; any other form is refused, and a test joins every script.
"""

import gzip
import hashlib
import mimetypes
import posixpath
import re
from pathlib import Path

import msgspec
from flask import Flask, Response, abort, request

from web.compression import takes_gzip

YEAR = 365 * 86400
DRAWING = "/drawing.js"
"""How a script imports the drawing of the match's game."""
PLAIN = "plain"
"""The drawing of games that have none of their own."""

_IMPORT = re.compile(r'^import (\{[^}]*\}|\* as \w+) from "([^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?function|class|const) (\w+)", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*|import\.meta", re.MULTILINE)


class Asset(msgspec.Struct, frozen=True):
    body: bytes
    compressed: bytes
    mimetype: str


class Assets:
    def __init__(self, folder: Path) -> None:
        self._files = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
        self.build = hashlib.sha256(b"".join(self._files.values())).hexdigest()[:12]
        """Changes with every script and style, so that a kiosk loads the new ones by itself."""
        self._made: dict[tuple[str, str], Asset] = {}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._files)

    def drawing(self, game: str) -> str:
        """The script that draws this game, or the plain table that draws any."""
        return game if f"games/{game}.js" in self._files else PLAIN

    def url(self, name: str, game: str | None = None) -> str:
        """Where a page finds a file; for a script that draws the match, also which game it is."""
        drawing = "" if game is None else f"&drawing={self.drawing(game)}"
        return f"/static/{name}?build={self.build}{drawing}"

    def get(self, name: str, game: str = PLAIN) -> Asset | None:
        if name not in self._files:
            return None
        key = name, self.drawing(game)
        if key not in self._made:
            body = self.joined(*key).encode() if name.endswith(".js") else self._files[name]
            kind = "text/javascript" if name.endswith(".js") else mimetypes.guess_type(name)[0]
            self._made[key] = Asset(body, gzip.compress(body, mtime=0), kind or "application/octet-stream")
        return self._made[key]

    def joined(self, entry: str, drawing: str = PLAIN) -> str:
        """A module and all that it imports as one script. Each has a scope of its own and comes after what it needs."""
        parts: dict[str, str] = {}
        self._join(entry, f"games/{drawing}.js", parts, ())
        return "\n".join(parts.values())

    def _join(self, name: str, drawing: str, parts: dict[str, str], above: tuple[str, ...]) -> str:
        """The variable that holds what this module exports."""
        variable = "$" + re.sub(r"\W", "_", name)
        if name in above:
            raise ValueError(f"{' -> '.join((*above, name))}: these scripts import each other in a circle")
        if name in parts:
            return variable
        source = self._files[name].decode()

        def imported(found: re.Match[str]) -> str:
            names, asked = found.groups()
            wanted = drawing if asked == DRAWING else posixpath.normpath(posixpath.join(posixpath.dirname(name), asked))
            names = names.removeprefix("* as ").replace(" as ", ": ")
            return f"const {names} = {self._join(wanted, drawing, parts, (*above, name))};"

        body = _IMPORT.sub(imported, source)
        exported = [found[2] for found in _EXPORT.finditer(body)]
        body = _EXPORT.sub(r"\1 \2", body)
        if strange := _OTHER.search(body):
            raise ValueError(f"{name}: {strange[0]!r} cannot be joined with the other scripts of its page")
        parts[name] = f"const {variable} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();"
        return variable


def add_assets(app: Flask, assets: Assets) -> None:
    app.jinja_env.globals["asset"] = assets.url

    @app.get("/static/<path:name>", endpoint="static")
    def static(name: str) -> Response:
        asset = assets.get(name, request.args.get("drawing", PLAIN))
        if asset is None:
            abort(404)
        small = takes_gzip(request) and len(asset.compressed) < len(asset.body)
        response = Response(asset.compressed if small else asset.body, mimetype=asset.mimetype)
        if small:
            response.headers["Content-Encoding"] = "gzip"
        # An address with the build in it never means anything else; one without is asked about each time.
        response.cache_control.public = True
        if request.args.get("build") == assets.build:
            response.cache_control.max_age, response.cache_control.immutable = YEAR, True
        else:
            response.cache_control.no_cache = True
        response.vary.add("Accept-Encoding")
        response.set_etag(hashlib.sha256(asset.body).hexdigest()[:16], weak=True)
        return response.make_conditional(request)  # type: ignore[return-value]
