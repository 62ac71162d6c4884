"""What a page brings along for its scripts, as JSON in an element of its own: `static/bootstrap.js` reads it."""

from typing import Generic

import msgspec

from companion.referee.table_view import AdviceT, HappeningT, MoveT, TablePage, ViewT


class Bootstrap(msgspec.Struct, frozen=True, kw_only=True):
    language: str
    words: dict[str, str]
    """English -> the viewer's language; empty for English."""


class LiveBootstrap(Bootstrap, Generic[ViewT, MoveT, HappeningT, AdviceT], frozen=True, kw_only=True):
    """For a page that follows the match: enough to draw it at once."""

    role: str
    """A player's name, `referee`, or empty for a spectator."""
    reveals: tuple[str, ...]
    """Kinds of move that are made at the count of three."""
    build: str
    arranges: bool
    """After the match it may go on to the next one."""
    virtual: bool
    """The table is simulated, and people can sit down at it."""
    of: str = ""
    """At a venue: the table whose page this is."""
    page: TablePage[ViewT, MoveT, HappeningT, AdviceT]
