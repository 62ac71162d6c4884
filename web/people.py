"""People over many matches: standings of an evening or of all time, one player's figures, who wins against whom."""

from typing import Literal

import msgspec
from flask import Flask, Response, g, render_template
from werkzeug.wrappers import Response as AnyResponse

from companion.core.message import Message
from companion.core.rulings import ShinpanError
from companion.core.wording import sentence
from companion.games import game
from companion.history import listing, standings
from companion.history.listing import WantedMatches
from companion.history.standings import HeadToHead, PersonInGame, StandingLine, figures_of, title_of
from web import words
from web.answers import Done, as_json, common, decoded, remembering, script_safe
from web.bootstrap import Bootstrap
from web.history import READING, Shelf, in_sentences, told, wanted


class FigureLine(msgspec.Struct, frozen=True):
    title: str
    total: int
    mean: float
    round_title: str
    a_round: float | None


class FavouriteLine(msgspec.Struct, frozen=True):
    name: str
    times: int
    cost: int | None


class PersonShown(msgspec.Struct, frozen=True):
    """One person in one game."""

    game: str
    matches: int
    wins: int
    figures: tuple[FigureLine, ...]
    thought: float | None
    answers: int
    favourites: tuple[FavouriteLine, ...]
    favourites_title: str
    cost_title: str


class PersonAnswer(msgspec.Struct, frozen=True):
    name: str
    games: tuple[PersonShown, ...]
    against: tuple[HeadToHead, ...]
    names: tuple[str, ...]
    """The referee alone is told which names of kifus are this person's."""
    anonymous: bool


class StandingsAnswer(msgspec.Struct, frozen=True):
    left: int
    lines: tuple[StandingLine, ...]


class PeopleBootstrap(Bootstrap, frozen=True, kw_only=True):
    referee: bool
    games: dict[str, str]
    days: tuple[str, ...]
    """The last evenings on which matches were played."""
    wanted: WantedMatches
    found: StandingsAnswer
    page: None = None


class WishBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    what: Literal["merge", "split", "anonymous", "named"]
    name: str
    into: str = ""


def add_people(app: Flask, shelf: Shelf) -> None:
    def found() -> StandingsAnswer:
        left = shelf.library.refresh(READING).left
        return StandingsAnswer(left, tuple(standings.standings(shelf.library.index, wanted())))

    @app.get("/people")
    @in_sentences
    def people() -> AnyResponse:
        index = shelf.library.index
        answered = found()
        data = PeopleBootstrap(
            language=g.language,
            words=words.for_scripts(g.language),
            referee=shelf.by_referee,
            games={name: title_of(name) for name, _ in listing.games(index)},
            days=tuple(listing.days(index)),
            wanted=wanted(),
            found=answered,
        )
        return remembering(Response(render_template("people.html", data=script_safe(data), **common())))

    @app.get("/api/people")
    @in_sentences
    def lines() -> AnyResponse:
        return as_json(found())

    @app.get("/api/people/<path:player>")
    @in_sentences
    def person(player: str) -> AnyResponse:
        library, asked = shelf.library, wanted()
        wishes = library.wishes
        mine = tuple(sorted(name for name in {*wishes.merged, *wishes.anonymous} if wishes.called(name) == player))
        return as_json(
            PersonAnswer(
                player,
                tuple(_shown(each) for each in standings.people(library.index, asked, player)),
                tuple(standings.opponents(library.index, player, asked)),
                mine if shelf.by_referee else (),
                any(wishes.called(name) == player for name in wishes.anonymous),
            )
        )

    @app.post("/api/people")
    @in_sentences
    def wish() -> AnyResponse:
        shelf.only_referee()
        body = decoded(WishBody)
        if body.what in ("merge", "split"):
            shelf.library.merge(body.name, body.into if body.what == "merge" else "")
        else:
            shelf.library.make_anonymous(body.name, body.what == "anonymous")
        return as_json(Done())


def _shown(person: PersonInGame) -> PersonShown:
    figures = figures_of(person.game)

    def name(thing: str) -> str:
        try:
            return game(person.game).rules.names(None, thing, g.language) or thing.replace("_", " ")
        except ShinpanError:
            return thing

    def words_of(title: Message | None) -> str:
        return "" if title is None else sentence(title, g.language)

    return PersonShown(
        title_of(person.game),
        person.matches,
        person.wins,
        tuple(
            FigureLine(told(each.title), each.total, each.mean, words_of(each.round_title), each.a_round)
            for each in person.figures
        ),
        person.thought,
        person.answers,
        tuple(FavouriteLine(name(each.thing), each.times, each.cost) for each in person.favourites),
        words_of(figures.chosen_title),
        words_of(figures.cost_title),
    )
