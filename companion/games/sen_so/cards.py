"""What is printed on the cards, as data: the weapons of `weapons.toml`, and the action cards by name."""

import msgspec

from companion.games.kit.catalogue import table_of


class WeaponCard(msgspec.Struct, frozen=True):
    spaces: int
    """Inventory spaces, the number in the octagon (SEN-10)."""
    pattern: tuple[tuple[int, int], ...]
    """[forward, right] for an attack straight ahead."""
    pattern_origin: str
    hands: int
    """How many hands it takes (SEN-A5)."""
    helps: str = ""
    """The movement that this weapon allows without a movement before it."""
    copies: int = 1


WEAPONS = table_of(__package__, "weapons.toml", dict[str, WeaponCard])
SHURIKEN = "shuriken"
INVENTORY = 8
BARE_HANDS = ((1, 0),)
"""Without a weapon an attack has one location, straight ahead (SEN-R1)."""
BOTH_HANDS = 2

REVEALED = ("move", "leap", "flying_attack", "attack", SHURIKEN)
"""Cards that are turned up as an action; blocks and weapons change in the Pre-Actions instead."""
MOVEMENTS = ("move", "leap", "flying_attack")
