"""The order of play: what is awaited from whom, and which rule a move at the wrong time breaks (SEN-9, SEN-17)."""

from companion.game import Awaits, Sealed
from companion.games.sen_so import attack, setup
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
    Set,
    Show,
)
from companion.games.sen_so.state import HIDDEN, Attack, State
from companion.rulings import Refused


def awaits(state: State, sealed: Sealed) -> Awaits:
    waiting: dict[str, tuple[str, ...]] = {}
    conceding = ("concede",) if state.options.knock_out is not None and state.phase != "over" else ()
    for index, ninja in enumerate(state.ninjas):
        if ninja.out:
            continue
        kinds = () if ninja.name in sealed else _wanted(state, sealed, index)
        if kinds or conceding:
            waiting[ninja.name] = kinds + conceding
    return waiting


def _wanted(state: State, sealed: Sealed, index: int) -> tuple[str, ...]:
    ninja = state.ninjas[index]
    match state.phase:
        case "setup":
            if ninja.loadout is None:
                return ("arm",)
            if setup.missing(state, index):
                return ("set",)
            return ("show",) if all_set(state) and ninja.weapons and not ninja.shown else ()
        case "pre_actions":
            return _pre_actions(state, sealed, index)
        case "attack":
            return ("aim",) if any(each.by == index and aim_open(each) for each in state.attacks) else ()
        case "glance":
            return ("glance",) if any(each.by == index and glance_open(state, each) for each in state.attacks) else ()
        case "guard":
            return ("guard",) if index in state.guards else ()
        case "select":
            return ("set",) if setup.missing(state, index) else ()
    return ()


def _pre_actions(state: State, sealed: Sealed, index: int) -> tuple[str, ...]:
    """Blocks first, then weapons, then everybody else reveals (SEN-17)."""
    ninja = state.ninjas[index]
    if ninja.acted:
        return ()
    kinds: tuple[str, ...] = ("reveal",)
    if not sealed:
        if _replacements(ninja.weapons, ninja.weapon):
            kinds = ("change_weapon", *kinds)
        if not state.changed_weapon:
            kinds = ("change_block", *kinds)
        if state.options.rotating_block and ninja.block != HIDDEN and not ninja.rotated:
            kinds = (*kinds, "rotate_block")
    return kinds


def _replacements(weapons: tuple[str, ...], active: str | None) -> tuple[str, ...]:
    return tuple(weapon for weapon in weapons if weapon != active)


def all_set(state: State) -> bool:
    return all(state.ninjas[index].loadout is not None and not setup.missing(state, index) for index in state.present)


def aim_open(each: Attack) -> bool:
    """Its location is still to be chosen."""
    return each.target is None and len(each.choices) > 1


def glance_open(state: State, each: Attack) -> bool:
    """What this glancing attack counts as is still to be chosen."""
    return state.options.glancing == "choice" and not each.glance and bool(attack.near(state, each))


def untimely(state: State, sealed: Sealed, player: str, move: Moves) -> Refused | None:
    """The rule of order that a move at the wrong time breaks."""
    facts = {"player": player}
    if state.phase == "over":
        return Refused("SEN-70", "The match is over.")
    match move:
        case ChangeBlock() if state.phase == "pre_actions":
            return Refused(
                ("SEN-17", "SEN-19"),
                "{player} comes too late: all blocks change before any weapon and before the reveal.",
                **facts,
            )
        case ChangeWeapon() if state.phase == "pre_actions" and not sealed:
            return Refused(
                ("SEN-20", "SEN-12"), "{player} has played this action, or has no other weapon to change to.", **facts
            )
        case ChangeWeapon() if state.phase == "pre_actions":
            return Refused(
                ("SEN-17", "SEN-20"), "{player} comes too late: all weapons change before the reveal.", **facts
            )
        case ChangeBlock() | ChangeWeapon() | Reveal() if state.phase in ("setup", "select"):
            return Refused(
                ("SEN-17", "SEN-30", "SEN-23"), "First every player's cards lie face down; then actions are played."
            )
        case Reveal():
            return Refused(("SEN-23", "SEN-17"), "{player} has played the action of this set.", **facts)
        case RotateBlock():
            return Refused(
                "SEN-A4",
                "{player} can turn an open block by one angle in the Pre-Actions, where that option is agreed on.",
                **facts,
            )
        case Arm():
            return Refused(("SEN-9", "SEN-12"), "{player} has chosen the weapons of this match.", **facts)
        case Set() if state.phase == "setup":
            return Refused("SEN-9", "{player} chooses weapons first, and then sets each card once.", **facts)
        case Set():
            return Refused(("SEN-30", "SEN-29"), "A new second action is placed after the Scoring, once.", **facts)
        case Show():
            return Refused(
                "SEN-13", "Start weapons are turned up together when every card of the set-up lies.", **facts
            )
        case Aim():
            return Refused(("SEN-40", "SEN-27"), "{player} has no attack with locations to choose from now.", **facts)
        case AsGlance():
            return Refused("SEN-A3", "{player} has no glancing attack to decide on.", **facts)
        case Guard():
            return Refused("SEN-55", "{player} is not hit behind a hidden block.", **facts)
        case Concede():
            return Refused("SEN-A1", "Only a Knock Out can be conceded.", **facts)
    return None
