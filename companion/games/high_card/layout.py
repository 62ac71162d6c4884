"""Where everything lies: one place for a card before each player."""

from companion.core.layout import Layout
from companion.games.high_card.faces import HEIGHT, WIDTH
from companion.games.high_card.state import HighCardState
from companion.games.kit.seat_layout import SeatPlace, frame

SIDE = 420.0
TURNS = (0.0, 180.0, 270.0, 90.0)
"""The first two sit across from each other, the others at the sides."""


def layout(state: HighCardState) -> Layout:
    seats = [SeatPlace(name, SIDE / 2, SIDE / 2, turn) for name, turn in zip(state.players, TURNS, strict=False)]
    zones = tuple(seat.zone("card", 0, -110, WIDTH + 8, HEIGHT + 8, rotations=2) for seat in seats)
    mat = tuple(shape for zone in zones for shape in frame(zone, "CARD", "#6b6f76", below=6))
    return Layout(SIDE, SIDE, zones, (WIDTH, HEIGHT), mat)
