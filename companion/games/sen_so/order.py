"""The order of play: what is awaited from whom, and which rule a move at the wrong time breaks (SEN-9, SEN-17)."""

from companion.core.message import message
from companion.core.rulings import Refused
from companion.games.kit.game import Awaits, Sealed
from companion.games.sen_so import attack, setup
from companion.games.sen_so.moves import (
    Aim,
    Arm,
    AsGlance,
    ChangeBlock,
    Changes,
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
from companion.games.sen_so.state import SHURIKEN, Ninja, State

ANSWERS: dict[str, tuple[str, ...]] = {"attack": ("aim",), "glance": ("glance",), "guard": ("guard",)}


def awaits(state: State, sealed: Sealed) -> Awaits:
    waiting = {}
    for index, ninja in enumerate(state.ninjas):
        kinds = wanted(state, sealed, index)
        if kinds:
            waiting[ninja.name] = kinds
    return waiting


def wanted(state: State, sealed: Sealed, index: int) -> tuple[str, ...]:
    """What is awaited from one player."""
    ninja = state.ninjas[index]
    kinds = () if ninja.name in sealed else _due(state, sealed, index, ninja)
    if state.options.knock_out is None:
        return kinds
    return () if ninja.out or state.phase == "over" else (*kinds, "concede")


def _due(state: State, sealed: Sealed, index: int, ninja: Ninja) -> tuple[str, ...]:
    match state.phase:
        case "pre_actions":
            return () if ninja.acted else _actions(state, sealed, ninja)
        case "select":
            return () if ninja.down else ("set",)
        case "attack" | "glance" | "guard":
            return ANSWERS[state.phase] if index in state.asked else ()
        case "over":
            return ()
    if ninja.loadout is None:
        return ("arm",)
    if setup.missing(state, index):
        return ("set",)
    return ("show",) if ninja.weapons and not ninja.shown and all_set(state) else ()


def _actions(state: State, sealed: Sealed, ninja: Ninja) -> tuple[str, ...]:
    """Blocks first, then weapons, then everybody else reveals (SEN-17).

    Whoever has a weapon may have another: what is awaited is public and does not tell who chose only one.
    """
    if sealed:
        return ("reveal",)
    kinds: tuple[str, ...] = ("reveal",) if ninja.weapon is None else ("change_weapon", "reveal")
    if state.options.dual_wield and ninja.weapon is not None:
        kinds = ("change_weapon", "second_weapon", "reveal")
    if not state.changed_weapon:
        kinds = ("change_block", *kinds)
    if state.options.rotating_block and ninja.block >= 0 and not ninja.rotated:
        kinds = (*kinds, "rotate_block")
    return kinds


def all_set(state: State) -> bool:
    return all(state.ninjas[index].loadout is not None and not setup.missing(state, index) for index in state.present)


def to_aim(state: State) -> tuple[int, ...]:
    """Whose attack has more than one location to choose from."""
    return tuple(each.by for each in state.attacks if each.target is None and len(each.choices) > 1)


def to_glance(state: State) -> tuple[int, ...]:
    """Who has to say what a glancing attack counts as (SEN-A3)."""
    if state.options.glancing != "choice":
        return ()
    return tuple(each.by for each in state.attacks if not each.glance and attack.near(state, each))


def untimely(state: State, sealed: Sealed, player: str, move: Moves) -> Refused | None:
    """The rule of order that a move at the wrong time breaks."""
    index = state.index(player)
    ninja = state.ninjas[index]
    if state.phase == "over":
        return Refused(("SEN-70", *_end_rules(state)), message("The match is over."))
    if ninja.out:
        return Refused("SEN-A1", message("{player} is out of the match.", player=player))
    match move:
        case SecondWeapon() if not state.options.dual_wield:
            return Refused("SEN-A5", message("Two weapons at once are not agreed on in this match."))
        case ChangeBlock() | ChangeWeapon() | SecondWeapon() | Reveal():
            return _untimely_action(state, sealed, ninja, move)
        case Arm():
            return Refused(
                ("SEN-9", "SEN-12"), message("{player} has chosen the weapons of this match.", player=player)
            )
        case Set():
            return _untimely_set(state, ninja)
        case Show():
            rules = ("SEN-13", "SEN-9") + (("SEN-2",) if move.weapon == SHURIKEN else ())
            return Refused(
                rules, message("Start weapons are turned up once, together, when every card of the set-up lies.")
            )
        case Aim():
            say = "{player} has no attack with locations to choose from now."
            return Refused(("SEN-40", "SEN-27", *_one_location(state, index)), message(say, player=player))
        case Guard():
            return Refused(("SEN-55", "SEN-53"), message("{player} is not hit behind a hidden block.", player=player))
        case RotateBlock():
            say = "{player} can turn an open block by one angle in the Pre-Actions, where that option is agreed on."
            return Refused(("SEN-A4", "SEN-52"), message(say, player=player))
        case AsGlance():
            return Refused("SEN-A3", message("{player} has no glancing attack to decide on.", player=player))
        case Concede():
            return Refused("SEN-A1", message("Only a Knock Out can be conceded."))


ACTION_RULES = {"change_block": "SEN-19", "change_weapon": "SEN-20", "second_weapon": "SEN-A5", "reveal": "SEN-23"}


def _untimely_action(state: State, sealed: Sealed, ninja: Ninja, move: Changes | Reveal) -> Refused:
    own = ACTION_RULES[move.kind]
    if state.phase == "setup":
        return Refused(
            ("SEN-9", "SEN-17", own), message("First every card of the set-up lies and every start weapon is shown.")
        )
    if state.phase == "select":
        say = "First every player places a new second action; then the first ones are played."
        return Refused(("SEN-30", "SEN-17", own), message(say))
    if ninja.acted or ninja.name in sealed:
        say = "{player} has played the action of this set."
        return Refused((own, "SEN-17"), message(say, player=ninja.name))
    if isinstance(move, ChangeBlock):
        say = "{player} comes too late: all blocks change before any weapon and before the reveal."
        return Refused(("SEN-17", own), message(say, player=ninja.name))
    if sealed:
        say = "{player} comes too late: all weapons change before the reveal."
        return Refused(("SEN-17", own), message(say, player=ninja.name))
    only_stars = isinstance(move, ChangeWeapon | SecondWeapon) and move.weapon == SHURIKEN
    rules = ("SEN-2", "SEN-12", own) if only_stars else ("SEN-12", own, "TABLE-1")
    return Refused(rules, message("{player} chose no weapon to change to.", player=ninja.name))


def _untimely_set(state: State, ninja: Ninja) -> Refused:
    if state.phase == "setup" and ninja.loadout is None:
        return Refused("SEN-9", message("{player} chooses weapons first.", player=ninja.name))
    if state.phase in ("setup", "select"):
        rules = ("SEN-9" if state.phase == "setup" else "SEN-30", "SEN-6", "TABLE-1")
        return Refused(rules, message("Every card that {player} sets now lies already.", player=ninja.name))
    return Refused(("SEN-30", "SEN-17"), message("A new second action is placed after the Scoring, once."))


def _one_location(state: State, index: int) -> tuple[str, ...]:
    """Why an attack of this player that is under way leaves nothing to choose."""
    rules = {SHURIKEN: ("SEN-43",), "flying_attack": ("SEN-48", "SEN-47"), "attack": ("SEN-41",)}
    return next((rules[each.card] for each in state.attacks if each.by == index), ())


def _end_rules(state: State) -> tuple[str, ...]:
    end = state.options.end
    assert end is not None
    limits = {"SEN-71": end.time, "SEN-72": end.actions, "SEN-73": end.points, "SEN-A1": state.options.knock_out}
    return tuple(rule for rule, limit in limits.items() if limit is not None)
