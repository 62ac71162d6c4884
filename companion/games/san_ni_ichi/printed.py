"""What is printed on the cards, for owners to put right: the twelve weapons, and the letter of every attack card."""

from collections.abc import Mapping
from typing import Any

from companion.core.message import message
from companion.games.kit.game import Printed, PrintedRow, PrintedValues
from companion.games.san_ni_ichi.cards import (
    DECKS,
    ELEMENTS,
    HOUSE_WEAPONS,
    LETTERS,
    STRONGEST,
    WEAPON_LETTER,
    WEAPONS,
    parsed,
)

WEAPON_ROWS = tuple(f"weapon_{number}" for number in range(1, len(HOUSE_WEAPONS) + 1))


def printed() -> tuple[PrintedRow, ...]:
    weapons = (_weapon(number, card) for number, card in enumerate(HOUSE_WEAPONS, 1))
    letters = (_letter(element, strength) for element in ELEMENTS for strength in range(1, STRONGEST + 1))
    return (*weapons, *letters)


def _weapon(number: int, card: str) -> PrintedRow:
    kind, strength = parsed(card) or ("", 0)
    # The booklet describes one weapon, the Shuriken of Strength 22, all but its letter.
    origin = "booklet" if card == "shuriken-22" else "house"
    values = (
        Printed("kind", message("Kind"), kind, origin, among=WEAPONS),
        Printed("strength", message("Strength"), strength, origin),
        Printed("letter", message("Letter"), WEAPON_LETTER, "house"),
        Printed(
            "damage",
            message("Damage"),
            tuple(players - 1 for players in DECKS),
            origin,
            note=message("with 3, 4, 5 and 6 players"),
        ),
    )
    return PrintedRow(WEAPON_ROWS[number - 1], message("Weapon {number}", number=number), message("Weapons"), values)


def _letter(element: str, strength: int) -> PrintedRow:
    values = (Printed("letter", message("Letter"), LETTERS[element], "house"),)
    titles = {
        "fire": message("Fire {strength}", strength=strength),
        "water": message("Water {strength}", strength=strength),
        "wood": message("Wood {strength}", strength=strength),
    }
    return PrintedRow(f"{element}-{strength}", titles[element], message("Letters of the attack cards"), values)


def corrected(values: PrintedValues, players: int, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """The header of a match with these cards: weapons as they are laid out, and every letter that is not the usual."""
    rows, wanted = DECKS.get(players, ()), options.get("deck")
    laid, given = options.get("weapons"), options.get("letters") or {}
    deck = next((row for row in rows if wanted is None or list(row) == _list(wanted)), None)
    if deck is None or not isinstance(given, Mapping) or not isinstance(laid, list | tuple | None):
        return options  # The rules say what is wrong with them.
    box = [_entry(values[row], players) for row in WEAPON_ROWS]
    weapons = box[: deck[1]] if laid is None else _as_printed(_list(laid), {each["card"]: each for each in box})
    letters = {
        f"{element}-{strength}": values[f"{element}-{strength}"]["letter"]
        for element in ELEMENTS
        for strength in range(1, deck[0] + 1)
        if element not in given and values[f"{element}-{strength}"]["letter"] != LETTERS[element]
    }
    letters |= given
    return {**options, "weapons": weapons, **({"letters": letters} if letters else {})}


def _entry(row: Mapping[str, Any], players: int) -> dict[str, Any]:
    damage = row["damage"][list(DECKS).index(players)]
    return {"card": f"{row['kind']}-{row['strength']}", "letter": row["letter"], "damage": damage}


def _list(wish: Any) -> list[Any]:
    """A list in the options, from JSON or TOML; empty where it is none."""
    return list(wish) if isinstance(wish, list | tuple) else []


def _as_printed(laid: list[Any], known: Mapping[str, dict[str, Any]]) -> list[Any]:
    """The weapons that somebody named, with what their cards say; what the options say themselves stands."""
    found: list[Any] = []
    for entry in laid:
        card = entry.get("card") if isinstance(entry, Mapping) else entry
        says = entry if isinstance(entry, Mapping) else {}
        found.append({**known[card], **says} if isinstance(card, str) and card in known else entry)
    return found
