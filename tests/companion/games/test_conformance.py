"""What every game owes to the match, whatever its rules: one suite, all games.

A new game joins by existing. Where its defaults need no options it needs nothing here; otherwise name a few
headers in HEADERS.
"""

from collections.abc import Mapping
from dataclasses import replace
from importlib import resources
from pathlib import Path
from random import Random
from typing import Any, Literal

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion import games
from companion.core.message import message
from companion.games.kit.set_up import Choice, OptionWords, Preset, SetUp
from companion.record import conformance
from companion.record.conformance import Begin, Findings
from companion.record.match import Match

NAMES = ("Aki", "Ben", "Cho", "Dai", "Emi", "Fay")
HEADERS: dict[str, list[tuple[int, dict[str, Any]]]] = {
    "sen_so": [
        (2, {"end": {"actions": 6}, "board": [5, 5]}),
        (3, {"end": {"points": 6}, "board": [4, 4], "glancing": "choice", "rotating_block": True}),
        (4, {"knock_out": 10, "board": [3, 3]}),
        (2, {"knock_out": 10, "advanced_knock_out": True, "board": [3, 3], "glancing": "blow"}),
        (2, {"end": {"time": 600}, "board": [4, 4]}),
    ],
    "san_ni_ichi": [(3, {}), (4, {"teams": [["Aki", "Cho"], ["Ben", "Dai"]]}), (6, {"scoring": "cards"})],
    "sensu": [
        (1, {}),
        (2, {"variants": ["powers", "chosen_fan"], "chosen": {"Aki": "gun_sen", "Ben": "hi_ogi"}}),
        (5, {"variants": ["powers"]}),
    ],
}
"""Players and options that reach much of a game in few moves; without an entry a game is played with its defaults."""


def _matches() -> list[Any]:
    found = []
    for name in games.names():
        seats = games.game(name).seats
        headers = HEADERS.get(name) or [(count, {}) for count in sorted({seats[0], max(2, seats[0]), seats[-1]})]
        found += [pytest.param(name, *header, id=f"{name}-{at}") for at, header in enumerate(headers, 1)]
    return found


every_match = pytest.mark.parametrize(("name", "count", "options"), _matches())
choices = st.lists(st.integers(0, 2**20), max_size=60)
few = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def begin(name: str, count: int, options: Mapping[str, Any]) -> Begin:
    return lambda: Match(games.game(name), NAMES[:count], options)


def sentences(found: Findings) -> list[str]:
    return sorted({str(each) for each in found})


@every_match
@few
@given(drawn=choices)
@pytest.mark.parametrize(
    "check",
    [
        conformance.replays_to_the_same_state,
        conformance.legal_moves_are_accepted,
        conformance.undo_is_exact,
        conformance.acts_are_exact,
        conformance.facts_are_plain,
        conformance.sealed_moves_stay_hidden,
        conformance.spectators_know_least,
        conformance.reading_inverts_the_layout,
    ],
    ids=lambda check: check.__name__,
)
def test_every_game_keeps_what_it_owes_to_the_match(name, count, options, check, drawn):
    assert sentences(check(begin(name, count, options), drawn)) == []


@every_match
@few
@given(drawn=choices, strange=st.lists(st.integers(0, 2**20), max_size=6))
def test_a_refused_move_changes_nothing_and_names_rules_that_exist(name, count, options, drawn, strange):
    assert sentences(conformance.refusals_change_nothing(begin(name, count, options), drawn, strange)) == []


@every_match
@pytest.mark.parametrize("seed", [7, 8])
def test_a_random_match_comes_to_an_end_and_can_be_shown_and_laid_out_all_along(name, count, options, seed):
    assert sentences(conformance.comes_to_an_end(begin(name, count, options), seed)) == []


@pytest.mark.parametrize("name", games.names())
def test_no_game_imports_another(name):
    packages = [games.package(each) for each in games.names()]
    folder = Path(str(resources.files(games.package(name))))

    assert sentences(conformance.imports_no_other_game(games.package(name), folder, packages)) == []


@pytest.mark.parametrize("seed", [14, 36, 41])
def test_a_duel_in_which_the_last_two_fall_together_has_come_to_an_end_too(seed):
    """The last samurai can fall together (SJ-R12): with these seeds they do, and nobody has won."""
    match, pick = begin("senjutsu", 2, {})(), Random(seed)
    while not match.over:
        match.move(*conformance.choose(match, pick.randrange(2**20)))

    assert match.facts["winners"] == []
    assert sentences(conformance.comes_to_an_end(begin("senjutsu", 2, {}), seed)) == []


def test_a_match_without_a_winner_is_found_where_the_game_cannot_be_drawn():
    duel = games.game("senjutsu")
    sure = replace(duel, rules=replace(duel.rules, can_be_drawn=False))

    found = conformance.comes_to_an_end(lambda: Match(sure, NAMES[:2], {}), 14)

    assert sentences(found) == ["A match is over and nobody has won."]


def test_a_name_that_stays_behind_and_an_act_that_is_not_exact_are_found():
    plain = games.game("high_card")
    forgetful = replace(plain, rules=replace(plain.rules, rename=lambda state, player, name: state))
    rename, moves = 12 * 3 + 5, [12 * 7 + 8] * 3

    found = conformance.acts_are_exact(lambda: Match(forgetful, NAMES[:2], {}), [*moves, rename])

    assert "Ben has a new name, and the old one is still in the state." in sentences(found)


@pytest.mark.parametrize("name", games.names())
def test_every_option_is_in_words_and_every_preset_begins_a_match(name):
    assert sentences(conformance.options_are_in_words(games.game(name), NAMES)) == []


def test_options_without_words_and_presets_that_begin_no_match_are_found():
    class Options(msgspec.Struct):
        rounds: int = 3
        pace: Literal["slow", "fast"] = "slow"
        names: dict[str, str] = {}
        forgotten: bool = False

    def words(rule: str = "HC-5", *choices: Choice) -> OptionWords:
        return OptionWords(message("Title"), message("Note."), rule, choices)

    slow = Choice("slow", message("Slow"))
    given_words = {"rounds": words("HC-99"), "pace": words("HC-5", slow), "names": words(), "old": words()}
    presets = (Preset("endless", message("Endless"), {"rounds": 99}),)
    game = replace(games.game("high_card"), seats=range(2, 3))
    wrong = replace(game, set_up=SetUp(options=Options, words=given_words, presets=presets))

    assert sentences(conformance.options_are_in_words(wrong, NAMES)) == [
        "No form can ask for names: it needs choices.",
        "The option forgotten is neither in `set_up.words` nor in `set_up.elsewhere`.",
        "The option pace has no title for fast.",
        "The preset endless is refused in a match of 2: The options of this match cannot be read: "
        "rounds must be at most 7.",
        "The words for rounds cite HC-99, and there is no such rule.",
        "There are words for old, and there is no such option.",
    ]
