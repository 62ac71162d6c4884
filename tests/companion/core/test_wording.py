"""Facts stay ids; sentences call things by their names, in the language of whoever reads them."""

import pytest

from companion.core.message import message
from companion.core.rulings import Refused, Ruling
from companion.core.wording import LANGUAGES, sentence
from companion.games import game
from companion.games.kit.catalogue import namer, names_of
from companion.games.sen_so import faces, moves
from companion.games.sen_so.cards import WEAPONS
from companion.games.sen_so.geometry import NAMES as SIDES
from companion.games.sen_so.state import SLOTS
from companion.record.match import Match

SEN_SO = "companion.games.sen_so"
MATCH = Match(game("sen_so"), ("Aki", "Ben"))
KINDS = [str(each.__struct_config__.tag) for each in moves.Moves.__args__]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("thing", [*WEAPONS, *faces.deck(MATCH.state).cards, *SLOTS, *SIDES, *KINDS])
def test_every_thing_of_sen_so_has_a_name_in_every_language(thing, language):
    assert names_of(SEN_SO)[thing][language]


def test_a_sentence_calls_a_thing_by_its_name_in_the_readers_language():
    sentence = ("{player} starts with the weapon {weapon}.", {"player": "Aki", "weapon": "bo_staff"})

    assert say(*sentence, "en", MATCH.name) == "Aki starts with the weapon Bo Staff."
    assert say(*sentence, "it", MATCH.name) == "Aki inizia con l'arma Bastone Bo."


def test_a_player_who_is_called_like_a_thing_keeps_the_name():
    assert sentence(message("{player} concedes.", player="bo_staff"), "it", MATCH.name) == "bo_staff si arrende."


def test_several_things_are_told_in_a_row():
    assert sentence(message("{sides}", sides=["F", "BL"]), "en", MATCH.name) == "the front, the back left"


def test_a_thing_nobody_knows_is_told_as_words():
    assert sentence(message("{weapon}", weapon="tea_pot"), "en", MATCH.name) == "tea pot"
    assert Ruling("X-1", message("{weapon}", weapon="tea_pot")).text == "tea pot"
    assert Refused("X-1", message("{weapons}", weapons=("tea_pot", "cup"))).text == "tea pot, cup"


def test_an_id_of_several_parts_is_named_part_by_part():
    name = namer(SEN_SO)

    assert name(None, "Aki.action2", "it") == "Aki: seconda azione"
    assert name(None, "shuriken-22", "en") == "Shuriken 22"
    assert name(None, "fire-5", "en") is None
