"""Every move that is open to a player, for bots, pages and the tests that try them all."""

from collections.abc import Sequence
from itertools import combinations

from companion.games.kit.game import Sealed
from companion.games.sen_so import attack, order, play, setup
from companion.games.sen_so.geometry import NAMES
from companion.games.sen_so.moves import (
    Aim,
    Arm,
    AsGlance,
    ChangeBlock,
    ChangeWeapon,
    Concede,
    Guard,
    Moves,
    Reveal,
    RotateBlock,
    SecondWeapon,
    Set,
    Show,
)
from companion.games.sen_so.state import INVENTORY, SHURIKEN, WEAPONS, Ninja, State

REVEALS = tuple(Reveal(card, direction) for card in play.CARDS for direction in NAMES)
PLAIN_REVEALS = tuple(reveal for reveal in REVEALS if reveal.card != SHURIKEN)
SECOND_ACTION = (Set(setup.SECOND_ACTION),)
GUARDS = tuple(Guard(direction) for direction in NAMES)


def _loadouts() -> tuple[Arm, ...]:
    held = [weapon for weapon in WEAPONS if weapon != SHURIKEN]
    found = []
    for count in range(len(held) + 1):
        for chosen in combinations(held, count):
            for stars in range(WEAPONS[SHURIKEN].copies + 1):
                weapons = chosen + (SHURIKEN,) * stars
                if sum(WEAPONS[weapon].spaces for weapon in weapons) <= INVENTORY:
                    found.append(Arm(weapons))
    return tuple(found)


LOADOUTS = _loadouts()


def options(state: State, sealed: Sealed, player: str) -> Sequence[Moves]:
    index = state.index(player)
    kinds = order.wanted(state, sealed, index)
    if len(kinds) == 1:  # the most frequent case: no list is built
        return _of_kind(state, index, kinds[0])
    found: list[Moves] = []
    for kind in kinds:
        found += _of_kind(state, index, kind)
    return found


def _of_kind(state: State, index: int, kind: str) -> Sequence[Moves]:
    ninja = state.ninjas[index]
    match kind:
        case "arm":
            return LOADOUTS
        case "set":
            return SECOND_ACTION if state.phase == "select" else (Set(setup.missing(state, index)),)
        case "show":
            return [Show(weapon) for weapon in ninja.weapons]
        case "change_block":
            return (ChangeBlock(),)
        case "change_weapon":
            return [ChangeWeapon(weapon) for weapon in _spare(state, ninja, ninja.second)]
        case "second_weapon":
            return [SecondWeapon(weapon) for weapon in _spare(state, ninja, ninja.weapon)]
        case "rotate_block":
            return [RotateBlock(NAMES[(ninja.block + turn) % 8]) for turn in (1, -1)]
        case "reveal":
            return REVEALS if ninja.shuriken else PLAIN_REVEALS
        case "aim":
            choices = next(each.choices for each in state.attacks if each.by == index)
            return [Aim(state.board.name(cell)) for cell in choices]
        case "glance":
            return [AsGlance("attack"), AsGlance("wound"), AsGlance("blow")]
        case "guard":
            shown = sorted(attack.sides_hit(state, index) - ninja.unguarded)
            return [Guard(None), *(GUARDS[side] for side in shown)]
        case "concede":
            return (Concede(),)
    return ()


def _spare(state: State, ninja: Ninja, other: str | None) -> list[str]:
    """Weapons that can be taken up beside the one in the other hand."""
    held = ninja.held
    return [weapon for weapon in ninja.weapons if weapon not in held and state.manageable(weapon, other)]
