"""A match that was broken off goes on where it was, or one sentence says why it cannot."""

import os
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.app.match_store import begin, resume
from companion.cli.serve import match_of
from companion.core.events import Press, Said, Tap, Tick
from companion.core.message import message
from companion.core.rulings import Refusal
from companion.games import game
from companion.record.journal import DataFolder, Journal, JournalFailed
from companion.referee.service import Service
from companion.upkeep.config import TableConfig

SEN_SO = game("sen_so")
SETUP = ({"move": "arm", "weapons": ["katana"]}, {"move": "set", "slots": ["weapon", "block", "action1", "action2"]})
MOVES = 4


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The kifu of a match that is four moves in."""
    with DataFolder(tmp_path_factory.mktemp("kept")) as folder:
        referee, journal = begin(folder, SEN_SO, ("Aki", "Ben"), {}, datetime(2026, 1, 1))
        for player in ("Aki", "Ben"):
            for fields in SETUP:
                referee.record.move(player, referee.match.decode(fields), 2.0)
        journal.close()
    return journal.path


def after(kept: Path, folder: Path, data: bytes) -> int | str:
    """How many moves in a match goes on whose kifu is this, or the sentence about it."""
    matches = folder / "matches"
    matches.mkdir(exist_ok=True)
    for old in matches.iterdir():
        old.unlink()
    path = matches / kept.name
    path.write_bytes(data)
    with DataFolder(folder) as opened:
        resumed, news = resume(opened, SEN_SO), opened.news()
    if resumed is None and news:
        assert path.with_name(f"{path.name}.damaged-1").read_bytes() == data  # for people to look at
        assert not path.exists()  # and no reason not to play
        return str(*news)
    if resumed is None:
        return 0
    resumed[1].close()
    return resumed[0].match.moves


def test_a_kifu_cut_at_any_byte_goes_on_with_the_lines_that_are_whole(kept: Path, tmp_path: Path) -> None:
    whole = kept.read_bytes()
    for cut in range(len(whole) + 1):
        lines = max(0, whole[: cut + 1].count(b"\n") - 1)  # the header is not a move; a line end may be missing
        assert after(kept, tmp_path, whole[:cut]) == lines, cut


@settings(max_examples=60)
@given(st.data())
def test_a_flipped_bit_anywhere_is_a_sentence_with_the_line(
    kept: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    whole = bytearray(kept.read_bytes())
    at = data.draw(st.integers(0, len(whole) - 2))
    whole[at] ^= 1 << data.draw(st.integers(0, 7))

    told = after(kept, tmp_path_factory.mktemp("flip"), bytes(whole))

    assert "cannot go on: line" in str(told)
    assert "set aside" in str(told)


@pytest.mark.parametrize("line", [b'{"by":"Aki","move":"dance"}', b'{"expect":{"over":true}}', b'{"kifu":1}', b"\x00"])
def test_a_line_that_nobody_can_follow_is_named(kept: Path, tmp_path: Path, line: bytes) -> None:
    assert "line 6" in str(after(kept, tmp_path, kept.read_bytes() + line + b"\n"))


def test_a_kifu_of_another_game_under_this_ones_name_is_left_alone(kept: Path, tmp_path: Path) -> None:
    assert after(kept, tmp_path, b'{"kifu":1,"game":"sensu","players":["Aki","Ben"]}\n') == 0


def test_the_newest_match_goes_on_though_the_clock_of_the_machine_went_back(tmp_path: Path) -> None:
    """A Pi without a clock of its own wakes up in the past; its newest match must still be the newest."""
    with DataFolder(tmp_path) as folder:
        for hour in (12, 12, 9, 13, 9):
            _, journal = begin(folder, SEN_SO, ("Aki", "Ben"), {}, datetime(2026, 1, 1, hour))
            journal.close()

            assert folder.newest("sen_so") == journal.path


def test_a_killed_service_goes_on_with_its_clock_to_the_tenth_of_a_second(tmp_path: Path) -> None:
    with DataFolder(tmp_path) as folder:
        referee, journal = begin(folder, SEN_SO, ("Aki", "Ben"), {}, datetime(2026, 1, 1))
        referee.handle(Tap("referee", "resume", {}, 100.0))
        for tenth in range(37):
            referee.handle(Tick(100.0 + tenth / 10))
        # Killed here: nothing is closed, and no clock line was due yet.
        resumed = resume(folder, SEN_SO)

        assert resumed is not None
        assert resumed[0].clock.read(0.0) == pytest.approx(3.6)
        assert resumed[0].paused
        resumed[1].close()
        journal.close()


@pytest.mark.parametrize("text", ["", "soon", "-5", "\udcff"])
def test_a_clock_that_cannot_be_read_is_the_kifus(kept: Path, text: str) -> None:
    kept.with_suffix(".clock").write_bytes(text.encode(errors="surrogateescape"))

    assert Journal.elapsed(kept) == 0.0


def test_a_disk_that_takes_no_clock_line_is_not_asked_every_moment(tmp_path: Path) -> None:
    with DataFolder(tmp_path) as folder:
        referee, journal = begin(folder, SEN_SO, ("Aki", "Ben"), {}, datetime(2026, 1, 1))
        asked = 0

        def full(fields: object) -> int:
            nonlocal asked
            asked += 1
            raise JournalFailed(message("The disk is full."))

        referee.record._write = full
        referee.handle(Press(0, "reset", 0.0))
        referee.handle(Press(0, "start", 0.0))
        asked = 0
        for tenth in range(150):
            referee.handle(Tick(tenth / 10))
        journal.close()

        assert asked == 3
        assert referee.match.facts["clock"] == 0.0


def test_a_torn_tail_that_could_not_be_taken_back_is_taken_back_before_the_next_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal.create(tmp_path / "a.kifu", {"kifu": 1, "game": "sen_so", "players": ["Aki", "Ben"]})
    with monkeypatch.context() as broken:
        broken.setattr(os, "fdatasync", _fails)
        broken.setattr(os, "ftruncate", _fails)
        with pytest.raises(JournalFailed):
            journal.append({"clock": 1.0})

    journal.append({"clock": 2.0})
    journal.close()

    again, notice = Journal.reopen(tmp_path / "a.kifu")
    assert (again.lines, notice) == (2, None)
    again.close()


def _fails(*_: object) -> None:
    raise OSError(5, "Input/output error")


def test_everybody_hears_of_a_full_disk_when_somebody_taps(tmp_path: Path) -> None:
    with DataFolder(tmp_path) as folder:
        referee, journal = begin(folder, SEN_SO, ("Aki", "Ben"), {}, datetime(2026, 1, 1))
        service, heard = Service(referee, lambda: 0.0), list[object]()
        service.listen(heard.append)

        def full(fields: object) -> int:
            raise JournalFailed(message("The disk is full."))

        referee.record._write = full
        before = service.version
        outcome = service.submit(Tap("Aki", "move", dict(SETUP[0]), 0.0))
        journal.close()

        assert outcome.refusal == Refusal((), message("The disk is full."))

        assert service.version > before
        assert [str(said.message) for said in heard if isinstance(said, Said)] == ["The disk is full."]
        assert referee.match.moves == 0


def test_a_match_in_which_nobody_has_moved_makes_way_for_other_players(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with DataFolder(tmp_path) as folder:
        for players, plays in (("Aki", "Ben"), "Aki Ben"), (("Cho", "Dai"), "Cho Dai"), ((), "Cho Dai"):
            referee, journal = match_of(folder, TableConfig(players=players), new=False)
            assert " ".join(referee.match.players) == plays
            journal.close()
        referee, journal = match_of(folder, TableConfig(), new=False)
        referee.record.move("Cho", referee.match.decode(SETUP[0]), 0.0)
        journal.close()
        capsys.readouterr()

        _, journal = match_of(folder, TableConfig(players=("Aki", "Ben")), new=False)
        journal.close()

    assert "It is the match of Cho, Dai; --new begins another one." in capsys.readouterr().out
