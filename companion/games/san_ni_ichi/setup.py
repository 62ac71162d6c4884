"""Setting up: which decks, weapons and teams a header may ask for."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from companion.core.message import Thing, message, plural, things
from companion.core.rulings import Refused
from companion.games.kit.game import decode_options
from companion.games.san_ni_ichi.cards import (
    ATTACK,
    DECK_RULES,
    DECKS,
    ELEMENTS,
    HAND,
    HOUSE_WEAPONS,
    LETTERS,
    TORINOKO,
    WEAPON_LETTER,
    WEAPONS,
    Value,
    parsed,
    weapon_origin,
)
from companion.games.san_ni_ichi.moves import TurnUpSelected
from companion.games.san_ni_ichi.state import GivenWeapon, SanNiIchiOptions, SanNiIchiState, SanNiIchiTable


def setup(players: Sequence[str], raw: Mapping[str, Any]) -> SanNiIchiState:
    """Seven cards for everybody, all cards dealt; raises Refused for a match that the rules do not allow."""
    names = tuple(players)
    if len(names) not in DECKS:
        every = tuple(rules[0] for rules in DECK_RULES.values())
        told = message("Three to six can play, not {players}.", players=len(names))
        raise Refused((*every, "TABLE-4"), told, "players")
    # An option that is `null` counts as left out.
    options = decode_options({name: value for name, value in raw.items() if value is not None}, SanNiIchiOptions)
    table = _table(names, options)
    nobody = ((),) * len(names)
    return SanNiIchiState(
        table=table,
        round=1,
        phase="selection",
        hands=(HAND,) * len(names),
        known=nobody,
        unseen=table.copies,
        unnamed=0,
        selected=(),
        order=(),
        turn=0,
        piles=nobody,
        damage=nobody,
        blocked=(),
        spent=(),
        discards=(),
    )


def _table(names: tuple[str, ...], options: SanNiIchiOptions) -> SanNiIchiTable:
    seats = {name: seat for seat, name in enumerate(names)}
    deck = _deck(len(names), options)
    weapons = _weapons(len(names), deck, options)
    values = {value.card: value for value in (*_attack_cards(deck[0], tuple(options.letters.items())), *weapons)}
    copies = dict.fromkeys(values, 1) | Counter(value.card for value in weapons)
    teams = _teams(names, options)
    mates: list[int | None] = [None] * len(names)
    for one, *other in teams:
        for mate in other:
            mates[one], mates[mate] = mate, one
    return SanNiIchiTable(
        players=names,
        seats=seats,
        things=things("player", names),
        options=options,
        deck=deck,
        values=values,
        copies=copies,
        display=tuple(value.card for value in weapons),
        bombs=tuple(card for card in values if values[card].kind == TORINOKO),
        reveals={card: TurnUpSelected(card) for card in values if values[card].kind != TORINOKO},
        mates=tuple(mates),
        teams=teams,
        dealer=_dealer(names, options.dealer),
    )


def _dealer(names: tuple[str, ...], dealer: str | int | None) -> int:
    if dealer is None:
        return 0
    if dealer in names:
        return names.index(str(dealer))
    if isinstance(dealer, int) and 1 <= dealer <= len(names):
        return dealer - 1
    told = message("The dealer, {player}, is not one of the players.", player=Thing("player", str(dealer)))
    raise Refused("TABLE-4", told, "dealer")


def _deck(players: int, options: SanNiIchiOptions) -> tuple[int, int]:
    rows = DECKS[players]
    deck = options.deck or rows[0]
    if deck in rows:
        return deck
    top, weapons = deck
    total, needed = len(ELEMENTS) * top + weapons, HAND * players
    rules = (*DECK_RULES[players], "SNI-9")
    of_weapons = plural("{count} weapon", "{count} weapons", weapons)
    of_cards = plural("{count} card", "{count} cards", total)
    if players == 4 and top == 7:
        told = message(
            "1 through 7 for four players is a misprint in the booklet's example: with {weapons} it makes "
            "{cards}, and four hands of seven take {needed}. The table has 1 through 6 with 10.",
            weapons=of_weapons,
            cards=of_cards,
            needed=needed,
        )
        raise Refused((*rules, "SNI-R1"), told, "deck")
    allowed = tuple(message("1-{top} + {weapons}", top=strength, weapons=number) for strength, number in rows)
    if total != needed:
        told = message(
            "Strengths 1 to {top} and {weapons} make {cards}; {players} hands of seven take {needed}. "
            "Decks for {players} players (Strengths + weapons): {rows}.",
            top=top,
            weapons=of_weapons,
            cards=of_cards,
            players=players,
            needed=needed,
            rows=allowed,
        )
        raise Refused(rules, told, "deck")
    told = message(
        "There is no deck of Strengths 1 to {top} with {weapons}. "
        "Decks for {players} players (Strengths + weapons): {rows}.",
        top=top,
        weapons=of_weapons,
        players=players,
        rows=allowed,
    )
    raise Refused(rules, told, "deck")


@cache
def _attack_cards(top: int, given: tuple[tuple[str, str], ...]) -> tuple[Value, ...]:
    letters = LETTERS | {key: _letter(letter, "letters") for key, letter in given}
    ids = {f"{element}-{strength}": (element, strength) for element in ELEMENTS for strength in range(1, top + 1)}
    for key, _ in given:
        if key not in ELEMENTS and key not in ids:
            told = message("{key} is neither an element nor an attack card of this deck.", key=key)
            raise Refused(("TABLE-4", "SNI-52"), told, "letters")
    return tuple(
        Value(card, ATTACK, strength, letters.get(card, letters[element]), strength, element, "booklet")
        for card, (element, strength) in ids.items()
    )


def _weapons(players: int, deck: tuple[int, int], options: SanNiIchiOptions) -> list[Value]:
    needed = deck[1]
    given = HOUSE_WEAPONS[:needed] if options.weapons is None else options.weapons
    if len(given) != needed:
        rule = DECK_RULES[players][DECKS[players].index(deck) > 0]
        told = plural(
            "{count} weapon is laid out; Strengths 1 to {top} with {players} players need {needed}.",
            "{count} weapons are laid out; Strengths 1 to {top} with {players} players need {needed}.",
            len(given),
            top=deck[0],
            players=players,
            needed=needed,
        )
        raise Refused(("SNI-7", rule, "SNI-9"), told, "weapons")
    weapons = [_weapon(players, entry if isinstance(entry, GivenWeapon) else GivenWeapon(entry)) for entry in given]
    values = {value.card: value for value in weapons}
    for value in weapons:
        if value != values[value.card]:
            told = message(
                "Two cards called {card} cannot have different letters or damage.", card=Thing("card", value.card)
            )
            raise Refused(("TABLE-4", "SNI-7"), told, "weapons")
    return weapons


@cache
def _weapon(players: int, given: GivenWeapon) -> Value:
    name, strength = parsed(given.card) or ("", 0)
    if name not in WEAPONS:
        told = message("{card} is not a weapon card.", card=Thing("card", given.card))
        raise Refused(("TABLE-4", "SNI-7"), told, "weapons")
    damage = players - 1 if given.damage is None else given.damage
    if damage < 0:
        told = message("The damage of {card} cannot be below zero.", card=Thing("card", given.card))
        raise Refused(("TABLE-4", "SNI-27"), told, "weapons")
    letter = WEAPON_LETTER if given.letter is None else _letter(given.letter, "weapons")
    return Value(given.card, name, strength, letter, damage, origin=weapon_origin(given.card, damage, players))


def _letter(letter: str, field: str) -> str:
    if len(letter) != 1 or not letter.isalpha():
        raise Refused(("TABLE-4", "SNI-52"), message("{letter!r} is not a letter.", letter=letter), field)
    return letter.upper()


def _teams(names: tuple[str, ...], options: SanNiIchiOptions) -> tuple[tuple[int, ...], ...]:
    """Seats by team, in seat order; everybody alone where there is no team play."""
    if not options.teams:
        return tuple((seat,) for seat in range(len(names)))
    if len(names) not in (4, 6):
        told = message("Team play is for four or six players, not {players}.", players=len(names))
        raise Refused("SNI-58", told, "teams")
    placed = [name for team in options.teams for name in team]
    for name in placed:
        if name not in names:
            told = message("{player} is in a team, and not in this match.", player=Thing("player", name))
            raise Refused(("SNI-58", "TABLE-4"), told, "teams")
    if sorted(placed) != sorted(names) or any(len(team) != 2 for team in options.teams):
        raise Refused("SNI-58", message("Team play is in pairs: everybody is in one team of two."), "teams")
    return tuple(sorted(tuple(sorted(names.index(name) for name in team)) for team in options.teams))
