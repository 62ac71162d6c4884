"""The games: each folder here, and each installed package that announces one in the entry-point group `shinpan.games`.

Rule for everything below this package: pure functions on immutable values. No files, no clock, no chance, no
other game. Whatever happened in the world comes in as a move or a tick; whatever follows goes out as a ruling.

A game is imported when it is first asked for, so a broken one stands in nobody else's way.
"""

import logging
from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import cache
from importlib import import_module, metadata
from pkgutil import iter_modules
from typing import NamedTuple

from companion.core.message import Message, message
from companion.core.rulings import ShinpanError, Unknown
from companion.core.wording import add_home
from companion.games.kit.game import Game, OnTable, Rules

GROUP = "shinpan.games"


class BrokenGame(ShinpanError):
    """A game that was announced and cannot be played."""


class Announced(NamedTuple):
    package: str
    attribute: str = "GAME"


class KnownGames(NamedTuple):
    games: Mapping[str, Announced]
    left_out: tuple[Message, ...]
    """What is wrong with announcements of a name that was taken already."""


@cache
def announcements() -> KnownGames:
    """The games there are, by name, without importing any. The folders here come first."""
    here = [(each.name, Announced(f"{__name__}.{each.name}")) for each in iter_modules(__path__) if each.ispkg]
    installed = sorted(metadata.entry_points(group=GROUP), key=lambda each: (each.name, each.value))
    announced = [*here, *((each.name, _announced(each.value)) for each in installed)]
    found: dict[str, Announced] = {}
    left_out = []
    for name, game in announced:
        if name == "kit":
            continue
        kept = found.setdefault(name, game)
        if kept != game:
            twice = message(
                "There are two games called {name}: the one of {kept} is played, the one of {package} is left out.",
                name=name,
                kept=kept.package,
                package=game.package,
            )
            left_out.append(twice)
    return KnownGames(found, tuple(left_out))


def _announced(value: str) -> Announced:
    """`my_game:GAME` or `my_game`. Whatever else somebody has written there cannot be imported, and is told so."""
    home, _, attribute = value.partition(":")
    return Announced(home.strip(), attribute.strip() or "GAME")


def names() -> tuple[str, ...]:
    """The games that somebody can ask for, playable or not."""
    return tuple(announcements().games)


def package(name: str) -> str:
    """Where that game's code and data are: `companion.games.sen_so`."""
    known = announcements().games
    if name not in known:
        raise Unknown(message("There is no game called {name}; there are {known}.", name=name, known=tuple(known)))
    return known[name].package


@cache
def game(name: str) -> Game:
    """The game of that name, loaded when first asked for; raises BrokenGame where it cannot be played."""
    home = package(name)
    found = _load(name, announcements().games[name])
    if isinstance(found, Message):
        told = message("The game {name} of {package} cannot be played: {reason}", name=name, package=home, reason=found)
        raise BrokenGame(told)
    add_home(home)
    for twice in announcements().left_out:
        if twice.facts["name"] == name:
            logging.getLogger(__name__).warning(str(twice))
    return found


def playable() -> tuple[list[Game], list[Message]]:
    """Every game that can be played, and a sentence about each one that cannot."""
    found, faults = [], list(announcements().left_out)
    for name in names():
        try:
            found.append(game(name))
        except BrokenGame as broken:
            faults.append(broken.message)
    return found, faults


def _load(name: str, announced: Announced) -> Game | Message:
    """The game, or what is wrong with it."""
    try:
        found = getattr(import_module(announced.package), announced.attribute, None)
    except (Exception, SystemExit) as error:  # whatever somebody else's code does
        reason = f"{type(error).__name__}: {error}".partition("\n")[0]
        return message("it cannot be imported ({error}).", error=reason)
    if not isinstance(found, Game):
        return message("{package} has no {attribute}.", package=announced.package, attribute=announced.attribute)
    if found.name != name:
        return message("it calls itself {other}.", other=found.name)
    return _missing_part(found) or found


def _missing_part(found: Game) -> Message | None:
    for part, kind in (("rules", Rules), ("table", OnTable)):
        value = getattr(found, part)
        if not isinstance(value, kind):
            return message("its part {part} is missing.", part=part)
        for field in fields(kind):
            if field.default is MISSING and field.default_factory is MISSING and getattr(value, field.name) is None:
                return message("its part {part} is missing.", part=f"{part}.{field.name}")
    return None
