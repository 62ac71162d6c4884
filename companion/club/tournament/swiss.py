"""Swiss pairing for two, by the FIDE Dutch system of caissify-pairings. White is whoever has the first seat.

Its answer is checked before anybody sees it, because a wrong pairing spoils an evening: everybody once, nobody a second
bye, no second meeting while there is another way. Where it does not hold, or the engine gives up, as it may with
few players and many rounds, the pairing is made by maximum-weight matching instead.
"""

import logging
from typing import Any

import networkx

from companion.club.tournament.tournament import Tournament

log = logging.getLogger("shinpan")

Pairs = list[tuple[int, int]]
WHITE, BLACK, NONE = "white", "black", "none"


def paired(tournament: Tournament) -> tuple[Pairs, list[int]]:
    """Pairs, first seat first, in the order of the tables, and who has a bye."""
    told = _by_engine(tournament)
    best = _by_matching(tournament) if told is None or repeats(tournament, told[0]) else told
    if told is not None and repeats(tournament, told[0]) <= repeats(tournament, best[0]):
        best = told
    points = tournament.points()

    def weight(pair: tuple[int, int]) -> tuple[float, ...]:
        strongest = max(tournament.entrants[each].rating for each in pair)
        return -max(points[each] for each in pair), -sum(points[each] for each in pair), -strongest

    return sorted(best[0], key=weight), best[1]


def repeats(tournament: Tournament, pairs: Pairs) -> int:
    met = tournament.met()
    return sum(met.get(frozenset(pair), 0) for pair in pairs)


def sound(tournament: Tournament, pairs: Pairs, byes: list[int]) -> bool:
    """Everybody is in it once, and nobody has a second bye while somebody had none."""
    here = sorted(each.id for each in tournament.present)
    had = tournament.had_bye()
    second = any(each in had for each in byes) and any(each not in had for each in here)
    return sorted([*byes, *(each for pair in pairs for each in pair)]) == here and len(byes) <= 1 and not second


# --- the engine -----------------------------------------------------------------------------------------------------


def _by_engine(tournament: Tournament) -> tuple[Pairs, list[int]] | None:
    from caissify_pairings import generate_pairings

    players = _histories(tournament)
    met = {tuple(sorted(pair)) for pair in tournament.met()}
    try:
        rows = generate_pairings("dutch", players, met, len(tournament.rounds) + 1, tournament.planned)
    except Exception as error:  # whatever it stumbles over, the evening goes on
        log.info("The pairing engine gave up (%s); the round is paired by matching.", error)
        return None
    pairs = [(row["white_id"], row["black_id"]) for row in rows if row.get("black_id") is not None]
    byes = [row["white_id"] for row in rows if row.get("black_id") is None]
    return (pairs, byes) if sound(tournament, pairs, byes) else None


def _histories(tournament: Tournament) -> list[dict[str, Any]]:
    """What the engine has to be told of everybody: points, seats, floats, byes, round by round."""
    seats, floats = _seats(tournament), _floats(tournament)
    points, byes = tournament.points(), tournament.had_bye()
    return [
        {
            "id": each.id,
            "name": each.name,
            "score": points[each.id],
            "rating": int(each.rating),
            "starting_number": number,
            "color_hist": seats[each.id],
            "float_history": floats[each.id],
            "bye_count": int(each.id in byes),
        }
        for number, each in enumerate(tournament.present, 1)
    ]


def _seats(tournament: Tournament) -> dict[int, list[str]]:
    seats: dict[int, list[str]] = {each: [] for each in tournament.entrants}
    for each in tournament.rounds:
        took = {
            player: (WHITE, BLACK)[seat] for board in each.boards.values() for seat, player in enumerate(board.players)
        }
        for player, had in seats.items():
            had.append(took.get(player, NONE))
    return seats


def _floats(tournament: Tournament) -> dict[int, list[str]]:
    """Who was paired up or down in which round, by the points that everybody had before it."""
    floats: dict[int, list[str]] = {each: [] for each in tournament.entrants}
    points = dict.fromkeys(tournament.entrants, 0.0)
    for each in tournament.rounds:
        moved = dict.fromkeys(each.byes, "down")
        for board in each.boards.values():
            one, other = board.players
            if points[one] != points[other]:
                high, low = (one, other) if points[one] > points[other] else (other, one)
                moved |= {high: "down", low: "up"}
        for player, had in floats.items():
            had.append(moved.get(player, NONE))
        for number, board in each.boards.items():
            if each.counts(number):
                for player, scored in zip(board.players, each.results[number].points, strict=True):
                    points[player] += scored
        for player in each.byes:
            points[player] += 1.0
    return floats


# --- by matching ----------------------------------------------------------------------------------------------------


def _by_matching(tournament: Tournament) -> tuple[Pairs, list[int]]:
    """The pairing with the fewest second meetings, and among those the one in which points are nearest."""
    here = [each.id for each in tournament.present]
    points, met, had = tournament.points(), tournament.met(), tournament.had_bye()
    graph: Any = networkx.Graph()
    for at, one in enumerate(here):
        for other in here[at + 1 :]:
            again = met.get(frozenset((one, other)), 0)
            graph.add_edge(one, other, weight=10**7 - 10**5 * again - int(100 * (points[one] - points[other]) ** 2))
    if len(here) % 2:
        nobody = 0
        for each in here:
            graph.add_edge(each, nobody, weight=10**7 - 10**6 * (each in had) - int(1000 * points[each]))
    matched = [tuple(pair) for pair in networkx.max_weight_matching(graph, maxcardinality=True)]
    byes = [each for pair in matched for each in pair if 0 in pair and each]
    seats = _seats(tournament)

    def firsts(player: int) -> tuple[int, bool]:
        return seats[player].count(WHITE) - seats[player].count(BLACK), seats[player][-1:] == [WHITE]

    real = [pair for pair in matched if 0 not in pair]
    pairs = [(one, other) if firsts(one) <= firsts(other) else (other, one) for one, other in real]
    return pairs, byes
