"""How a match ended, in a few words for a list."""

from companion.core.message import Message, message, things
from companion.history.listing import MatchListed


def ending(match: MatchListed) -> Message:
    winners = things("player", (seat.name for seat in match.seats if seat.won))
    if match.fault is not None:
        return message("it cannot be read: {reason}", reason=match.fault)
    if not match.told:
        return message("not read yet")
    if not match.over:
        return message("not over")
    if winners:
        return message("won by {winners}", winners=winners)
    return message("abandoned") if match.how == "abandoned" else message("nobody won")
