"""Swiss seating for tables of three to six: nobody with the same people twice while that can be avoided, equals with
equals, and everybody in turn in the first seat.

No library does this. It is an annealer over the seats of all tables at once: people are exchanged between tables, and
an exchange that makes it worse is taken less and less often. The same seed gives the same seating. `make bench-seating`
holds it against the proved optimum of OR-tools on small fields.
"""

import math
from collections.abc import Mapping, Sequence
from random import Random

from companion.club.tournament.tournament import Tournament

AGAIN = 1000.0
"""What a second meeting costs; a third four times as much. Points differ by less than that together."""
APART = 12.0
"""What a point of difference at one table costs, squared."""
STEPS = 60_000
HOT, COLD = 600.0, 0.5


def seated(tournament: Tournament) -> tuple[list[tuple[int, ...]], list[int]]:
    """Tables, the leaders' first, each in seat order, and who has a bye."""
    here = [each.id for each in tournament.present]
    points, had = tournament.points(), tournament.had_bye()
    rules = tournament.rules
    sizes = table_sizes(len(here), rules.least, rules.most)
    byes: list[int] = []
    while sizes is None:
        # Whoever has the fewest points and had no bye yet sits this one out.
        out = min(here, key=lambda each: (each in had, points[each], -tournament.entrants[each].joined, each))
        here.remove(out)
        byes.append(out)
        sizes = table_sizes(len(here), rules.least, rules.most)
    random = Random(f"{rules.seed} {len(tournament.rounds)}")
    tables = arrange(here, sizes, tournament.met(), points, random)
    firsts = _firsts(tournament)
    seats = [tuple(sorted(table, key=lambda each: (firsts[each], each))) for table in tables]
    return sorted(seats, key=lambda table: -sum(points[each] for each in table) / len(table)), byes


def table_sizes(players: int, least: int, most: int) -> list[int] | None:
    """As many large tables as there can be, and the others one smaller; None: it cannot be done."""
    for tables in range(-(-players // most), players // least + 1):
        small, larger = divmod(players, tables) if tables else (0, 0)
        if tables and least <= small and small + bool(larger) <= most:
            return [small + 1] * larger + [small] * (tables - larger)
    return None


def cost_of(table: Sequence[int], met: Mapping[frozenset[int], int], points: Mapping[int, float]) -> float:
    """What is bad about these people at one table."""
    total = 0.0
    for at, one in enumerate(table):
        for other in table[at + 1 :]:
            total += AGAIN * met.get(frozenset((one, other)), 0) ** 2
            total += APART * (points[one] - points[other]) ** 2
    return total


def arrange(
    players: Sequence[int],
    sizes: Sequence[int],
    met: Mapping[frozenset[int], int],
    points: Mapping[int, float],
    random: Random,
    steps: int = STEPS,
) -> list[list[int]]:
    order = sorted(players, key=lambda each: (-points[each], random.random()))
    tables: list[list[int]] = []
    for size in sizes:
        tables.append(order[:size])
        order = order[size:]
    if len(tables) < 2:
        return tables
    index = {player: at for at, player in enumerate(players)}
    worth = [[0.0] * len(players) for _ in players]
    for one in players:
        for other in players:
            if one != other:
                worth[index[one]][index[other]] = cost_of((one, other), met, points)
    now = [[index[each] for each in table] for table in tables]
    best, lowest = [table[:] for table in now], _total(now, worth)
    if lowest <= 1e-9:
        return tables  # as in the first round: nobody has met anybody
    cost = lowest
    cooling = (COLD / HOT) ** (1.0 / steps)
    heat = HOT
    for _ in range(steps):
        heat *= cooling
        a, b = random.randrange(len(now)), random.randrange(len(now) - 1)
        b += b >= a
        at, to = random.randrange(len(now[a])), random.randrange(len(now[b]))
        one, other = now[a][at], now[b][to]
        mine, theirs = worth[one], worth[other]
        change = (
            sum(theirs[each] for each in now[a])
            - theirs[one]
            - sum(mine[each] for each in now[a])
            + sum(mine[each] for each in now[b])
            - mine[other]
            - sum(theirs[each] for each in now[b])
        )
        if change <= 0 or random.random() < math.exp(-change / heat):
            now[a][at], now[b][to] = other, one
            cost += change
            if cost < lowest - 1e-9:
                best, lowest = [table[:] for table in now], cost
                if lowest <= 1e-9:
                    break
    return [[players[each] for each in table] for table in best]


def _total(tables: Sequence[Sequence[int]], worth: Sequence[Sequence[float]]) -> float:
    return sum(worth[one][other] for table in tables for at, one in enumerate(table) for other in table[at + 1 :])


def _firsts(tournament: Tournament) -> dict[int, float]:
    """How far forward everybody has sat so far: whoever had the last seats has the first ones now."""
    forward = dict.fromkeys(tournament.entrants, 0.0)
    for each in tournament.rounds:
        for board in each.boards.values():
            for seat, player in enumerate(board.players):
                forward[player] += 1.0 - seat / max(1, len(board.players) - 1)
    return forward
