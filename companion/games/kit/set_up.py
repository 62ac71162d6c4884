"""How a game presents itself before a match: a tile, a sentence, and words for its options.

The options are the game's own struct. What a form shows of them is worked out from it (`kit/option_forms.py`); the
words are in the game's `lobby.toml`, which has the fields of these classes. Where a value stands for players it names
their seats, counted from 1, so a preset fits any people.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from companion.core.drawing import Face
from companion.core.message import Message
from companion.games.kit.catalogue import table_of


class Choice(msgspec.Struct, frozen=True):
    """One of the values that an option can have."""

    value: Any
    title: Message
    rule: str = ""
    """Its own, where it has one; else the option's counts."""
    players: tuple[int, ...] = ()
    """The numbers of players that it is for; empty: any."""


@dataclass(frozen=True)
class OptionWords:
    title: Message
    note: Message
    """One sentence for people who do not know the rules by heart."""
    rule: str
    choices: tuple[Choice, ...] = ()
    """Every value of a Literal; of other types the values that a form offers. Where the struct says None and no choice
    does, the first one stands for it. An option none of whose choices is for this number of players is left out."""
    least: int | None = None
    """Of a number; None: as the struct says."""
    most: int | None = None
    players: tuple[int, ...] = ()
    """The numbers of players that it is for; empty: any."""
    seats: bool = False
    """Numbers in its value are seats, which the header has by name."""


class Preset(msgspec.Struct, frozen=True):
    """A match in two or three words, such as "25 actions"."""

    key: str
    title: Message
    options: dict[str, Any] = {}
    """As the forms give them."""
    players: tuple[int, ...] = ()
    """The numbers of players that it is for; empty: any."""


@dataclass(frozen=True)
class SetUp:
    about: Message | None = None
    """The game in one sentence."""
    minutes: tuple[int, int] | None = None
    """How long a match takes, from and to."""
    tile: Face | None = None
    """Our own drawing for the lobby; None: one is made of the title (`kit/tiles.py`)."""
    options: type[msgspec.Struct] | None = None
    """The struct of the options; None: there are none to choose."""
    words: Mapping[str, OptionWords] = field(default_factory=dict)
    """By name of the option, in the order of the form."""
    elsewhere: tuple[str, ...] = ()
    """Options that no form asks for, because they say what is printed on cards or where things stand."""
    presets: tuple[Preset, ...] = ()


def set_up(home: str, options: type[msgspec.Struct], tile: Face | None = None, **choices: tuple[Choice, ...]) -> SetUp:
    """As `lobby.toml` has it. Choices that are worked out instead of written down are given here, by option."""
    written = _with_messages(table_of(home, "lobby.toml", dict[str, Any]))
    found = msgspec.convert(written, _LobbyFile)
    words = {name: replace(each, choices=choices.get(name, each.choices)) for name, each in found.words.items()}
    return SetUp(found.about, found.minutes, tile, options, words, found.elsewhere, found.presets)


class _LobbyFile(msgspec.Struct, forbid_unknown_fields=True):
    about: Message
    minutes: tuple[int, int]
    words: dict[str, OptionWords] = {}
    elsewhere: tuple[str, ...] = ()
    presets: tuple[Preset, ...] = ()


def _with_messages(value: Any) -> Any:
    """What is said to people, as messages; `companion.core.catalogues` collects the same fields for translation."""
    if isinstance(value, list):
        return [_with_messages(each) for each in value]
    if not isinstance(value, dict):
        return value
    said = {key: Message(value[key]) for key in ("about", "title", "note") if key in value}
    return {key: _with_messages(each) for key, each in value.items()} | said
