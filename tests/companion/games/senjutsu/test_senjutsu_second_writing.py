"""The rules beside a second writing of the rulebook: two programs, the same wounds.

`second_writing` was written apart from the rules, in millimetres and as a running script. Random duels, with cards that
use every line and with every switch, must go the same way in both, question by question.
"""

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.senjutsu import GAME
from companion.games.senjutsu.hexes import FACINGS
from companion.record.match import Match
from tests.companion.games.senjutsu.second_writing import Duel, Fighter

NAMES = ("Aki", "Ben", "Cho", "Dai")
CARDS = """
card Shove
type attack
rank wood
speed 7-5
attack wound 1 push 2 discard 1 at F FL FR F2
on hit: advantage

card Flurry
type attack
rank wood
speed 9
move up to 2 front
attack stun 1 bleed 1 at F FR BR
--- 4-2
attack wound 1 push 1 at any
on hit: kamae
--- 4-2
rotate about

card Bulwark
type defence
rank wood
speed 9-1
block at F FL FR
on block:
  foes push 1 stun 1
  may move 1 back
suffer stun 1

card Gamble
type meditation
rank wood
speed 8
may:
  cost discard 1 wound 1
  draw up to 3
either: advantage
or: foes discard 2
or: everyone stun 1
or: rotate 2
in aggression, balance: kamae

card Parry
type defence
rank wood
instant replace
block at front
on block: rotate any

card Dash
type meditation
rank wood
instant replace
speed 6-4
move 2
---
draw 1

card Second Wind
type meditation
rank wood
instant add
speed 5-3
draw 1
move up to 1
--- 2
kamae

card Kick
type attack
rank wood
instant add
attack stun 1 push 1 at F
"""
EVERY_LINE = {
    "cards": CARDS,
    "decks": dict.fromkeys(("shove", "flurry", "bulwark", "gamble", "parry", "dash", "second_wind", "kick"), 5),
}
switches = st.fixed_dictionaries(
    {},
    optional={
        "empty_deck": st.sampled_from(["mixed", "wound", "stun"]),
        "block_timing": st.sampled_from(["equal", "equal_or_faster"]),
        "stun_defeat": st.sampled_from(["over", "limit"]),
        "collision_cancels": st.sampled_from(["mover", "first_mover"]),
        "edge_cancels": st.booleans(),
        "advantage_symbol": st.sampled_from(["top", "up"]),
        "instant_order": st.sampled_from(["top", "bottom"]),
        "health": st.sampled_from([3, 5, 12]),
        "arena": st.sampled_from([(8, 5), (5, 5)]),
        "terrain": st.sampled_from([[], ["c3", "d3"]]),
    },
)


class Both:
    """One duel by the rules and by the second writing."""

    def __init__(self, count: int, options: dict[str, Any], seed: int) -> None:
        self.chance = random.Random(seed)
        self.match = Match(GAME, NAMES[:count], options)
        self.duel = Duel(self.match.state, self.chance, lambda who: self.chance.choice(who.hand))

    def do(self, player: str, move: dict[str, Any]) -> None:
        self.match.move(player, self.match.decode(move))

    def go_on(self) -> None:
        """Everybody's next step, out of the cards that they really hold."""
        question = self.duel.question
        if question:
            assert dict(self.match.awaits) == {question.player: question.kinds}
            move = self.chance.choice(self.open_to(self.duel.fighters[question.player]))
            self.do(question.player, move)
            self.duel.answer(move)
            return
        standing = [who.name for who in self.duel.standing]
        assert sorted(self.match.awaits) == sorted(standing)
        for name in standing:
            self.duel.choose(name, self.chance.choice(self.playable(self.duel.fighters[name])))
            self.do(name, {"move": "select"})
        for name in standing:
            self.do(name, {"move": "reveal", "card": self.duel.fighters[name].card})
        for name in standing:
            self.duel.turn_up(name)

    def playable(self, who: Fighter) -> list[str]:
        cards = [self.duel.cards[card] for card in who.hand]
        fit = [card.id for card in cards if (card.speed or not card.instant) and card.needs in ("", who.kamae)]
        return [*fit, "passive", *["stun"] * who.stuns]

    def open_to(self, who: Fighter) -> list[dict[str, Any]]:
        question = self.duel.question
        assert question
        if question.kinds == ("discard",):
            return [{"move": "discard", "cards": self.chance.sample(who.hand, question.line.cards)}]  # type: ignore[union-attr]
        offered = [msgspec.to_builtins(move) for move in GAME.rules.legal_moves(self.match.state, {}, who.name)]
        return [move for move in offered if move["move"] != "instant" or move["card"] in who.hand]

    def agree(self) -> None:
        ruled, duel = self.match.facts, self.duel
        assert (ruled["over"], ruled["round"], ruled["advantage"]) == (duel.over, duel.round, duel.advantage)
        for name, who in duel.fighters.items():
            assert ruled["row"][name] == who.row
            assert ruled["stuns"][name] == who.stuns
            assert ruled["hands"][name] == len(who.hand) + who.stuns
            assert ruled["decks"][name] == len(who.deck)
            assert ruled["pile"][name] == [card if up else None for card, up in who.pile]
            samurai = ruled["samurai"][name]
            assert (samurai["defeated"], samurai["kamae"]) == (who.fallen, who.kamae)
            assert samurai["facing"] == FACINGS[who.facing]


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 4), switches, st.booleans(), st.integers(0, 2**32))
@pytest.mark.rule("SJ-33", "SJ-34", "SJ-61")
def test_both_count_the_same_wounds_and_cards(count: int, options: dict[str, Any], every_line: bool, seed: int) -> None:
    both = Both(count, options | (EVERY_LINE if every_line else {}), seed)
    for _ in range(250):
        if both.match.over:
            break
        both.go_on()
        both.agree()


def test_a_count_that_differs_is_found_out() -> None:
    both = Both(2, {}, 1)
    both.duel.fighters["Aki"].row.append("wound")

    with pytest.raises(AssertionError):
        both.agree()
