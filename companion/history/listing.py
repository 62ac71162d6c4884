"""The list of matches as somebody asks for it: by game, player and day, a page at a time."""

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.core.message import Message
from companion.history.index import MatchIndex

PAGE = 50
"""Matches on a page of the list."""
MOST_NAMES = 500
"""Names that are offered to choose from."""


NAMED = (
    "s.name IN (SELECT name FROM people WHERE shown = ?"
    " UNION ALL SELECT own FROM (SELECT ? AS own) WHERE own NOT IN (SELECT name FROM people))"
)
"""In a query with `seats AS s`: the seats of the person who is shown by that name, which is given twice."""


class WantedMatches(msgspec.Struct, frozen=True):
    """Which matches somebody asks for. Empty: all."""

    game: str = ""
    player: str = ""
    """As the name is shown."""
    day: str = ""
    """`2026-11-14`, or the beginning of it: a month, a year."""


ALL = WantedMatches()


class SeatListed(msgspec.Struct, frozen=True):
    name: str
    won: bool


class MatchListed(msgspec.Struct, frozen=True):
    name: str
    game: str
    title: str
    """What people call it; empty: nothing."""
    began: str
    seats: tuple[SeatListed, ...]
    lines: int
    moves: int
    seconds: float
    over: bool
    how: str
    told: bool
    """Its file has been read as a whole; else its header is all that is known."""
    fault: Message | None


class MatchesFound(msgspec.Struct, frozen=True):
    total: int
    matches: tuple[MatchListed, ...]


def listed(
    index: MatchIndex, titles: Mapping[str, str], wanted: WantedMatches, start: int = 0, count: int = PAGE
) -> MatchesFound:
    """The newest first."""
    where, values = condition(wanted)
    total = _total(index, wanted)
    count = max(0, min(count, total - start))
    from_end = total - start - count
    backwards = from_end < start  # the last pages are nearer from the other end
    order, skip = ("ASC", from_end) if backwards else ("DESC", start)
    rows = index.rows(
        f"SELECT {_COLUMNS} FROM matches AS m WHERE {where} ORDER BY m.began {order}, m.id {order} LIMIT ? OFFSET ?",
        (*values, count, skip),
    )
    return MatchesFound(total, _with_seats(index, titles, rows[::-1] if backwards else rows))


def _total(index: MatchIndex, wanted: WantedMatches) -> int:
    if wanted.player or wanted.day:
        where, values = condition(wanted)
        ((total,),) = index.rows(f"SELECT count(*) FROM matches AS m WHERE {where}", values)
    else:
        query = "SELECT coalesce(sum(matches), 0) FROM games WHERE ? IN ('', game)"
        ((total,),) = index.rows(query, (wanted.game,))
    return int(total)


def one(index: MatchIndex, titles: Mapping[str, str], name: str) -> MatchListed | None:
    rows = index.rows(f"SELECT {_COLUMNS} FROM matches AS m WHERE m.name = ?", (name,))
    return next(iter(_with_seats(index, titles, rows)), None)


def faults(index: MatchIndex) -> list[tuple[str, Message]]:
    """The files that cannot be read to their end, and what is wrong with each."""
    rows = index.rows("SELECT name, fault FROM matches WHERE fault IS NOT NULL ORDER BY name")
    return [(name, fault) for name, encoded in rows if (fault := index.fault(encoded)) is not None]


def condition(wanted: WantedMatches) -> tuple[str, tuple[Any, ...]]:
    """As SQL, for a query in which the matches are called `m`."""
    parts, values = ["1"], []
    if wanted.game:
        parts.append("m.game = ?")
        values.append(wanted.game)
    if wanted.day:
        parts.append("m.began >= ? AND m.began < ?")
        values += [wanted.day, wanted.day + "\U0010ffff"]
    if wanted.player:
        parts.append(f"m.id IN (SELECT s.match FROM seats AS s WHERE {NAMED})")
        values += [wanted.player, wanted.player]
    return " AND ".join(parts), tuple(values)


def games(index: MatchIndex) -> list[tuple[str, int]]:
    rows = index.rows("SELECT game, matches FROM games WHERE matches > 0 AND game != '' ORDER BY game")
    return [(name, count) for name, count in rows]


def names(index: MatchIndex) -> list[str]:
    """Everybody who has played, those with the most matches first."""
    return [
        name
        for name, _ in index.rows(
            f"SELECT {SHOWN} AS person, sum(s.played) FROM totals AS s LEFT JOIN people AS p ON p.name = s.name "
            "GROUP BY person ORDER BY 2 DESC, person LIMIT ?",
            (MOST_NAMES,),
        )
    ]


def days(index: MatchIndex, count: int = 30) -> list[str]:
    """The last days on which matches were begun, the newest first."""
    found: list[str] = []
    before = "~"
    while len(found) < count:
        ((last,),) = index.rows("SELECT max(began) FROM matches WHERE began < ?", (before,))
        if last is None:
            break
        before = last[:10]
        found.append(before)
    return found


SHOWN = "coalesce(p.shown, s.name)"
"""A person's name, for a query with `seats AS s LEFT JOIN people AS p`, or `totals AS s`."""
_COLUMNS = "m.id, m.name, m.game, m.began, m.lines, m.moves, m.seconds, m.over, m.how, m.told, m.fault"


def _with_seats(index: MatchIndex, titles: Mapping[str, str], rows: list[tuple[Any, ...]]) -> tuple[MatchListed, ...]:
    keys = [row[0] for row in rows]
    seats: dict[int, list[SeatListed]] = {key: [] for key in keys}
    marks = ", ".join("?" * len(keys))
    for match, name, won in index.rows(
        f"SELECT s.match, {SHOWN}, s.won FROM seats AS s LEFT JOIN people AS p ON p.name = s.name "
        f"WHERE s.match IN ({marks}) ORDER BY s.match, s.seat",
        keys,
    ):
        seats[match].append(SeatListed(name, bool(won)))
    return tuple(
        MatchListed(
            name=name,
            game=game,
            title=titles.get(name, ""),
            began=began,
            seats=tuple(seats[key]),
            lines=lines,
            moves=moves,
            seconds=seconds,
            over=bool(over),
            how=how,
            told=bool(told),
            fault=index.fault(fault),
        )
        for key, name, game, began, lines, moves, seconds, over, how, told, fault in rows
    )
