"""What the cards on the table mean as an answer to what is awaited.

How a play is laid so that it can be read:
- selected: face down on the own `selected` place; bombs of a player who sits out are shown face up there;
- an attack card on its Combat Pile; for a Counter the pile moves first and then the card is laid on it; a card
  given up on `discard`;
- Block turned upright on the own `selected` place, or laid upright on the team-mate's; Sai stays where it is
  while two piles change places; a Shuriken goes face up onto the Damage Pile and is turned down once read;
- Tonfa: the top card is gone from its pile and the hand card that is given up lies on `discard`;
- a smoke bomb face up on the own `selected` place; who presses ready without one has passed.

Two cards may be the same (`block-0`), and nobody promises an order of the discards: where what lies there could be
an older card, nothing is read, and a tap says it.
"""

from typing import Any

from companion.core.layout import SeenCard, Sight
from companion.core.message import Message, Thing, message
from companion.games.kit.game import Sealed
from companion.games.san_ni_ichi import attack, damage, moves
from companion.games.san_ni_ichi.cards import (
    ATTACK,
    BLOCK,
    SAI,
    SHURIKEN,
    TONFA,
    TORINOKO,
    YOSO,
    Value,
    parsed,
)
from companion.games.san_ni_ichi.state import State

EMPTY = ""
"""What `top` says of a place with nothing in it."""


def read(state: State, sealed: Sealed, player: str, sight: Sight) -> Any:
    """The move that this player's cards show, or None while they show none."""
    seat = state.table.seats[player]
    if state.phase == "attack":
        turn, value = attack.current(state)
        return _READERS[value.kind](state, seat, value, sight) if turn == seat else None
    if player in sealed or state.phase == "over":
        return None
    lying = sight.zones.get(f"{player}.selected", ())
    if not lying:
        return None
    if state.phase == "damage":
        return _smoke(state, seat, lying[-1])
    if not state.selected:
        return _selection(state, seat, lying)
    card = lying[-1].card if lying[-1].face_up else None
    return moves.Reveal(card) if card and seat in state.selected else None


def ready(state: State, sealed: Sealed, player: str, sight: Sight) -> Any:
    """Pressing ready in the Damage Phase with no smoke bomb laid: a pass."""
    lying = sight.zones.get(f"{player}.selected", ())
    bomb = bool(lying) and lying[-1].face_up and _is_bomb(lying[-1].card)
    return damage.PASS if state.phase == "damage" and not bomb else None


def misplaced(state: State, sight: Sight) -> dict[str, tuple[str, str]]:
    """Players whose Combat Pile is not the one the rules have: somebody has not taken the damage yet, or too much."""
    found = {}
    for name, pile in zip(state.table.players, state.piles, strict=True):
        seen, belongs = top(sight, f"{name}.combat"), pile[-1].card if pile else EMPTY
        if seen is not None and seen != belongs:
            found[name] = (seen or "–", belongs or "–")
    return found


def misplaced_pile(player: str, shows: str, belongs: str) -> Message:
    return message(
        "{player}'s Combat Pile shows {stands} on top; it should be {belongs}.",
        player=Thing("player", player),
        stands=Thing("card", shows),
        belongs=Thing("card", belongs),
    )


def _is_bomb(card: str | None) -> bool:
    return (parsed(card or "") or ("",))[0] == TORINOKO


def top(sight: Sight, zone: str) -> str | None:
    """The card on top: its id, EMPTY for an empty place, None where it is covered, face down or not sure."""
    lying = sight.zones.get(zone)
    if lying is None:
        return None
    if not lying:
        return EMPTY
    return lying[-1].card if lying[-1].face_up else None


def _selection(state: State, seat: int, lying: tuple[SeenCard, ...]) -> Any:
    if not state.hands[seat]:
        return None
    if not lying[-1].face_up:
        return moves.Select()
    shown = tuple(seen.card for seen in lying if seen.face_up and seen.card)
    bombs = len(shown) == len(lying) and all(map(_is_bomb, shown))
    return moves.SitOut(shown) if bombs and len(shown) == state.hands[seat] else None


def _smoke(state: State, seat: int, seen: SeenCard) -> Any:
    if not seen.face_up or not _is_bomb(seen.card):
        return None
    tied = set(damage.lowest(state.table, state.piles[seat]))
    # Which of several lowest cards is drawn is a choice that no camera sees.
    return None if len(tied) > 1 else moves.Smoke(card=seen.card)


def _given_up(state: State, seat: int, value: Value, sight: Sight) -> Any:
    left = _left(state, seat, value, sight)
    return moves.Discard() if left and top(sight, "discard") == value.card else None


def _left(state: State, seat: int, value: Value, sight: Sight) -> bool:
    """The card no longer lies where it was turned up; a team-mate's Block may lie there instead."""
    return top(sight, f"{state.table.players[seat]}.selected") not in (None, value.card)


def _play(state: State, seat: int, value: Value, sight: Sight) -> Any:
    names = state.table.players
    found = [
        name
        for name, pile in zip(names, state.piles, strict=True)
        if top(sight, f"{name}.combat") == value.card and not (pile and pile[-1].card == value.card)
    ]
    if len(found) != 1:
        return None if found else _given_up(state, seat, value, sight)
    on = found[0]
    if value.kind == YOSO and not state.piles[state.table.seats[on]] and state.table.options.yoso_may_start_pile:
        return None  # The element that it stands for has to be said.
    own = names[seat]
    moved = on != own and state.piles[seat] and top(sight, f"{own}.combat") == EMPTY
    return moves.Play(own, on) if moved else moves.Play(on)


def _block(state: State, seat: int, value: Value, sight: Sight) -> Any:
    mate = state.table.mates[seat]
    for owner in (seat,) if mate is None else (seat, mate):
        if owner in state.blocked:
            continue  # A Block lies there already, and this one may look the same.
        name = state.table.players[owner]
        lying = sight.zones.get(f"{name}.selected", ())
        if lying and lying[-1].face_up and lying[-1].card == value.card and _upright(lying[-1]):
            return moves.Block(None if owner == seat else name)
    return _given_up(state, seat, value, sight)


def _upright(seen: SeenCard) -> bool:
    """Nearer to upright than to crosswise, either way up."""
    return abs((seen.rotation + 90) % 180 - 90) < 45


def _sai(state: State, seat: int, value: Value, sight: Sight) -> Any:
    names = state.table.players
    was = [pile[-1].card if pile else EMPTY for pile in state.piles]
    now = [top(sight, f"{name}.combat") for name in names]
    moved = [each for each in range(len(names)) if now[each] is not None and now[each] != was[each]]
    if len(moved) == 2:
        one, other = moved
        if (now[one], now[other]) == (was[other], was[one]):
            return moves.Sai((names[one], names[other]))
    return _given_up(state, seat, value, sight)


def _shuriken(state: State, seat: int, value: Value, sight: Sight) -> Any:
    names = state.table.players
    found = [name for name in names if top(sight, f"{name}.damage") == value.card]
    if not found and _left(state, seat, value, sight):
        # Laid face down it can only be told where no Damage Pile was before.
        found = [
            name
            for name, pile in zip(names, state.damage, strict=True)
            if not pile and sight.zones.get(f"{name}.damage")
        ]
    return moves.Shuriken(found[0]) if len(found) == 1 else _given_up(state, seat, value, sight)


def _tonfa(state: State, seat: int, value: Value, sight: Sight) -> Any:
    names = state.table.players
    found = []
    for name, pile in zip(names, state.piles, strict=True):
        beneath = pile[-2].card if len(pile) > 1 else EMPTY
        if pile and top(sight, f"{name}.combat") == beneath:
            found.append(name)
    given = top(sight, "discard")
    older = given in state.discards or (state.unnamed > 0 and _is_bomb(given))
    if len(found) == 1 and given and not older and given != value.card:
        return moves.Tonfa(found[0], given)
    return _given_up(state, seat, value, sight)


_READERS: dict[str, Any] = {
    ATTACK: _play,
    YOSO: _play,
    BLOCK: _block,
    SAI: _sai,
    SHURIKEN: _shuriken,
    TONFA: _tonfa,
}
