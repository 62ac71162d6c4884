"""Every move that `play.check` accepts from a player now."""

from collections.abc import Callable, Iterator
from typing import Any

from companion.core.rulings import Refused
from companion.games.kit.game import Parts, Sealed
from companion.games.san_ni_ichi import moves
from companion.games.san_ni_ichi.attack import counter_obstacles, play_obstacles, swap_obstacles
from companion.games.san_ni_ichi.cards import ATTACK, BLOCK, ELEMENTS, SAI, SHURIKEN, TONFA, TORINOKO, YOSO, Value
from companion.games.san_ni_ichi.damage import check_smoke, lowest
from companion.games.san_ni_ichi.hands import check_bombs, unnamed_places
from companion.games.san_ni_ichi.selection import (
    check_sit_out,
    kinds,
    may_select,
    needed_by_others,
    newly_shown,
    shown_bombs,
)
from companion.games.san_ni_ichi.state import BOMB, SanNiIchiState

GIVE_UP, SELECT, NO_BOMB = moves.GiveUpCard(), moves.SelectFaceDown(), moves.NoSmokeBomb()


def legal_moves(state: SanNiIchiState, sealed: Sealed, player: str) -> list[Any]:
    seat = state.table.seats[player]
    if state.phase == "attack":
        return _attack(state, seat)
    if player in sealed or state.phase == "over":
        return []
    if state.selected:
        return _reveals(state, sealed, seat) if seat in state.selected else []
    if not state.hands[seat]:
        return []
    return _damage(state, sealed, seat) if state.phase == "damage" else _selection(state, sealed, seat)


# --- Selection Phase --------------------------------------------------------------------------------------------


def _selection(state: SanNiIchiState, sealed: Sealed, seat: int) -> list[Any]:
    able = kinds(state, seat)
    found: list[Any] = []
    if "select" in able and may_select(state, sealed, seat):
        found.append(SELECT)
    if "sit_out" in able:
        found += _sit_outs(state, sealed, seat)
    return found


def parts(state: SanNiIchiState, player: str) -> dict[str, Parts]:
    """Whoever sits out shows the whole hand: any of the bombs that have not been seen. One alone is listed anyway."""
    seat = state.table.seats[player]
    hand = state.hands[seat]
    if state.phase != "selection" or state.selected or hand < 2 or "sit_out" not in kinds(state, seat):
        return {}
    bombs = {card: state.unseen[card] for card in state.table.bombs if state.unseen[card]}
    return {"sit_out": Parts("cards", bombs, hand, hand)} if sum(bombs.values()) > hand else {}


def _sit_outs(state: SanNiIchiState, sealed: Sealed, seat: int) -> list[moves.SitOut]:
    """The ways this player could sit out: the whole hand is bombs, whichever of them nobody else shows."""
    taken = [card for held in sealed.values() if isinstance(held, moves.SitOut) for card in shown_bombs(state, held)]
    free = [card for card in state.table.bombs for _ in range(state.unseen[card] - taken.count(card))]
    hand = state.hands[seat]
    found = dict.fromkeys(moves.SitOut(tuple(free[start : start + hand])) for start in range(len(free) - hand + 1))
    return [move for move in found if _accepts(check_sit_out, state, sealed, seat, move)]


def _reveals(state: SanNiIchiState, sealed: Sealed, seat: int) -> list[moves.TurnUpSelected]:
    """Every card that may lie face down in front of this player."""
    known = [moves.TurnUpSelected(card) for card in dict.fromkeys(state.known[seat]) if card != BOMB]
    if not unnamed_places(state, seat):
        return known
    new = newly_shown(state, sealed)
    if needed_by_others(state, sealed, seat, len(new)):
        return known
    unseen = state.unseen
    taken = {card for card in new if unseen[card] <= new.count(card)}.union(state.known[seat])
    return known + [move for card, move in state.table.reveals.items() if unseen[card] and card not in taken]


# --- Attack Phase -----------------------------------------------------------------------------------------------


def _attack(state: SanNiIchiState, seat: int) -> list[Any]:
    """Every way to play the card that is next."""
    turn, value = state.next_card()
    if turn != seat:
        return []
    found = list(_PLAYS[value.kind](state, seat, value))
    if value.kind == ATTACK or state.table.options.weapons_may_be_discarded or not found:
        found.append(GIVE_UP)
    return found


def _attack_card(state: SanNiIchiState, seat: int, value: Value) -> Iterator[moves.PlayOnPile]:
    names = state.table.players
    for on, name in enumerate(names):
        if not play_obstacles(state, value, on):
            yield moves.PlayOnPile(name)
    if state.piles[seat] and not play_obstacles(state, value, seat):
        for to, name in enumerate(names):
            if not counter_obstacles(state, seat, value, seat, to):
                yield moves.PlayOnPile(names[seat], name)


def _yoso_kogeki(state: SanNiIchiState, seat: int, value: Value) -> Iterator[moves.PlayOnPile]:
    for on, name in enumerate(state.table.players):
        if not play_obstacles(state, value, on):
            for element in (None,) if state.piles[on] else ELEMENTS:
                yield moves.PlayOnPile(name, None, element)


def _block(state: SanNiIchiState, seat: int, value: Value) -> Iterator[moves.UseBlock]:
    yield moves.UseBlock()
    mate = state.table.mates[seat]
    if mate is not None:
        yield moves.UseBlock(state.table.players[mate])


def _shuriken(state: SanNiIchiState, seat: int, value: Value) -> Iterator[moves.UseShuriken]:
    return map(moves.UseShuriken, state.table.players)


def _sai(state: SanNiIchiState, seat: int, value: Value) -> Iterator[moves.UseSai]:
    free = [name for each, name in enumerate(state.table.players) if not swap_obstacles(state, each)]
    for at, one in enumerate(free):
        for other in free[at + 1 :]:
            yield moves.UseSai((one, other))


def _tonfa(state: SanNiIchiState, seat: int, value: Value) -> Iterator[moves.UseTonfa]:
    held = _discardable(state, seat) if any(state.piles) else []
    for source, pile in enumerate(state.piles):
        if pile:
            for card in (pile[-1].card, *held):
                yield moves.UseTonfa(state.table.players[source], card)


def _discardable(state: SanNiIchiState, seat: int) -> list[str]:
    """Every card that may be in this hand when a Tonfa is played."""
    found = [card for card in dict.fromkeys(state.known[seat]) if card != BOMB]
    if unnamed_places(state, seat):
        values = state.table.values
        found += [
            card
            for card, copies in state.unseen.items()
            if copies and values[card].kind != TORINOKO and card not in found
        ]
    bombs = [card for card in state.table.bombs if _accepts(check_bombs, state, seat, (card,))]
    return found + bombs


_PLAYS: dict[str, Callable[[SanNiIchiState, int, Value], Iterator[Any]]] = {
    ATTACK: _attack_card,
    YOSO: _yoso_kogeki,
    BLOCK: _block,
    SHURIKEN: _shuriken,
    SAI: _sai,
    TONFA: _tonfa,
}


# --- Damage Phase -----------------------------------------------------------------------------------------------


def _damage(state: SanNiIchiState, sealed: Sealed, seat: int) -> list[Any]:
    """No smoke bomb, or one for whoever it may protect."""
    table = state.table
    found: list[Any] = [NO_BOMB]
    mate = table.mates[seat]
    for protected in (seat,) if mate is None else (seat, mate):
        tied = dict.fromkeys(lowest(table, state.piles[protected]))
        for draw in tied if len(tied) > 1 else (None,):
            move = moves.UseSmokeBomb(draw, None if protected == seat else table.players[protected])
            if not _accepts(check_smoke, state, sealed, seat, move):
                return found
            found.append(move)
    return found


def _accepts(check: Callable[..., None], *attempt: Any) -> bool:
    try:
        check(*attempt)
    except Refused:
        return False
    return True
