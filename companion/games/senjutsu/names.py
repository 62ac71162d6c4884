"""What sentences call cards, kamae and the rest. Cards keep their printed names in every language."""

from companion.games.kit.catalogue import namer
from companion.games.senjutsu.card_language.ability import PASSIVE
from companion.games.senjutsu.state import DuelState

_name = namer(__package__)


def names(state: DuelState | None, thing: str, language: str) -> str | None:
    """`wild_swing` is "Wild Swing", and the place of a ring, `kamae balance`, is "kamae Balance"."""
    if state is not None and thing in state.duel.cards and thing != PASSIVE:
        return state.duel.cards[thing].name
    place, space, kamae = thing.partition(" ")
    if space and place == "kamae":
        return f"{place} {_name(state, kamae, language) or kamae}"
    return _name(state, thing, language)
