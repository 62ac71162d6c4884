"""Cards on the play sheets: choosing weapons, filling the places, showing the start weapons (SEN-6 to SEN-16)."""

from collections.abc import Mapping

from companion.core.message import Thing, message, plural, things
from companion.core.rulings import Refused, Ruling
from companion.games.sen_so.cards import INVENTORY, SHURIKEN, WEAPONS
from companion.games.sen_so.moves import Arm, Set, Show
from companion.games.sen_so.setup import unknown_weapon
from companion.games.sen_so.state import SLOTS, Ninja, SenSoState, Slot

SLOT_RULES: dict[Slot, str] = {"weapon": "SEN-13", "block": "SEN-14", "action1": "SEN-15", "action2": "SEN-16"}
SECOND_ACTION: tuple[Slot, ...] = ("action2",)
LATE_RULES: dict[Slot, tuple[str, ...]] = {"weapon": ("SEN-20",), "block": ("SEN-19", "SEN-52")}
"""After the set-up these places change only by an action."""


def check_arm(ninja: Ninja, move: Arm) -> None:
    for weapon in move.weapons:
        if weapon not in WEAPONS:
            raise unknown_weapon(weapon)
    for weapon in set(move.weapons):
        asked, copies = move.weapons.count(weapon), WEAPONS[weapon].copies
        if asked > copies:
            told = plural(
                "{player} has {count} {weapon} card, not {asked}.",
                "{player} has {count} {weapon} cards, not {asked}.",
                copies,
                player=ninja.thing,
                weapon=Thing("weapon", weapon),
                asked=asked,
            )
            raise Refused(("TABLE-1", "SEN-10", *(("SEN-82",) if weapon == SHURIKEN else ())), told)
    spaces = sum(WEAPONS[weapon].spaces for weapon in move.weapons)
    if spaces > INVENTORY:
        told = plural(
            "{player}'s weapons take {count} inventory space; there are {limit}.",
            "{player}'s weapons take {count} inventory spaces; there are {limit}.",
            spaces,
            player=ninja.thing,
            limit=INVENTORY,
        )
        raise Refused("SEN-10", told)


def arm(state: SenSoState, index: int, move: Arm) -> tuple[SenSoState, tuple[Ruling, ...]]:
    # Everybody can read a ruling, so this one does not tell which weapons were chosen.
    player = state.ninjas[index].thing
    said = Ruling("SEN-10", message("{player} has chosen the weapons of this match.", player=player))
    weapons = tuple(weapon for weapon in move.weapons if weapon != SHURIKEN)
    return state.with_ninja(index, loadout=move.weapons, weapons=weapons), (said,)


def missing(state: SenSoState, index: int) -> tuple[Slot, ...]:
    """The places on this player's sheet that still wait for a card, in the order of the set-up (SEN-9)."""
    ninja = state.ninjas[index]
    if state.phase == "select":
        return () if ninja.down else SECOND_ACTION
    return tuple(slot for slot in (SLOTS if ninja.weapons else SLOTS[1:]) if slot not in ninja.down)


def all_placed(state: SenSoState) -> bool:
    """Whether everybody is armed and has every card of the set-up in place."""
    return all(state.ninjas[index].loadout is not None and not missing(state, index) for index in state.present)


def weapons_placed(state: SenSoState) -> bool:
    """Whether the start weapon of everybody who has one lies face down, so that all can be turned up (SEN-13)."""
    ninjas = [state.ninjas[index] for index in state.present]
    return all(ninja.loadout is not None and ("weapon" in ninja.down or not ninja.weapons) for ninja in ninjas)


def set_up(state: SenSoState) -> bool:
    """Whether every card of the set-up is in place and every start weapon shown, so that the first set begins."""
    shown = all(state.ninjas[index].shown or not state.ninjas[index].weapons for index in state.present)
    return shown and all_placed(state)


def check_set(state: SenSoState, index: int, move: Set) -> None:
    ninja, open_slots = state.ninjas[index], missing(state, index)
    if move.slots == open_slots:
        return
    if not move.slots or len(set(move.slots)) < len(move.slots):
        raise Refused(("SEN-6", "TABLE-1", "TABLE-4"), message("Each place that gets a card is named once."))
    for slot in move.slots:
        _check_slot(state, ninja, slot, open_slots)
    if set(move.slots) != set(open_slots[: len(move.slots)]):
        first = next(slot for slot in open_slots if slot not in move.slots)
        told = message(
            "{player} sets up in order: weapon, block, first action, second action; {slot} comes first.",
            player=ninja.thing,
            slot=Thing("slot", first),
        )
        raise Refused(("SEN-9", SLOT_RULES[first], "TABLE-3"), told)


def _check_slot(state: SenSoState, ninja: Ninja, slot: Slot, open_slots: tuple[Slot, ...]) -> None:
    player = ninja.thing
    if slot == "weapon" and not ninja.weapons:
        told = message("{player} has no weapon to start with.", player=player)
        raise Refused(("SEN-13", "SEN-2", "SEN-12", "TABLE-2", "TABLE-3"), told)
    if state.phase == "select" and slot != "action2":
        told = message("Now only the second action is placed, not this: {slot}.", slot=Thing("slot", slot))
        raise Refused(("SEN-30", "SEN-29", *LATE_RULES.get(slot, ()), "TABLE-3"), told)
    if slot not in open_slots:
        told = message("{player} already has a card in this place: {slot}.", player=player, slot=Thing("slot", slot))
        raise Refused(("SEN-6", "TABLE-1", "TABLE-3"), told)


def put_down(state: SenSoState, index: int, move: Set) -> SenSoState:
    return state.with_ninja(index, down=state.ninjas[index].down | set(move.slots))


def check_weapon(ninja: Ninja, weapon: str, rule: str) -> None:
    """A weapon that is about to be held must exist, be no Shuriken, and have been chosen for this match."""
    if weapon not in WEAPONS:
        raise unknown_weapon(weapon)
    if weapon == SHURIKEN:
        told = message("A Shuriken is played as an attack; it cannot be the active weapon.")
        raise Refused(("SEN-2", "SEN-21", rule), told)
    if weapon not in ninja.weapons:
        told = message(
            "{player} did not choose the weapon {weapon} for this match.",
            player=ninja.thing,
            weapon=Thing("weapon", weapon),
        )
        raise Refused(("SEN-12", rule, "TABLE-1"), told)


def check_change(state: SenSoState, ninja: Ninja, weapon: str, other: str | None, rule: str) -> None:
    """A weapon that is taken up, beside the one in the other hand if there is one (SEN-20, SEN-A5)."""
    check_weapon(ninja, weapon, rule)
    player = ninja.thing
    if weapon in ninja.held:
        told = message("{player} already has the {weapon} in play.", player=player, weapon=Thing("weapon", weapon))
        raise Refused(("TABLE-1", rule), told)
    if other is not None and not state.manageable(weapon, other):
        told = message(
            "{player} has two hands: {weapons} take more.",
            player=player,
            weapons=things("weapon", (other, weapon)),
        )
        raise Refused("SEN-A5", told)


def show(state: SenSoState, moves: Mapping[str, Show]) -> tuple[SenSoState, tuple[Ruling, ...]]:
    """All start weapons are turned up together, whatever else lies there already (SEN-13)."""
    rulings = []
    for name, move in moves.items():
        state = state.with_ninja(state.index(name), weapon=move.weapon, shown=True)
        rulings.append(
            Ruling(
                "SEN-13",
                message(
                    "{player} starts with the weapon {weapon}.",
                    player=Thing("player", name),
                    weapon=Thing("weapon", move.weapon),
                ),
                {f"players.{name}.weapon": (None, move.weapon)},
            )
        )
    return state, tuple(rulings)
