"""Every move that a player may make now, for bots, pages and the tests that try them all."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from companion.games.kit.game import Sealed
from companion.games.sen_so import attack, order
from companion.games.sen_so import moves as m
from companion.games.sen_so.cards import INVENTORY, REVEALED, SHURIKEN, WEAPONS
from companion.games.sen_so.geometry import NAMES
from companion.games.sen_so.placement import SECOND_ACTION, missing
from companion.games.sen_so.state import Ninja, SenSoState


def _loadouts() -> Iterator[m.Arm]:
    held = [weapon for weapon in WEAPONS if weapon != SHURIKEN]
    for count in range(len(held) + 1):
        for chosen in combinations(held, count):
            for shuriken in range(WEAPONS[SHURIKEN].copies + 1):
                weapons = chosen + (SHURIKEN,) * shuriken
                if sum(WEAPONS[weapon].spaces for weapon in weapons) <= INVENTORY:
                    yield m.Arm(weapons)


# These never change, so they are made once.
LOADOUTS = tuple(_loadouts())
REVEALS = tuple(m.RevealAction(card, direction) for card in REVEALED for direction in NAMES)
REVEALS_WITHOUT_SHURIKEN = tuple(reveal for reveal in REVEALS if reveal.card != SHURIKEN)
SET_SECOND_ACTION = (m.Set(SECOND_ACTION),)
SET_WEAPON = m.Set(("weapon",))
GUARDS = tuple(m.ShowBlock(direction) for direction in NAMES)


def legal_moves(state: SenSoState, sealed: Sealed, player: str) -> Sequence[m.Moves]:
    index = state.index(player)
    kinds = order.awaited_from(state, sealed, index)
    if len(kinds) == 1:  # the most frequent case needs no list of its own
        return LISTED[kinds[0]](state, index)
    found: list[m.Moves] = []
    for kind in kinds:
        found += LISTED[kind](state, index)
    return found


def _sets(state: SenSoState, index: int) -> Sequence[m.Moves]:
    if state.phase == "select":
        return SET_SECOND_ACTION
    due = missing(state, index)
    return (m.Set(due), SET_WEAPON) if due[0] == "weapon" else (m.Set(due),)


def _shows(state: SenSoState, index: int) -> Sequence[m.Moves]:
    return [m.Show(weapon) for weapon in state.ninjas[index].weapons]


def _weapon_changes(state: SenSoState, index: int) -> Sequence[m.Moves]:
    ninja = state.ninjas[index]
    return [m.ChangeWeapon(weapon) for weapon in _spare(state, ninja, ninja.second)]


def _second_weapons(state: SenSoState, index: int) -> Sequence[m.Moves]:
    ninja = state.ninjas[index]
    return [m.SecondWeapon(weapon) for weapon in _spare(state, ninja, ninja.weapon)]


def _spare(state: SenSoState, ninja: Ninja, other: str | None) -> list[str]:
    """Weapons that can be taken up beside the one in the other hand."""
    held = ninja.held
    return [weapon for weapon in ninja.weapons if weapon not in held and state.manageable(weapon, other)]


def _rotations(state: SenSoState, index: int) -> Sequence[m.Moves]:
    return [m.RotateBlock(NAMES[(state.ninjas[index].block + turn) % 8]) for turn in (1, -1)]


def _reveals(state: SenSoState, index: int) -> Sequence[m.Moves]:
    return REVEALS if state.ninjas[index].shuriken else REVEALS_WITHOUT_SHURIKEN


def _aims(state: SenSoState, index: int) -> Sequence[m.Moves]:
    choices = next(each.choices for each in state.attacks if each.by == index)
    return [m.AimAt(state.board.name(cell)) for cell in choices]


def _guards(state: SenSoState, index: int) -> Sequence[m.Moves]:
    shown = sorted(attack.sides_hit(state, index) - state.ninjas[index].unguarded)
    return [m.ShowBlock(None), *(GUARDS[side] for side in shown)]


LISTED: dict[str, Callable[[SenSoState, int], Sequence[m.Moves]]] = {
    "arm": lambda *_: LOADOUTS,
    "set": _sets,
    "show": _shows,
    "change_block": lambda *_: (m.ChangeBlock(),),
    "change_weapon": _weapon_changes,
    "second_weapon": _second_weapons,
    "rotate_block": _rotations,
    "reveal": _reveals,
    "aim": _aims,
    "glance": lambda *_: (m.AsGlance("attack"), m.AsGlance("wound"), m.AsGlance("blow")),
    "guard": _guards,
    "concede": lambda *_: (m.Concede(),),
}
