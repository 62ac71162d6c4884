"""What a card does when it comes up: one effect a move, already checked by `attack`."""

from typing import Any

from msgspec.structs import replace

from companion.core.message import message
from companion.core.rulings import Ruling
from companion.games.san_ni_ichi.attack import could_act, current
from companion.games.san_ni_ichi.cards import BEATEN_BY, SAI, TONFA, TORINOKO, YOSO, Value
from companion.games.san_ni_ichi.hands import without
from companion.games.san_ni_ichi.moves import Block, Discard, Play, Sai, Shuriken, Tonfa
from companion.games.san_ni_ichi.state import BOMB, Laid, State, cards, put


def apply(state: State, seat: int, move: Any) -> tuple[State, Ruling]:
    """The card that is next does what its player said."""
    _, value = current(state)
    state, ruling = _EFFECTS[type(move)](state, seat, value, move)
    return replace(state, turn=state.turn + 1), ruling


def _play(state: State, seat: int, value: Value, move: Play) -> tuple[State, Ruling]:
    table = state.table
    on = table.seats[move.on]
    pile = state.piles[on]
    element = value.element or move.element or BEATEN_BY[pile[-1].element]
    grown = (*pile, Laid(value.card, element))
    facts = {"player": table.players[seat], "card": value.card, "on": move.on, "element": element}
    if move.counter is not None:
        target = table.seats[move.counter]
        facts["target"] = move.counter
        changes = {f"piles.{move.on}": (cards(pile), []), f"piles.{move.counter}": ([], cards(grown))}
        piles = put(put(state.piles, seat, ()), target, grown)
        say = "{player} adds {card} to the own Combat Pile and counters: the pile moves to {target}."
        return replace(state, piles=piles), Ruling("SNI-21", message(say, **facts), changes)
    changes = {f"piles.{move.on}": (cards(pile), cards(grown))}
    if value.kind == YOSO and pile:
        rule, say = "SNI-45", "{player} plays {card} on {on}'s Combat Pile, as {element}."
    elif value.kind == YOSO:
        rule, say = "SNI-R12", "{player} starts a Combat Pile on {on} with {card}, as {element}."
    elif on == seat:
        rule = "SNI-20"
        say = (
            "{player} adds {card} to the own Combat Pile."
            if pile
            else "{player} starts the own Combat Pile with {card}."
        )
    elif pile:
        rule, say = "SNI-19", "{player} plays {card} on {on}'s Combat Pile."
    else:
        rule, say = "SNI-18", "{player} starts a Combat Pile on {on} with {card}."
    return replace(state, piles=put(state.piles, on, grown)), Ruling(rule, message(say, **facts), changes)


def _discard(state: State, seat: int, value: Value, _: Discard) -> tuple[State, Ruling]:
    facts = {"player": state.table.players[seat], "card": value.card}
    if could_act(state):
        rule, say = "SNI-23", "{player} gives up {card}."
    else:
        rule = {SAI: "SNI-R9", TONFA: "SNI-R25"}.get(value.kind, "SNI-24")
        say = "{card} can do nothing now: {player} discards it."
    return replace(state, discards=(*state.discards, value.card)), Ruling(rule, message(say, **facts))


def _block(state: State, seat: int, value: Value, move: Block) -> tuple[State, Ruling]:
    names = state.table.players
    protected = seat if move.mate is None else state.table.seats[move.mate]
    blocked = tuple(sorted({*state.blocked, protected}))
    facts = {"player": names[seat], "on": names[protected], "card": value.card}
    changes = {}
    if blocked != state.blocked:
        changes["blocked"] = ([names[each] for each in state.blocked], [names[each] for each in blocked])
    rule = "SNI-29" if protected == seat else "SNI-60"
    say = "{player} blocks: until the round is over no attack card and no Sai may touch {on}'s Combat Pile."
    spent = (*state.spent, (seat, value.card))
    return replace(state, blocked=blocked, spent=spent), Ruling(rule, message(say, **facts), changes)


def _sai(state: State, seat: int, value: Value, move: Sai) -> tuple[State, Ruling]:
    one, other = (state.table.seats[name] for name in move.swap)
    piles = state.piles
    first, second = cards(piles[one]), cards(piles[other])
    changes = {f"piles.{move.swap[0]}": (first, second), f"piles.{move.swap[1]}": (second, first)}
    facts = {
        "player": state.table.players[seat],
        "one": move.swap[0],
        "other": move.swap[1],
        "card": value.card,
    }
    piles = put(put(piles, one, piles[other]), other, piles[one])
    state = replace(state, piles=piles, spent=(*state.spent, (seat, value.card)))
    return state, Ruling(
        "SNI-40", message("{player}'s {card} swaps the Combat Piles of {one} and {other}.", **facts), changes
    )


def _shuriken(state: State, seat: int, value: Value, move: Shuriken) -> tuple[State, Ruling]:
    table = state.table
    target = table.seats[move.target]
    pile = state.damage[target]
    struck = (*pile, value.card)
    changes = {
        f"damage.{move.target}": (table.total(pile), table.total(struck)),
        f"taken.{move.target}": (len(pile), len(struck)),
    }
    facts = {"player": table.players[seat], "card": value.card, "target": move.target}
    rule = "SNI-43" if target in state.blocked else "SNI-42"
    say = "{player} throws {card}: it goes into {target}'s Damage Pile."
    return replace(state, damage=put(state.damage, target, struck)), Ruling(rule, message(say, **facts), changes)


def _tonfa(state: State, seat: int, value: Value, move: Tonfa) -> tuple[State, Ruling]:
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
    facts = {
        "player": table.players[seat],
        "card": value.card,
        "drawn_card": drawn,
        "source": move.source,
        "given_card": given,
    }
    changes = {f"piles.{move.source}": (cards(pile), cards(pile[:-1]))}
    state = replace(
        state,
        piles=put(state.piles, source, pile[:-1]),
        known=put(state.known, seat, known),
        unseen=unseen,
        discards=(*state.discards, given),
        spent=(*state.spent, (seat, value.card)),
    )
    rule = "SNI-50" if source in state.blocked else "SNI-49" if given == drawn else "SNI-48"
    say = "{player}'s {card} takes {drawn_card} from {source}'s Combat Pile; {given_card} is discarded."
    return state, Ruling(rule, message(say, **facts), changes)


_EFFECTS: dict[type, Any] = {
    Play: _play,
    Discard: _discard,
    Block: _block,
    Sai: _sai,
    Shuriken: _shuriken,
    Tonfa: _tonfa,
}
