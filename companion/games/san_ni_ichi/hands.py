"""What may be in a hand, as far as anybody at the table can tell.

Nobody tells the referee what is in a hand. All cards are dealt, so the cards that have never been open fill the places
in the hands that nobody can name; a card that fits no such place is refused.
"""

from collections.abc import Iterable

from companion.core.message import Message, Thing, message, things
from companion.core.rulings import Refused
from companion.games.san_ni_ichi.cards import DECK_RULES, DECKS, HOUSE_WEAPONS, WEAPONS, parsed
from companion.games.san_ni_ichi.state import BOMB, SanNiIchiState, SanNiIchiTable


def unnamed_places(state: SanNiIchiState, seat: int) -> int:
    """How many of this player's cards, the selected one included, nobody else can name."""
    return state.hands[seat] + (seat in state.selected) - len(state.known[seat])


def bombs_left(state: SanNiIchiState) -> int:
    """How many smoke bombs are still in hands."""
    unseen = state.unseen
    return sum([unseen[card] for card in state.table.bombs]) - state.unnamed


def bombs_for(state: SanNiIchiState, seat: int) -> int:
    """How many of them this player may hold: not those that somebody else has shown and kept."""
    return bombs_left(state) - sum(
        known.count(BOMB) for other, known in enumerate(state.known) if other != seat and known
    )


def selectable_unseen(state: SanNiIchiState) -> int:
    """How many cards that have never been open could be selected: all but the smoke bombs."""
    places = sum(state.hands) + len(state.selected) - bombs_left(state)
    return places - sum([len(known) - known.count(BOMB) for known in state.known if known])


def shown_selectable(state: SanNiIchiState, seat: int) -> bool:
    """Whether everybody knows of a card in this hand that can be selected."""
    return any(card != BOMB for card in state.known[seat])


def check_in_match(table: SanNiIchiTable, card: str) -> None:
    """Refuse a card that this match does not have."""
    if card in table.values:
        return
    thing = Thing("card", card)
    name, _ = parsed(card) or ("", 0)
    if not name:
        raise Refused("TABLE-4", message("There is no card called {card}.", card=thing))
    if name in WEAPONS:
        rules = ("TABLE-1", "SNI-7") if card in HOUSE_WEAPONS else ("TABLE-1", "SNI-7", "TABLE-4")
        raise Refused(rules, message("{card} was not among the weapons that were laid out.", card=thing))
    players = len(table.players)
    rule = DECK_RULES[players][table.deck != DECKS[players][0]]
    raise Refused(
        ("TABLE-1", rule),
        message("{card} is not in the deck of this match: it has Strengths 1 to {top}.", card=thing, top=table.deck[0]),
    )


def check_held(state: SanNiIchiState, seat: int, card: str, elsewhere: int = 0) -> None:
    """Refuse a card, other than a bomb, that cannot be in this hand; `elsewhere` counts copies that others show now."""
    if card in state.known[seat]:
        return
    if state.unseen[card] <= elsewhere:
        raise Refused("TABLE-1", _elsewhere(state, seat, card))
    if not unnamed_places(state, seat):
        told = message(
            "{card} cannot come from {player}'s hand: everybody has seen what is in it ({known_cards}).",
            card=Thing("card", card),
            player=state.table.things[seat],
            known_cards=things("card", state.known[seat]) or "–",
        )
        raise Refused("TABLE-2", told)


def check_bombs(
    state: SanNiIchiState, seat: int, bombs: Iterable[str], shown: tuple[str, ...] = (), others: int = 0
) -> None:
    """Refuse smoke bombs that cannot be in this hand; `shown` and `others` are what others show now."""
    table, player = state.table, state.table.things[seat]
    named = tuple(bombs)
    for card in named:
        if card == BOMB:
            continue
        check_in_match(table, card)
        if (named + shown).count(card) > state.unseen[card]:
            raise Refused("TABLE-1", _elsewhere(state, seat, card))
    if len(named) > bombs_for(state, seat) - others:
        told = message("{player} cannot hold that many smoke bombs: all others are accounted for.", player=player)
        raise Refused(("TABLE-1", "SNI-7"), told)
    if len(named) > unnamed_places(state, seat) + state.known[seat].count(BOMB):
        told = message("{player}'s hand has no room for a smoke bomb: everybody has seen what is in it.", player=player)
        raise Refused("TABLE-2", told)


def _elsewhere(state: SanNiIchiState, seat: int, card: str) -> Message:
    """Where the card is that somebody claims to hold."""
    who = state.table.things
    facts = {"card": Thing("card", card), "player": who[seat]}
    if card in state.discards:
        return message("{card} cannot come from {player}'s hand: it was discarded.", **facts)
    for other, played in (*state.spent, *state.order[state.turn :]):
        if played == card:
            facts["owner"] = who[other]
            return message("{card} cannot come from {player}'s hand: it lies in front of {owner}.", **facts)
    for other, owner in enumerate(who):
        found = {**facts, "owner": owner}
        if any(laid.card == card for laid in state.piles[other]):
            return message("{card} cannot come from {player}'s hand: it lies in {owner}'s Combat Pile.", **found)
        if card in state.damage[other]:
            return message("{card} cannot come from {player}'s hand: it went into {owner}'s Damage Pile.", **found)
        if card in state.known[other]:
            return message("{card} cannot come from {player}'s hand: {owner} took it into the hand.", **found)
    return message("{card} cannot come from {player}'s hand: somebody else shows it now.", **facts)


def without(known: tuple[str, ...], card: str) -> tuple[str, ...]:
    """The hand's known cards after one of them has left, if it was among them."""
    if card not in known:
        return known
    at = known.index(card)
    return known[:at] + known[at + 1 :]
