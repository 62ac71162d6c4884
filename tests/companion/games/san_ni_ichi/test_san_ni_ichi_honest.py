"""Cards really dealt and played by the booklet: a second, plain reading of the rules that the referee must agree with.

It knows the hands, as a table does, and keeps its own piles; the referee gets only the lines of the kifu.
"""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.rulings import Refused
from companion.games.san_ni_ichi import GAME
from companion.record.match import Match
from tests.companion.games.san_ni_ichi.test_san_ni_ichi_properties import headers

ELEMENTS = ("fire", "water", "wood")
NEXT = {"fire": "water", "water": "wood", "wood": "fire"}
"""What beats it."""


class Honest:
    def __init__(self, names: tuple[str, ...], options: dict[str, Any], chance: random.Random) -> None:
        self.names, self.options, self.chance = names, options, chance
        self.match = Match(GAME, names, options)
        table = self.match.state.table
        deck = [card for card, copies in table.copies.items() for _ in range(copies)]
        chance.shuffle(deck)
        self.hands = {name: deck[at * 7 : at * 7 + 7] for at, name in enumerate(names)}
        self.piles: dict[str, list[tuple[str, str]]] = {name: [] for name in names}
        self.damage: dict[str, list[str]] = {name: [] for name in names}
        self.mates = {name: mate for team in options.get("teams", ()) for name, mate in (team, team[::-1])}
        self.dealer = names.index(options["dealer"])
        self.blocked: set[str] = set()

    # --- saying it ----------------------------------------------------------------------------------------------

    def say(self, name: str, **fields: Any) -> None:
        self.match.move(name, self.match.decode(fields))

    def must_not(self, name: str, **fields: Any) -> None:
        with pytest.raises(Refused):
            self.say(name, **fields)

    def agree(self) -> None:
        facts = self.match.facts
        assert facts["piles"] == {name: [card for card, _ in pile] for name, pile in self.piles.items()}
        assert facts["hands"] == {name: len(hand) for name, hand in self.hands.items()}
        assert facts["taken"] == {name: len(pile) for name, pile in self.damage.items()}
        assert facts["damage"] == {name: self.total(name) for name in self.names}

    def total(self, name: str) -> int:
        pile = self.damage[name]
        if self.options["scoring"] == "cards":
            return len(pile)
        return sum(strength(card) if kind(card) in ELEMENTS else len(self.names) - 1 for card in pile)

    # --- a match ------------------------------------------------------------------------------------------------

    def play(self) -> None:
        while any(self.hands.values()):
            chosen = self.select()
            if not chosen:
                break
            self.agree()
            for name in self.shuffled(chosen):
                self.say(name, move="reveal", card=chosen[name])
            for name in sorted(chosen, key=lambda name: self.precedence(name, chosen[name])):
                self.act(name, chosen[name])
                if len(self.match.awaits) == 1 and self.match.facts["phase"] == "attack":
                    self.agree()
            self.damage_phase()
            self.blocked.clear()
            if any(self.hands.values()):
                self.agree()
        self.piles = {name: [] for name in self.names}
        self.agree()
        totals = {
            name: self.total(name) + sum(map(self.total, filter(None, [self.mates.get(name)]))) for name in self.names
        }
        winners = [name for name in self.names if totals[name] == min(totals.values())]
        assert (self.match.over, self.match.facts["winners"]) == (True, winners)

    def shuffled(self, names: Any) -> list[str]:
        return self.chance.sample(list(names), len(names))

    def precedence(self, name: str, card: str) -> tuple[int, str, int]:
        letter = {"fire": "A", "water": "B", "wood": "C"}.get(kind(card), "A")
        return strength(card), letter, (self.names.index(name) - self.dealer) % len(self.names)

    def select(self) -> dict[str, str]:
        chosen: dict[str, str] = {}
        sitting = []
        for name in self.shuffled([name for name in self.names if self.hands[name]]):
            fit = [card for card in self.hands[name] if kind(card) != "torinoko"]
            if fit:
                chosen[name] = self.chance.choice(fit)
                self.say(name, move="select")
            else:
                sitting.append(name)
                self.say(name, move="sit_out", cards=list(self.hands[name]))
        for name, card in chosen.items():
            self.hands[name].remove(card)
        last = not any(self.hands[name] for name in self.names if name not in sitting)
        for name in sitting:
            if len(self.hands[name]) == 1 or last:
                self.hands[name] = []
        return chosen

    def act(self, name: str, card: str) -> None:
        others = [each for each in self.names if each != name]
        self.must_not(self.chance.choice(others), move="discard")
        what = kind(card)
        if what in ELEMENTS or what == "yoso_kogeki":
            self.attack(name, card)
        elif what == "block":
            whom = self.chance.choice([name, self.mates.get(name, name)])
            self.say(name, move="block", **({} if whom == name else {"for": whom}))
            self.blocked.add(whom)
        elif what == "shuriken":
            target = self.chance.choice(self.names)
            self.damage[target].append(card)
            self.say(name, move="shuriken", target=target)
        elif what == "sai":
            self.sai(name)
        elif what == "tonfa":
            self.tonfa(name)

    def fits(self, card: str, on: str) -> bool:
        if on in self.blocked:
            return False
        if kind(card) == "yoso_kogeki":
            return bool(self.piles[on]) or self.options["yoso_may_start_pile"]
        return not self.piles[on] or NEXT[self.piles[on][-1][1]] == kind(card)

    def attack(self, name: str, card: str) -> None:
        yoso = kind(card) == "yoso_kogeki"
        for on in self.names:
            if not self.fits(card, on):
                self.must_not(name, move="play", on=on)
        places = [on for on in self.names if self.fits(card, on)]
        optional = not yoso or self.options["weapons_may_be_discarded"]
        if not places or (optional and self.chance.random() < 0.15):
            self.say(name, move="discard")
            return
        on = self.chance.choice(places)
        pile = self.piles[on]
        element = kind(card) if not yoso else NEXT[pile[-1][1]] if pile else self.chance.choice(ELEMENTS)
        more: dict[str, Any] = {"element": element} if yoso and not pile else {}
        counters = []
        for target in self.names:
            free = target != name and not self.piles[target] and target not in self.blocked
            if on == name and pile and free and not yoso:
                counters.append(target)
            else:
                self.must_not(name, move="play", on=on, counter=target, **more)
        if counters and self.chance.random() < 0.5:
            more = {"counter": self.chance.choice(counters)}
        self.say(name, move="play", on=on, **more)
        pile.append((card, element))
        if "counter" in more:
            self.piles[more["counter"]], self.piles[name] = pile, []

    def sai(self, name: str) -> None:
        free = [each for each in self.names if self.piles[each] and each not in self.blocked]
        for each in self.names:
            if each not in free:
                self.must_not(name, move="sai", swap=[each, self.chance.choice([n for n in self.names if n != each])])
        if len(free) < 2:
            self.say(name, move="discard")
            return
        one, other = self.chance.sample(free, 2)
        self.say(name, move="sai", swap=[one, other])
        self.piles[one], self.piles[other] = self.piles[other], self.piles[one]

    def tonfa(self, name: str) -> None:
        full = [each for each in self.names if self.piles[each]]
        if not full:
            self.say(name, move="discard")
            return
        source = self.chance.choice(full)
        drawn, _ = self.piles[source].pop()
        hand = self.hands[name]
        told: dict[str, Any] = {"discard": self.chance.choice([*hand, drawn])}
        if not hand and self.chance.random() < 0.5:
            told = {}
        self.say(name, move="tonfa", **{"from": source}, **told)
        hand.append(drawn)
        hand.remove(told.get("discard", drawn))

    def damage_phase(self) -> None:
        bombs = any(kind(card) == "torinoko" for hand in self.hands.values() for card in hand)
        safe: list[tuple[str, str | None]] = []
        if bombs:
            for name in self.shuffled([name for name in self.names if self.hands[name]]):
                held = [card for card in self.hands[name] if kind(card) == "torinoko"]
                usable = self.options["last_smoke_bomb"] or len(self.hands[name]) > 1
                if held and usable and self.chance.random() < 0.5:
                    safe.append(self.smoke(name, held[0]))
                else:
                    self.say(name, move="pass")
        for name in self.names:  # in seat order of the users, which matters only where two save the same player
            for user, draw in safe:
                if user == name:
                    self.draw(name, draw)
        saved = {name for name, _ in safe}
        tops = {name: strength(pile[-1][0]) for name, pile in self.piles.items() if pile and name not in saved}
        for name in [name for name, top in tops.items() if top == max(tops.values())]:
            self.damage[name] += [card for card, _ in self.piles[name]]
            self.piles[name] = []

    def smoke(self, name: str, bomb: str) -> tuple[str, str | None]:
        whom = self.chance.choice([name, self.mates.get(name, name)])
        lowest = self.lowest(whom)
        told: dict[str, Any] = {} if whom == name else {"for": whom}
        if len(set(lowest)) > 1 or (lowest and self.chance.random() < 0.3):
            told["draw"] = self.chance.choice(lowest)
        if self.chance.random() < 0.5:
            told["card"] = bomb
        self.say(name, move="smoke", **told)
        self.hands[name].remove(bomb)
        return whom, told.get("draw")

    def lowest(self, name: str) -> list[str]:
        cards = [card for card, _ in self.piles[name]]
        return [card for card in cards if strength(card) == min(map(strength, cards))]

    def draw(self, name: str, wanted: str | None) -> None:
        lowest = self.lowest(name)
        if lowest:
            card = wanted if wanted in lowest else lowest[0]
            at = [laid for laid, _ in self.piles[name]].index(card)
            del self.piles[name][at]
            self.hands[name].append(card)


def kind(card: str) -> str:
    return card.rpartition("-")[0]


def strength(card: str) -> int:
    return int(card.rpartition("-")[2])


@settings(max_examples=50, deadline=None)
@given(headers(), st.randoms(use_true_random=False))
def test_the_referee_agrees_with_a_plain_reading_of_the_rules(header: Any, chance: random.Random) -> None:
    names, options = header
    Honest(names, options, chance).play()
