"""The starter set: duels of the demo's own players come out even enough to be worth watching."""

from collections import Counter
from itertools import permutations
from random import Random
from typing import Any

import msgspec
import pytest

from companion.games.senjutsu import GAME
from companion.games.senjutsu.cards import FIGHTERS
from companion.record.match import Match
from companion.virtual.bots import senjutsu as bot
from tests.companion.games.senjutsu.second_writing import Duel

NAMES = ("Aki", "Ben")


def play(samurai: tuple[str, str], seed: int) -> tuple[str | None, int]:
    """Who has won, and in how many rounds."""
    chance = Random(seed)
    match = Match(GAME, NAMES, {"samurai": dict(zip(NAMES, samurai, strict=True))})
    duel = Duel(match.state, chance, lambda who: bot.least(who.hand, match.state.duel.cards, chance))

    def mind(name: str) -> bot.SenjutsuMind:
        view = msgspec.to_builtins(GAME.rules.view(match.state, name))
        return bot.SenjutsuMind(view, name, duel.cards, duel.fighters[name].hand, chance)

    def do(name: str, move: dict[str, Any]) -> None:
        match.move(name, match.decode(move))

    while not match.over:
        if question := duel.question:
            offered = [msgspec.to_builtins(move) for move in GAME.rules.legal_moves(match.state, {}, question.player)]
            move = bot.answer(mind(question.player), offered)
            do(question.player, move)
            duel.answer(move)
            continue
        for name in NAMES:
            duel.choose(name, bot.choose(mind(name)))
            do(name, {"move": "select"})
        for name in NAMES:
            do(name, {"move": "reveal", "card": duel.fighters[name].card})
        for name in NAMES:
            duel.turn_up(name)
    winners = match.facts["winners"]
    return (samurai[NAMES.index(winners[0])] if winners else None), match.facts["round"]


@pytest.mark.long
def test_no_samurai_of_the_starter_set_is_hopeless_or_sure_to_win() -> None:
    wins: Counter[str | None] = Counter()
    rounds = []
    for pair in permutations(FIGHTERS, 2):
        for seed in range(20):
            winner, lasted = play(pair, seed)
            wins[winner] += 1
            rounds.append(lasted)

    duels_of_each = 20 * 2 * (len(FIGHTERS) - 1)
    shares = {samurai: wins[samurai] / duels_of_each for samurai in FIGHTERS}
    print(shares, f"{sum(rounds) / len(rounds):.1f} rounds a duel, {wins[None]} drawn")
    assert all(0.35 < share < 0.65 for share in shares.values())
    assert 5 < sum(rounds) / len(rounds) < 15
