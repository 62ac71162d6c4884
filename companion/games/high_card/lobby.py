"""High Card before a match: its options in words."""

from companion.core.message import message
from companion.games.high_card.state import HighCardOptions
from companion.games.kit.plain_cards import plain_face
from companion.games.kit.set_up import OptionWords, Preset, SetUp
from companion.games.kit.tiles import spread

SET_UP = SetUp(
    about=message("Everybody lays a card face down, and the highest wins the round."),
    minutes=(2, 5),
    tile=spread("#2b3350", *(plain_face(card, card[-1]) for card in ("blue-2", "gold-7", "red-4"))),
    options=HighCardOptions,
    words={"rounds": OptionWords(message("Rounds"), message("After the last one the most points win."), "HC-5")},
    presets=(
        Preset("short", message("Three rounds"), {"rounds": 3}),
        Preset("long", message("All seven cards"), {"rounds": 7}),
    ),
)
