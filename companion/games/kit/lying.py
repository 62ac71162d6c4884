"""What lies in a place, as people say it who put cards back there."""

from companion.core.message import Message, Thing, message


def nothing(place: str) -> Message:
    return message("{place}: nothing", place=Thing("place", place))


def covered(place: str) -> Message:
    return message("{place}: a card, face down", place=Thing("place", place))


def shown(place: str, card: str) -> Message:
    return message("{place}: {card}, face up", place=Thing("place", place), card=Thing("card", card))
