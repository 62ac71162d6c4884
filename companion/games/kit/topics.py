"""What of a game is easier drawn than said: for the rules browser, beside the rules themselves."""

import msgspec

from companion.core.message import Message

Offset = tuple[int, int]
"""Squares to the right and ahead."""


class Squares(msgspec.Struct, frozen=True, tag_field="diagram", tag="squares"):
    """Squares round a piece, as far as anything reaches."""

    struck: tuple[tuple[Offset, ...], ...]
    """Those that are struck: ahead, and after each eighth turn clockwise."""


class Node(msgspec.Struct, frozen=True):
    title: Message
    kind: str
    """Its class in the style sheet."""
    at: tuple[float, float]
    """From 0 to 1, to the right and down."""


class Branches(msgspec.Struct, frozen=True, tag_field="diagram", tag="branches"):
    nodes: tuple[Node, ...]
    arrows: tuple[tuple[int, int], ...]
    """From which node to which."""


class Examples(msgspec.Struct, frozen=True, tag_field="diagram", tag="cards"):
    cards: tuple[str, ...]


class Topic(msgspec.Struct, frozen=True):
    title: Message
    rules: tuple[str, ...]
    """They explain the drawing."""
    drawing: Squares | Branches | Examples
