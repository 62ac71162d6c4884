"""The matches of a table: listed, found, called something, deleted, taken out and brought in."""

import io
import os
import shutil
import zipfile
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from companion.core.rulings import Mistake, Unknown
from companion.history import archive, listing
from companion.history.index import FILE
from companion.history.library import AtTable, BeingPlayed, MatchLibrary
from companion.history.listing import ALL, WantedMatches
from companion.history.standings import head_to_head, people, standings
from companion.record.journal import DataFolder
from companion.record.verification import verify

KIFU = Path(__file__).parents[2] / "kifu"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """An evening, and what was there before."""
    matches = tmp_path / "matches"
    matches.mkdir()
    for name, path in {
        "2026-11-13-200000-sen_so": "sen_so/first-match",
        "2026-11-14-200000-sen_so": "sen_so/blocks-and-shuriken",
        "2026-11-14-203000-san_ni_ichi": "san_ni_ichi/sample_match",
        "2026-11-14-210000-senjutsu": "senjutsu/wounds-and-decks",
        "2026-11-14-213000-sensu": "sensu/acts_of_the_referee_solo",
        "2026-11-14-220000-sensu": "sensu/examples",
    }.items():
        shutil.copy(KIFU / f"{path}.kifu", matches / f"{name}.kifu")
    return tmp_path


@pytest.fixture
def library(data: Path) -> MatchLibrary:
    library = MatchLibrary(data)
    library.refresh()
    return library


def names(library: MatchLibrary, wanted: WantedMatches = ALL) -> list[str]:
    return [match.name for match in library.find(wanted).matches]


def answers(library: MatchLibrary) -> object:
    """Everything that can be asked."""
    return (
        library.find(ALL),
        listing.games(library.index),
        listing.names(library.index),
        listing.faults(library.index),
        standings(library.index, ALL),
        people(library.index, ALL),
        head_to_head(library.index, "Aki", "Ben"),
    )


def test_matches_are_listed_the_newest_first_with_who_played_and_who_won(library: MatchLibrary) -> None:
    found = library.find(ALL)

    assert found.total == 6
    assert [match.game for match in found.matches] == ["sensu", "sensu", "senjutsu", "san_ni_ichi", "sen_so", "sen_so"]
    assert [(seat.name, seat.won) for seat in found.matches[-1].seats] == [("Aki", True), ("Ben", False)]
    assert found.matches[-1].began == "2026-11-13 20:00:00"


def test_they_are_found_by_game_player_and_day(library: MatchLibrary) -> None:
    assert names(library, WantedMatches(game="sensu")) == ["2026-11-14-220000-sensu", "2026-11-14-213000-sensu"]
    assert names(library, WantedMatches(player="Aiko")) == ["2026-11-14-213000-sensu"]
    assert len(names(library, WantedMatches(day="2026-11-14"))) == 5
    assert len(names(library, WantedMatches(day="2026"))) == 6
    assert names(library, WantedMatches("sen_so", "Aki", "2026-11-13")) == ["2026-11-13-200000-sen_so"]
    assert names(library, WantedMatches(player="nobody' OR 1 --")) == []


def test_an_index_that_is_thrown_away_or_damaged_gives_the_same_answers_again(data: Path) -> None:
    (data / "matches" / "broken.kifu").write_text('{"kifu": 1, "game": "sen_so"')
    library = MatchLibrary(data)
    library.refresh()
    before = answers(library)

    library.index.rebuild()
    library.refresh()
    assert answers(library) == before

    library.close()
    (data / FILE).write_bytes(b"no database" * 1000)
    again = MatchLibrary(data)
    again.refresh()
    assert answers(again) == before


def test_a_broken_kifu_is_named_and_the_rest_works(data: Path) -> None:
    torn = (data / "matches" / "2026-11-14-200000-sen_so.kifu").read_bytes()
    broken = {
        "no-json": b"\xff\xfe\x00",
        "nothing": b"",
        "no-game": b'{"kifu": 1, "game": "chess", "players": ["A", "B"]}\n',
        "in-the-middle": torn.replace(b'"reveal"', b'"unheard_of"', 1),
    }
    for name, content in broken.items():
        (data / "matches" / f"{name}.kifu").write_bytes(content)
    library = MatchLibrary(data)
    library.refresh()

    assert {name for name, _ in listing.faults(library.index)} == set(broken)
    assert library.find(ALL).total == 10
    assert standings(library.index, ALL)[0].name == "Aki"
    assert "line" in str(library.match("in-the-middle").fault)
    told = library.open("in-the-middle")
    assert told.fault is not None
    assert told.then, "what is before the fault can be looked at"


def test_a_file_is_read_again_only_when_it_has_changed(library: MatchLibrary, data: Path) -> None:
    assert library.refresh().read == 0
    path = data / "matches" / "2026-11-14-220000-sensu.kifu"
    with path.open("ab") as file:
        file.write(b'{"note": "One more line."}\n')
    assert library.refresh().read == 1

    shutil.copy(path, path.with_stem("copied"))
    path.unlink()
    assert library.refresh().read == 1
    assert "copied" in names(library)
    assert path.stem not in names(library)


def test_a_match_that_is_being_played_is_listed_and_not_read_with_every_move(data: Path) -> None:
    library = MatchLibrary(data, lambda: AtTable("2026-11-14-220000-sensu"))
    assert library.refresh().read == 5

    match = library.match("2026-11-14-220000-sensu")
    assert not match.told
    assert [seat.name for seat in match.seats] == ["Aki", "Ben", "Cho", "Dai"]
    with pytest.raises(BeingPlayed):
        library.delete(match.name)


def test_a_match_that_grows_is_told_on_from_where_it_was(library: MatchLibrary, data: Path) -> None:
    name = "2026-11-14-220000-sensu"
    path = data / "matches" / f"{name}.kifu"
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:10]) + lines[10][:9])
    told = library.open(name)
    first = told.then[3]

    path.write_bytes(whole)
    assert library.open(name) is told
    assert told.then[3] is first
    assert [then.number for then in told.then] == [then.number for then in _fresh(data, name)]

    path.write_bytes(whole.replace(b'"Ben"', b'"Bea"'))
    assert library.open(name) is not told


def _fresh(data: Path, name: str) -> list[object]:
    return list(MatchLibrary(data).open(name).then)


def test_a_title_stands_beside_the_kifu_and_not_in_it(library: MatchLibrary, data: Path) -> None:
    name = "2026-11-13-200000-sen_so"
    before = (data / "matches" / f"{name}.kifu").read_bytes()
    library.entitle(name, "  The night of\nthe final ")

    assert library.match(name).title == "The night of the final"
    assert (data / "matches" / f"{name}.kifu").read_bytes() == before
    assert MatchLibrary(data).match(name).title == "The night of the final"
    library.entitle(name, "")
    assert library.match(name).title == ""


def test_deleting_says_what_goes_and_takes_all_of_it(library: MatchLibrary, data: Path) -> None:
    name = "2026-11-13-200000-sen_so"
    pictures = data / "matches" / name
    pictures.mkdir()
    (pictures / "00057.jpg").write_bytes(b"a picture")
    (pictures / "00057.avi").write_bytes(b"a clip")
    library.entitle(name, "The final")

    told = [str(each) for each in library.what_goes(name).told]
    assert any("kifu" in each for each in told)
    assert any("1 picture" in each for each in told)
    assert any("1 clip" in each for each in told)

    library.delete(name)
    assert not pictures.exists()
    assert name not in names(library)
    assert library.wishes.titles == {}
    with pytest.raises(Unknown):
        library.match(name)


@pytest.mark.parametrize("name", ["../table", "a/b", "", ".", "..", "a\x00b", "2026-11-13-200000-sen_so/../../x"])
def test_a_name_never_leads_out_of_the_folder(library: MatchLibrary, name: str) -> None:
    for ask in (library.match, library.open, library.what_goes, library.delete, library.kifu):
        with pytest.raises(Unknown):
            ask(name)


# --- in and out -----------------------------------------------------------------------------------------------------


def test_an_archive_goes_out_and_comes_in_again_the_same(library: MatchLibrary, tmp_path: Path) -> None:
    packed = library.archived(WantedMatches(day="2026-11-14"))
    other = MatchLibrary(tmp_path / "other")
    brought = other.bring_in("evening.zip", packed)

    assert [each.reason for each in brought] == [None] * 5
    assert sorted(other.kifu(each.name) for each in brought) == sorted(
        library.kifu(name) for name in names(library, WantedMatches(day="2026-11-14"))
    )
    assert all("is here already" in str(each.reason) for each in other.bring_in("evening.zip", packed))


def test_a_match_that_was_brought_in_is_never_taken_for_one_that_the_table_goes_on_with(data: Path) -> None:
    library = MatchLibrary(data)
    (brought,) = library.bring_in("2030-01-01-000000-sen_so.kifu", (KIFU / "sen_so" / "undo.kifu").read_bytes())

    newest = DataFolder(data).newest("sen_so")
    assert newest is not None
    assert newest.stem == "2026-11-14-200000-sen_so"
    assert library.match(brought.name).began == "2030-01-01 00:00:00"


def zipped(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return out.getvalue()


def test_nothing_in_an_archive_decides_where_a_file_goes(data: Path) -> None:
    good = (KIFU / "sen_so" / "undo.kifu").read_bytes()
    before = {path for path in data.parent.rglob("*") if path.is_file()}
    library = MatchLibrary(data)
    brought = library.bring_in("x.zip", zipped(**{"../../../evil.kifu": good, "/etc/evil.kifu": good + b"\n"}))

    new = set(data.parent.rglob("*.kifu")) - before
    assert {path.parent for path in new} == {data / "matches"}
    assert {path.stem for path in new} == {each.name for each in brought}


def test_an_archive_that_would_fill_the_memory_is_not_unpacked(
    library: MatchLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "LARGEST_KIFU", 100_000)
    brought = library.bring_in("bomb.zip", zipped(**{"bomb.kifu": b" " * 5_000_000}))

    assert "larger than" in str(brought[0].reason)
    assert library.find(ALL).total == 6


@pytest.mark.parametrize("way", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_an_archive_packed_in_another_way_is_not_unpacked(library: MatchLibrary, way: int) -> None:
    """LZMA asks for as much memory as its first bytes say, and what is damaged in it is an error of its own kind."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", way) as file:
        file.writestr("evening.kifu", b" " * 5000)
    damaged = bytearray(out.getvalue())
    damaged[60:64] = b"\xff\xff\xff\xff"
    for content in (out.getvalue(), bytes(damaged)):
        [brought] = library.bring_in("x.zip", content)
        assert not brought.name
        assert "packed in a way" in str(brought.reason)


@pytest.mark.parametrize(
    "content",
    [b"PK\x03\x04 no archive", zipped(**{"readme.txt": b"nothing here"})],
    ids=["damaged", "without a kifu"],
)
def test_an_archive_without_kifus_is_refused_in_a_sentence(library: MatchLibrary, content: bytes) -> None:
    with pytest.raises(Mistake):
        library.bring_in("x.zip", content)


def test_a_kifu_that_does_not_go_as_written_is_not_taken(library: MatchLibrary) -> None:
    good = (KIFU / "sen_so" / "first-match.kifu").read_bytes()
    for wrong in (b"", b"no kifu", good.replace(b'"scores.Aki": 5', b'"scores.Aki": 6'), good[:-40]):
        (brought,) = library.bring_in("x.kifu", wrong)
        assert brought.name == ""
        assert brought.reason is not None
    assert library.find(ALL).total == 6


# --- people ---------------------------------------------------------------------------------------------------------


def test_people_are_counted_from_the_kifus_alone(library: MatchLibrary) -> None:
    lines = {line.name: (line.wins, line.matches) for line in standings(library.index, ALL)}
    assert lines["Aki"] == (3, 4)
    (sen_so,) = people(library.index, WantedMatches(game="sen_so"), "Aki")
    (points,) = sen_so.figures
    assert points.total == 15
    assert points.a_round is not None
    assert {liked.thing: liked.cost for liked in sen_so.favourites}["katana"] == 4
    assert sen_so.thought is None, "these were written by hand and have no times"
    duel = head_to_head(library.index, "Aki", "Ben", WantedMatches(game="sen_so"))
    assert (duel.matches, duel.one_won, duel.other_won) == (2, 2, 0)


def test_two_names_of_one_person_are_merged_and_parted_again(library: MatchLibrary) -> None:
    library.merge("Aiko", "Aki")
    assert len(names(library, WantedMatches(player="Aki"))) == 6
    assert names(library, WantedMatches(player="Aiko")) == []
    assert {line.name for line in standings(library.index, ALL)} == {"Aki", "Ben", "Cho"}
    with pytest.raises(Mistake):
        library.merge("Aki", "Aiko")

    library.merge("Aiko", "")
    assert len(names(library, WantedMatches(player="Aiko"))) == 1


def test_whoever_wants_to_be_anonymous_is_so_everywhere_but_in_the_file(library: MatchLibrary, data: Path) -> None:
    library.make_anonymous("Ben", True)

    assert "Ben" not in listing.names(library.index)
    assert "Ben" not in {line.name for line in standings(library.index, ALL)}
    for name in names(library):
        told = library.open(name)
        assert told.fault is None
        for then in told.then:
            assert b"Ben" not in msgspec.json.encode(told.page(then))
        assert not told.header or "Ben" not in told.header.players
    assert b"Ben" in library.kifu("2026-11-13-200000-sen_so")

    again = MatchLibrary(data)
    assert again.wishes.called("Ben") == "N. N. 1"
    again.make_anonymous("N. N. 1", False)
    assert "Ben" in listing.names(again.index)


def test_a_damaged_file_of_wishes_is_set_aside(data: Path) -> None:
    (data / "history.json").write_text("{")
    library = MatchLibrary(data)

    assert library.notice is not None
    assert (data / "history.json.damaged-1").exists()


def test_where_nothing_can_be_written_the_list_is_in_memory(data: Path) -> None:
    (data / FILE).mkdir()
    library = MatchLibrary(data)
    library.refresh()

    assert library.find(ALL).total == 6
    assert os.listdir(data / FILE) == []


def counted(library: MatchLibrary) -> object:
    """What is asked for all matches, and the same counted match by match: every day begins with a 2."""
    everything = WantedMatches(day="2")
    assert standings(library.index, ALL) == standings(library.index, everything)
    assert library.find(ALL) == library.find(everything)
    for game in ("sen_so", "sensu"):
        of_game = WantedMatches(game=game)
        assert standings(library.index, of_game) == standings(library.index, replace(of_game, day="2"))
        assert library.find(of_game) == library.find(replace(of_game, day="2"))
    games = {name: library.find(WantedMatches(game=name, day="2")).total for name, _ in listing.games(library.index)}
    assert dict(listing.games(library.index)) == games
    return answers(library)


def test_the_sums_follow_every_match_that_comes_changes_and_goes(data: Path) -> None:
    library = MatchLibrary(data)
    library.refresh(0.0)
    counted(library)  # known by their headers only
    library.refresh()
    first = counted(library)

    path = data / "matches" / "2026-11-13-200000-sen_so.kifu"
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"referee": "award", "player": "Ben", "points": 1000, "why": "a test"}\n')
    again = MatchLibrary(data)
    again.refresh()
    assert counted(again) != first
    path.write_bytes(whole)
    again = MatchLibrary(data)
    again.refresh()
    assert counted(again) == first

    again.make_anonymous("Ben", True)
    again.merge("Aiko", "Aki")
    counted(again)
    for name in names(again):
        again.delete(name)
        counted(again)
    assert listing.games(again.index) == []
    assert listing.names(again.index) == []


@pytest.mark.parametrize("count", [1, 2, 4, 50])
def test_pages_from_either_end_make_up_the_list(library: MatchLibrary, count: int) -> None:
    everything = library.find(ALL).matches
    for start in range(9):
        assert library.find(ALL, start, count).matches == everything[start : start + count]


def test_a_file_whose_name_is_no_text_is_left_out_and_the_rest_works(data: Path) -> None:
    header = b'{"kifu": 1, "game": "sen_so", "players": ["A", "B"]}\n'
    for name in (b"\xff\xfe.kifu", b"two\nlines.kifu"):
        Path(os.fsdecode(os.fsencode(data / "matches") + b"/" + name)).write_bytes(header)
    library = MatchLibrary(data)
    library.refresh()

    assert library.find(ALL).total == 6
    assert listing.faults(library.index) == []


def test_a_signature_is_checked_again_only_when_something_has_changed(
    library: MatchLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any stranger may open a match; each check goes through the whole file and all of its pictures."""
    checked = []
    monkeypatch.setattr("companion.history.library.verify", lambda path, key: checked.append(path) or verify(path, key))
    name = library.find(WantedMatches()).matches[0].name
    for _ in range(3):
        library.verified(name)
    assert len(checked) == 1
    folder = library.path(name).with_suffix("")
    folder.mkdir(exist_ok=True)
    (folder / "00002.jpg").write_bytes(b"put in")
    library.verified(name)
    assert len(checked) == 2
    (folder / "00002.jpg").write_bytes(b"put in anew")
    library.verified(name)
    assert len(checked) == 3


def test_matches_that_were_looked_at_do_not_fill_the_memory(
    library: MatchLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.history.library.OPEN_LINES", 20)
    names = [match.name for match in library.find(WantedMatches()).matches if match.told]
    for name in names:
        assert library.open(name).then
    assert len(names) > len(library._told) >= 1
