"""A venue as the live stream knows it."""

import time
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from companion.club.store import StoreFailed
from companion.club.venue import Venue
from companion.club.venue_view import VenuePage, venue_page
from companion.core.heartbeat import Heartbeats
from companion.core.phone_camera import NO_PHONE, PhoneLink
from companion.core.rulings import ShinpanError
from companion.core.wording import LANGUAGES
from companion.record import kifu
from companion.record.match import Match
from companion.record.replay import Replay

GAP = 0.2
"""Seconds between two pages of a venue: with many tables there is always something new."""
HALL = "hall"
"""Instead of a table's id: pairings and standings without the tables, which phones follow. It is sent only when there
is something new in it: a hall full of phones must not hear of every move at every table. No table has this id."""


class VenueNews:
    def __init__(self, venue: Venue) -> None:
        self.venue = venue
        self._halls: dict[str, VenuePage] = {}
        """Language -> what the phones have."""

    @property
    def version(self) -> int:
        return self.venue.version

    @property
    def heartbeats(self) -> Heartbeats:
        return self.venue.heartbeats

    @property
    def playing(self) -> bool:
        """A round is under way."""
        last = self.venue.desk.tournament.round
        return last is not None and last.started_at is not None and not last.over

    @property
    def phone_camera(self) -> PhoneLink:
        return NO_PHONE

    def wait(self, version: int, timeout: float) -> int:
        return self.venue.wait(version, timeout)

    def page(self, viewer: str | None, language: str = "en") -> VenuePage:
        with self.venue.news:
            return venue_page(self.venue, viewer, language, time.monotonic())

    def hall(self, language: str) -> VenuePage:
        """The page without its tables; the same as before, clock and all, while nothing in it has changed."""
        with self.venue.news:
            page = replace(venue_page(self.venue, None, language, 0.0, tables=False), version=0)
            before = self._halls.get(language)
            if before is None or replace(before, now=page.now) != page:
                self._halls[language] = page
            return self._halls[language]

    def page_of(self, table: str, language: str) -> dict[str, Any] | None:
        if table == HALL:
            hall: dict[str, Any] = to_builtins(self.hall(language))
            return hall
        live = self.venue.tables.get(table)
        if live is None or language not in LANGUAGES:
            return None
        self.venue.watch(table, language)
        return live.pages.get(language)

    def match_of(self, table: str) -> Match | None:
        """The match that is played at this table, as it was set up: for its cards and rules."""
        live = self.venue.tables.get(table)
        if live is None or not live.state.match:
            return None
        try:
            header = self.venue.store.line(table, live.state.match, 1)
            if header is None:
                return None
            body, _ = kifu.without_check(header.encode(), kifu.START)
            return Replay(body + b"\n").finish()
        except (ShinpanError, StoreFailed):
            return None
