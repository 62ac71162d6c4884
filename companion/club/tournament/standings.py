"""How everybody stands, and by what equal points are told apart: each tie-break has a name and is explained."""

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from companion.club.tournament.tournament import Tournament
from companion.core.message import Message, message


class TieBreak(NamedTuple):
    id: str
    name: Message
    explained: Message


BUCHHOLZ_CUT = TieBreak(
    "buchholz_cut",
    message("Buchholz, cut 1"),
    message("The points of all opponents together, without the weakest one: who had the stronger opponents."),
)
BUCHHOLZ = TieBreak("buchholz", message("Buchholz"), message("The points of all opponents together."))
SONNEBORN = TieBreak(
    "sonneborn",
    message("Sonneborn-Berger"),
    message("The points of everybody who was beaten, and half the points of those with whom it was a draw."),
)
WINS = TieBreak("wins", message("Wins"), message("How many tables were won outright."))
OPPONENTS = TieBreak(
    "opponents",
    message("Opponents' average"),
    message("The points of everybody met at a table, per meeting: who had the stronger tables."),
)


class StandingRow(msgspec.Struct, frozen=True):
    rank: int
    """Shared by those whom no tie-break tells apart."""
    id: int
    name: str
    points: float
    breaks: tuple[float, ...]
    """In the order of `tie_breaks`."""
    played: int
    left: bool


def tie_breaks(tournament: Tournament) -> tuple[TieBreak, ...]:
    if tournament.rules.kind == "tables":
        return (OPPONENTS, WINS)
    return (
        (WINS, SONNEBORN)
        if tournament.rules.kind in ("round_robin", "knockout")
        else (
            BUCHHOLZ_CUT,
            BUCHHOLZ,
            SONNEBORN,
            WINS,
        )
    )


class _Meeting(NamedTuple):
    other: int
    share: float
    """1: beaten, ½: a draw, 0: lost to."""


def standings(tournament: Tournament) -> list[StandingRow]:
    points = tournament.points()
    meetings, wins, played = _meetings(tournament)

    def opponents(player: int) -> list[float]:
        return sorted(points[each.other] for each in meetings[player])

    values: dict[str, Callable[[int], float]] = {
        "buchholz_cut": lambda player: sum(opponents(player)[1:]),
        "buchholz": lambda player: sum(opponents(player)),
        "sonneborn": lambda player: sum(points[each.other] * each.share for each in meetings[player]),
        "wins": lambda player: float(wins[player]),
        "opponents": lambda player: sum(opponents(player)) / max(1, len(meetings[player])),
    }
    used = tie_breaks(tournament)
    keyed = {
        player: (round(points[player], 6), *(round(values[each.id](player), 6) for each in used))
        for player in tournament.entrants
    }
    order = sorted(keyed, key=lambda player: ([-each for each in keyed[player]], tournament.name(player).casefold()))
    rows: list[StandingRow] = []
    for at, player in enumerate(order):
        rank = rows[-1].rank if rows and keyed[order[at - 1]] == keyed[player] else at + 1
        entrant = tournament.entrants[player]
        breaks = tuple(keyed[player][1:])
        rows.append(StandingRow(rank, player, entrant.name, keyed[player][0], breaks, played[player], entrant.left))
    return rows


def _meetings(tournament: Tournament) -> tuple[dict[int, list[_Meeting]], dict[int, int], dict[int, int]]:
    """Whom everybody met and with what outcome, and how many tables were won and played."""
    met: dict[int, list[_Meeting]] = {player: [] for player in tournament.entrants}
    wins, played = dict.fromkeys(tournament.entrants, 0), dict.fromkeys(tournament.entrants, 0)
    for each in tournament.rounds:
        for number, board in each.boards.items():
            if not each.counts(number):
                continue
            scored = each.results[number].points
            best = max(scored)
            for seat, player in enumerate(board.players):
                played[player] += 1
                wins[player] += scored[seat] == best and scored.count(best) == 1
                for other_seat, other in enumerate(board.players):
                    if other != player:
                        mine, theirs = scored[seat], scored[other_seat]
                        share = 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
                        met[player].append(_Meeting(other, share))
    return met, wins, played
