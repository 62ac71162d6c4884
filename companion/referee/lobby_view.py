"""What the lobby shows: the games, the people, the forms of the chosen game, and what stands in the way of a start."""

from typing import Any, Literal

import msgspec

from companion.core.drawing import Face
from companion.core.message import Message
from companion.core.rulings import Refused
from companion.core.wording import sentence
from companion.games import playable
from companion.games.kit.game import Game
from companion.games.kit.option_forms import option_forms, presets
from companion.games.kit.tiles import tile
from companion.referee.lobby import Lobby
from companion.referee.table_view import SenseShown, sense_shown

NOTICES = 5


class Check(msgspec.Struct, frozen=True):
    """One line of the check list before a match."""

    name: str
    """What is looked at, in a word: `camera`, `disk`, `clock`, ..."""
    state: Literal["ok", "trouble", "off"]
    """`off`: switched off by choice."""
    message: Message
    link: str = ""
    """The page on which it can be mended."""
    command: str = ""
    """What mends it at a terminal; empty where no command does."""
    fix: str = ""
    """What `shinpan doctor --fix` does about it by itself; empty where it leaves that to people."""


class CheckShown(msgspec.Struct, frozen=True):
    name: str
    state: Literal["ok", "trouble", "off"]
    text: str
    link: str
    command: str
    fix: str


class GameTile(msgspec.Struct, frozen=True):
    name: str
    title: str
    about: str
    least: int
    most: int
    """How many play it."""
    minutes: tuple[int, int] | None
    face: Face


class ChoiceShown(msgspec.Struct, frozen=True):
    value: Any
    title: str


class OptionShown(msgspec.Struct, frozen=True):
    name: str
    kind: Literal["switch", "choice", "several", "each", "player", "number"]
    title: str
    note: str
    rule: str
    usual: Any
    value: Any
    choices: tuple[ChoiceShown, ...]
    least: int | None
    most: int | None
    optional: bool


class PresetShown(msgspec.Struct, frozen=True):
    title: str
    options: dict[str, Any]
    own: bool
    """Somebody here made it, and may drop it."""


class ObstacleShown(msgspec.Struct, frozen=True):
    """Why the match cannot start, and the field of the page that it is about."""

    text: str
    field: str


class LobbyPage(msgspec.Struct, frozen=True, kw_only=True):
    """The table between two matches, the same for everybody who looks."""

    version: int
    build: str = ""
    match: str = ""
    """No match: pages that show one load themselves again."""
    games: tuple[GameTile, ...]
    broken: tuple[str, ...]
    """Games that are installed and cannot be played, and why."""
    game: str
    """The chosen one, or empty."""
    seats: tuple[str, ...]
    """Who sits at each place; empty: nobody."""
    bots: tuple[int, ...]
    """At a virtual table: the places that bots have."""
    virtual: bool
    asking: int | None
    """The place that waits for a name, because its button was pressed."""
    people: tuple[str, ...]
    """Names to choose from."""
    options: tuple[OptionShown, ...]
    presets: tuple[PresetShown, ...]
    obstacle: ObstacleShown | None
    notices: tuple[str, ...]
    senses: dict[str, SenseShown]


def lobby_page(lobby: Lobby, version: int, language: str, *, virtual: bool = False) -> LobbyPage:
    made, games, broken = lobby.arrangement, *playable()
    chosen = next((each for each in games if each.name == made.game), None)
    obstacle = lobby.obstacle
    return LobbyPage(
        version=version,
        games=tuple(_tile(each, language) for each in games),
        broken=tuple(sentence(each, language) for each in broken),
        game=made.game if chosen else "",
        seats=made.seats,
        bots=tuple(place for place in made.places if place not in made.with_phone) if virtual else (),
        virtual=virtual,
        asking=lobby.asking,
        people=tuple(name for name in made.people if name not in made.seats),
        options=_options(chosen, lobby, language) if chosen else (),
        presets=_presets(chosen, lobby, language) if chosen else (),
        obstacle=None if obstacle is None else _obstacle(obstacle, chosen, language),
        notices=tuple(sentence(each, language) for each in lobby.notices[-NOTICES:]),
        senses={name: sense_shown(each, language) for name, each in lobby.senses.items()},
    )


def _obstacle(obstacle: Refused, chosen: Game | None, language: str) -> ObstacleShown:
    return ObstacleShown(told(obstacle.message, chosen, language), obstacle.field)


def told(said: Message, chosen: Game | None, language: str) -> str:
    """A sentence about a match that has not begun, with the names that its game has for things."""
    if chosen is None:
        return sentence(said, language)
    return sentence(said, language, lambda thing, spoken: chosen.rules.names(None, thing, spoken))


def check_shown(check: Check, language: str) -> CheckShown:
    return CheckShown(check.name, check.state, sentence(check.message, language), check.link, check.command, check.fix)


def _tile(game: Game, language: str) -> GameTile:
    about = game.set_up.about
    return GameTile(
        name=game.name,
        title=game.title,
        about="" if about is None else sentence(about, language),
        least=game.seats.start,
        most=game.seats.stop - 1,
        minutes=game.set_up.minutes,
        face=tile(game),
    )


def _options(game: Game, lobby: Lobby, language: str) -> tuple[OptionShown, ...]:
    answers = lobby.arrangement.chosen_options
    return tuple(
        OptionShown(
            name=form.name,
            kind=form.kind,
            title=sentence(form.title, language),
            note=sentence(form.note, language),
            rule=form.rule,
            usual=form.value,
            value=answers.get(form.name, form.value),
            choices=tuple(ChoiceShown(each.value, sentence(each.title, language)) for each in form.choices),
            least=form.least,
            most=form.most,
            optional=form.optional,
        )
        for form in option_forms(game, lobby.arrangement.asked_for)
    )


def _presets(game: Game, lobby: Lobby, language: str) -> tuple[PresetShown, ...]:
    ready = presets(game, lobby.arrangement.asked_for)
    own = lobby.arrangement.presets.get(game.name, {})
    return (
        *(PresetShown(sentence(each.title, language), each.options, own=False) for each in ready),
        *(PresetShown(title, options, own=True) for title, options in own.items()),
    )
