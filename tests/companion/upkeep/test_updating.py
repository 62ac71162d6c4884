"""An update comes up or goes back by itself, never during a match, and a power cut in the middle is taken back."""

import contextlib
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.core.message import Message
from companion.upkeep import data_version
from companion.upkeep.updating import (
    UNDER_WAY,
    CannotUpdate,
    Installation,
    RolledBack,
    TableHealth,
    Updater,
)

WELL, ILL, PLAYING = TableHealth(True), TableHealth(False, ("pages",)), TableHealth(True, playing=True)


class PowerCut(BaseException):
    pass


class FakeMachine:
    """Versions that come up or do not, and a plug that can be pulled before any step."""

    def __init__(self, place: Installation) -> None:
        self.place = place
        self.good = {"0.1.0": True}
        self.running = True
        self.playing = False
        self.fallen = 0
        self.steps: list[str] = []
        self.cut_at = -1
        self.starting: Callable[[str], None] = lambda version: None

    def _step(self, name: str) -> None:
        if len(self.steps) == self.cut_at:
            raise PowerCut
        self.steps.append(name)

    def installer(self, folder: Path, *arguments: str) -> None:
        self._step(f"{arguments[0]} {folder.name}")
        if arguments == ("--stage",):
            target = self.place.versions / folder.name
            if not target.exists():
                shutil.copytree(folder, target)
                (target / "ready").write_text("made")
            (folder / "staged").write_text(folder.name + "\n")
        else:
            assert folder.parent == self.place.versions
            self.place.link("current", folder.name)

    def start(self) -> None:
        self._step("start")
        self.running = True
        self.starting(self.place.named("current"))

    def stop(self) -> None:
        self._step("stop")
        self.running = False

    def health(self) -> TableHealth | None:
        if not self.running or not self.good.get(self.place.named("current"), False):
            return None
        return PLAYING if self.playing else WELL

    def falls(self) -> int:
        return self.fallen

    def wait(self, seconds: float) -> None:
        pass

    def last_words(self) -> str:
        return "it fell over"


@pytest.fixture
def place(tmp_path: Path) -> Installation:
    place = Installation(tmp_path / "opt", tmp_path / "data")
    (place.versions / "0.1.0").mkdir(parents=True)
    (place.versions / "0.1.0" / "ready").write_text("made")
    place.link("current", "0.1.0")
    place.data.mkdir()
    (place.data / "table.json").write_text("old")
    return place


@pytest.fixture
def machine(place: Installation) -> FakeMachine:
    return FakeMachine(place)


def updater(place: Installation, machine: FakeMachine, told: list[Message] | None = None) -> Updater:
    return Updater(place, machine, ([] if told is None else told).append)


def new(tmp_path: Path, version: str) -> Path:
    folder = tmp_path / "unpacked" / version
    folder.mkdir(parents=True)
    return folder


def test_a_version_that_comes_up_takes_the_place_of_the_old_one(tmp_path, place, machine):
    machine.good["0.2.0"] = True
    assert updater(place, machine).update(new(tmp_path, "0.2.0")) == "0.2.0"
    assert (place.named("current"), place.named("previous")) == ("0.2.0", "0.1.0")
    assert machine.running
    assert not place.under_way.exists()


def test_one_that_does_not_come_up_goes_back_by_itself(tmp_path, place, machine):
    with pytest.raises(RolledBack, match=r"0\.1\.0 is back and works"):
        updater(place, machine).update(new(tmp_path, "0.2.0"))
    assert place.named("current") == "0.1.0"
    assert machine.health() == WELL
    assert {each.name for each in place.versions.iterdir()} == {"0.1.0"}, "the bad one is gone"
    assert (place.opt / "failed-0.2.0.log").read_text() == "it fell over"
    assert not place.under_way.exists()
    assert not place.named("previous"), "nobody can go back to the bad one"


def test_data_that_the_newer_one_migrated_comes_back_too(tmp_path, place, machine):
    def starting(version: str) -> None:
        if version == "0.2.0":
            migration = {data_version.CURRENT: lambda data: (data / "table.json").write_text("new") and None}
            data_version.bring_up_to_date(place.data, data_version.CURRENT + 1, migration)

    machine.starting = starting
    with pytest.raises(RolledBack):
        updater(place, machine).update(new(tmp_path, "0.2.0"))
    assert (place.data / "table.json").read_text() == "old"
    assert data_version.version(place.data) == data_version.CURRENT


def test_nothing_is_touched_while_a_match_is_played(tmp_path, place, machine):
    machine.playing = True
    with pytest.raises(CannotUpdate, match="A match is being played"):
        updater(place, machine).update(new(tmp_path, "0.2.0"))
    assert machine.steps == []


def test_a_match_that_begins_meanwhile_is_not_interrupted(tmp_path, place, machine):
    folder = new(tmp_path, "0.2.0")
    stage = machine.installer

    def staging(folder: Path, *arguments: str) -> None:
        stage(folder, *arguments)
        machine.playing = True

    machine.installer = staging
    with pytest.raises(CannotUpdate, match="A match is being played"):
        updater(place, machine).update(folder)
    assert machine.steps == ["--stage 0.2.0"]
    assert machine.running
    assert not place.under_way.exists()


def test_the_version_that_runs_is_no_update(tmp_path, place, machine):
    with pytest.raises(CannotUpdate, match="is the one that runs"):
        updater(place, machine).update(new(tmp_path, "0.1.0"))


def test_back_goes_to_the_version_before_and_back_again_returns(tmp_path, place, machine):
    machine.good["0.2.0"] = True
    updater(place, machine).update(new(tmp_path, "0.2.0"))
    assert updater(place, machine).back() == "0.1.0"
    assert (place.named("current"), place.named("previous")) == ("0.1.0", "0.2.0")
    assert updater(place, machine).back() == "0.2.0"


def test_back_needs_a_version_before(place, machine):
    with pytest.raises(CannotUpdate, match="no version before"):
        updater(place, machine).back()


def test_only_two_versions_stay(tmp_path, place, machine):
    for version in ("0.2.0", "0.3.0", "0.4.0"):
        machine.good[version] = True
        updater(place, machine).update(new(tmp_path, version))
    assert {each.name for each in place.versions.iterdir()} == {"0.3.0", "0.4.0"}


def test_where_nothing_is_installed_nothing_is_updated(tmp_path, machine):
    with pytest.raises(CannotUpdate, match=r"not installed here by install\.sh"):
        updater(Installation(tmp_path / "no"), machine).update(new(tmp_path, "0.2.0"))


@pytest.mark.parametrize("good", [True, False])
@pytest.mark.parametrize("step", range(7))
def test_a_power_cut_at_any_step_leaves_a_version_that_works(tmp_path, place, machine, step, good):
    machine.good["0.2.0"] = good
    machine.cut_at = step
    with contextlib.suppress(PowerCut, RolledBack):
        updater(place, machine).update(new(tmp_path, "0.2.0"))
    machine.cut_at = -1
    if place.under_way.exists():  # as the unit does at the start of the machine
        told: list[Message] = []
        assert place.named("previous") == "0.1.0", "that is who is asked to take it back"
        updater(place, machine, told).undo_interrupted()
        assert place.named("current") == "0.1.0"
        assert told
    assert machine.good[place.named("current")]
    assert not place.under_way.exists()
    updater(place, machine).undo_interrupted()


def test_a_torn_note_of_an_update_is_no_update(place, machine):
    (place.opt / UNDER_WAY).write_bytes(b'{"old": "0.')
    with pytest.raises(CannotUpdate, match="under way, or was interrupted"):
        updater(place, machine).back()
    updater(place, machine).undo_interrupted()
    assert place.named("current") == "0.1.0"
    assert not place.under_way.exists()
