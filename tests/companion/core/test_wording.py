"""Facts stay ids; sentences call things by their names, in the language of whoever reads them."""

import pytest

from companion.core.message import Message, Thing, message, plural, things
from companion.core.rulings import Refused, Ruling
from companion.core.wording import LANGUAGES, sentence
from companion.games import game
from companion.games.kit.catalogue import namer
from companion.games.sen_so import moves
from companion.games.sen_so.geometry import NAMES as SIDES
from companion.games.sen_so.state import SLOTS, WEAPONS
from companion.record.match import Match

SEN_SO = "companion.games.sen_so"
MATCH = Match(game("sen_so"), ("Aki", "Ben"))
KINDS = [str(each.__struct_config__.tag) for each in moves.Moves.__args__]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("thing", [*WEAPONS, *game("sen_so").table.deck(MATCH.state).cards, *SLOTS, *SIDES, *KINDS])
def test_every_thing_of_sen_so_has_a_name_in_every_language(thing, language):
    assert MATCH.name(thing, language)


def test_a_sentence_calls_a_thing_by_its_name_in_the_readers_language():
    said = message("{player} starts with the weapon {weapon}.", player=Thing("player", "Aki"), weapon=BO)

    assert sentence(said, "en", MATCH.name) == "Aki starts with the weapon Bo Staff."
    assert sentence(said, "it", MATCH.name) == "Aki inizia con l'arma Bastone Bo."


BO = Thing("weapon", "bo_staff")


def test_a_player_who_is_called_like_a_thing_keeps_the_name():
    said = message("{player}: {weapon}", player=Thing("player", "bo_staff"), weapon=BO)

    assert sentence(said, "it", MATCH.name) == "bo_staff: Bastone Bo"


def test_several_things_are_told_in_a_row():
    said = message("{sides}", sides=things("direction", ["F", "BL"]))

    assert sentence(said, "en", MATCH.name) == "the front, the back left"


def test_a_thing_nobody_knows_is_told_as_words():
    pot = Thing("weapon", "tea_pot")

    assert sentence(message("{weapon}", weapon=pot), "en", MATCH.name) == "tea pot"
    assert Ruling("X-1", message("{weapon}", weapon=pot)).text == "tea pot"
    assert Refused("X-1", message("{weapons}", weapons=things("weapon", ("tea_pot", "cup")))).text == "tea pot, cup"


def test_a_plain_fact_is_never_taken_for_a_thing():
    assert sentence(message("{card}", card="bo_staff"), "en", MATCH.name) == "bo_staff"


def test_an_id_of_several_parts_is_named_part_by_part():
    name = namer(SEN_SO)

    assert name(None, "Aki.action2", "it") == "Aki: seconda azione"
    assert name(None, "shuriken-22", "en") == "Shuriken 22"
    assert name(None, "fire-5", "en") is None


def test_a_message_inside_a_message_is_told_in_the_same_language():
    inner = message("The match is paused.")
    said = message("{a}; {b}", a=inner, b=(inner, inner))

    assert sentence(said, "en") == "The match is paused.; The match is paused.; The match is paused."
    assert "paused" not in sentence(said, "it")


@pytest.mark.parametrize(
    ("count", "english", "italian"),
    [
        (1, "1 file is in x.", "1 file è in x."),
        (2, "2 files are in x.", "2 file sono in x."),
        (0, "0 files are in x.", "0 file sono in x."),
    ],
)
def test_what_is_counted_has_a_singular_and_a_plural(count, english, italian):
    said = plural("{count} file is in {folder}.", "{count} files are in {folder}.", count, folder="x")

    assert str(said) == english
    assert sentence(said, "en") == english
    assert sentence(said, "it") == italian


def test_a_template_that_nobody_has_translated_is_told_in_english():
    assert sentence(Message("The dragon sleeps."), "it") == "The dragon sleeps."


def test_two_games_may_call_the_same_id_by_different_names():
    names = [namer(f"companion.games.{name}")(None, "block", "it") for name in ("sen_so", "san_ni_ichi", "sen_so")]
    game("san_ni_ichi")

    assert names == ["Parata", "Block", "Parata"]
