"""What is printed on the cards, for owners to put right: sticks of every value, power symbols, winds of the wilds.

The pictures of the booklet are lost, so none of this is certain. The winds of numbered cards cannot be corrected: they
are part of the card's id (of the three copies one has none, one has one and one has two).
"""

from collections.abc import Mapping
from typing import Any

from companion.core.message import message
from companion.games.kit.game import Printed, PrintedRow, PrintedValues
from companion.games.sensu.cards import CARDS, NAMES, ORIGINS, STICKS, SYMBOLS, WILD_WINDS, FanCard

WILDS = "wilds"
ALL_KINDS = tuple(card for card in CARDS.values() if not card.wild or card.winds == WILD_WINDS)


def printed() -> tuple[PrintedRow, ...]:
    sticks = (_sticks(value, count) for value, count in enumerate(STICKS, 1))
    winds = Printed(
        "winds",
        message("Winds"),
        WILD_WINDS,
        ORIGINS["wild_winds"],
        most=2,
        note=message("none or two: one wind is the solo deck"),
    )
    wilds = PrintedRow(WILDS, message("Wilds"), message("Winds"), (winds,))
    return (*sticks, wilds, *map(_symbol, ALL_KINDS))


def _sticks(value: int, count: int) -> PrintedRow:
    values = (Printed("sticks", message("Sticks"), count, ORIGINS["sticks"], least=1, most=4),)
    return PrintedRow(f"value-{value}", message("Value {value}", value=value), message("Sticks"), values)


def _symbol(card: FanCard) -> PrintedRow:
    values = (Printed("symbol", message("Symbol"), card.id in SYMBOLS, ORIGINS["symbols"]),)
    return PrintedRow(_row(card), message("{name}", name=NAMES[card.id]), message("Power symbols"), values)


def _row(card: FanCard) -> str:
    """A wild is the same card whatever its winds are."""
    return card.id.rpartition("-")[0] if card.wild else card.id


def corrected(values: PrintedValues, players: int, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """The header of a match with these cards; symbols only where the powers are in play."""
    winds = options.get("wild_winds", values[WILDS]["winds"])
    known: dict[str, Any] = {
        "sticks": [values[f"value-{value}"]["sticks"] for value in range(1, len(STICKS) + 1)],
        "wild_winds": winds,
    }
    variants = options.get("variants")
    if isinstance(variants, list | tuple) and "powers" in variants:
        real = (card for card in CARDS.values() if not card.wild or card.winds == winds)
        known["symbols"] = [card.id for card in real if values[_row(card)]["symbol"]]
    return {**known, **options}
