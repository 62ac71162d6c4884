"""Owners put right what is printed on their cards: a file in the data folder, told in the header of the next match."""

import json
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from companion.app.match_store import begin
from companion.cli import run, shinpan
from companion.games import game, names
from companion.record import corrections, kifu
from companion.record.corrections import BadCards, WrongValue
from companion.record.journal import DataFolder
from companion.record.replay import Replay

SNI = game("san_ni_ichi")
PEOPLE = ("Aki", "Ben", "Cho", "Dai", "Emi", "Fuji")


def put(data: Path, text: str) -> Path:
    path = corrections.path_of(data, SNI)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.mark.parametrize("name", names())
def test_a_game_whose_printed_values_are_left_alone_is_set_up_as_before(name: str, tmp_path: Path) -> None:
    chosen = game(name)
    options = {"anything": "stays"}

    assert corrections.load(tmp_path, chosen) == {}
    assert corrections.applied(tmp_path, chosen, 3, options) is options


@pytest.mark.parametrize("name", names())
def test_every_printed_value_has_an_origin_and_passes_its_own_check(name: str) -> None:
    chosen = game(name)
    own = corrections.merged(chosen, {})

    assert corrections.checked(chosen, own) == {}
    assert {value.origin for row in chosen.printed.rows() for value in row.values} <= {"booklet", "inferred", "house"}


def test_a_correction_is_told_in_the_header_of_the_next_match_and_replays_without_the_file(tmp_path: Path) -> None:
    put(tmp_path, '[weapon_4]\nstrength = 7\nletter = "c"\ndamage = [1, 2, 3, 4]\n\n["fire-5"]\nletter = "D"\n')
    with DataFolder(tmp_path) as folder:
        referee, journal = begin(folder, SNI, PEOPLE[:3], {}, datetime(2026, 1, 1))
        journal.close()
    header = next(iter(kifu.read(kifu.load(journal.path)))).line

    assert isinstance(header, kifu.Header)
    assert header.options["weapons"][3] == {"card": "sai-7", "letter": "C", "damage": 1}
    assert header.options["letters"] == {"fire-5": "D"}
    replayed = Replay(kifu.load(journal.path)).finish()
    assert replayed.state == referee.match.state
    assert replayed.state.table.values["sai-7"].letter == "C"
    assert replayed.state.table.values["fire-5"].letter == "D"


def test_weapons_that_the_options_name_get_what_their_cards_say_and_keep_what_the_options_say(tmp_path: Path) -> None:
    put(tmp_path, '[weapon_4]\nstrength = 7\nletter = "C"\n')
    options: dict[str, Any] = {"deck": [6, 3], "weapons": ["sai-7", {"card": "sai-7", "letter": "E"}, "tonfa-3"]}

    found = corrections.applied(tmp_path, SNI, 3, options)

    assert found["weapons"] == [
        {"card": "sai-7", "letter": "C", "damage": 2},
        {"card": "sai-7", "letter": "E", "damage": 2},
        "tonfa-3",
    ]


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (
            "\n[weapon_4]\nletter = 'B'\nstrength = -7\n",
            4,
            "strength of weapon_4 is a whole number from 0 to 99, not -7",
        ),
        ("[weapon_4]\nstrength = true\n", 2, "whole number"),
        ("[weapon_4]\nletter = 'AB'\n", 2, "a single letter, not 'AB'"),
        ("[weapon_4]\ndamage = [1, 2]\n", 2, "a list of 4 whole numbers"),
        ("[weapon_4]\nkind = 'bomb'\n", 2, "one of shuriken, block, torinoko, sai, tonfa, yoso_kogeki, not 'bomb'"),
        ("[weapon_4]\ncolour = 'red'\n", 2, "weapon_4 has no colour; it has kind, strength, letter, damage"),
        ("# ours\n[weapon_40]\nstrength = 3\n", 2, "There is no row called weapon_40"),
        ("weapon_4 = 3\n", 1, "weapon_4 takes values by name"),
        ("[weapon_4\n", 1, "not TOML"),
    ],
)
def test_a_wrong_value_is_told_with_file_line_and_reason(text: str, line: int, reason: str, tmp_path: Path) -> None:
    path = put(tmp_path, text)

    with pytest.raises(BadCards) as told:
        corrections.load(tmp_path, SNI)

    assert str(path) in str(told.value)
    assert f"line {line}" in str(told.value)
    assert reason in str(told.value)


def test_two_cards_of_one_name_have_to_agree(tmp_path: Path) -> None:
    put(tmp_path, '[weapon_9]\nstrength = 13\nletter = "B"\n')

    with pytest.raises(BadCards, match="Two cards called sai-13 cannot have different letters or damage"):
        corrections.load(tmp_path, SNI)


def test_what_is_wrong_is_not_saved_and_the_old_file_stands(tmp_path: Path) -> None:
    corrections.save(tmp_path, SNI, {"weapon_4": {"strength": 7}})
    before = corrections.path_of(tmp_path, SNI).read_text()

    with pytest.raises(WrongValue):
        corrections.save(tmp_path, SNI, {"weapon_4": {"strength": 100}})

    assert corrections.path_of(tmp_path, SNI).read_text() == before


@given(
    st.dictionaries(
        st.sampled_from([row.key for row in SNI.printed.rows() if row.key.startswith("weapon")]),
        st.fixed_dictionaries(
            {},
            optional={
                "strength": st.integers(0, 99),
                "kind": st.sampled_from(["sai", "tonfa", "block", "shuriken"]),
                "damage": st.lists(st.integers(0, 99), min_size=4, max_size=4),
                "letter": st.sampled_from("ABCxyz"),
            },
        ),
    )
)
def test_whatever_is_saved_is_loaded_again(
    tmp_path_factory: pytest.TempPathFactory, cards: dict[str, dict[str, Any]]
) -> None:
    data = tmp_path_factory.mktemp("data")
    try:
        kept = corrections.save(data, SNI, cards)
    except WrongValue:  # two cards that share a name and disagree
        assert not corrections.path_of(data, SNI).exists()
        return

    assert corrections.load(data, SNI) == kept
    assert corrections.checked(SNI, corrections.merged(SNI, kept)) == kept


def test_the_command_prints_every_value_with_its_origin(tmp_path: Path) -> None:
    put(tmp_path, "[weapon_4]\nstrength = 7\n")

    told = CliRunner().invoke(shinpan, ["cards", "san_ni_ichi", "--data", str(tmp_path)]).output
    as_toml = CliRunner().invoke(shinpan, ["cards", "san_ni_ichi", "--toml", "--data", str(tmp_path)]).output

    assert 'weapon_1     Weapon 1: kind "shuriken" [booklet], strength 22 [booklet], letter "A" [house]' in told
    assert "strength 7 [yours]" in told
    put(tmp_path, as_toml)
    assert corrections.load(tmp_path, SNI) == {"weapon_4": {"strength": 7}}


def test_the_command_names_fields_and_origins_in_italian_and_the_file_keeps_its_own_names(tmp_path: Path) -> None:
    put(tmp_path, "[weapon_4]\nstrength = 7\n")
    arguments = ["cards", "san_ni_ichi", "--language", "it", "--data", str(tmp_path)]

    told = CliRunner().invoke(shinpan, arguments).output
    sensu = CliRunner().invoke(shinpan, ["cards", "sensu", *arguments[2:]]).output

    assert 'weapon_1     Arma 1: tipo "shuriken" [libretto], forza 22 [libretto], lettera "A" [nostro], danni [' in told
    assert "forza 7 [tuo]" in told
    assert "value-1      Valore 1: stecche 4 [dedotto]\n" in sensu
    assert "strength = 7\n" in CliRunner().invoke(shinpan, [*arguments, "--toml"]).output


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[weapon_4]\nstrength = 700\n", ", riga 2: strength di weapon_4 è un numero intero da 0 a 99, non 700."),
        ("[weapon_4\n", " non sono TOML: "),
    ],
)
def test_what_is_wrong_with_the_file_is_told_in_italian(
    tmp_path: Path, text: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = put(tmp_path, text)

    done = run(["cards", "san_ni_ichi", "--language", "it", "--data", str(tmp_path)])

    assert done == 2
    assert f"{path}{reason}" in capsys.readouterr().err


def test_a_file_that_cannot_be_used_stops_a_new_match_with_its_sentence(tmp_path: Path) -> None:
    put(tmp_path, "[weapon_4]\nstrength = 'x'\n")
    with DataFolder(tmp_path) as folder, pytest.raises(BadCards, match="line 2"):
        begin(folder, SNI, PEOPLE[:3], json.loads("{}"), datetime(2026, 1, 1))


def test_the_file_that_the_documentation_shows_is_read(tmp_path: Path) -> None:
    page = Path(__file__).parents[3] / "docs" / "games" / "san_ni_ichi.md"
    (sample,) = re.findall(r"```toml\n(.*?)```", page.read_text(), re.DOTALL)
    put(tmp_path, sample)

    assert corrections.load(tmp_path, SNI) == {
        "weapon_4": {"strength": 7, "letter": "C"},
        "fire-5": {"letter": "D"},
    }
