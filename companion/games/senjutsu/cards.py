"""The starter set. The booklet names these cards and shows a little of some; the rest is house data and says so.

Every value here can be overruled by an owner of the real cards: the header's `cards` and `samurai` come first.
"""

from functools import cache

import msgspec

from companion.games.senjutsu.card_language.ability import Ability
from companion.games.senjutsu.card_language.script import read_cards


class Fighter(msgspec.Struct, frozen=True):
    """A samurai's console: its initiative number, health, hand limit and kamae tree."""

    name: str
    weapon: str
    initiative: int
    tree: dict[str, tuple[str, ...]]
    """Kamae -> where a branch leads from it; branches may be one-way (SJ-R26)."""
    health: int = 5
    hand: int = 5


FIGHTERS = {
    "master": Fighter(
        "The Master",
        "tachi",
        6,
        {
            "gateway": ("balance", "determination"),
            "balance": ("gateway", "aggression", "determination"),
            "aggression": ("balance",),
            "determination": ("gateway", "balance"),
        },
    ),
    "student": Fighter(
        "The Student",
        "katana",
        7,
        {
            "gateway": ("balance",),
            "balance": ("gateway", "aggression", "determination"),
            "aggression": ("balance",),
            "determination": ("balance",),
        },
    ),
    "ronin": Fighter(
        "The Ronin",
        "naginata",
        8,
        {
            # Aggression can be reached from everywhere and left only by the gateway.
            "gateway": ("aggression", "balance"),
            "balance": ("gateway", "aggression", "determination"),
            "aggression": ("gateway",),
            "determination": ("aggression", "balance"),
        },
    ),
    "vengeful": Fighter(
        "The Vengeful",
        "nodachi",
        5,
        {
            "gateway": ("aggression", "determination", "balance"),
            "aggression": ("determination",),
            "determination": ("aggression", "gateway"),
            "balance": ("aggression", "gateway"),
        },
    ),
}
"""Weapons: public sources. Initiative numbers and trees: house, except the gateway's branch to balance (SJ-60)."""

ALIASES = {"warrior": "vengeful"}

CARDS = """
card Passive
type core
origin inferred: speed 0, the cost, move or kamae are booklet; how far it moves is house
speed 0
cost discard 1
either:
  move up to 1
  rotate up to 1
or:
  kamae

card Swift Mind
type meditation
rank steel
origin inferred: speed 9, move and optional rotation are booklet; rank, grid, kamae line house
speed 9
move up to 1 front
rotate up to 1
in balance: draw 1

card Firm Mind
type meditation
rank steel
origin inferred: speed 5, two optional hexes, rotation, draw 2 are booklet; rank, kamae line house
speed 5
move up to 2 front
rotate up to 1
draw 2
in determination: advantage

card Wild Swing
type attack
rank steel
origin inferred: speed 7, two wounds, the Balanced discard are booklet; rank, grid house
speed 7
attack wound 2
    x
  x   x
    ^
in balance: discard 1

card Calm Defence
type defence
rank wood
origin inferred: speed 6-2 and the compulsory step back are booklet; rank, grid house
speed 6-2
block
    x
  x   x
    ^
move 1 back

card Quick Stab
type attack
rank wood
origin inferred: draw up to 2 in the defensive kamae is the publisher's page; the copies need wood; speed, grid house
speed 8
attack wound 1
    x
    ^
in determination: draw up to 2

card Dragon Moon Slash
type attack
rank jade
origin house
speed 4
attack bleed 1
    3
  1   1
    ^
in aggression: advantage

card Emergency Block
type defence
rank gold
origin house
instant replace
speed 10-1
block
    x
  x   x
    ^
on block: rotate up to 1

card Evasive Step
type meditation
rank steel
origin house
instant add
move up to 1
rotate up to 1

card War Cry
type meditation
rank gold
origin house
speed 6
advantage
foes discard 1
in aggression: foes stun 1

card Calm Composure
type meditation
rank gold
origin house
speed 3
kamae
draw 1
in balance: advantage

card Horizontal Cut
type attack
rank wood
origin house
speed 6
rotate up to 1
attack wound 1
    x
  x   x
    ^
  x   x

card Lunging Thrust
type attack
rank steel
origin house
speed 6
move 1 F
attack wound 1
    x

    x

    ^
in aggression: suffer stun 1

card Dash Down Strike
type attack
rank steel
origin house
speed 8
move up to 2 F
---  4
rotate up to 1
attack wound 2
    x
    ^

card Severing Cut
type attack
rank steel
origin house
speed 5
attack bleed 1
    x
      x
    ^
in aggression: attack wound 1 at F

card Stone Block
type defence
rank wood
origin house
speed 9-1
block
    x
  x   x
    ^
in determination: draw 1

card Wind Block
type defence
rank steel
origin house
speed 10-5
block
    x
  x   x
    ^
  x   x
    .
on block:
  move up to 1
  rotate up to 2

card Deep Meditation
type meditation
rank steel
origin house
speed 2
draw 2
kamae
in determination: draw 1

card Pommel Smash
type attack
rank steel
origin house
instant add
speed =
attack stun 1
    x
    ^
in aggression: attack wound 1 at F

card Circling Defence
type defence
rank steel
origin inferred: a block with good movement, by the designers' diary; speed, grid, rank house
speed 7-3
block
    x
  x   x
    ^
move up to 2
rotate up to 2

card Crimson Whirlwind
type attack
rank gold
sensei
needs aggression
origin inferred: an all-round sweep with long reach, by the designers' diary; speed, rank, kamae house
speed 3
attack wound 1
      x
    x   x
  x   x   x
    x   x
  x   ^   x
    x   x
  x   x   x
    x   x
      x
"""

EXAMPLE = """
1 Dragon Moon Slash
1 Emergency Block
1 Evasive Step
1 War Cry
1 Calm Composure
3 Swift Mind
2 Firm Mind
2 Horizontal Cut
1 Lunging Thrust
1 Dash Down Strike
2 Severing Cut
2 Stone Block
1 Wind Block
4 Quick Stab
3 Deep Meditation
2 Pommel Smash
2 Wild Swing
"""
"""The booklet's example of a deck (SJ-75): thirty cards."""

_COMMON = {
    "emergency_block": 1,
    "calm_composure": 1,
    "war_cry": 1,
    "dragon_moon_slash": 1,
    "swift_mind": 3,
    "firm_mind": 3,
    "quick_stab": 4,
    "deep_meditation": 2,
    "horizontal_cut": 4,
}
DECKS: dict[str, dict[str, int]] = {
    "master": _COMMON
    | {
        "calm_defence": 4,
        "stone_block": 4,
        "wind_block": 2,
        "wild_swing": 3,
        "severing_cut": 3,
        "dash_down_strike": 1,
        "evasive_step": 1,
        "pommel_smash": 2,
    },
    "student": _COMMON
    | {
        "calm_defence": 4,
        "stone_block": 4,
        "wind_block": 1,
        "wild_swing": 3,
        "lunging_thrust": 3,
        "dash_down_strike": 2,
        "evasive_step": 1,
        "pommel_smash": 2,
    },
    "ronin": _COMMON
    | {
        "circling_defence": 3,
        "stone_block": 4,
        "wind_block": 1,
        "lunging_thrust": 3,
        "dash_down_strike": 3,
        "wild_swing": 2,
        "crimson_whirlwind": 1,
        "evasive_step": 1,
        "pommel_smash": 2,
    },
    "vengeful": _COMMON
    | {
        "calm_defence": 4,
        "stone_block": 5,
        "wind_block": 2,
        "wild_swing": 3,
        "severing_cut": 3,
        "dash_down_strike": 1,
        "pommel_smash": 2,
    },
}
"""House decks of forty for demo duels."""


@cache
def starter_cards() -> dict[str, Ability]:
    return read_cards(CARDS)
