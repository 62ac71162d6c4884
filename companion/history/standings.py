"""People over many matches: how often they played and won, their figures, how long they think, what they like to use.

Everything is counted from the kifus by way of the index. Only matches that are over count, and none that was abandoned.
"""

from typing import Any

import msgspec

from companion.core.message import Message
from companion.core.rulings import ShinpanError
from companion.games import game
from companion.games.kit.figures import Figures
from companion.history.index import MatchIndex
from companion.history.listing import ALL, NAMED, SHOWN, WantedMatches, condition

FAVOURITES = 5
"""Weapons or cards that are listed of each player."""
MOST = 500
"""People in one table."""

_COUNTS = "m.over = 1 AND m.how != 'abandoned' AND m.fault IS NULL"
_PEOPLE = "matches AS m JOIN seats AS s ON s.match = m.id LEFT JOIN people AS p ON p.name = s.name"


class FigureShown(msgspec.Struct, frozen=True):
    title: Message
    total: int
    mean: float
    """A match."""
    a_round: float | None = None
    round_title: Message | None = None


class FavouriteShown(msgspec.Struct, frozen=True):
    thing: str
    """Its id in the game."""
    times: int
    cost: int | None
    """What its card says that it costs; the highest where that was corrected."""


class PersonInGame(msgspec.Struct, frozen=True):
    """One person in one game."""

    name: str
    game: str
    matches: int
    wins: int
    figures: tuple[FigureShown, ...] = ()
    thought: float | None = None
    """Seconds to an answer, on average; None: the kifus have no times."""
    answers: int = 0
    """How many answers were timed."""
    favourites: tuple[FavouriteShown, ...] = ()


class StandingLine(msgspec.Struct, frozen=True):
    """One person over all games that were asked for."""

    name: str
    matches: int
    wins: int
    shared: int
    """Wins that somebody else has, too."""


class HeadToHead(msgspec.Struct, frozen=True):
    one: str
    other: str
    matches: int
    """In which both played."""
    one_won: int
    other_won: int
    """Without the other."""
    both_won: int
    neither_won: int
    games: tuple[tuple[str, int, int, int], ...]
    """Game, matches, won by the one alone, by the other alone."""


def standings(index: MatchIndex, wanted: WantedMatches) -> list[StandingLine]:
    """Who has won most, then who has played least for it, then by name. An evening is asked for by its day."""
    if wanted.day or wanted.player:
        where, values = condition(wanted)
        query = (
            f"SELECT {SHOWN} AS person, count(*), sum(s.won), sum(s.shared) FROM {_PEOPLE} WHERE {_COUNTS} AND {where}"
        )
    else:
        values = (wanted.game,)
        query = (
            f"SELECT {SHOWN} AS person, sum(s.matches), sum(s.wins), sum(s.shared) "
            "FROM totals AS s LEFT JOIN people AS p ON p.name = s.name WHERE s.matches > 0 AND ? IN ('', s.game)"
        )
    rows = index.rows(f"{query} GROUP BY person ORDER BY 3 DESC, 2, 1 LIMIT ?", (*values, MOST))
    return [StandingLine(name, matches, wins, shared) for name, matches, wins, shared in rows]


def people(index: MatchIndex, wanted: WantedMatches, only: str = "") -> list[PersonInGame]:
    """Everybody in every game that they have played; `only` one person."""
    where, values = condition(wanted)
    if only:
        where, values = f"{where} AND {NAMED}", (*values, only, only)
    rows = index.rows(
        f"SELECT {SHOWN} AS person, m.game, count(*), sum(s.won), sum(s.thought), sum(s.thoughts) FROM {_PEOPLE} "
        f"WHERE {_COUNTS} AND {where} GROUP BY person, m.game ORDER BY 4 DESC, 3 DESC, 1, 2 LIMIT ?",
        (*values, MOST),
    )
    figures = _figures(index, where, values)
    favourites = _favourites(index, where, values)
    return [
        PersonInGame(
            name,
            played,
            matches,
            wins,
            tuple(_shown(played, figures.get((name, played), {}))),
            round(thought / thoughts, 2) if thoughts else None,
            thoughts,
            favourites.get((name, played), ()),
        )
        for name, played, matches, wins, thought, thoughts in rows
    ]


def head_to_head(index: MatchIndex, one: str, other: str, wanted: WantedMatches = ALL) -> HeadToHead:
    where, values = condition(wanted)
    rows = index.rows(
        "SELECT m.game, a.won, b.won, count(*) FROM matches AS m "
        f"JOIN ({_SEATS_OF}) AS a ON a.match = m.id JOIN ({_SEATS_OF}) AS b ON b.match = m.id "
        f"WHERE {_COUNTS} AND {where} GROUP BY m.game, a.won, b.won",
        (one, one, other, other, *values),
    )
    count: dict[tuple[bool, bool], int] = {}
    games: dict[str, list[int]] = {}
    for played, first, second, matches in rows:
        count[bool(first), bool(second)] = count.get((bool(first), bool(second)), 0) + matches
        line = games.setdefault(played, [0, 0, 0])
        line[0] += matches
        line[1] += matches if first and not second else 0
        line[2] += matches if second and not first else 0
    return HeadToHead(
        one,
        other,
        sum(count.values()),
        count.get((True, False), 0),
        count.get((False, True), 0),
        count.get((True, True), 0),
        count.get((False, False), 0),
        tuple((played, *line) for played, line in sorted(games.items())),  # type: ignore[misc]
    )


_SEATS_OF = (
    f"SELECT s.match AS match, max(s.won) AS won FROM seats AS s LEFT JOIN people AS p ON p.name = s.name "
    f"WHERE {NAMED} GROUP BY s.match"
)


def opponents(index: MatchIndex, name: str, wanted: WantedMatches = ALL) -> list[HeadToHead]:
    """Everybody who has played against that person, the most frequent first."""
    where, values = condition(wanted)
    rows = index.rows(
        f"SELECT {SHOWN} AS person FROM {_PEOPLE} JOIN ({_SEATS_OF}) AS a ON a.match = m.id "
        f"WHERE {_COUNTS} AND {where} AND {SHOWN} != ? GROUP BY person ORDER BY count(*) DESC, 1 LIMIT 50",
        (name, name, *values, name),
    )
    return [head_to_head(index, name, other, wanted) for (other,) in rows]


def _figures(index: MatchIndex, where: str, values: tuple[Any, ...]) -> dict[tuple[str, str], dict[str, Any]]:
    rows = index.rows(
        f"SELECT {SHOWN} AS person, m.game, f.figure, sum(f.value), count(*), sum(f.rounds) FROM {_PEOPLE} "
        "JOIN figures AS f ON f.match = m.id AND f.seat = s.seat "
        f"WHERE {_COUNTS} AND {where} GROUP BY person, m.game, f.figure",
        values,
    )
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for name, played, figure, total, count, rounds in rows:
        found.setdefault((name, played), {})[figure] = (total, count, rounds)
    return found


def _shown(played: str, counted: dict[str, Any]) -> list[FigureShown]:
    shown = []
    for name, figure in figures_of(played).counted.items():
        if name in counted:
            total, count, rounds = counted[name]
            a_round = round(total / rounds, 2) if rounds else None
            title = figure.a_round if rounds else None
            shown.append(FigureShown(figure.title, total, round(total / count, 2), a_round, title))
    return shown


def _favourites(
    index: MatchIndex, where: str, values: tuple[Any, ...]
) -> dict[tuple[str, str], tuple[FavouriteShown, ...]]:
    rows = index.rows(
        f"SELECT {SHOWN} AS person, m.game, c.thing, sum(c.times), max(c.cost) FROM {_PEOPLE} "
        "JOIN chosen AS c ON c.match = m.id AND c.seat = s.seat "
        f"WHERE {_COUNTS} AND {where} GROUP BY person, m.game, c.thing ORDER BY 1, 2, 4 DESC, 3",
        values,
    )
    found: dict[tuple[str, str], tuple[FavouriteShown, ...]] = {}
    for name, played, thing, times, cost in rows:
        mine = found.get((name, played), ())
        if len(mine) < FAVOURITES:
            found[name, played] = (*mine, FavouriteShown(thing, times, cost))
    return found


def figures_of(played: str) -> Figures:
    """What that game counts; nothing where it is not installed any more."""
    try:
        return game(played).figures
    except ShinpanError:
        return Figures()


def title_of(played: str) -> str:
    """What a game is called; its bare name where it is not installed any more."""
    try:
        return game(played).title
    except ShinpanError:
        return played
