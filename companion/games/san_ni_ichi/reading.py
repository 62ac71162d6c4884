"""What the cards on the table mean as an answer to what is awaited, and which of them lie where they should not.

How a play is laid so that it can be read:
- selected: face down on the player's `selected` place; a player who sits out shows the bombs face up there;
- an attack card: on its Combat Pile; for a Counter the pile moves first and then the card is laid on it; a card
  that is given up: on `discard`;
- Block: turned upright on the player's `selected` place, or laid upright on the team-mate's; Sai stays where it is
  while two piles change places; a Shuriken goes face up onto the Damage Pile and is turned down once it is read;
- Tonfa: the top card is gone from its pile and the hand card that is discarded lies on `discard`;
- a smoke bomb: face up on the player's `selected` place; pressing ready without one is a pass.

Two cards may be the same (`block-0`), and the discards are in no reliable order: where a card could be one that was
there before, nothing is read, and the player taps the move instead.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from companion.core.layout import SeenCard, Sight
from companion.core.message import Message, Thing, message, things
from companion.core.rulings import Ruling
from companion.games.kit.game import Sealed
from companion.games.kit.reading import DOWN, CoveredCard, Row, face_up_card, is_empty, top_card, up
from companion.games.san_ni_ichi import moves
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
from companion.games.san_ni_ichi.damage import lowest
from companion.games.san_ni_ichi.state import SanNiIchiState

EMPTY = ""
"""What `top` says of a place with nothing in it."""
SELECTED = CoveredCard("selected", moves.SelectFaceDown, moves.TurnUpSelected)


def read(state: SanNiIchiState, sealed: Sealed, player: str, sight: Sight) -> Any:
    """The move that this player's cards show, or None while they show none."""
    seat = state.table.seats[player]
    if state.phase == "attack":
        turn, value = state.next_card()
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
    return moves.TurnUpSelected(card) if card and seat in state.selected else None


def laid(state: SanNiIchiState, player: str, move: Any) -> dict[str, Row] | None:
    """How the cards lie once the move is made; None for a move that is tapped because it could not be told apart."""
    if isinstance(move, moves.SitOut) and isinstance(move.cards, tuple):
        return {f"{player}.selected": up(*move.cards)}
    if state.phase != "attack":
        return SELECTED.laid(state, player, move)
    card, tops = state.next_card()[1].card, _tops(state)
    places: dict[str, str] = {f"{player}.selected": EMPTY}
    match move:
        case moves.PlayOnPile(on, counter, element=None) if card not in tops.values():
            places |= {f"{on}.combat": EMPTY, f"{counter or on}.combat": card}
        case moves.UseBlock(mate):
            places[f"{mate or player}.selected"] = card
        case moves.UseSai((one, other)) if tops[one] != tops[other]:
            places = {f"{one}.combat": tops[other], f"{other}.combat": tops[one]}
        case moves.UseShuriken(target):
            places[f"{target}.damage"] = card
        case moves.UseTonfa(source, str(given)) if given not in (card, *state.discards) and not _is_bomb(given):
            pile = state.piles[state.table.seats[source]]
            places |= {f"{source}.combat": pile[-2].card if len(pile) > 1 else EMPTY, "discard": given}
        case moves.GiveUpCard():
            places["discard"] = card
        case _:
            return None
    damage = {f"{name}.damage": DOWN if pile else () for name, pile in zip(tops, state.damage, strict=True)}
    piles = {f"{name}.combat": top for name, top in tops.items()}
    return damage | {place: up(top) if top else () for place, top in (piles | places).items()}


def _tops(state: SanNiIchiState) -> dict[str, str]:
    """Player -> the card on top of the Combat Pile, or EMPTY."""
    cards = (pile[-1].card if pile else EMPTY for pile in state.piles)
    return dict(zip(state.table.players, cards, strict=True))


def ready(state: SanNiIchiState, sealed: Sealed, player: str, sight: Sight) -> Any:
    """Pressing ready in the Damage Phase with no smoke bomb laid: a pass."""
    bomb = _is_bomb(face_up_card(sight, f"{player}.selected"))
    return moves.NoSmokeBomb() if state.phase == "damage" and not bomb else None


def misplaced(state: SanNiIchiState, sight: Sight) -> dict[str, tuple[str, str]]:
    """Players whose Combat Pile is not as the rules have it: damage not taken yet, or too much taken."""
    seen = {name: (top(sight, f"{name}.combat"), belongs) for name, belongs in _tops(state).items()}
    wrong = {name: both for name, both in seen.items() if both[0] not in (None, both[1])}
    return {name: (shows or "–", belongs or "–") for name, (shows, belongs) in wrong.items()}


def misplaced_pile(player: str, shows: str, belongs: str) -> Message:
    return message(
        "{player}'s Combat Pile shows {stands} on top; it should be {belongs}.",
        player=Thing("player", player),
        stands=Thing("card", shows),
        belongs=Thing("card", belongs),
    )


def misplaced_cards(state: SanNiIchiState, before: Mapping[str, Row], sight: Sight) -> tuple[Ruling, ...]:
    """Calls about the weapons on display before the first round, compared with those that the header names.

    A weapon that does not belong to this match is called when it is seen. A missing one is called when as many cards
    lie there as should, or when they are taken up to be dealt. A card that the camera cannot name may be any of them.
    """
    row = sight.zones.get("weapons")
    if row is None or state.round > 1 or state.phase != "selection":
        return ()
    belongs = Counter(state.table.display)
    was = before.get("weapons", ())
    calls = [
        Ruling(
            "SNI-7",
            message("{card} lies on display and is not among the weapons of this match.", card=Thing("card", card)),
        )
        for card in (_named(row) - belongs) - (_named(was) - belongs)
    ]
    number = belongs.total()
    if len(row) >= number > 0:
        lacking = _lacking(belongs, row)
        calls += _missing(lacking) if len(was) < number or lacking != _lacking(belongs, was) else ()
    elif not row and 0 < len(was) < number:
        calls += _missing(_lacking(belongs, was))
    return tuple(calls)


def _named(row: Row) -> Counter[str]:
    return Counter(seen.card for seen in row if seen.card is not None)


def _lacking(belongs: Counter[str], row: Row) -> Counter[str]:
    """What is certainly missing in the row."""
    lacking = belongs - _named(row)
    unnamed = sum(seen.card is None for seen in row)
    return lacking if lacking.total() > unnamed else Counter()


def _missing(lacking: Counter[str]) -> tuple[Ruling, ...]:
    if not lacking:
        return ()
    cards = things("card", lacking.elements())
    return (Ruling("SNI-7", message("Missing among the weapons on display: {cards}.", cards=cards)),)


def _is_bomb(card: str | None) -> bool:
    return (parsed(card or "") or ("",))[0] == TORINOKO


def top(sight: Sight, zone: str) -> str | None:
    """The card on top: its id, EMPTY for an empty place, None where it is covered, face down or not recognised."""
    return EMPTY if is_empty(sight, zone) else face_up_card(sight, zone)


def _selection(state: SanNiIchiState, seat: int, lying: tuple[SeenCard, ...]) -> Any:
    if not state.hands[seat]:
        return None
    if not lying[-1].face_up:
        return moves.SelectFaceDown()
    shown = tuple(seen.card for seen in lying if seen.face_up and seen.card)
    bombs = len(shown) == len(lying) and all(map(_is_bomb, shown))
    return moves.SitOut(shown) if bombs and len(shown) == state.hands[seat] else None


def _smoke(state: SanNiIchiState, seat: int, seen: SeenCard) -> Any:
    if not seen.face_up or not _is_bomb(seen.card):
        return None
    tied = set(lowest(state.table, state.piles[seat]))
    # The camera cannot see which of several lowest cards the player chooses to draw.
    return None if len(tied) > 1 else moves.UseSmokeBomb(card=seen.card)


def _given_up(state: SanNiIchiState, seat: int, value: Value, sight: Sight) -> Any:
    left = _left(state, seat, value, sight)
    return moves.GiveUpCard() if left and top(sight, "discard") == value.card else None


def _left(state: SanNiIchiState, seat: int, value: Value, sight: Sight) -> bool:
    """The card no longer lies where it was turned up; a team-mate's Block may lie there instead."""
    return top(sight, f"{state.table.players[seat]}.selected") not in (None, value.card)


def _play(state: SanNiIchiState, seat: int, value: Value, sight: Sight) -> Any:
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
        return None  # The player has to name its element.
    own = names[seat]
    moved = on != own and state.piles[seat] and top(sight, f"{own}.combat") == EMPTY
    return moves.PlayOnPile(own, on) if moved else moves.PlayOnPile(on)


def _block(state: SanNiIchiState, seat: int, value: Value, sight: Sight) -> Any:
    mate = state.table.mates[seat]
    for owner in (seat,) if mate is None else (seat, mate):
        if owner in state.blocked:
            continue  # A Block is already there, and this one may look the same.
        name = state.table.players[owner]
        seen = top_card(sight, f"{name}.selected")
        if seen and seen.face_up and seen.card == value.card and _upright(seen):
            return moves.UseBlock(None if owner == seat else name)
    return _given_up(state, seat, value, sight)


def _upright(seen: SeenCard) -> bool:
    """Nearer to upright than to crosswise, either way up."""
    return abs((seen.rotation + 90) % 180 - 90) < 45


def _sai(state: SanNiIchiState, seat: int, value: Value, sight: Sight) -> Any:
    names = state.table.players
    was = [pile[-1].card if pile else EMPTY for pile in state.piles]
    now = [top(sight, f"{name}.combat") for name in names]
    moved = [each for each in range(len(names)) if now[each] is not None and now[each] != was[each]]
    if len(moved) == 2:
        one, other = moved
        if (now[one], now[other]) == (was[other], was[one]):
            return moves.UseSai((names[one], names[other]))
    return _given_up(state, seat, value, sight)


def _shuriken(state: SanNiIchiState, seat: int, value: Value, sight: Sight) -> Any:
    names = state.table.players
    found = [name for name in names if top(sight, f"{name}.damage") == value.card]
    if not found and _left(state, seat, value, sight):
        # A Shuriken laid face down is recognised only where there was no Damage Pile before.
        found = [
            name
            for name, pile in zip(names, state.damage, strict=True)
            if not pile and sight.zones.get(f"{name}.damage")
        ]
    return moves.UseShuriken(found[0]) if len(found) == 1 else _given_up(state, seat, value, sight)


def _tonfa(state: SanNiIchiState, seat: int, value: Value, sight: Sight) -> Any:
    names = state.table.players
    found = []
    for name, pile in zip(names, state.piles, strict=True):
        beneath = pile[-2].card if len(pile) > 1 else EMPTY
        if pile and top(sight, f"{name}.combat") == beneath:
            found.append(name)
    given = top(sight, "discard")
    older = given in state.discards or (state.unnamed > 0 and _is_bomb(given))
    if len(found) == 1 and given and not older and given != value.card:
        return moves.UseTonfa(found[0], given)
    return _given_up(state, seat, value, sight)


_READERS: dict[str, Any] = {
    ATTACK: _play,
    YOSO: _play,
    BLOCK: _block,
    SAI: _sai,
    SHURIKEN: _shuriken,
    TONFA: _tonfa,
}
