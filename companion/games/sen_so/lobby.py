"""Sen So before a match: the words are in `lobby.toml`; here is what is counted."""

from companion.core.message import message, plural
from companion.games.kit.set_up import Choice, set_up
from companion.games.sen_so.state import SenSoOptions
from companion.games.sen_so.tile import TILE

MINUTES, ACTIONS, POINTS = (10, 15, 20, 30, 45, 60), (10, 15, 25, 40, 50), (15, 20, 30, 50)
ENDS = (
    *(Choice({"time": 60 * each}, plural("{count} minute", "{count} minutes", each), "SEN-71") for each in MINUTES),
    *(Choice({"actions": each}, plural("{count} action", "{count} actions", each), "SEN-72") for each in ACTIONS),
    *(Choice({"points": each}, message("First to {points} points", points=each), "SEN-73") for each in POINTS),
)
BOARDS = tuple(Choice([size, size], message("{size} by {size} spaces", size=size)) for size in (5, 7, 9, 11, 13))
SET_UP = set_up(__package__, SenSoOptions, TILE, end=ENDS, board=BOARDS)
