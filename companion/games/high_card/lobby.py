"""High Card before a match: the words are in `lobby.toml`."""

from companion.games.high_card.state import HighCardOptions
from companion.games.kit.plain_cards import plain_face
from companion.games.kit.set_up import set_up
from companion.games.kit.tiles import spread

CARDS = ("blue-2", "gold-7", "red-4")
SET_UP = set_up(__package__, HighCardOptions, spread("#2b3350", *(plain_face(card, card[-1]) for card in CARDS)))
