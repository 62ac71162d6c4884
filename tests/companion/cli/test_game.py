"""`shinpan game`: a game is begun outside the tree, is found, is checked, and is told what is wrong with it."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion import games
from companion.cli import shinpan
from companion.cli.game_skeleton import write
from companion.core.wording import sentence
from companion.games.kit.catalogue import names_of, rules_of

NAME = "dragon_duel"
Change = Callable[[Path], None]


def forget() -> None:
    games.announcements.cache_clear()
    games.game.cache_clear()
    rules_of.cache_clear()
    names_of.cache_clear()
    for module in [each for each in sys.modules if each.partition(".")[0] in (NAME, "other_game")]:
        del sys.modules[module]


def announce(folder: Path, name: str, value: str) -> None:
    """What pip writes down when a package is installed."""
    info = folder / f"{value.partition(':')[0]}-0.1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {value.partition(':')[0]}\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text(f"[shinpan.games]\n{name} = {value}\n")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A new game, installed; what is changed in it before it is asked for counts."""
    folder = tmp_path / NAME
    write(NAME, folder)
    announce(folder, NAME, f"{NAME}:GAME")
    monkeypatch.syspath_prepend(folder)
    forget()
    yield folder
    forget()


def run(*arguments: str) -> Result:
    return CliRunner().invoke(shinpan, arguments)


def replace(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_a_new_game_is_found_has_nothing_missing_and_can_be_listed(home: Path) -> None:
    checked = run("game", "check", NAME)

    assert checked.output == f"{NAME}: nothing is missing.\n"
    assert checked.exit_code == 0
    assert f"{NAME}      Dragon Duel ({NAME})" in run("game", "list").output


def test_new_writes_the_package_and_refuses_to_write_over_anything(tmp_path: Path) -> None:
    first = run("game", "new", NAME, "--folder", str(tmp_path))
    again = run("game", "new", NAME, "--folder", str(tmp_path))

    assert f"files are in {tmp_path / NAME}." in first.output
    assert (tmp_path / NAME / NAME / "locale" / "it" / "messages.mo").is_file()
    assert "high_card" not in (tmp_path / NAME / NAME / "__init__.py").read_text().lower()
    assert str(again.exception) == f"{tmp_path / NAME} exists already."


@pytest.mark.parametrize("name", ["Dragon", "dragon-duel", "1st", "class", "../dragon"])
def test_a_name_that_python_could_not_import_is_refused(tmp_path: Path, name: str) -> None:
    assert "is called by small letters" in str(run("game", "new", name, "--folder", str(tmp_path)).exception)


def test_a_name_that_is_taken_is_refused(tmp_path: Path) -> None:
    done = run("game", "new", "sen_so", "--folder", str(tmp_path))

    assert str(done.exception) == "There is a game called sen_so already."


FAULTS: dict[str, tuple[Change, str]] = {
    "an uncited rule": (
        lambda home: replace(home / "tests" / f"test_{NAME}.py", '"DD-4", "DD-5"', '"DD-4"'),
        "No test cites DD-5.",
    ),
    "no tests": (
        lambda home: (home / "tests").rename(home / "proofs"),
        "There are no tests beside",
    ),
    "a wrong origin": (
        lambda home: replace(home / NAME / "rules.toml", "house", "myself"),
        "The origin of DD-1 is one of booklet, inferred, house, not myself.",
    ),
    "a sentence without Italian": (
        lambda home: replace(home / NAME / "play.py", "Every card lies face down.", "All cards are covered."),
        "Nobody has translated this (it): All cards are covered.",
    ),
    "a translation that nobody says": (
        lambda home: replace(home / NAME / "play.py", "Every card lies face down.", "All cards are covered."),
        "This is translated and never said (it): Every card lies face down.",
    ),
    "other facts in Italian": (
        lambda home: replace(home / NAME / "locale" / "it" / "messages.po", "vince la mano con {card}", "vince"),
        "The translation has other facts in braces (it): {player} wins the round with {card}.",
    ),
    "no Italian at all": (
        lambda home: (home / NAME / "locale" / "it").rename(home / NAME / "locale" / "fr"),
        "There is no locale/it/messages.po.",
    ),
    "Italian that is not compiled": (
        lambda home: (home / NAME / "locale" / "it" / "messages.mo").unlink(),
        "messages.po is not compiled; this does it: python -m companion.core.catalogues compile",
    ),
    "a template that cannot be collected": (
        lambda home: replace(
            home / NAME / "play.py", 'message("Every card lies face down.")', 'message("Every card " + "lies.")'
        ),
        "write the template out in the call",
    ),
    "reading another card than the one that lies there": (
        lambda home: replace(
            home / NAME / "layout.py", "return CARD.read(", 'return ShowCard("red-1") if state.covered else CARD.read('
        ),
        "`read` does not invert the layout.",
    ),
    "a place that the layout does not have": (
        lambda home: replace(home / NAME / "layout.py", "[(CARD.place,", '[("hand",'),
        "and the layout has no such place.",
    ),
    "a card that the deck does not have": (
        lambda home: replace(home / NAME / "layout.py", "in cards_of(seat)}", "in cards_of(seat)[1:]}"),
        "lays red-1, and the deck has no such card.",
    ),
    "a view that shows a spectator too much": (
        lambda home: replace(
            home / NAME / "view.py", "strict=True))\n    played", "strict=True)) | {str(viewer): 7}\n    played"
        ),
        "the view shows too much.",
    ),
    "an import of another game": (
        lambda home: replace(
            home / NAME / "layout.py", "\nfrom companion", "\nfrom companion.games.sen_so import moves\nfrom companion"
        ),
        "layout.py imports another game, companion.games.sen_so.",
    ),
    "a rule that does not exist": (
        lambda home: replace(home / NAME / "play.py", 'Refused("DD-1"', 'Refused("DD-9"'),
        "A refusal cites DD-9, and there is no such rule.",
    ),
    "a move that is offered and refused": (
        lambda home: replace(home / NAME / "play.py", "hand(player)] if", 'hand(player)] + [ShowCard("red-9")] if'),
        "is offered to Aki and refused: Aki does not hold red-9.",
    ),
    "code that breaks down": (
        lambda home: replace(home / NAME / "view.py", "    scores = dict", "    1 / 0\n    scores = dict"),
        "The game breaks down: ZeroDivisionError: division by zero",
    ),
    "facts that do not come back": (
        lambda home: replace(
            home / NAME / "__init__.py",
            "        view=",
            '        facts=lambda _: {"over": False, "winners": ()},\n        view=',
        ),
        "use lists, not tuples.",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_check_says_in_a_sentence_what_is_wrong(home: Path, fault: str) -> None:
    change, words = FAULTS[fault]
    change(home)

    checked = run("game", "check", NAME)

    assert words in checked.output
    assert checked.exit_code == 1


def test_what_is_wrong_is_told_in_italian_too(home: Path) -> None:
    replace(home / "tests" / f"test_{NAME}.py", '"DD-4", "DD-5"', '"DD-4"')

    assert "Nessun test cita DD-5." in run("game", "check", NAME, "--language", "it").output


BROKEN: dict[str, tuple[Change, str]] = {
    "a program that ends when it is imported": (
        lambda home: (home / NAME / "__init__.py").write_text("raise SystemExit(3)\n"),
        "it cannot be imported (SystemExit: 3).",
    ),
    "an import error": (
        lambda home: (home / NAME / "__init__.py").write_text("import no_such_module\n"),
        "it cannot be imported (ModuleNotFoundError: No module named 'no_such_module').",
    ),
    "nothing to play": (
        lambda home: (home / NAME / "__init__.py").write_text(""),
        "dragon_duel has no GAME.",
    ),
    "a missing part": (
        lambda home: replace(home / NAME / "__init__.py", "    table=OnTable(", "    table=None and OnTable("),
        "its part table is missing.",
    ),
    "a missing function": (
        lambda home: replace(home / NAME / "__init__.py", "apply=play.apply", "apply=None"),
        "its part rules.apply is missing.",
    ),
    "another name": (
        lambda home: replace(home / NAME / "__init__.py", 'name="dragon_duel"', 'name="dragons"'),
        "it calls itself dragons.",
    ),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_game_is_named_in_one_sentence_and_the_others_play_on(home: Path, fault: str) -> None:
    change, reason = BROKEN[fault]
    change(home)

    found, faults = games.playable()

    assert [sentence(each) for each in faults] == [f"The game {NAME} of {NAME} cannot be played: {reason}"]
    assert {"sen_so", "high_card", "sensu"} <= {each.name for each in found}
    assert str(run("rules", NAME).exception) == f"The game {NAME} of {NAME} cannot be played: {reason}"
    assert run("rules", "high_card").exit_code == 0


def test_of_two_games_with_one_name_the_first_is_played_and_the_other_named(
    home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    announce(home, "sen_so", "other_game:GAME")

    found, faults = games.playable()

    assert [sentence(each) for each in faults] == [
        "There are two games called sen_so: the one of companion.games.sen_so is played,"
        " the one of other_game is left out."
    ]
    assert caplog.messages == [sentence(each) for each in faults]
    assert games.package("sen_so") == "companion.games.sen_so"
    assert NAME in {each.name for each in found}


def test_an_announcement_that_makes_no_sense_is_named_and_the_others_play_on(home: Path) -> None:
    announce(home, "nonsense", "no such thing!")

    found, faults = games.playable()

    assert len(faults) == 1
    assert sentence(faults[0]).startswith("The game nonsense of no such thing! cannot be played: it cannot be imported")
    assert NAME in {each.name for each in found}
