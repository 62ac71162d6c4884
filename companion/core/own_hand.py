"""What somebody who sits down at the virtual table holds, and what the virtual hands ask: nobody else is sent it."""

import msgspec

from companion.core.message import Message


class HandOption(msgspec.Struct, frozen=True):
    title: Message
    card: str = ""
    """The card that it is about, to be drawn; empty: none."""
    value: str = ""
    """What it means to whoever asks."""


class HandQuestion(msgspec.Struct, frozen=True):
    number: int
    """Grows with every question, so that an answer to an older one is not taken for an answer to this."""
    text: Message
    options: tuple[HandOption, ...]
    least: int = 1
    most: int = 1
    """How many are to be chosen."""
    beside: bool = False
    """Moves can be tapped instead."""


class OwnHand(msgspec.Struct, frozen=True):
    cards: tuple[str, ...] = ()
    """In the hand, in order."""
    question: HandQuestion | None = None
