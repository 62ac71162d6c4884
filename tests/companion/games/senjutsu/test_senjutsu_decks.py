"""Deck building, checked with reasons."""

from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from companion.app.match_store import begin
from companion.cli import shinpan
from companion.games.senjutsu import GAME
from companion.games.senjutsu.cards import FIGHTERS, starter_cards
from companion.games.senjutsu.decks import BadDeck, problems, read_deck, write_deck
from companion.record.corrections import BadCards
from companion.record.journal import DataFolder
from companion.record.match import Match
from companion.record.replay import Replay

CARDS = starter_cards()
EXAMPLE = """
1 Dragon Moon Slash
1 Emergency Block
1 Evasive Step
1 War Cry
1 Calm Composure
3 Swift Mind
2 Firm Mind
2 Horizontal Cut
1 Lunging Thrust
1 Dash Down Strike
2 Severing Cut
2 Stone Block
1 Wind Block
4 Quick Stab
3 Deep Meditation
2 Pommel Smash
2 Wild Swing
"""
"""The booklet's example of a deck (SJ-75): thirty cards."""


def wrong(deck: dict[str, int]) -> dict[str, str]:
    return {problem.rules[0]: str(problem.message) for problem in problems(deck, CARDS)}


@pytest.mark.rule("SJ-75", "SJ-68", "SJ-R28")
def test_the_example_of_the_booklet_is_ten_cards_short_and_otherwise_fine() -> None:
    deck = read_deck(EXAMPLE)

    assert len(deck) == 17
    assert wrong(deck) == {"SJ-68": "it has 30 cards where 40 are needed: 10 are missing"}


@pytest.mark.rule("SJ-5", "SJ-8", "SJ-68")
@pytest.mark.parametrize("samurai", FIGHTERS)
def test_the_starter_decks_are_legal(samurai: str) -> None:
    assert not problems(FIGHTERS[samurai].deck, CARDS)


@pytest.mark.rule("SJ-69", "SJ-70", "SJ-71", "SJ-72", "SJ-R29")
def test_each_rank_has_its_limit() -> None:
    assert "SJ-69" in wrong({"dragon_moon_slash": 2, "quick_stab": 38})
    assert wrong({"war_cry": 2, "quick_stab": 38}) == {"SJ-70": "War Cry is gold: at most 1 of it, and it has 2"}
    assert wrong({"swift_mind": 4, "quick_stab": 36}) == {"SJ-71": "Swift Mind is steel: at most 3 of it, and it has 4"}
    assert not wrong({"dragon_moon_slash": 1, "war_cry": 1, "swift_mind": 3, "quick_stab": 35})


@pytest.mark.rule("SJ-69")
def test_two_different_jade_cards_are_one_too_many() -> None:
    from companion.games.senjutsu.card_language.script import read_cards

    cards = CARDS | read_cards("card Moon Cut\ntype attack\nrank jade\nspeed 3\nattack wound 1 at F\n")
    (problem,) = problems({"dragon_moon_slash": 1, "moon_cut": 1, "quick_stab": 38}, cards)

    told = "only one jade card is allowed in the whole deck, and it has 1 Dragon Moon Slash, 1 Moon Cut"
    assert str(problem.message) == told


@pytest.mark.rule("SJ-74", "SJ-13")
def test_the_passive_card_is_no_part_of_a_deck() -> None:
    assert "SJ-74" in wrong({"passive": 1, "quick_stab": 39})


def test_everything_that_is_wrong_is_said_at_once() -> None:
    assert set(wrong({"war_cry": 2, "nonsense": 1, "quick_stab": 60})) == {"SJ-70", "TABLE-4", "SJ-68"}
    assert set(wrong({"quick_stab": 40, "firm_mind": 0})) == {"TABLE-4"}


def test_a_deck_is_read_in_every_usual_way_of_writing_it_and_written_back() -> None:
    deck = read_deck("3 Swift Mind\n2x Firm Mind\nx4 quick_stab  # wood\n\nWild Swing x 2\n1 Swift Mind\n")

    assert deck == {"swift_mind": 4, "firm_mind": 2, "quick_stab": 4, "wild_swing": 2}
    assert read_deck(write_deck(deck, CARDS)) == deck
    with pytest.raises(BadDeck, match="line 2: 'many cards'"):
        read_deck("1 Swift Mind\nmany cards")


JAB = "card Jab\ntype attack\nrank wood\nspeed 9\nattack wound 1 at F\n"


def run(folder: Path, *words: str, **files: str) -> tuple[int, str]:
    for name, text in files.items():
        (folder / f"{name}.txt").write_text(text)
    done = CliRunner().invoke(shinpan, ["deck", *(str(folder / word) if ".txt" in word else word for word in words)])
    return done.exit_code, done.output.replace(f"{folder}/", "")


@pytest.mark.rule("SJ-75", "SJ-R28", "SJ-71")
def test_the_command_says_what_is_wrong_with_a_deck_in_both_languages(tmp_path: Path) -> None:
    code, told = run(tmp_path, "Example.txt", Example=EXAMPLE)
    assert code == 1
    assert told == "Example.txt: [SJ-68, SJ-5, SJ-R28] it has 30 cards where 40 are needed: 10 are missing\n"
    code, told = run(tmp_path, "Many.txt", "--language", "it", Many="4 Swift Mind\n36 Quick Stab")
    assert code == 1
    assert told == "Many.txt: [SJ-71, SJ-R29] Swift Mind è di acciaio: al massimo 3, e ne ha 4\n"
    assert run(tmp_path, "Bad.txt", Bad="Swift Mind")[1].startswith("Bad.txt: line 1: 'Swift Mind' is not a number and")


@pytest.mark.rule("SJ-68")
def test_starter_decks_and_own_cards_become_the_options_of_a_match(tmp_path: Path) -> None:
    _, starter = run(tmp_path, "--starter", "ronin")
    files = {"Aki": starter, "Ben": "40 Jab", "mine": JAB}
    assert run(tmp_path, "Aki.txt", "Ben.txt", "--cards", "mine.txt", **files) == (
        0,
        "mine.txt: cards that can be read: 1.\nAki.txt: this deck of 40 cards may be played.\n"
        "Ben.txt: this deck of 40 cards may be played.\n",
    )
    code, options = run(tmp_path, "Aki.txt", "Ben.txt", "--cards", "mine.txt", "--json")

    assert code == 0
    assert Match(GAME, ("Aki", "Ben"), msgspec.json.decode(options)).state.duel.decks[1] == {"jab": 40}
    code, told = run(tmp_path, "Ben.txt", "--cards", "mine.txt", "--json", mine=JAB.replace("attack wound", "slash"))
    assert code == 1
    assert told.splitlines()[0].startswith("mine.txt: Jab, line 5: 'slash' is not an action")


def test_the_owners_file_of_cards_counts_for_the_next_match_and_its_header_tells_them(tmp_path: Path) -> None:
    (tmp_path / "cards").mkdir()
    file = tmp_path / "cards" / "senjutsu.txt"
    file.write_text(JAB + JAB.replace("Jab", "Quick Stab").replace("speed 9", "speed 10"))
    options = {"decks": {"jab": 40}, "cards": JAB.replace("speed 9", "speed 3")}
    with DataFolder(tmp_path) as folder:
        referee, journal = begin(folder, GAME, ("Aki", "Ben"), options, datetime(2026, 1, 1, tzinfo=UTC))
        journal.close()
        replayed = Replay.of(journal.path).finish()
        file.write_text(JAB.replace("attack wound", "slash"))
        with pytest.raises(BadCards, match=r"senjutsu\.txt: Jab, line 5: 'slash' is not an action"):
            begin(folder, GAME, ("Aki", "Ben"), {}, datetime(2026, 1, 2, tzinfo=UTC))

    cards = referee.match.state.duel.cards
    assert (cards["jab"].speed, cards["quick_stab"].speed) == ((3,), (10,)), "what the options say stands"
    assert replayed.state.duel.cards == cards
    code, told = run(tmp_path, "Ben.txt", "--data", str(tmp_path), Ben="40 Jab")
    assert (code, told.splitlines()[0][:36]) == (1, "cards/senjutsu.txt: Jab, line 5: 'sl")


@pytest.mark.parametrize("row", ["9" * 5000 + " Jab", "Jab x " + "9" * 5000, "1234567 Jab"])
def test_a_number_of_thousands_of_digits_is_a_sentence(tmp_path: Path, row: str) -> None:
    code, told = run(tmp_path, "Ben.txt", Ben=row)

    assert code == 1
    assert "no deck has as many copies" in told


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("speed 9", "speed " + "9" * 5000),
        ("speed 9", "speed 9\nseason " + "9" * 5000),
        ("attack wound", "attack wound " + "9" * 5000),
    ],
)
def test_numbers_of_a_card_likewise(tmp_path: Path, old: str, new: str) -> None:
    code, told = run(tmp_path, "Ben.txt", "--cards", "mine.txt", Ben="40 Jab", mine=JAB.replace(old, new))

    assert code == 1
    assert len(told) < 2000
