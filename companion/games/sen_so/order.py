"""The order of play: what is awaited from whom, and which rule a move at the wrong time breaks (SEN-9, SEN-17)."""

from functools import cache

from companion.core.message import Thing, message
from companion.core.rulings import Refused
from companion.games.kit.game import Awaits, Sealed
from companion.games.sen_so import moves as m
from companion.games.sen_so.cards import SHURIKEN
from companion.games.sen_so.placement import missing, weapons_placed
from companion.games.sen_so.state import Ninja, SenSoState

ANSWERS: dict[str, tuple[str, ...]] = {"attack": ("aim",), "glance": ("glance",), "guard": ("guard",)}
ACTION_RULES = {"change_block": "SEN-19", "change_weapon": "SEN-20", "second_weapon": "SEN-A5", "reveal": "SEN-23"}
SINGLE_LOCATION: dict[str, tuple[str, ...]] = {
    SHURIKEN: ("SEN-43",),
    "flying_attack": ("SEN-48", "SEN-47"),
    "attack": ("SEN-41",),
}
"""Why an attack with this card can leave nothing to choose."""


def awaits(state: SenSoState, sealed: Sealed) -> Awaits:
    waiting = {}
    for index, ninja in enumerate(state.ninjas):
        kinds = awaited_from(state, sealed, index)
        if kinds:
            waiting[ninja.name] = kinds
    return waiting


def awaited_from(state: SenSoState, sealed: Sealed, index: int) -> tuple[str, ...]:
    """The kinds of move that one player may make now."""
    ninja = state.ninjas[index]
    if ninja.name not in sealed:
        kinds = _due(state, sealed, index, ninja)
    else:
        # Whoever has shown the start weapon may go on setting up while the others turn theirs up.
        kinds = ("set",) if state.phase == "setup" and missing(state, index) else ()
    if state.options.knock_out is None:
        return kinds
    return () if ninja.out or state.phase == "over" else (*kinds, "concede")


def _due(state: SenSoState, sealed: Sealed, index: int, ninja: Ninja) -> tuple[str, ...]:
    match state.phase:
        case "pre_actions":
            return () if ninja.acted else _actions(state, sealed, ninja)
        case "select":
            return () if ninja.down else ("set",)
        case "attack" | "glance" | "guard":
            return ANSWERS[state.phase] if index in state.asked else ()
        case "setup":
            return _setup_step(state, index, ninja)
        case "over":
            return ()


def _setup_step(state: SenSoState, index: int, ninja: Ninja) -> tuple[str, ...]:
    if ninja.loadout is None:
        return ("arm",)
    shows = ninja.weapons and not ninja.shown and weapons_placed(state)
    return (("set",) if missing(state, index) else ()) + (("show",) if shows else ())


def _actions(state: SenSoState, sealed: Sealed, ninja: Ninja) -> tuple[str, ...]:
    """Blocks first, then weapons, then everybody else reveals (SEN-17).

    What is awaited is public, so everybody with a weapon may be asked to change it: otherwise the question would tell
    who chose only one.
    """
    if sealed:
        return ("reveal",)
    armed, options = ninja.weapon is not None, state.options
    rotates = options.rotating_block and ninja.block >= 0 and not ninja.rotated
    return _action_kinds(not state.changed_weapon, armed, armed and options.dual_wield, rotates)


@cache
def _action_kinds(block: bool, weapon: bool, second_weapon: bool, rotation: bool) -> tuple[str, ...]:
    possible = {
        "change_block": block,
        "change_weapon": weapon,
        "second_weapon": second_weapon,
        "reveal": True,
        "rotate_block": rotation,
    }
    return tuple(kind for kind, open_now in possible.items() if open_now)


def out_of_turn(state: SenSoState, sealed: Sealed, player: str, move: m.Moves) -> Refused | None:
    """The refusal of a move at the wrong time, by the rule of order that it breaks."""
    ninja = state.ninjas[state.index(player)]
    if state.phase == "over":
        return Refused(("SEN-70", *_end_rules(state)), message("The match is over."))
    if ninja.out:
        return Refused("SEN-A1", message("{player} is out of the match.", player=Thing("player", player)))
    match move:
        case m.SecondWeapon() if not state.options.dual_wield:
            return Refused("SEN-A5", message("This match is played without a second weapon."))
        case m.ChangeBlock() | m.ChangeWeapon() | m.SecondWeapon() | m.RevealAction():
            return _late_action(state, sealed, ninja, move)
        case m.Arm() | m.Set() | m.Show():
            return _late_placement(state, ninja, move)
        case m.AimAt() | m.ShowBlock() | m.AsGlance():
            return _unasked_answer(state, ninja, move)
        case m.RotateBlock():
            told = message(
                "{player} can turn a face-up block by one angle in the Pre-Actions, if the match allows that.",
                player=Thing("player", player),
            )
            return Refused(("SEN-A4", "SEN-52"), told)
        case m.Concede():
            return Refused("SEN-A1", message("Only a Knock Out can be conceded."))


def _end_rules(state: SenSoState) -> tuple[str, ...]:
    end = state.options.end
    assert end is not None
    limits = {"SEN-71": end.time, "SEN-72": end.actions, "SEN-73": end.points, "SEN-A1": state.options.knock_out}
    return tuple(rule for rule, limit in limits.items() if limit is not None)


def _late_action(state: SenSoState, sealed: Sealed, ninja: Ninja, move: m.Changes | m.RevealAction) -> Refused:
    own, player = ACTION_RULES[move.kind], ninja.thing
    if state.phase == "setup":
        told = message("First every set-up card must be in place and every start weapon shown.")
        return Refused(("SEN-9", "SEN-17", own), told)
    if state.phase == "select":
        told = message("First every player places a new second action; then the first ones are played.")
        return Refused(("SEN-30", "SEN-17", own), told)
    if ninja.acted or ninja.name in sealed:
        return Refused((own, "SEN-17"), message("{player} has already played this set's action.", player=player))
    if isinstance(move, m.ChangeBlock):
        return Refused(
            ("SEN-17", own),
            message("{player} is too late: all blocks change before any weapon and before the reveal.", player=player),
        )
    if sealed:
        told = message("{player} is too late: all weapons change before the reveal.", player=player)
        return Refused(("SEN-17", own), told)
    is_shuriken = isinstance(move, m.ChangeWeapon | m.SecondWeapon) and move.weapon == SHURIKEN
    rules = ("SEN-2", "SEN-12", own) if is_shuriken else ("SEN-12", own, "TABLE-1")
    return Refused(rules, message("{player} chose no weapon to change to.", player=player))


def _late_placement(state: SenSoState, ninja: Ninja, move: m.Arm | m.Set | m.Show) -> Refused:
    player = ninja.thing
    if isinstance(move, m.Arm):
        return Refused(("SEN-9", "SEN-12"), message("{player} has chosen the weapons of this match.", player=player))
    if isinstance(move, m.Show):
        rules = ("SEN-13", "SEN-9") + (("SEN-2",) if move.weapon == SHURIKEN else ())
        told = message("Start weapons are turned up once, together, when every player's start weapon is in place.")
        return Refused(rules, told)
    if state.phase == "setup" and ninja.loadout is None:
        return Refused("SEN-9", message("{player} chooses weapons first.", player=player))
    if state.phase in ("setup", "select"):
        rules = ("SEN-9" if state.phase == "setup" else "SEN-30", "SEN-6", "TABLE-1")
        return Refused(rules, message("{player} has already placed every card that is due now.", player=player))
    return Refused(("SEN-30", "SEN-17"), message("A new second action is placed after the Scoring, once."))


def _unasked_answer(state: SenSoState, ninja: Ninja, move: m.AimAt | m.ShowBlock | m.AsGlance) -> Refused:
    player = ninja.thing
    match move:
        case m.ShowBlock():
            return Refused(("SEN-55", "SEN-53"), message("{player} is not hit behind a hidden block.", player=player))
        case m.AsGlance():
            return Refused("SEN-A3", message("{player} has no glancing attack to decide on.", player=player))
        case m.AimAt():
            under_way = (each.card for each in state.attacks if state.ninjas[each.by] is ninja)
            reasons = next((SINGLE_LOCATION[card] for card in under_way), ())
            told = message("{player} has no attack with locations to choose from now.", player=player)
            return Refused(("SEN-40", "SEN-27", *reasons), told)
