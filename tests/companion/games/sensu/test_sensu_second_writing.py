"""The rules of Sensu compared with a second implementation, in random matches, move by move."""

from collections import Counter
from random import Random

import pytest

from companion.games.sensu import GAME
from companion.record.match import Match
from tests.companion.games.sensu.second_writing import TYPES, SecondWriting, box

NAMES = ["Aki", "Ben", "Cho", "Dai", "Emi"]
TABLES = ([4, 3, 3, 2, 2, 2, 1, 1, 1], [4, 4, 4, 3, 3, 3, 2, 2, 1], [1, 2, 1, 1, 2, 1, 1, 1, 1])


def header(chance, count):
    players = NAMES[:count]
    options = {"sticks": chance.choice(TABLES), "wild_winds": chance.choice((0, 2))}
    if count > 1:
        options["first"] = chance.choice(players)
        options["variants"] = [each for each in ("powers", "chosen_fan") if chance.random() < 0.6]
        options["harmony_may_start_fan"] = chance.random() < 0.5
        if "powers" in options["variants"]:
            options["symbols"] = chance.sample(box(options["wild_winds"]), chance.choice((25, 60)))
        if "chosen_fan" in options["variants"]:
            options["chosen"] = {player: chance.choice(TYPES) for player in players}
    return players, options


@pytest.mark.parametrize("count", range(1, 6))
def test_a_second_writing_of_the_rules_sees_the_same_table(count):
    moves = Counter()
    for seed in range(40):
        chance = Random(100 * count + seed)
        players, options = header(chance, count)
        table = SecondWriting(chance, Match(GAME, players, options), players, options)
        table.play(120)
        moves.update(table.done)

    every = {"draw", "combine", "place"}
    assert every | ({"discard", "wisdom", "harmony", "courage", "chosen"} if count > 1 else set()) <= set(moves)
