"""A match of any game: sealing, refusing, taking back, time."""

from dataclasses import replace

import msgspec
import pytest

from companion.core.message import message
from companion.core.rulings import Refused
from companion.games import game
from companion.record.match import Match

SETUP = [
    *({"by": name, "move": "arm", "weapons": []} for name in ("Aki", "Ben")),
    *({"by": name, "move": "set", "slots": ["block", "action1", "action2"]} for name in ("Aki", "Ben")),
]


def put(match, by, **fields):
    return match.move(by, match.decode(fields))


@pytest.fixture
def match():
    """A Sen So match whose first set is about to be revealed."""
    found = Match(game("sen_so"), ["Aki", "Ben"], {"starts": {"Aki": "e4", "Ben": "e6"}})
    for line in SETUP:
        put(found, **line)
    return found


def refused(match, by, **fields):
    with pytest.raises(Refused) as refusal:
        put(match, by, **fields)
    return refusal.value


def test_a_move_that_belongs_together_is_held_sealed_and_shown_to_nobody(match):
    before = match.state
    assert put(match, "Aki", move="reveal", card="move", direction="F") == ()

    assert match.state is before
    assert set(match.sealed) == {"Aki"}
    assert match.awaits == {"Ben": ("reveal",)}


def test_the_last_sealed_move_resolves_all_of_them_in_one_step(match):
    put(match, "Aki", move="reveal", card="move", direction="F")
    rulings = put(match, "Ben", move="reveal", card="move", direction="B")

    assert match.sealed == {}
    assert [ruling.rule for ruling in rulings] == ["SEN-32", "SEN-32"]
    assert match.facts["players"]["Aki"]["cell"] == "e5"


@pytest.mark.rule("TABLE-4")
def test_an_unknown_player_move_or_field_is_refused(match):
    assert refused(match, "Zoe", move="reveal", card="move", direction="F").rules == ("TABLE-4",)
    assert refused(match, "Aki", move="dance").rules == ("TABLE-4",)
    assert refused(match, "Aki", move="reveal", card="move", direction="F", speed=3).rules == ("TABLE-4",)
    assert "slots" in refused(match, "Aki", move="set", slots=["pocket"]).text


@pytest.mark.rule("TABLE-3")
def test_a_move_that_is_not_awaited_is_refused_with_the_games_own_rule_and_the_tables(match):
    assert refused(match, "Aki", move="aim", cell="e5").rules == ("SEN-40", "SEN-27", "TABLE-3")


@pytest.mark.rule("TABLE-3")
@pytest.mark.parametrize(
    ("sealed", "sentence"), [(True, "Nothing is awaited"), (False, "awaited: change block, reveal")]
)
def test_where_a_game_says_no_more_the_tables_own_sentence_does(match, sealed, sentence):
    silent = Match(
        replace(match.game, rules=replace(match.game.rules, out_of_turn=lambda *_: None)), match.players, match.options
    )
    for line in SETUP:
        put(silent, **line)
    if sealed:
        put(silent, "Aki", move="reveal", card="move", direction="F")

    refusal = refused(silent, "Aki", move="aim", cell="e5")
    assert refusal.rules == ("TABLE-3",)
    assert sentence in refusal.text


def test_a_game_that_refuses_the_common_step_leaves_everything_as_it_was(match):
    def stubborn(state, moves):
        raise Refused("SEN-17", message("Not like this."))

    put(match, "Aki", move="reveal", card="move", direction="F")
    match.game = replace(match.game, rules=replace(match.game.rules, apply=stubborn))
    before = (match.state, match.sealed, match.moves)
    assert refused(match, "Ben", move="reveal", card="move", direction="F").rules == ("SEN-17",)

    assert (match.state, match.sealed, match.moves) == before


def test_undo_takes_back_sealed_moves_and_resolved_ones_alike(match):
    start = (match.state, match.sealed)
    put(match, "Aki", move="reveal", card="move", direction="F")
    half = (match.state, match.sealed)
    put(match, "Ben", move="reveal", card="move", direction="F")
    match.undo(1)
    assert (match.state, match.sealed) == half
    match.undo(1)
    assert (match.state, match.sealed) == start
    assert match.moves == len(SETUP)


def test_undo_counts_moves_and_not_the_clock(match):
    put(match, "Aki", move="reveal", card="move", direction="F")
    match.clock(10.0)
    match.clock(20.0)
    match.undo(1)

    assert match.moves == len(SETUP)
    assert match.sealed == {}
    assert match.facts["clock"] == 0.0, "what the clock did since goes with the move"


@pytest.mark.rule("TABLE-4")
@pytest.mark.parametrize("moves", [0, -1, 5])
def test_no_more_moves_are_taken_back_than_stand(match, moves):
    before = (match.state, match.moves)
    with pytest.raises(Refused, match="take back"):
        match.undo(moves)

    assert (match.state, match.moves) == before


def test_forget_drops_the_last_input_even_if_it_was_the_clock(match):
    match.clock(10.0)
    match.forget()
    assert match.facts["clock"] == 0.0
    put(match, "Aki", move="change_block")
    match.forget()

    assert match.moves == len(SETUP)


@pytest.mark.rule("TABLE-3")
def test_the_clock_never_goes_back(match):
    match.clock(30.0)
    with pytest.raises(Refused) as refusal:
        match.clock(29.9)

    assert refusal.value.rules == ("TABLE-3",)
    assert match.facts["clock"] == 30.0


def test_a_match_that_the_clock_ends_holds_nothing_sealed_any_more(match):
    match.clock(1800.0)

    assert match.over
    assert match.sealed == {}
    assert match.awaits == {}


@pytest.mark.rule("TABLE-4")
@pytest.mark.parametrize("players", [["Aki", "Aki"], ["Aki", ""], ["Aki", " "], ["Aki", "referee"]])
def test_players_need_names_of_their_own(players):
    with pytest.raises(Refused) as refusal:
        Match(game("sen_so"), players)

    assert refusal.value.rules == ("TABLE-4",)


def test_facts_name_what_is_awaited_as_plain_lists(match):
    assert match.facts["awaits"] == {"Aki": ["change_block", "reveal"], "Ben": ["change_block", "reveal"]}
    assert msgspec.json.decode(msgspec.json.encode(match.facts)) == match.facts


def test_a_name_that_is_no_text_is_refused():
    """It came from a shell in another encoding, and could never be written down."""
    with pytest.raises(Refused, match="not text"):
        Match(game("sen_so"), ["\udcffAki", "Ben"])
