"""The seating of tables of three to six against a proved optimum: `make bench-seating` (OR-tools, CP-SAT).

Small fields, round after round: the solver proves the cheapest seating of the round by our own measure of cost, and
the annealer has to reach it.
"""

import time
from itertools import combinations
from random import Random
from typing import Any

from companion.club.tournament.seating import arrange, cost_of, table_sizes

FIELDS = (
    (6, 3, 3),
    (8, 4, 4),
    (9, 3, 3),
    (11, 3, 4),
    (12, 3, 3),
    (12, 4, 4),
    (12, 6, 6),
    (13, 3, 4),
    (15, 5, 5),
    (16, 4, 4),
)
"""Players, and how many sit at a table, at least and at most."""
LIMIT = 60.0


def optimum(players: int, sizes: list[int], worth: dict[tuple[int, int], int]) -> tuple[int, bool]:
    """The lowest cost that there is, and whether that is proved."""
    from ortools.sat.python import cp_model

    model: Any = cp_model.CpModel()
    sits = {(p, t): model.NewBoolVar("") for p in range(players) for t in range(len(sizes))}
    for p in range(players):
        model.AddExactlyOne(sits[p, t] for t in range(len(sizes)))
    for t, size in enumerate(sizes):
        model.Add(sum(sits[p, t] for p in range(players)) == size)
    if len(set(sizes)) == 1:  # where all tables are alike, it does not matter which of them the first player sits at
        model.Add(sits[0, 0] == 1)
    costs = []
    for (one, other), cost in worth.items():
        for t in range(len(sizes)):
            both = model.NewBoolVar("")
            model.AddBoolOr([sits[one, t].Not(), sits[other, t].Not(), both])
            costs.append(cost * both)
    model.Minimize(sum(costs))
    solver: Any = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = LIMIT
    solver.parameters.num_workers = 2
    status = solver.Solve(model)
    return round(solver.ObjectiveValue()), status == cp_model.OPTIMAL


def main() -> None:
    print("| players | tables | round | proved optimum | annealer | seconds |")
    print("|--:|---|--:|--:|--:|--:|")
    for players, least, most in FIELDS:
        random = Random(players * 10 + most)
        met: dict[frozenset[int], int] = {}
        points = dict.fromkeys(range(players), 0.0)
        for round_number in range(1, 4):
            sizes = table_sizes(players, least, most)
            assert sizes is not None
            began = time.monotonic()
            tables = arrange(range(players), sizes, met, points, random)
            took = time.monotonic() - began
            # The solver wants whole numbers; both are measured with the same ones.
            worth = {pair: round(100 * cost_of(pair, met, points)) for pair in combinations(range(players), 2)}
            ours = sum(worth[pair] for table in tables for pair in combinations(sorted(table), 2))
            best, proved = optimum(players, sizes, worth)
            told = str(best) if proved else f"{best} (not proved)"
            at = " + ".join(map(str, sizes))
            print(f"| {players} | {at} | {round_number} | {told} | {ours} | {took:.2f} |", flush=True)
            for table in tables:
                for at, one in enumerate(table):
                    for other in table[at + 1 :]:
                        met[frozenset((one, other))] = met.get(frozenset((one, other)), 0) + 1
                order = random.sample(table, len(table))
                for place, player in enumerate(order):
                    points[player] += place / (len(table) - 1)


if __name__ == "__main__":
    main()
