"""People who want to be anonymous: in free text, in sentences, in titles and in clips."""

import shutil
import unicodedata
from pathlib import Path

import msgspec
import pytest

from companion.core.message import Thing, message
from companion.history import listing
from companion.history.export import rows_of
from companion.history.library import MatchLibrary
from companion.history.names_in_text import without_names
from companion.history.other_names import told_otherwise, witnessed_otherwise
from companion.history.retelling import retold
from companion.record.clip import CountHeard, PressHeard, ReadingMade, SentenceSaid, Testimony

KIFU = Path(__file__).parents[2] / "kifu"
NAMES = {
    "Ben": "N. N. 1",
    "Ben Ten": "N. N. 2",
    "José": "N. N. 3",
    "健": "N. N. 4",
    "Øyvind": "N. N. 5",
    "J. R.": "N. N. 6",
}


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("Ben touched it.", "N. N. 1 touched it."),
        ("the Benefit of Bens Bento, RobBen", "the Benefit of Bens Bento, RobBen"),
        ("Ben's card, (Ben), Ben-Ben", "N. N. 1's card, (N. N. 1), N. N. 1-N. N. 1"),
        ("Ben Ten and Ben", "N. N. 2 and N. N. 1"),
        ("Ben Tennis", "N. N. 1 Tennis"),
        ("Ben_2 and Ben2", "Ben_2 and Ben2"),
        ("José, Joséphine", "N. N. 3, Joséphine"),
        (unicodedata.normalize("NFD", "José, Joséphine"), "N. N. 3, Joséphine"),
        ("Jose\u0301", "N. N. 3"),
        ("健が札に触った", "N. N. 4が札に触った"),
        ("Benが触った", "N. N. 1が触った"),
        ("Øyvind, Øyvinds kort", "N. N. 5, Øyvinds kort"),
        ("J. R. touched it", "N. N. 6 touched it"),
        ("nobody", "nobody"),
        ("", ""),
    ],
)
def test_a_name_is_taken_out_as_a_word_and_never_from_within_another(written: str, shown: str) -> None:
    assert unicodedata.normalize("NFC", without_names(written, NAMES)) == shown


def test_a_letter_with_an_accent_of_its_own_is_no_end_of_a_name() -> None:
    assert without_names("राम और रामायण", {"राम": "N. N. 1"}) == "N. N. 1 और रामायण"
    assert without_names("Jose\u0301", {"Jose": "N. N. 1"}) == "Jose\u0301"


def test_what_stands_for_a_name_is_not_taken_for_another() -> None:
    assert without_names("Ben and N", {"Ben": "N. N. 1", "N": "N. N. 2"}) == "N. N. 1 and N. N. 2"


def test_a_sentence_names_nobody_in_its_things_texts_and_inner_sentences() -> None:
    inner = message("{note}", note="Ben was late")
    said = message(
        "{player}, {others}: {place}, {card}, {reason}",
        player=Thing("player", "Ben"),
        others=(Thing("player", "Aki"), Thing("player", "Ben")),
        place=Thing("place", "Ben.action1"),
        card=Thing("card", "Ben"),
        reason=inner,
    )
    assert str(told_otherwise(said, NAMES)) == "N. N. 1, Aki, N. N. 1: N. N. 1.action1, Ben, N. N. 1 was late"


def test_what_the_referee_knew_in_a_clip_names_nobody() -> None:
    known = Testimony(
        players=("Aki", "Ben"),
        presses=(PressHeard("Ben", 1.0, 0.01, tapped=False),),
        counts=(CountHeard(1.0, "countdown", 3),),
        readings=(ReadingMade(0.0, "Ben.action1", ()), ReadingMade(0.0, "deck", ())),
        sentences=(
            SentenceSaid(1.0, "call", (), 7, message("{player} moved.", player=Thing("player", "Ben"))),
            SentenceSaid(2.0, "ruling", (), 8, text="An older clip: Ben moved."),
        ),
    )
    shown = witnessed_otherwise(known, NAMES)
    assert b"Ben" not in msgspec.json.encode(shown)
    assert [each.zone for each in shown.readings] == ["N. N. 1.action1", "deck"]
    assert witnessed_otherwise(known, {}) == known


def test_a_call_about_somebody_anonymous_is_still_about_a_player() -> None:
    """The name that is shown has dots in it, and so has the name of a place."""
    header = b'{"kifu": 1, "game": "sen_so", "players": ["Aki", "Ben"], "options": {}}\n'
    note = b'{"note": "In the words of that day.", "rules": ["SEN-15"], "place": "Ben.action1"}\n'
    told = retold("first-match.kifu", header + note, names={"Ben": "N. N. 1"})

    (call,) = [said.message for said in told.then[-1].said if said.kind == "call"]
    assert told.fault is None
    assert str(call) == "A card of N. N. 1 was moved after ready: put it right and press ready again."


def test_neither_a_title_nor_the_fault_of_a_file_names_somebody_anonymous(tmp_path: Path) -> None:
    (tmp_path / "matches").mkdir()
    kifu = tmp_path / "matches" / "2026-11-13-200000-sen_so.kifu"
    shutil.copy(KIFU / "sen_so/first-match.kifu", kifu)
    moved = next(line for line in kifu.read_bytes().splitlines() if b'"by": "Ben"' in line or b'"by":"Ben"' in line)
    kifu.write_bytes(kifu.read_bytes() + moved + b"\n")  # Ben moves although the match is over
    library = MatchLibrary(tmp_path)
    library.refresh()
    library.entitle(kifu.stem, "Ben's Benefit")
    library.make_anonymous("Ben", True)

    listed = library.match(kifu.stem)
    assert listed.title == "N. N. 1's Benefit"
    assert listed.fault is not None
    assert "Ben" not in str(listed.fault)
    assert "Ben" not in str(listing.faults(library.index))
    library.make_anonymous("N. N. 1", False)
    assert library.match(kifu.stem).title == "Ben's Benefit"


@pytest.mark.parametrize("wanted", ["Ben", "Benny", "Benjamin"])
def test_whoever_was_renamed_in_a_match_is_anonymous_under_every_name(tmp_path: Path, wanted: str) -> None:
    (tmp_path / "matches").mkdir()
    path = tmp_path / "matches" / "2026-11-13-200000-sen_so.kifu"
    lines = (KIFU / "sen_so/conceded.kifu").read_text().splitlines(keepends=True)
    header = next(place for place, line in enumerate(lines) if '"kifu"' in line)
    lines[header + 1 : header + 1] = [
        '{"referee": "rename", "player": "Ben", "name": "Benny"}\n',
        '{"referee": "rename", "player": "Benny", "name": "Benjamin"}\n',
        '{"referee": "rename", "player": "Benjamin", "name": "Ben"}\n',
    ]
    path.write_text("".join(lines))
    library = MatchLibrary(tmp_path)
    library.refresh()
    plain = library.open(path.stem)
    assert plain.fault is None
    library.make_anonymous(wanted, True)
    told = library.open(path.stem)

    assert told.fault is None
    assert [then.number for then in told.then] == [then.number for then in plain.then]
    for then in told.then:
        assert b"Ben" not in msgspec.json.encode(told.page(then))
    assert "Ben" not in str(list(rows_of(path.stem, path.read_bytes(), library.wishes.shown)))
