"""What the cards and pawns on the table mean."""

from companion.core.layout import Sight
from companion.games.kit.game import Sealed
from companion.games.kit.reading import DOWN, Row, face_down, face_up_card, is_empty, top_card, up
from companion.games.sen_so import moves as m
from companion.games.sen_so import order
from companion.games.sen_so.cards import WEAPONS
from companion.games.sen_so.geometry import NAMES, NUMBER, Direction
from companion.games.sen_so.layout import cell_at, zone
from companion.games.sen_so.placement import missing
from companion.games.sen_so.state import SenSoState


def read(state: SenSoState, sealed: Sealed, player: str, sight: Sight) -> m.Moves | None:
    """What lies on this player's sheet, as an answer to what is awaited from them."""
    kinds = order.awaited_from(state, sealed, state.index(player))
    if "show" in kinds and (weapon := face_up_card(sight, zone(player, "weapon"))):
        return m.Show(weapon)
    if "set" in kinds:
        return _placed(state, player, sight)
    if "reveal" in kinds:
        return _action(state, player, sight)
    block = zone(player, "block")
    if "guard" in kinds and face_up_card(sight, block) == "block":
        return m.ShowBlock(_direction(sight, block))
    return None


def _direction(sight: Sight, place: str) -> Direction:
    """The way the card on top points, as its owner sees it."""
    card = top_card(sight, place)
    assert card is not None
    return NAMES[round(-card.rotation / 45) % 8]


def _placed(state: SenSoState, player: str, sight: Sight) -> m.Set | None:
    """Every card that is due lies face down, and after a set the second action has moved up (SEN-29).

    The start weapon may also lie there alone, to be shown before the rest is placed (SEN-13).
    """
    due = missing(state, state.index(player))
    down = [*due, "action1"] if state.phase == "select" else due
    if all(face_down(sight, zone(player, slot)) for slot in down):
        return m.Set(due)
    alone = due[0] == "weapon" and all(is_empty(sight, zone(player, slot)) for slot in due[1:])
    return m.Set(("weapon",)) if alone and face_down(sight, zone(player, "weapon")) else None


def _action(state: SenSoState, player: str, sight: Sight) -> m.Moves | None:
    """The first action was turned up, or has gone to the block's or the weapon's place."""
    first = zone(player, "action1")
    if not is_empty(sight, first):
        card = face_up_card(sight, first)
        return m.RevealAction(card, _direction(sight, first)) if card else None
    ninja = state.ninjas[state.index(player)]
    weapon_place, block_place = zone(player, "weapon"), zone(player, "block")
    weapon, beside = face_up_card(sight, weapon_place), face_up_card(sight, block_place)
    if beside in WEAPONS and beside != ninja.second:
        return m.SecondWeapon(beside)
    if weapon is not None and weapon != ninja.weapon:
        return m.ChangeWeapon(weapon)
    weapon_stays = weapon == ninja.weapon and (weapon is not None or is_empty(sight, weapon_place))
    return m.ChangeBlock() if weapon_stays and face_down(sight, block_place) else None


def laid(state: SenSoState, player: str, move: m.Moves) -> dict[str, Row] | None:
    """What lies on this player's sheet once the move is made; None for a move that is tapped."""
    weapon = state.ninjas[state.index(player)].weapon
    places: dict[str, Row]
    match move:
        case m.Set():
            places = dict.fromkeys((*move.slots, "action1") if state.phase == "select" else move.slots, DOWN)
        case m.Show():
            places = {"weapon": up(move.weapon)}
        case m.RevealAction():
            places = {"action1": up(move.card, rotation=_rotation(move.turn))}
        case m.ChangeBlock():
            places = {"action1": (), "block": DOWN, "weapon": up(weapon) if weapon else ()}
        case m.ChangeWeapon():
            places = {"action1": (), "weapon": up(move.weapon)}
        case m.SecondWeapon():
            places = {"action1": (), "block": up(move.weapon)}
        case m.ShowBlock() if move.direction is not None:
            places = {"block": up("block", rotation=_rotation(NUMBER[move.direction]))}
        case _:
            return None
    return {zone(player, place): row for place, row in places.items()}


def _rotation(turn: int) -> float:
    return -45.0 * turn % 360


def misplaced(state: SenSoState, sight: Sight) -> dict[str, tuple[str, str]]:
    """Players whose pawn stands elsewhere than the rules have it: name -> (where it stands, where it belongs)."""
    wrong = {}
    for ninja in state.ninjas:
        piece = sight.pieces.get(f"pawn.{ninja.name}")
        if piece is None or ninja.out:
            continue
        stands, belongs = cell_at(state, piece), state.board.name(ninja.cell)
        if stands != belongs:
            wrong[ninja.name] = (stands or "?", belongs)
    return wrong
