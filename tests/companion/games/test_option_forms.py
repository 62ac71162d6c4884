"""Every game before a match: presets that begin one, and forms whose answers begin one or are refused at a field."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import games
from companion.core.drawing import Circle, Polygon, Text, placed
from companion.core.rulings import Refused
from companion.core.wording import nameless
from companion.games.kit.game import Game
from companion.games.kit.option_forms import OptionForm, header_options, option_fields, option_forms
from companion.games.kit.set_up import SetUp
from companion.games.kit.tiles import tile
from companion.record.match import Match
from companion.referee.table_view import in_words

PEOPLE = ("Aki", "Ben", "Cho", "Dai", "Emi", "Fay")
GAMES = [games.game(name) for name in games.names()]
TABLES = [(game, count) for game in GAMES for count in game.seats]
tables = pytest.mark.parametrize(("game", "count"), TABLES, ids=[f"{game.name}-{count}" for game, count in TABLES])


@tables
def test_forms_as_they_come_leave_the_header_empty(game: Game, count: int):
    usual = {form.name: form.value for form in option_forms(game, count)}

    assert header_options(game, PEOPLE[:count], usual) == {}


@tables
def test_what_a_form_shows_at_first_is_what_is_played_without_options(game: Game, count: int):
    players = PEOPLE[:count]
    usual = {form.name: form.value for form in option_forms(game, count) if form.kind not in ("each", "player")}

    shown = Match(game, players, {name: value for name, value in usual.items() if value is not None and value != []})

    assert facts(shown) == facts(Match(game, players))


def facts(match: Match) -> Any:
    return match.facts, match.game.rules.view(match.state, None), match.game.table.layout(match.state)


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


plain = (
    st.none() | st.booleans() | st.integers(-3, 40) | st.sampled_from(["", "Aki", "c3", "powers", "ronin", "fire-5"])
)
anything = st.recursive(
    plain,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from([*PEOPLE, "time"]), inner, max_size=3),
)


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
@given(data=st.data())
def test_whatever_else_is_sent_is_refused_in_a_sentence_at_its_field(game: Game, data: st.DataObject):
    count = game.seats[-1]
    sent = data.draw(st.dictionaries(st.sampled_from(sorted(option_fields(game))), anything, max_size=3))
    refusal = refused(game, PEOPLE[:count], header_options(game, PEOPLE[:count], sent))

    assert refusal is None or (refusal.text.endswith(".") and refusal.field in sent)


@tables
def test_forms_are_told_in_the_language_of_the_reader(game: Game, count: int):
    for form in option_forms(game, count):
        told = in_words(form, nameless, "it")

        assert told["note"] not in ("", str(form.note))


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_every_tile_is_drawn_within_its_edges(game: Game):
    drawn = tile(game)
    points = [point for shape in drawn.shapes if isinstance(shape, Polygon) for point in shape.points]

    assert len(points) > 10
    assert all(abs(x) <= drawn.width / 2 and abs(y) <= drawn.height / 2 for x, y in points)


def test_shapes_are_scaled_turned_and_moved():
    shapes = Polygon(((1, 0), (0, 2)), "#000000", "", 1), Circle((0, 1), 2), Text((1, 0), "A", 3, turn=10)

    assert tuple(placed(shapes, (10, 20), 90, 2)) == (
        Polygon(((10, 22), (6, 20)), "#000000", "", 2),
        Circle((8, 20), 4, "", "", 1),
        Text((10, 22), "A", 6, turn=100),
    )


def test_seats_become_names_in_the_header():
    game = games.game("san_ni_ichi")

    options = header_options(game, PEOPLE[:4], {"teams": [[1, 3], [2, 4]], "dealer": 2, "scoring": "strength"})

    assert options == {"teams": [["Aki", "Cho"], ["Ben", "Dai"]], "dealer": "Ben"}


def test_an_answer_for_every_seat_becomes_one_for_every_name():
    game = games.game("senjutsu")

    assert header_options(game, PEOPLE[:2], {"samurai": [None, "ronin"]}) == {"samurai": {"Ben": "ronin"}}


def test_what_is_for_other_numbers_of_players_is_not_asked():
    sni, sensu = games.game("san_ni_ichi"), games.game("sensu")

    assert "teams" not in [form.name for form in option_forms(sni, 5)]
    assert "teams" in [form.name for form in option_forms(sni, 4)]
    assert option_forms(sensu, 1) == ()


@pytest.mark.parametrize(
    ("name", "answers", "field"),
    [
        ("sen_so", {"advanced_knock_out": True}, "knock_out"),
        ("sen_so", {"end": {"time": 60, "points": 5}}, "end"),
        ("sen_so", {"end": {"time": "soon"}}, "end"),
        ("sen_so", {"colour": "red"}, "colour"),
        ("sensu", {"variants": ["chosen_fan"]}, "chosen"),
        ("sensu", {"chosen": ["gun_sen", "hi_ogi", "gun_sen"]}, "chosen"),
        ("senjutsu", {"samurai": ["ronin", "ronin", None]}, "samurai"),
        ("san_ni_ichi", {"teams": [[1, 3], [2, 4]]}, "teams"),
        ("san_ni_ichi", {"dealer": 9}, "dealer"),
        ("high_card", {"rounds": 8}, "rounds"),
    ],
)
def test_options_that_contradict_each_other_are_refused_at_their_field(name: str, answers: dict[str, Any], field: str):
    game = games.game(name)
    refusal = refused(game, PEOPLE[:3], header_options(game, PEOPLE[:3], answers))

    assert refusal is not None
    assert refusal.field == field


@pytest.mark.parametrize("name", games.names())
def test_the_number_of_players_and_their_names_are_a_field_too(name: str):
    crowd = tuple(f"Player {number}" for number in range(1, 10))

    for players in (crowd, ("Aki", "Aki"), ("Aki", "")):
        refusal = refused(games.game(name), players, {})

        assert refusal is not None
        assert refusal.field == "players"


def test_a_game_that_says_nothing_of_itself_has_a_tile_and_no_forms():
    plain = replace(games.game("high_card"), set_up=SetUp())

    assert option_forms(plain, 2) == ()
    assert header_options(plain, PEOPLE[:2], {"rounds": 5}) == {"rounds": 5}
    assert [shape.text for shape in tile(plain).shapes if isinstance(shape, Text)] == ["HIGH", "CARD"]
