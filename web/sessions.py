"""The cookie that remembers a login. Its age is counted by the table, never by the clock on the wall.

A Raspberry Pi wakes up in the past and jumps ahead when it finds a time server; neither may end a login.
"""

from collections.abc import Callable
from typing import Any

from flask import Flask, Response
from flask.sessions import SecureCookieSessionInterface, SessionMixin
from itsdangerous import TimestampSigner, URLSafeTimedSerializer


class TableSigner(TimestampSigner):
    """Stamps a cookie with the table's own count of seconds."""

    def __init__(self, *args: Any, now: Callable[[], float], **more: Any) -> None:
        super().__init__(*args, **more)
        self._now = now

    def get_timestamp(self) -> int:
        return int(self._now())


RENEWED = 600.0
"""Seconds after which the cookie of somebody who is still here begins its hours anew. Signing one for every answer
would cost a tap more than the rules do."""
_SIGNED = "signed"


class TableSessions(SecureCookieSessionInterface):
    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._serializer: URLSafeTimedSerializer | None = None

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        if self._serializer is None:
            serializer = super().get_signing_serializer(app)
            if serializer is not None:
                serializer.signer = TableSigner
                serializer.signer_kwargs = {**serializer.signer_kwargs, "now": self._now}
            self._serializer = serializer
        return self._serializer

    def get_expiration_time(self, app: Flask, session: SessionMixin) -> None:
        """None in the calendar: the browser is told how many seconds the cookie lasts instead."""

    def should_set_cookie(self, app: Flask, session: SessionMixin) -> bool:
        return session.modified

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        if session.permanent and not 0 <= self._now() - float(session.get(_SIGNED, -RENEWED)) < RENEWED:
            session[_SIGNED] = int(self._now())
        super().save_session(app, session, response)
        if session.permanent:
            lasting = f"; Max-Age={int(app.permanent_session_lifetime.total_seconds())}"
            mine = f"{self.get_cookie_name(app)}="
            cookies = response.headers.getlist("Set-Cookie")
            response.headers.setlist(
                "Set-Cookie",
                [text + lasting if text.startswith(mine) and "Max-Age" not in text else text for text in cookies],
            )
