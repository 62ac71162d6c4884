"""Pages of many moments in a row, sent as the first one and what changes from each to the next.

A page has the last forty sentences and the whole course of the match in it; between two moments little of that is new.
`web/static/frames.js` puts the pages together again.
"""

from typing import Any

import msgspec

from companion.history.retelling import Retelling
from companion.referee.history import StandingAt
from companion.referee.table_view import AnyPage, SaidShown, TablePage, TallyShown

AT_ONCE = 64
"""Moments in one answer."""


class SaidChange(msgspec.Struct, frozen=True):
    first: int
    """Sentences with a smaller number are not on the page any more."""
    put: tuple[SaidShown[Any], ...]
    """New ones, and others in place of those with the same number."""


class TallyChange(msgspec.Struct, frozen=True):
    keep: int
    """So many steps stay."""
    add: tuple[StandingAt, ...]


class FrameChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is new on the page of a moment."""

    line: int
    fields: dict[str, Any] = {}
    """Fields of the page that are different, as they are now."""
    said: SaidChange | None = None
    tally: TallyChange | None = None


class FramesShown(msgspec.Struct, frozen=True):
    first: AnyPage | None
    """None: there is no such moment."""
    changes: tuple[FrameChange, ...]
    """One for each moment after it."""


_SPECIAL = ("said", "tally")
_PLAIN = tuple(name for name in TablePage.__struct_fields__ if name not in _SPECIAL)


def frames(told: Retelling, lines: list[int], language: str, viewer: str | None = None) -> FramesShown:
    """The pages of these lines, in order."""
    if not lines:
        return FramesShown(None, ())
    pages = (told.page(told.at(line), language, viewer) for line in lines)
    first = before = next(pages)
    changes = []
    for line, page in zip(lines[1:], pages, strict=True):
        changes.append(_change(line, before, page))
        before = page
    return FramesShown(first, tuple(changes))


def _change(line: int, before: AnyPage, page: AnyPage) -> FrameChange:
    fields = {name: value for name in _PLAIN if (value := getattr(page, name)) != getattr(before, name)}
    return FrameChange(line, fields, _said(before, page), _tally(before.tally, page.tally))


def _said(before: AnyPage, page: AnyPage) -> SaidChange | None:
    if before.said == page.said:
        return None
    known = {said.number: said for said in before.said}
    new = tuple(said for said in page.said if known.get(said.number) != said)
    return SaidChange(page.said[0].number if page.said else 0, new)


def _tally(before: TallyShown, after: TallyShown) -> TallyChange | None:
    if before == after:
        return None
    same = 0
    while same < min(len(before.steps), len(after.steps)) and before.steps[same] == after.steps[same]:
        same += 1
    return TallyChange(same, after.steps[same:])
