"""The solo game: four columns, one discard area, a score and its level."""

from companion.core.message import message
from companion.games.sensu.card_sets import cards_in
from companion.games.sensu.state import SensuState

COLUMNS = 4
PLACES = ("discards", *(f"column{number}" for number in range(1, COLUMNS + 1)))
LEVELS = ((40, "grandmaster"), (35, "master"), (30, "samurai"), (25, "apprentice"), (20, "beginner"), (0, "gutted"))
LEVEL_TITLES = {
    "gutted": message("Gutted"),
    "beginner": message("Beginner"),
    "apprentice": message("Apprentice"),
    "samurai": message("Samurai"),
    "master": message("Master"),
    "grandmaster": message("Grandmaster"),
}


def score(state: SensuState) -> int:
    """Sticks in the fans, those left in the deck once all three fans are closed, and what the referee gave or took."""
    seat = state.seats[0]
    total = sum(fan.sticks for fan in seat.fans)
    if seat.closed == len(seat.fans):
        total += deck_sticks(state)
    return total + state.awarded


def deck_sticks(state: SensuState) -> int:
    """Sticks of the cards in the deck, which are all those that have not been drawn."""
    sticks = state.terms.sticks
    return sum(sticks[card] for card in cards_in(state.unseen[0]))


def level(points: int) -> str:
    return next((name for least, name in LEVELS if points >= least), "gutted")


def playable(state: SensuState) -> tuple[str, ...]:
    """The last card of each column, then the top of the discards."""
    free = [column[-1] for column in state.columns if column]
    return (*free, *state.seats[0].discards[-1:])
