"""What a card does in the Attack Phase: one function per move, after `attack` has checked it."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from companion.core.message import Message, Thing, message
from companion.core.rulings import Ruling
from companion.games.kit.seats import with_seat
from companion.games.san_ni_ichi.attack import could_act
from companion.games.san_ni_ichi.cards import ATTACK, BEATEN_BY, SAI, TONFA, TORINOKO, YOSO, Value
from companion.games.san_ni_ichi.hands import without
from companion.games.san_ni_ichi.happenings import CardDiscarded, CardDrawn, ShurikenThrown
from companion.games.san_ni_ichi.moves import GiveUpCard, PlayOnPile, UseBlock, UseSai, UseShuriken, UseTonfa
from companion.games.san_ni_ichi.state import BOMB, PileCard, SanNiIchiState, cards

Effect = tuple[SanNiIchiState, Ruling]


def apply(state: SanNiIchiState, seat: int, move: Any) -> Effect:
    """The card that is next does what its player said."""
    _, value = state.next_card()
    state, ruling = _EFFECTS[type(move)](state, seat, value, move)
    return replace(state, turn=state.turn + 1), ruling


def _play(state: SanNiIchiState, seat: int, value: Value, move: PlayOnPile) -> Effect:
    on = state.table.seats[move.on]
    pile = state.piles[on]
    element = value.element or move.element or BEATEN_BY[pile[-1].element]
    grown = (*pile, PileCard(value.card, element))
    if move.counter is not None:
        return _counter(state, seat, value, state.table.seats[move.counter], grown)
    rule, told = _played(state, seat, value, on, element)
    changes = {f"piles.{move.on}": (cards(pile), cards(grown))}
    return replace(state, piles=with_seat(state.piles, on, grown)), Ruling(rule, told, changes)


def _counter(state: SanNiIchiState, seat: int, value: Value, target: int, grown: tuple[PileCard, ...]) -> Effect:
    table = state.table
    changes = {
        f"piles.{table.players[seat]}": (cards(state.piles[seat]), []),
        f"piles.{table.players[target]}": ([], cards(grown)),
    }
    told = message(
        "{player} adds {card} to their own Combat Pile and counters: the pile moves to {target}.",
        player=table.things[seat],
        card=Thing("card", value.card),
        target=table.things[target],
    )
    piles = with_seat(with_seat(state.piles, seat, ()), target, grown)
    return replace(state, piles=piles), Ruling("SNI-21", told, changes)


def _played(state: SanNiIchiState, seat: int, value: Value, on: int, element: str) -> tuple[str, Message]:
    """Which rule lets this card join that pile, and the sentence."""
    facts = {"player": state.table.things[seat], "card": Thing("card", value.card)}
    pile = state.piles[on]
    if on == seat and value.kind != YOSO:
        return "SNI-20", (
            message("{player} adds {card} to their own Combat Pile.", **facts)
            if pile
            else message("{player} starts their own Combat Pile with {card}.", **facts)
        )
    facts["on"] = state.table.things[on]
    if value.kind != YOSO:
        if pile:
            return "SNI-19", message("{player} plays {card} on {on}'s Combat Pile.", **facts)
        return "SNI-18", message("{player} starts a Combat Pile on {on} with {card}.", **facts)
    facts["element"] = Thing("element", element)
    if pile:
        return "SNI-45", message("{player} plays {card} on {on}'s Combat Pile, as {element}.", **facts)
    return "SNI-R12", message("{player} starts a Combat Pile on {on} with {card}, as {element}.", **facts)


def _give_up(state: SanNiIchiState, seat: int, value: Value, _: GiveUpCard) -> Effect:
    player, card = state.table.things[seat], Thing("card", value.card)
    if could_act(state):
        rule = "SNI-23" if value.kind == ATTACK else "SNI-R10"
        told = message("{player} gives up {card}.", player=player, card=card)
    else:
        rule = {SAI: "SNI-R9", TONFA: "SNI-R25"}.get(value.kind, "SNI-24")
        told = message("{card} can do nothing now: {player} discards it.", player=player, card=card)
    state = replace(state, discards=(*state.discards, value.card))
    return state, Ruling(rule, told, {}, CardDiscarded(player.id, value.card))


def _block(state: SanNiIchiState, seat: int, value: Value, move: UseBlock) -> Effect:
    table = state.table
    protected = seat if move.mate is None else table.seats[move.mate]
    blocked = tuple(sorted({*state.blocked, protected}))
    changes = {}
    if blocked != state.blocked:
        names = table.players
        changes["blocked"] = ([names[each] for each in state.blocked], [names[each] for each in blocked])
    told = message(
        "{player} blocks: until the round is over no attack card and no Sai may touch {on}'s Combat Pile.",
        player=table.things[seat],
        on=table.things[protected],
    )
    state = replace(state, blocked=blocked, spent=(*state.spent, (seat, value.card)))
    return state, Ruling("SNI-29" if protected == seat else "SNI-60", told, changes)


def _sai(state: SanNiIchiState, seat: int, value: Value, move: UseSai) -> Effect:
    table = state.table
    one, other = (table.seats[name] for name in move.swap)
    first, second = state.piles[one], state.piles[other]
    changes = {
        f"piles.{move.swap[0]}": (cards(first), cards(second)),
        f"piles.{move.swap[1]}": (cards(second), cards(first)),
    }
    told = message(
        "{player}'s {card} swaps the Combat Piles of {one} and {other}.",
        player=table.things[seat],
        card=Thing("card", value.card),
        one=table.things[one],
        other=table.things[other],
    )
    piles = with_seat(with_seat(state.piles, one, second), other, first)
    state = replace(state, piles=piles, spent=(*state.spent, (seat, value.card)))
    return state, Ruling("SNI-40", told, changes)


def _shuriken(state: SanNiIchiState, seat: int, value: Value, move: UseShuriken) -> Effect:
    table = state.table
    target = table.seats[move.target]
    before = state.damage[target]
    after = (*before, value.card)
    changes = {
        f"damage.{move.target}": (state.total(target), table.total(after) + state.given(target)),
        f"taken.{move.target}": (len(before), len(after)),
    }
    told = message(
        "{player} throws {card}: it goes into {target}'s Damage Pile.",
        player=table.things[seat],
        card=Thing("card", value.card),
        target=table.things[target],
    )
    rule = "SNI-43" if target in state.blocked else "SNI-42"
    happened = ShurikenThrown(table.players[seat], value.card, move.target)
    return replace(state, damage=with_seat(state.damage, target, after)), Ruling(rule, told, changes, happened)


def _tonfa(state: SanNiIchiState, seat: int, value: Value, move: UseTonfa) -> Effect:
    table = state.table
    source = table.seats[move.source]
    pile = state.piles[source]
    drawn = pile[-1].card
    given = move.discard or drawn
    known = (*state.known[seat], drawn)
    unseen = state.unseen
    if given in known:
        known = without(known, given)
    else:
        unseen = {**unseen, given: unseen[given] - 1}
        if table.values[given].kind == TORINOKO:
            known = without(known, BOMB)
    told = message(
        "{player}'s {card} takes {drawn_card} from {source}'s Combat Pile; {given_card} is discarded.",
        player=table.things[seat],
        card=Thing("card", value.card),
        drawn_card=Thing("card", drawn),
        source=table.things[source],
        given_card=Thing("card", given),
    )
    state = replace(
        state,
        piles=with_seat(state.piles, source, pile[:-1]),
        known=with_seat(state.known, seat, known),
        unseen=unseen,
        discards=(*state.discards, given),
        spent=(*state.spent, (seat, value.card)),
    )
    rule = "SNI-50" if source in state.blocked else "SNI-49" if given == drawn else "SNI-48"
    changes = {f"piles.{move.source}": (cards(pile), cards(pile[:-1]))}
    return state, Ruling(rule, told, changes, CardDrawn(table.players[seat], drawn, move.source))


_EFFECTS: dict[type, Callable[[SanNiIchiState, int, Value, Any], Effect]] = {
    PlayOnPile: _play,
    GiveUpCard: _give_up,
    UseBlock: _block,
    UseSai: _sai,
    UseShuriken: _shuriken,
    UseTonfa: _tonfa,
}
