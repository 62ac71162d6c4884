"""Every game before a match: presets that begin one, and forms whose answers begin one or are refused at a field."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import games
from companion.core.rulings import Refused
from companion.core.wording import nameless
from companion.games.kit.game import Game
from companion.games.kit.option_forms import OptionForm, header_options, option_forms, presets
from companion.games.kit.tiles import tile
from companion.record.match import Match
from companion.referee.table_view import in_words

PEOPLE = ("Aki", "Ben", "Cho", "Dai", "Emi", "Fay")
GAMES = [games.game(name) for name in games.names()]
TABLES = [(game, count) for game in GAMES for count in game.seats]
tables = pytest.mark.parametrize(("game", "count"), TABLES, ids=[f"{game.name}-{count}" for game, count in TABLES])


@tables
def test_every_preset_begins_a_match(game: Game, count: int):
    for preset in presets(game, count):
        Match(game, PEOPLE[:count], header_options(game, PEOPLE[:count], preset.options))


@tables
def test_forms_as_they_come_leave_the_header_empty(game: Game, count: int):
    usual = {form.name: form.value for form in option_forms(game, count)}

    assert header_options(game, PEOPLE[:count], usual) == {}


def answers(form: OptionForm, count: int) -> st.SearchStrategy[Any]:
    one = st.sampled_from([each.value for each in form.choices] or [None])
    match form.kind:
        case "switch":
            return st.booleans()
        case "choice":
            return one
        case "several":
            return st.lists(one, unique=True)
        case "each":
            return st.lists(one, min_size=count, max_size=count)
        case "player":
            return st.sampled_from([None, *range(1, count + 1)])
        case "number":
            number = st.integers(form.least, form.most)
            return st.none() | number if form.optional else number


@tables
@given(data=st.data())
def test_whatever_a_form_gives_begins_a_match_or_is_refused_at_a_field(game: Game, count: int, data: st.DataObject):
    forms = option_forms(game, count)
    given_answers = {form.name: data.draw(answers(form, count), label=form.name) for form in forms}

    refusal = refused(game, PEOPLE[:count], header_options(game, PEOPLE[:count], given_answers))

    assert refusal is None or (refusal.text.endswith(".") and refusal.field in given_answers)


def refused(game: Game, players: tuple[str, ...], options: dict[str, Any]) -> Refused | None:
    try:
        Match(game, players, options)
    except Refused as refusal:
        return refusal
    return None


@tables
def test_forms_are_told_in_the_language_of_the_reader(game: Game, count: int):
    for form in option_forms(game, count):
        told = in_words(form, nameless, "it")

        assert told["note"] not in ("", str(form.note))
        assert form.rule in game.rules.catalogue()


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_every_game_has_a_tile(game: Game):
    assert tile(game).shapes
