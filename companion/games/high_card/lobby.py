"""High Card before a match: the words are in `lobby.toml`."""

from companion.games.high_card.layout import face
from companion.games.high_card.state import HighCardOptions
from companion.games.kit.set_up import set_up
from companion.games.kit.tiles import spread

SET_UP = set_up(__package__, HighCardOptions, spread("#2b3350", face("blue-2"), face("gold-7"), face("red-4")))
