"""The numbered rules of a game, kept as data beside its code (`rules.toml`)."""

from functools import cache
from importlib import resources

import msgspec

from companion.game import Rule

TABLE = {
    "TABLE-1": Rule(
        "One card cannot be in two places at once, nor can there be more copies of it than the deck holds.",
        "Una carta non può essere in due posti, né può avere più copie di quante ne contiene il mazzo.",
        "house",
    ),
    "TABLE-2": Rule(
        "Nobody can play more cards than the hand can hold.",
        "Nessuno può giocare più carte di quante ne possa tenere in mano.",
        "house",
    ),
    "TABLE-3": Rule(
        "This player, or this move, is not awaited now.",
        "Questo giocatore, o questa mossa, non è attesa adesso.",
        "house",
    ),
    "TABLE-4": Rule(
        "There is no such card, place, player or field.",
        "Non esiste una carta, un posto, un giocatore o un campo simile.",
        "house",
    ),
}
"""Rules of the table itself: they hold in every game."""


@cache
def rules_of(package: str) -> dict[str, Rule]:
    """`companion.games.sen_so` -> its rules by number, the table's own rules last."""
    data = (resources.files(package) / "rules.toml").read_bytes()
    return msgspec.toml.decode(data, type=dict[str, Rule]) | TABLE
