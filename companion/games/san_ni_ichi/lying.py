"""What everybody can see on the table: the cards of the round, Combat Piles, Damage Piles and hands."""

from companion.core.message import Message, Thing, message, plural, things
from companion.games.kit.game import Sealed
from companion.games.kit.lying import covered, nothing, shown
from companion.games.san_ni_ichi.state import SanNiIchiState, cards


def lies(state: SanNiIchiState, sealed: Sealed) -> dict[str, Message]:
    told: dict[str, Message] = {}
    for seat, name in enumerate(state.table.players):
        player = state.table.things[seat]
        told[f"{name}.selected"] = _card(state, seat, name, sealed)
        told[f"{name}.pile"] = (
            message("Combat Pile of {player}, bottom to top: {cards}", player=player, cards=things("card", pile))
            if (pile := cards(state.piles[seat]))
            else message("Combat Pile of {player}: none", player=player)
        )
        told[f"{name}.damage"] = plural(
            "Damage Pile of {player}: {count} card",
            "Damage Pile of {player}: {count} cards",
            len(state.damage[seat]),
            player=player,
        )
        told[f"{name}.hand"] = plural(
            "hand of {player}: {count} card", "hand of {player}: {count} cards", state.hands[seat], player=player
        )
    top = Thing("card", state.discards[-1]) if state.discards else None
    told["discards"] = message("discards: {card} on top", card=top) if top else message("discards: none")
    return told


def _card(state: SanNiIchiState, seat: int, name: str, sealed: Sealed) -> Message:
    """The card of this round, as long as it has not been played."""
    place = f"{name}.selected"
    for index, (whose, card) in enumerate(state.order):
        if whose == seat:
            return shown(place, card) if index >= state.turn else nothing(place)
    return covered(place) if seat in state.selected or name in sealed else nothing(place)
