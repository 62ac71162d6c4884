"""The lobby: sitting down by tap and by button, choosing a game and its options, and what keeps it from starting."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.events import OK, Light, Outcome, Press, Sense, Tap
from companion.core.message import message
from companion.core.rulings import Refused, ShinpanError
from companion.core.wording import sentence
from companion.games import game, names
from companion.record.match import Match
from companion.referee.lobby import PLACES, Arrangement, Lobby
from companion.referee.lobby_view import lobby_page


class Hall:
    """A lobby, and everything that it began and remembered."""

    def __init__(self, **more: Any) -> None:
        self.begun: list[Arrangement] = []
        self.kept: list[Arrangement] = []
        self.lobby = Lobby(Arrangement(**more), self.begun.append, self.kept.append)

    def tap(self, what: str, **data: Any) -> Outcome:
        return self.lobby.handle(Tap("", what, data, 0.0))

    def refused(self, what: str, **data: Any) -> tuple[str, str]:
        """The sentence, and the field it belongs to."""
        refusal = self.tap(what, **data).refusal
        assert refusal is not None
        assert sentence(refusal.message, "it") != str(refusal.message)
        return str(refusal.message), refusal.field

    def seat(self, *people: str) -> None:
        for place, name in enumerate(people):
            assert self.tap("sit", place=place, name=name).refusal is None


def test_people_sit_down_choose_and_start() -> None:
    hall = Hall()
    hall.seat("Aki", " Ben  Bo ")
    hall.tap("game", game="sen_so")
    hall.tap("options", options={"end": {"actions": 9}})
    assert hall.tap("start").refusal is None

    (begun,) = hall.begun
    assert (begun.players, begun.places, begun.game) == (("Aki", "Ben Bo"), (0, 1), "sen_so")
    assert begun.chosen_options == {"end": {"actions": 9}}
    assert begun.people[:2] == ("Aki", "Ben Bo")
    assert hall.kept[-1].seats[:2] == ("Aki", "Ben Bo")


def test_the_ready_button_of_an_empty_seat_asks_for_a_name_and_lights_up() -> None:
    hall = Hall()
    pressed = hall.lobby.handle(Press(3, "ready", 0.0))
    assert hall.lobby.asking == 3
    assert Light(3, "asking", 3) in pressed.effects
    seated = hall.tap("sit", place=3, name="Dai")

    assert hall.lobby.asking is None
    assert Light(3, "seated", 3) in seated.effects
    assert hall.lobby.handle(Press(3, "ready", 0.0)).effects  # somebody sits there: nothing is asked
    assert hall.lobby.asking is None


def test_a_button_pressed_by_nobody_known_changes_nothing() -> None:
    hall = Hall()
    for seat in (-1, PLACES, 99):
        hall.lobby.handle(Press(seat, "ready", 0.0))
    hall.lobby.handle(Press(0, "up", 0.0))

    assert hall.lobby.asking is None


@pytest.mark.parametrize(
    ("what", "data", "said", "field"),
    [
        ("sit", {"place": 6, "name": "Aki"}, "no such seat", "place"),
        ("sit", {"place": "1", "name": "Aki"}, "no such seat", "place"),
        ("sit", {"place": 2, "name": "  "}, "1 to 40 letters", "name"),
        ("sit", {"place": 2, "name": "x" * 41}, "1 to 40 letters", "name"),
        ("sit", {"place": 2, "name": "a\u202eb"}, "cannot be printed", "name"),
        ("sit", {"place": 2, "name": "Referee"}, "the referee's", "name"),
        ("sit", {"place": 2, "name": "AKI"}, "sits at this table already", "name"),
        ("game", {"game": "chess"}, "no game called chess", "game"),
        ("options", {"options": 3}, "cannot be read", "options"),
        ("options", {"options": {"end": {"actions": 3, "points": 4}}}, "", "end"),
        ("options", {"options": {"knock_out": 100}}, "Knock Out: a whole number from 1 to 99.", "knock_out"),
        ("options", {"options": {"knock_out": 2.5}}, "Knock Out: a whole number from 1 to 99.", "knock_out"),
        ("keep_preset", {"title": "", "options": {}}, "Give it a name", "title"),
        ("move", {"move": "arm"}, "the table is in the lobby", ""),
    ],
)
def test_what_will_not_do_is_one_sentence_at_its_field(what: str, data: dict[str, Any], said: str, field: str) -> None:
    hall = Hall(game="sen_so")
    hall.seat("Aki", "Ben")
    before = hall.lobby.arrangement
    text, at = hall.refused(what, **data)

    assert said in text
    assert at == field
    assert hall.lobby.arrangement == before


@pytest.mark.parametrize(
    ("name", "first", "more", "said", "field"),
    [
        (
            "sensu",
            {"variants": ["chosen_fan"]},
            {"chosen": ["gun_sen", "hi_ogi", "gun_sen"]},
            {"en": "Every player needs a chosen fan", "it": "A ogni giocatore serve un ventaglio prescelto"},
            "chosen",
        ),
        (
            "sensu",
            {"chosen": ["gun_sen", None, None]},
            {"chosen": [None, None, None]},
            {"en": "the variant is not in use", "it": "la variante non è in uso"},
            "chosen",
        ),
        (
            "sen_so",
            {"advanced_knock_out": True},
            {"knock_out": 30},
            {"en": "Advanced Knock Out needs an endurance.", "it": "Il Knock Out avanzato richiede una resistenza."},
            "knock_out",
        ),
        (
            "senjutsu",
            {"samurai": ["ronin", "ronin", None]},
            {"samurai": ["ronin", None, "student"]},
            {"en": "Two players have chosen the Ronin.", "it": "Due giocatori hanno scelto il Ronin."},
            "samurai",
        ),
    ],
)
def test_answers_that_contradict_each_other_are_kept_told_at_their_field_and_can_be_put_right(
    name: str, first: dict[str, Any], more: dict[str, Any], said: dict[str, str], field: str
) -> None:
    hall = Hall(game=name)
    hall.seat("Aki", "Ben", "Cho")
    assert hall.tap("options", options=first).refusal is None
    for language, words in said.items():
        shown = lobby_page(hall.lobby, 1, language)
        assert shown.obstacle is not None
        assert words in shown.obstacle.text
        assert shown.obstacle.field == field
        assert {each.name: each.value for each in shown.options}.items() >= first.items()
    assert hall.refused("start")[1] == field
    assert hall.refused("keep_preset", title="Ours", options=first)[1] == field
    assert hall.tap("options", options={**first, **more}).refusal is None

    assert hall.tap("start").refusal is None


def test_options_for_every_seat_outlive_people_who_sit_down_and_stand_up() -> None:
    hall = Hall(game="senjutsu")
    hall.seat("Aki", "Ben", "Cho")
    hall.tap("options", options={"samurai": ["ronin", None, "student"]})
    hall.tap("sit", place=3, name="Dai")
    assert shown_options(hall)["samurai"] == ["ronin", None, "student", None]
    hall.tap("stand", place=3)
    hall.tap("stand", place=2)
    assert shown_options(hall)["samurai"] == ["ronin", None]
    assert hall.lobby.obstacle is None

    hall.tap("game", game="san_ni_ichi")
    hall.seat("Aki", "Ben", "Cho", "Dai")
    hall.tap("options", options={"teams": [[1, 3], [2, 4]], "deck": [9, 1], "dealer": 4})
    hall.tap("stand", place=3)
    assert hall.lobby.obstacle is None
    assert shown_options(hall).get("dealer") is None
    hall.tap("sit", place=3, name="Dai")
    assert shown_options(hall)["teams"] == [[1, 3], [2, 4]]


def shown_options(hall: Hall) -> dict[str, Any]:
    return {each.name: each.value for each in lobby_page(hall.lobby, 1, "en").options}


def test_too_few_too_many_and_no_game_keep_a_match_from_starting() -> None:
    hall = Hall()
    assert hall.refused("start") == ("Choose a game first.", "game")
    hall.tap("game", game="san_ni_ichi")
    hall.seat("Aki", "Ben")
    assert hall.refused("start")[1] == "players"
    hall.tap("game", game="sen_so")
    hall.seat("Aki", "Ben", "Cho", "Dai", "Emi")
    assert hall.refused("start")[1] == "players"
    hall.tap("stand", place=1)
    assert hall.tap("start").refusal is None
    assert hall.begun[0].places == (0, 2, 3, 4)


def test_a_match_that_cannot_begin_leaves_the_lobby_as_it_is() -> None:
    def full(arrangement: Arrangement) -> None:
        raise ShinpanError(message("The disk is full."))

    lobby = Lobby(Arrangement(seats=("Aki", "Ben", "", "", "", ""), game="sen_so"), full)
    refusal = lobby.handle(Tap("", "start", {}, 0.0)).refusal

    assert refusal is not None
    assert (str(refusal.message), refusal.rules) == ("The disk is full.", ())
    assert lobby.arrangement.players == ("Aki", "Ben")


def test_presets_of_ones_own_are_kept_and_dropped() -> None:
    hall = Hall(game="sen_so")
    hall.tap("keep_preset", title="Our evening", options={"end": {"points": 12}})
    shown = lobby_page(hall.lobby, 1, "en").presets
    assert [each.title for each in shown if each.own] == ["Our evening"]
    hall.tap("drop_preset", title="Our evening")

    assert not any(each.own for each in lobby_page(hall.lobby, 1, "en").presets)


def test_seats_can_be_swapped_and_names_forgotten() -> None:
    hall = Hall()
    hall.seat("Aki", "Ben")
    hall.tap("swap", **{"place": 0, "with": 5})
    assert hall.lobby.arrangement.seats == ("", "Ben", "", "", "", "Aki")
    hall.tap("stand", place=5)
    assert "Aki" in lobby_page(hall.lobby, 1, "en").people
    hall.tap("forget", name="Aki")

    assert "Aki" not in lobby_page(hall.lobby, 1, "en").people


@pytest.mark.parametrize("game", names())
@pytest.mark.parametrize("language", ["en", "it"])
def test_every_game_has_a_tile_and_a_form_in_every_language(game: str, language: str) -> None:
    hall = Hall(game=game)
    shown = lobby_page(hall.lobby, 7, language)

    assert shown.version == 7
    assert {each.name for each in shown.games} == set(names())
    assert all(each.face.shapes and each.title for each in shown.games)
    for option in shown.options:
        assert option.title
        assert option.note


def test_senses_stand_on_the_page() -> None:
    hall = Hall()
    hall.lobby.handle(Sense("panel 2", OK, 0.0, message("Seat 2 has another panel now.")))
    shown = lobby_page(hall.lobby, 1, "en")

    assert shown.senses["panel 2"].state is OK.state
    assert shown.notices == ("Seat 2 has another panel now.",)


_DATA = st.dictionaries(
    st.sampled_from(["place", "with", "name", "game", "options", "title"]),
    st.one_of(st.integers(-2, 8), st.text(max_size=50), st.none(), st.sampled_from(["sen_so", "sensu"]), st.just({})),
)
_WHAT = st.sampled_from(
    ["sit", "stand", "swap", "game", "options", "keep_preset", "drop_preset", "forget", "start", "undo", ""]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(_WHAT, _DATA), max_size=12))
def test_nothing_that_is_sent_breaks_the_lobby(taps: list[tuple[str, dict[str, Any]]]) -> None:
    hall = Hall()
    for what, data in taps:
        hall.tap(what, **data)
        made = hall.lobby.arrangement
        assert len(made.seats) == PLACES
        assert len(set(made.players)) == len(made.players)
    lobby_page(hall.lobby, 1, "it")


@pytest.mark.parametrize("name", ["ｒｅｆｅｒｅｅ", "Screen", "camera", "ＡＫＩ", "Aki.b"])
def test_no_name_passes_for_another_or_for_what_else_logs_in(name: str) -> None:
    lobby = Lobby(Arrangement(seats=("Aki", "", "", "", "", "")), lambda arrangement: None)

    refusal = lobby.handle(Tap("", "sit", {"place": 1, "name": name}, 0.0)).refusal

    assert refusal is not None
    assert refusal.field == "name"


def test_nobody_has_a_name_whose_places_are_also_anothers() -> None:
    """Places are told apart by what stands before the dot: A could put right, and look at, what lies at A.b's."""
    with pytest.raises(Refused, match="after the dot"):
        Match(game("sen_so"), ["A", "A.b"])
