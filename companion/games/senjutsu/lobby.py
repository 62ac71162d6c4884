"""Senjutsu before a duel: the words are in `lobby.toml`; here are the arenas."""

from companion.core.message import message
from companion.games.kit.set_up import Choice, set_up
from companion.games.senjutsu.state import SenjutsuOptions
from companion.games.senjutsu.tile import TILE

ARENAS = tuple(
    Choice([columns, rows], message("{columns} by {rows} hexes", columns=columns, rows=rows))
    for columns, rows in ((6, 5), (8, 5), (8, 7), (10, 7))
)
SET_UP = set_up(__package__, SenjutsuOptions, TILE, arena=ARENAS)
