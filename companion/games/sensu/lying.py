"""What everybody can see on the table: fans, sticks, discard piles, columns, and how many cards are hidden."""

from companion.core.message import Message, Thing, message, plural
from companion.games.kit.game import Sealed
from companion.games.sensu.cards import TYPES
from companion.games.sensu.names import CARD, FAN, all_cards
from companion.games.sensu.state import Fan, FanSeat, SensuState


def lies(state: SensuState, sealed: Sealed) -> dict[str, Message]:
    told: dict[str, Message] = {}
    for seat in state.seats:
        told |= _seat(seat)
    for number, column in enumerate(state.columns, 1):
        told[f"column{number}"] = (
            message("column {number}: {cards}", number=number, cards=all_cards(column))
            if column
            else message("column {number}: nothing", number=number)
        )
    told["redeemed"] = (
        message("redeemed, face up: {cards}", cards=all_cards(state.redeemed))
        if state.redeemed
        else message("redeemed: nothing")
    )
    told["deck"] = plural("deck: {count} card", "deck: {count} cards", state.deck)
    return told


def _seat(seat: FanSeat) -> dict[str, Message]:
    player = Thing("player", seat.player)
    fans = {f"{seat.player}.{kind}": _fan(player, kind, fan) for kind, fan in zip(TYPES, seat.fans, strict=True)}
    pile = (
        message("discard pile of {player}: {card} on top", player=player, card=CARD[seat.discards[-1]])
        if seat.discards
        else message("discard pile of {player}: nothing", player=player)
    )
    hand = plural("hand of {player}: {count} card", "hand of {player}: {count} cards", seat.hand, player=player)
    return {**fans, f"{seat.player}.discards": pile, f"{seat.player}.hand": hand}


def _fan(player: Thing, kind: str, fan: Fan) -> Message:
    if not fan.cards:
        return message("{fan} fan of {player}: nothing", fan=FAN[kind], player=player)
    return plural(
        "{fan} fan of {player}: {cards} ({count} stick)",
        "{fan} fan of {player}: {cards} ({count} sticks)",
        fan.sticks,
        fan=FAN[kind],
        player=player,
        cards=all_cards(fan.cards),
    )
