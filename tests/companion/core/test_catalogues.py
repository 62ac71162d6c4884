"""Whatever any part says to people is translated, with the same facts, and nothing is translated that nobody says."""

from pathlib import Path

import pytest

from companion.core import catalogues

ROOT = Path(__file__).parents[3]
HOMES = catalogues.homes(ROOT)


@pytest.mark.parametrize("home", HOMES, ids=lambda home: str(home.relative_to(ROOT)))
def test_everything_said_is_translated_and_nothing_else(home: Path) -> None:
    assert catalogues.findings(home) == []


def test_every_package_and_every_game_keeps_its_own_translations() -> None:
    names = {str(home.relative_to(ROOT)) for home in HOMES}

    assert names >= {*catalogues.PACKAGES, "companion/games/high_card", "companion/games/sen_so"}
    assert sum(len(catalogues.said(home)) for home in HOMES) > 1500


def test_a_sentence_that_several_packages_say_is_translated_alike() -> None:
    """Whichever package is asked first, the reader gets the same sentence."""
    known: dict[object, set[str]] = {}
    for source in catalogues.sources(ROOT):
        for each in catalogues.load(source):
            if each.id and not each.context:
                known.setdefault(each.id if isinstance(each.id, str) else tuple(each.id), set()).add(str(each.string))

    assert {text: found for text, found in known.items() if len(found) > 1} == {}


PO = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
"""
KNOWN = (
    PO
    + """
msgid "{player} plays {card}."
msgstr "{player} gioca {card}."

msgid "a card"
msgid_plural "{count} cards"
msgstr[0] "una carta"
msgstr[1] "{count} carte"

msgctxt "X-1"
msgid "Everybody plays."
msgstr "Tutti giocano."

msgctxt "red"
msgid "Red"
msgstr "Rosso"

msgid "Log in"
msgstr "Entra"

msgid "Go on"
msgstr "Avanti"
"""
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "locale" / "it").mkdir(parents=True)
    (tmp_path / "locale" / "it" / "messages.po").write_text(KNOWN, encoding="utf-8")
    (tmp_path / "play.py").write_text(
        'message("{player} plays {card}.", player=p, card=c)\nplural("a card", "{count} cards", 2)\n'
    )
    (tmp_path / "rules.toml").write_text('[X-1]\ntext = "Everybody plays."\norigin = "house"\n')
    (tmp_path / "names.toml").write_text('red = "Red"\n')
    (tmp_path / "page.js").write_text('export const words = (t) => t("Go on");\n')
    (tmp_path / "login.html").write_text("<h1>{{ _('Log in') }}</h1>\n")
    catalogues.main(["compile", str(tmp_path)])
    return tmp_path


def test_python_rules_names_scripts_and_templates_are_collected(home: Path) -> None:
    assert catalogues.findings(home) == []
    assert catalogues.main(["check", str(home)]) == 0


@pytest.mark.parametrize(
    ("file", "text", "found"),
    [
        ("play.py", 'message("New.")', ("untranslated", "it", "New.")),
        ("play.py", "", ("unused", "it", "{player} plays {card}.")),
        ("play.py", "message(text)", ("not literal", "", "play.py:1")),
        ("play.py", 'message(f"{text} plays.")', ("not literal", "", "play.py:1")),
        ("play.py", 'plural("a card", many, 2)', ("not literal", "", "play.py:1")),
        ("play.py", 'message("{player} plays.", who=p)', ("not filled", "", "play.py:1")),
        ("page.js", 't("Stop")', ("untranslated", "it", "Stop")),
        ("login.html", "{{ _('Out') }}", ("untranslated", "it", "Out")),
        ("rules.toml", '[X-2]\ntext = "Everybody plays."', ("untranslated", "it", "Everybody plays.")),
        ("names.toml", 'green = "Green"', ("untranslated", "it", "Green")),
    ],
)
def test_what_is_missing_or_left_over_is_found(home: Path, file: str, text: str, found: catalogues.Finding) -> None:
    (home / file).write_text(text)

    assert found in catalogues.findings(home)
    assert catalogues.main(["check", str(home)]) == 1


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("gioca {card}", "gioca", "facts"),
        ("{count} carte", "carte", "facts"),
        ('"Rosso"', '""', "untranslated"),
        ("Tutti giocano.", "Everybody plays.", "untranslated"),
        ('msgid "Go on"', '#, fuzzy\nmsgid "Go on"', "untranslated"),
        ("Avanti", "Si continua", "not compiled"),
    ],
)
def test_a_wrong_translation_is_found(home: Path, old: str, new: str, kind: str) -> None:
    file = home / "locale" / "it" / "messages.po"
    file.write_text(KNOWN.replace(old, new), encoding="utf-8")

    assert kind in {each.kind for each in catalogues.findings(home)}


def test_extract_adds_what_is_new_and_drops_what_nobody_says(home: Path) -> None:
    (home / "play.py").write_text('message("{player} plays {card}.", player=p, card=c)\nmessage("New.")\n')

    catalogues.main(["extract", str(home)])
    known = catalogues.load(home / "locale" / "it" / "messages.po")

    assert known["{player} plays {card}."].string == "{player} gioca {card}."
    assert known["New."].string == ""
    assert known.get(("a card", "{count} cards")) is None


def test_another_language_is_one_more_folder_of_files(home: Path) -> None:
    catalogues.main(["new", "de", str(home)])

    found = catalogues.findings(home)
    assert {each.language for each in found if each.kind == "untranslated"} == {"de"}
    assert len([each for each in found if each.kind == "untranslated"]) == 6


def test_a_command_that_does_not_exist_is_told_how_it_is_used(capsys: pytest.CaptureFixture[str]) -> None:
    assert catalogues.main(["conjugate"]) == 2
    assert "catalogues extract" in capsys.readouterr().err
