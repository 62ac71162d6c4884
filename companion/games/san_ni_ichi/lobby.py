"""San, Ni, Ichi! before a match: its options in words."""

from collections.abc import Iterator, Mapping

from companion.core.message import Message, message, plural
from companion.games.kit.set_up import Choice, OptionWords, Preset, SetUp
from companion.games.kit.tiles import spread
from companion.games.san_ni_ichi.cards import ATTACK, DECK_RULES, DECKS, Value
from companion.games.san_ni_ichi.faces import face
from companion.games.san_ni_ichi.state import SanNiIchiOptions

FACING = {4: [[1, 3], [2, 4]], 6: [[1, 4], [2, 5], [3, 6]]}
"""Team-mates who sit across from each other."""
SIDE_BY_SIDE = {4: [[1, 2], [3, 4]], 6: [[1, 2], [3, 4], [5, 6]]}

TILE = (
    ("fire-3", ATTACK, 3, "A", 3, "fire"),
    ("water-2", ATTACK, 2, "B", 2, "water"),
    ("wood-1", ATTACK, 1, "C", 1, "wood"),
)
"""San, ni, ichi."""


def _deck(top: int, weapons: int) -> Message:
    of_weapons = plural("{count} weapon", "{count} weapons", weapons)
    return message("Strengths 1 to {top} and {weapons}", top=top, weapons=of_weapons)


def _pairs(seats: Mapping[int, list[list[int]]], title: Message) -> Iterator[Choice]:
    return (Choice(pairs, title, players=(count,)) for count, pairs in seats.items())


SET_UP = SetUp(
    about=message("Fire, Water and Wood pile up before the players: take as little damage as you can."),
    minutes=(10, 20),
    tile=spread("#20283a", *(face(Value(*card)) for card in TILE)),
    options=SanNiIchiOptions,
    elsewhere=("weapons", "letters"),
    words={
        "deck": OptionWords(
            message("Deck"),
            message("The base deck comes first; the others have more attack cards and fewer weapons."),
            "SNI-9",
            tuple(
                Choice([top, weapons], _deck(top, weapons), DECK_RULES[players][at > 0], (players,))
                for players, rows in DECKS.items()
                if len(rows) > 1
                for at, (top, weapons) in enumerate(rows)
            ),
        ),
        "scoring": OptionWords(
            message("Scoring"),
            message("How Damage Piles are counted; the lowest total wins."),
            "SNI-56",
            (
                Choice("strength", message("Strengths are added up"), "SNI-56"),
                Choice("cards", message("Simplified: cards are counted"), "SNI-65"),
            ),
        ),
        "teams": OptionWords(
            message("Teams"),
            message("In pairs: partners add up their damage and may protect each other."),
            "SNI-58",
            (
                Choice([], message("Everybody alone"), players=(4, 6)),
                *_pairs(FACING, message("Partners face each other")),
                *_pairs(SIDE_BY_SIDE, message("Partners sit side by side")),
            ),
            seats=True,
        ),
        "dealer": OptionWords(
            message("Dealer"),
            message("Cards that tie in everything act clockwise from the dealer; the first seat, if nobody is named."),
            "SNI-R3",
            seats=True,
        ),
        "weapons_may_be_discarded": OptionWords(
            message("Weapons may be given up"),
            message("A weapon that could act may be discarded instead."),
            "SNI-R10",
        ),
        "yoso_may_start_pile": OptionWords(
            message("Yoso Kogeki may start a pile"),
            message("Its player then names the element."),
            "SNI-R12",
        ),
        "last_smoke_bomb": OptionWords(
            message("Last smoke bomb"),
            message("A smoke bomb that is the last card in hand may still be used in a Damage Phase."),
            "SNI-R21",
        ),
        "show_totals": OptionWords(
            message("Show the totals"),
            message("The page shows everybody's damage during the match, though Damage Piles lie face down."),
            "SNI-54",
        ),
    },
    presets=(
        Preset("base", message("Base game"), {}),
        Preset("simplified", message("Simplified scoring"), {"scoring": "cards"}),
        *(Preset(f"teams-{count}", message("In teams"), {"teams": pairs}, (count,)) for count, pairs in FACING.items()),
    ),
)
