"""What a game lays on the table besides its cards, for those who print it: summaries of the rules, consoles.

A game names the rules; their words, in every language, are in its catalogue of rules already.
"""

import msgspec

from companion.core.message import Message
from companion.games.kit.topics import Branches


class RulesSection(msgspec.Struct, frozen=True):
    """A part of a summary: its title, and the rules that it tells."""

    title: Message
    rules: tuple[str, ...]


class SummaryCard(msgspec.Struct, frozen=True):
    """What a player wants to have at hand; one for each player."""

    title: Message
    sections: tuple[RulesSection, ...]
    table: tuple[tuple[Message, tuple[str, ...]], ...] = ()
    """Rows of figures, such as the sticks of each value."""


class Track(msgspec.Struct, frozen=True):
    """Boxes to lay markers on, or to tick."""

    title: Message
    boxes: int


class ConsoleCard(msgspec.Struct, frozen=True):
    """The board of one fighter."""

    title: Message
    facts: tuple[Message, ...]
    tracks: tuple[Track, ...]
    drawing: Branches
    note: Message
    """Where its figures come from."""


Paper = SummaryCard | ConsoleCard
