"""Sensu before a match: the words are in `lobby.toml`. The solo game has no first player and no variants (SU-R24)."""

from companion.core.message import message
from companion.games.kit.set_up import Choice, set_up
from companion.games.sensu.cards import TITLES
from companion.games.sensu.state import SensuOptions
from companion.games.sensu.tile import TILE

FANS = tuple(Choice(kind, message("{name}", name=title)) for kind, title in TITLES.items())
SET_UP = set_up(__package__, SensuOptions, TILE, chosen=FANS)
