"""What everybody can see on the table: the samurai, their rings, wound cards and stuns, cards in play, piles, hands."""

from companion.core.message import Message, Thing, message, plural, things
from companion.games.kit.game import Sealed
from companion.games.senjutsu.hexes import FACINGS
from companion.games.senjutsu.state import DuelState, Samurai


def lies(state: DuelState, sealed: Sealed) -> dict[str, Message]:
    told: dict[str, Message] = {}
    for name, player, samurai in zip(state.duel.players, state.duel.named, state.samurai, strict=True):
        cards = _cards(player, samurai, covered=name in sealed)
        told |= {f"{name}.{place}": each for place, each in {**_figure(state, player, samurai), **cards}.items()}
    order = [state.duel.named[seat] for seat in state.advantage]
    told["advantage"] = message("order of advantage, from the top: {players}", players=tuple(order))
    return told


def _figure(state: DuelState, player: Thing, samurai: Samurai) -> dict[str, Message]:
    place = Thing("place", state.duel.arena.hexes[samurai.hex])
    stands = message("{player}: on {hex}, facing {facing}", player=player, hex=place, facing=FACINGS[samurai.facing])
    gone = message("{player}: off the arena", player=player)
    ring = message("ring of {player}: {kamae}", player=player, kamae=Thing("kamae", samurai.kamae))
    return {"hex": gone if samurai.defeated else stands, "kamae": ring}


def _cards(player: Thing, samurai: Samurai, *, covered: bool) -> dict[str, Message]:
    in_play = things("card", [samurai.card, *samurai.laid] if samurai.card else [])
    card = message("card of {player}: none", player=player)
    if in_play:
        card = message("card of {player}: {cards}, face up", player=player, cards=in_play)
    elif covered:
        card = message("card of {player}: face down", player=player)
    row = things("card", samurai.row)
    wounds = message("wounds of {player}: {cards}", player=player, cards=row)
    return {
        "card": card,
        "wounds": wounds if row else message("wounds of {player}: none", player=player),
        "stuns": plural("{player}: {count} stun", "{player}: {count} stuns", samurai.stuns, player=player),
        **_hidden(player, samurai),
    }


def _hidden(player: Thing, samurai: Samurai) -> dict[str, Message]:
    """What lies face down or is held, as numbers."""
    hand, deck, pile = samurai.hand, samurai.deck, len(samurai.pile)
    return {
        "hand": plural("hand of {player}: {count} card", "hand of {player}: {count} cards", hand, player=player),
        "deck": plural("deck of {player}: {count} card", "deck of {player}: {count} cards", deck, player=player),
        "pile": plural(
            "discards of {player}: {count} card", "discards of {player}: {count} cards", pile, player=player
        ),
    }
