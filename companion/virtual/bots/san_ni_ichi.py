"""A San, Ni, Ichi! bot: it hands big piles to others, gets rid of its own and keeps the bomb for a bad moment."""

from math import exp
from random import Random
from typing import Any

from companion.games.san_ni_ichi.cards import BEATS, TONFA, TORINOKO, Value

Piles = dict[str, list[str]]
Move = dict[str, Any]

KEEN = 0.6
"""How certain it is that the highest top card now will be the highest in the end; a small value expects changes."""
OWN = 1.3
"""How much damage to oneself weighs against damage to others."""


class SanNiIchiMind:
    """What one player concludes from the page and the cards in hand. `values` is what is printed on the cards."""

    def __init__(
        self, view: dict[str, Any], name: str, hand: list[str], values: dict[str, Value], random: Random
    ) -> None:
        self.name, self.hand, self.values, self.random = name, hand, values, random
        self.seats = {seat["name"]: seat for seat in view["seats"]}
        self.mate = self.seats[name]["mate"]
        self.piles: Piles = {seat: list(each["pile"]) for seat, each in self.seats.items()}
        self.element = {seat: each["element"] for seat, each in self.seats.items()}

    def friend(self, player: str) -> bool:
        return player in (self.name, self.mate)

    def worth(self, piles: Piles) -> float:
        """How good these piles are for me: each is weighed by the chance that its top card is the highest."""
        tops = {player: self.values[pile[-1]].strength for player, pile in piles.items() if pile}
        if not tops:
            return 0.0
        highest = max(tops.values())
        chance = {player: exp(KEEN * (strength - highest)) for player, strength in tops.items()}
        whole = sum(chance.values())
        hurt = {player: chance[player] / whole * self.weight(piles[player]) for player in tops}
        return sum(-OWN * damage if self.friend(player) else damage for player, damage in hurt.items())

    def weight(self, pile: list[str]) -> float:
        return sum(self.values[card].score for card in pile)

    def threatened(self, player: str) -> bool:
        """This player's top card is the highest on the table now."""
        tops = {seat: self.values[pile[-1]].strength for seat, pile in self.piles.items() if pile}
        return player in tops and tops[player] == max(tops.values())

    def rival(self) -> str:
        """The opponent with the smallest Damage Pile, as far as anybody can see."""
        others: list[str] = [player for player in self.seats if not self.friend(player)]
        return min(others, key=lambda player: (self.seats[player]["taken"], self.random.random()))


def choose(mind: SanNiIchiMind) -> str:
    """The card to lay face down. Smoke bombs are never selected."""
    able = [card for card in mind.hand if mind.values[card].kind != TORINOKO]
    return max(able, key=lambda card: _promise(mind, mind.values[card]) + mind.random.random() * 4.0)


def _promise(mind: SanNiIchiMind, value: Value) -> float:
    piles = [player for player, pile in mind.piles.items() if pile]
    in_danger = mind.threatened(mind.name)
    match value.kind:
        case "attack":
            onto = [player for player in piles if BEATS[value.element] == mind.element[player]]
            free = len(mind.piles) - len(piles)
            escape = in_danger and mind.name in onto and free > 0
            blow = 0.3 * value.strength if any(not mind.friend(player) for player in onto) else 0.0
            return 1.0 + blow + 0.5 * min(2, free) + (5.0 if escape else 0.0)
        case "yoso_kogeki":
            return 5.0 if any(not mind.friend(player) for player in piles) else 0.0
        case "block":
            return 2.5 if not in_danger else 1.0
        case "sai":
            return (6.0 if in_danger else 3.0) if len(piles) > 1 else 0.0
        case "tonfa":
            return (5.0 if in_danger else 2.0) if piles else 0.0
    return 4.0


def play(mind: SanNiIchiMind, card: str, choices: list[Move]) -> Move:
    """What to do with the card that is next, out of everything that is allowed."""
    value = mind.values[card]
    if value.kind == TONFA:
        choices = _with_own_discard(mind, choices)
    return max(choices, key=lambda move: _gain(mind, value, move) + mind.random.random() * 0.8)


def _with_own_discard(mind: SanNiIchiMind, choices: list[Move]) -> list[Move]:
    """The page lists every card that could be in the hand; these are in it, and the least wanted one goes."""
    sources = dict.fromkeys(move["from"] for move in choices if move["move"] == "tonfa")
    found: list[Move] = [move for move in choices if move["move"] != "tonfa"]
    for source in sources:
        drawn = mind.piles[source][-1]
        given = min([*mind.hand, drawn], key=lambda card: _promise(mind, mind.values[card]))
        found.append({"move": "tonfa", "from": source, "discard": given})
    return found


def _gain(mind: SanNiIchiMind, value: Value, move: Move) -> float:
    piles = {player: list(pile) for player, pile in mind.piles.items()}
    match move["move"]:
        case "play":
            piles[move["on"]].append(value.card)
            if "counter" in move:
                piles[move["counter"]], piles[move["on"]] = piles[move["on"]], []
        case "sai":
            one, other = move["swap"]
            piles[one], piles[other] = piles[other], piles[one]
        case "tonfa":
            piles[move["from"]].pop()
        case "shuriken":
            return 9.0 if move["target"] == mind.rival() else -9.0
        case "block":
            mate = move.get("for", mind.name)
            return 6.0 if not mind.threatened(mate) else 3.0
    # Giving a card up is a waste, unless everything else is worse.
    return mind.worth(piles) - mind.worth(mind.piles) - (0.5 if move["move"] == "discard" else 0.0)


def smoke(mind: SanNiIchiMind, choices: list[Move]) -> Move:
    """Whether to use a bomb now, and for whom: for a pile that is about to be taken and is worth it."""
    passing: Move = {"move": "pass"}
    bombs = [card for card in mind.hand if mind.values[card].kind == TORINOKO]
    if not bombs:
        return passing
    bar = 3.0 if len(mind.hand) <= 2 else 9.0
    best, chosen = bar, passing
    for move in choices:
        owner = move.get("for", mind.name)
        if move["move"] == "smoke" and mind.threatened(owner):
            saved = mind.weight(mind.piles[owner]) + mind.random.random()
            if saved > best:
                best, chosen = saved, move
    return chosen
