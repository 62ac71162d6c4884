"""The kifu on disk: written before it is told, whole or not at all."""

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.app.match_store import last_time, resume
from companion.core.rulings import ShinpanError
from companion.games import game
from companion.record import kifu
from companion.record.journal import DataFolder, InUse, Journal, JournalFailed
from companion.record.match import Match
from companion.record.recorded_match import RecordedMatch, header

MATCH = {"kifu": 1, "game": "sen_so", "players": ["Aki", "Ben"], "options": {}}
ARM = {"by": "Aki", "move": "arm", "weapons": ["katana"]}


def test_lines_come_back_as_they_were_written(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / "a.kifu", MATCH)
    assert journal.append(ARM) == 2
    journal.close()

    header_line, arm = kifu.read(kifu.load(tmp_path / "a.kifu"))

    assert isinstance(header_line.line, kifu.Header)
    assert arm.line == kifu.Moved("Aki", {"move": "arm", "weapons": ["katana"]})


@given(st.data())
def test_a_file_cut_anywhere_in_its_last_line_loses_that_line_only(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("cut") / "a.kifu"
    journal = Journal.create(path, MATCH)
    journal.append(ARM)
    before = path.stat().st_size
    journal.append({**ARM, "by": "Ben"})
    journal.close()
    whole = path.stat().st_size
    os.truncate(path, data.draw(st.integers(before, whole - 2)))

    journal, notice = Journal.reopen(path)

    assert path.stat().st_size == before
    assert journal.lines == 2
    # Cut exactly between two lines, nothing is torn and there is nothing to tell.
    assert bool(notice) == path.with_suffix(".torn").exists()
    assert journal.append({**ARM, "by": "Ben"}) == 3
    journal.close()
    assert len(list(kifu.read(kifu.load(path)))) == 3


def test_a_last_line_that_lacks_only_its_line_end_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.kifu"
    journal = Journal.create(path, MATCH)
    journal.append(ARM)
    journal.close()
    os.truncate(path, path.stat().st_size - 1)

    journal, notice = Journal.reopen(path)

    assert (journal.lines, notice) == (2, None)
    assert journal.append({**ARM, "by": "Ben"}) == 3
    journal.close()
    assert len(list(kifu.read(kifu.load(path)))) == 3


def test_a_line_changed_in_the_middle_is_named_and_nothing_is_touched(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / "a.kifu", MATCH)
    journal.append(ARM)
    journal.append({**ARM, "by": "Ben"})
    journal.close()
    changed = (tmp_path / "a.kifu").read_bytes().replace(b"katana", b"nagama", 1)
    (tmp_path / "a.kifu").write_bytes(changed)

    with pytest.raises(kifu.Altered, match="line 2"):
        Journal.reopen(tmp_path / "a.kifu")

    assert (tmp_path / "a.kifu").read_bytes() == changed


def test_two_services_on_one_data_folder_are_told_apart(tmp_path: Path) -> None:
    with DataFolder(tmp_path), pytest.raises(InUse, match=f"process {os.getpid()}"), DataFolder(tmp_path):
        pass
    with DataFolder(tmp_path):
        pass  # free again


def test_a_data_folder_that_cannot_be_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ShinpanError, match="cannot be used"), DataFolder(tmp_path / "file"):
        pass


FULL_DISK = """
import resource, sys
from pathlib import Path
from companion.games import game
from companion.record.journal import Journal, JournalFailed
from companion.record.match import Match
from companion.record.recorded_match import RecordedMatch, header
from companion.games.sen_so.moves import Arm

match = Match(game("sen_so"), ["Aki", "Ben"])
journal = Journal.create(Path(sys.argv[1]), header(match))
record = RecordedMatch(match, journal.append)
resource.setrlimit(resource.RLIMIT_FSIZE, (Path(sys.argv[1]).stat().st_size + 20, resource.RLIM_INFINITY))
try:
    record.move("Aki", Arm(("katana",)), 0.0)
except JournalFailed as failure:
    print(failure)
print(match.moves)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
record.move("Aki", Arm(("katana",)), 0.0)
print(match.moves)
"""


def test_a_full_disk_refuses_the_move_and_it_can_be_made_again_when_there_is_room(tmp_path: Path) -> None:
    path = tmp_path / "a.kifu"
    done = subprocess.run([sys.executable, "-c", FULL_DISK, str(path)], capture_output=True, text=True, check=True)
    sentence, during, after = done.stdout.splitlines()

    assert "does not count" in sentence
    assert (during, after) == ("0", "1")
    assert len(list(kifu.read(kifu.load(path)))) == 2


def test_a_match_killed_before_its_first_line_leaves_nothing_behind(tmp_path: Path) -> None:
    with DataFolder(tmp_path) as folder:
        folder.new("sen_so", "2026-01-01-000000").touch()

        assert resume(folder, game("sen_so")) is None
        assert not list(folder.matches.iterdir())


def test_the_match_clock_of_a_kifu_is_its_latest_time() -> None:
    lines = [MATCH, {**ARM, "at": 12.5}, {"clock": 10.0}]
    check, data = kifu.START, b""
    for fields in lines:
        line, check = kifu.write(fields, check)
        data += line

    assert last_time(data) == 12.5


def kill_and_resume(folder: Path, kills: int) -> int:
    """Play a match over a pipe, kill the process at random moments, and see that nothing acknowledged is missing.

    Gives back how many moves were acknowledged in all.
    """
    acknowledged = 0
    for round_ in range(kills):
        player = subprocess.Popen(
            [sys.executable, "-m", "tests.companion.app.keeps_playing", str(folder), str(round_)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert player.stdout is not None
        resumed = int(player.stdout.readline().removeprefix("resumed "))
        # A move may be on the disk and the kill come before it was told; what was told is always there.
        assert acknowledged <= resumed <= acknowledged + 1
        patience = round_ * 7 % 23
        for number, line in enumerate(player.stdout, 1):
            acknowledged = int(line)
            if number > patience:
                player.send_signal(signal.SIGKILL)
                break
        for line in player.stdout:
            if line.endswith("\n"):
                acknowledged = int(line)
        player.wait()
        player.stdout.close()
    return acknowledged


def test_nothing_acknowledged_is_missing_after_kill_9(tmp_path: Path) -> None:
    assert kill_and_resume(tmp_path, kills=6) > 0


@pytest.mark.long
def test_nothing_acknowledged_is_missing_after_200_kills(tmp_path: Path) -> None:
    assert kill_and_resume(tmp_path, kills=200) > 200


def test_an_unwritable_journal_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    with pytest.raises(JournalFailed, match="cannot be written"):
        Journal.create(tmp_path / "there", MATCH)


def test_refused_moves_are_written_down_with_their_rule(tmp_path: Path) -> None:
    match = Match(game("sen_so"), ["Aki", "Ben"])
    journal = Journal.create(tmp_path / "a.kifu", header(match))
    move = match.decode({"move": "arm", "weapons": ["katana", "nunchaku", "bo_staff"]})
    with pytest.raises(Exception, match="inventory"):
        RecordedMatch(match, journal.append).move("Aki", move, 1.0)
    journal.close()

    *_, last = kifu.read(kifu.load(tmp_path / "a.kifu"))

    assert isinstance(last.line, kifu.Moved)
    assert "SEN-10" in last.line.refused
    assert resource.getrlimit(resource.RLIMIT_FSIZE)  # the limits of this process are as they were
