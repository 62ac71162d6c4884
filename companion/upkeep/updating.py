"""Another version takes the place of the one that runs; where it does not come up, the one before comes back by itself.

Versions lie side by side below `/opt/shinpan/versions`; `current` and `previous` are links. Putting a version there and
switching to it is the work of that version's own `install.sh`. A file tells of an update that is under way, so that one
that a power cut interrupts is taken back before the table opens again.
"""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import msgspec

from companion.core.files import sync_folder, write_whole
from companion.core.message import Message, message
from companion.core.rulings import ShinpanError
from companion.core.validation import read_json
from companion.upkeep import data_version

UNDER_WAY = "update.json"
STAGED = "staged"
"""Where an installer writes the name of the version that it has put in place."""
GOOD_ANSWERS = 3
"""Answers in a row that say all is well before a version counts as good."""
ASKED_FOR = 90
"""Times that a version is asked, with a pause after each, before it counts as one that does not come up."""
PAUSE = 2.0
TOO_MANY_FALLS = 5
"""Times that a version may end by itself before it is given up."""


class CannotUpdate(ShinpanError):
    """Nothing was changed, and why."""


class RolledBack(ShinpanError):
    """The new version did not come up, and the one before is back."""


class UpdateUnderWay(msgspec.Struct, frozen=True):
    """What is on the disk while an update is not finished."""

    old: str
    new: str


class TableHealth(msgspec.Struct, frozen=True):
    """What `/healthz` answers."""

    ok: bool
    silent: tuple[str, ...] = ()
    playing: bool = False


class Machine(Protocol):
    """What an update does to a machine outside its own folders."""

    def installer(self, folder: Path, *arguments: str) -> None:
        """Run the `install.sh` in this folder; raises CannotUpdate with what it said."""

    def start(self) -> None: ...
    def stop(self) -> None: ...
    def health(self) -> TableHealth | None:
        """What the table answers; None: nothing."""

    def falls(self) -> int:
        """How often the service has ended by itself and was started again."""

    def wait(self, seconds: float) -> None: ...
    def last_words(self) -> str:
        """The end of the service's log."""


@dataclass(frozen=True)
class Installation:
    """Where an installed Shinpan is."""

    opt: Path = Path("/opt/shinpan")
    data: Path = Path("/var/lib/shinpan")

    @property
    def versions(self) -> Path:
        return self.opt / "versions"

    @property
    def keys(self) -> Path:
        return self.opt / "keys"

    @property
    def under_way(self) -> Path:
        return self.opt / UNDER_WAY

    def named(self, link: str) -> str:
        """The version that `current` or `previous` is; empty: there is none."""
        try:
            return Path(os.readlink(self.opt / link)).name
        except OSError:
            return ""

    def link(self, link: str, version: str) -> None:
        """Let `previous` be that version, in one step; empty: none."""
        if not version or not (self.versions / version).is_dir():
            (self.opt / link).unlink(missing_ok=True)
            return
        beside = self.opt / f"{link}.new"
        beside.unlink(missing_ok=True)
        beside.symlink_to(Path("versions") / version)
        beside.replace(self.opt / link)
        sync_folder(self.opt)


class Updater:
    """One update. `tell` is told how far it is."""

    def __init__(self, place: Installation, machine: Machine, tell: Callable[[Message], None]) -> None:
        self._place, self._machine, self._tell = place, machine, tell

    def update(self, release: Path) -> str:
        """Put the release in this folder beside the version that runs, and switch to it. Gives the version's name."""
        old = self._old()
        self._nobody_plays()
        self._tell(message("The new version is put beside the old one."))
        self._machine.installer(release, "--stage")
        new = self._staged(release)
        if new == old:
            raise CannotUpdate(message("This version is the one that runs: {version}.", version=new))
        self._switch(old, new)
        return new

    def back(self) -> str:
        """Switch to the version before."""
        old, new = self._old(), self._place.named("previous")
        if not new or new == old or not (self._place.versions / new).is_dir():
            raise CannotUpdate(message("There is no version before this one on this machine."))
        self._switch(old, new)
        return new

    def undo_interrupted(self) -> None:
        """At the start of the machine: an update is under way, so it was interrupted."""
        try:
            found = read_json(self._place.under_way.read_bytes(), UpdateUnderWay)
        except FileNotFoundError:
            return
        except (OSError, msgspec.DecodeError):
            self._finished()  # its writing was interrupted, so nothing had been changed yet
            return
        self._go_back_to(found.old)
        self._finished()
        self._tell(message("An update was interrupted; version {version} is back.", version=found.old))

    # --- steps ----------------------------------------------------------------------------------------------------

    def _old(self) -> str:
        old = self._place.named("current")
        if not old:
            raise CannotUpdate(message("Shinpan was not installed here by install.sh, so there is nothing to update."))
        if self._place.under_way.exists():
            raise CannotUpdate(
                message(
                    "An update is under way, or was interrupted: `shinpan update --undo-interrupted` takes it back."
                )
            )
        return old

    def _nobody_plays(self) -> None:
        health = self._machine.health()
        if health is not None and health.playing:
            raise CannotUpdate(message("A match is being played. Update when it is over."))

    def _staged(self, release: Path) -> str:
        """The version that the installer has put in place, or found there."""
        try:
            name = (release / STAGED).read_text("ascii").strip()
        except (OSError, UnicodeDecodeError):
            name = ""
        if not name or not (self._place.versions / name / "ready").is_file():
            raise CannotUpdate(message("The installer of that version did not put it in place."))
        return name

    def _switch(self, old: str, new: str) -> None:
        self._nobody_plays()  # putting it in place took minutes
        older = self._place.named("previous")
        self._place.link("previous", old)  # whoever takes an interrupted update back is found there
        write_whole(self._place.under_way, msgspec.json.encode(UpdateUnderWay(old, new)))
        self._tell(message("The table is stopped, and started again with version {version}.", version=new))
        try:
            self._machine.stop()
            self._activate(new)
            self._machine.start()
            good = self._comes_up()
        except ShinpanError:
            good = False
        if not good:
            self._roll_back(old, new, older)
        self._finished()
        self._prune()

    def _activate(self, name: str) -> None:
        self._machine.installer(self._place.versions / name, "--activate")

    def _comes_up(self) -> bool:
        good = 0
        for _ in range(ASKED_FOR):
            health = self._machine.health()
            good = good + 1 if health is not None and health.ok else 0
            if good == GOOD_ANSWERS:
                return True
            if self._machine.falls() >= TOO_MANY_FALLS:
                return False
            self._machine.wait(PAUSE)
        return False

    def _roll_back(self, old: str, new: str, older: str) -> None:
        self._tell(message("Version {version} does not come up; going back.", version=new))
        log = self._place.opt / f"failed-{new}.log"
        log.write_text(self._machine.last_words())
        self._machine.stop()
        self._go_back_to(old)
        self._machine.start()
        well = self._comes_up()
        self._finished()
        self._place.link("previous", older if older != new else "")
        self._prune()
        facts = {"new": new, "old": old, "log": str(log)}
        if well:
            raise RolledBack(
                message("Version {new} did not come up, so {old} is back and works. Its log: {log}", **facts)
            )
        raise RolledBack(
            message(
                "Version {new} did not come up; {old} is back, but does not answer either. Its log: {log}. Run "
                "install.sh of that version to repair it.",
                **facts,
            )
        )

    def _go_back_to(self, old: str) -> None:
        data_version.put_back(self._place.data)
        self._place.link("current", old)  # first of all: whatever else fails, the program is the one that worked
        self._activate(old)

    def _finished(self) -> None:
        self._place.under_way.unlink(missing_ok=True)
        sync_folder(self._place.opt)

    def _prune(self) -> None:
        """Only the version that runs and the one before it are kept."""
        kept = {self._place.named("current"), self._place.named("previous")}
        for each in self._place.versions.iterdir():
            if each.name not in kept:
                shutil.rmtree(each, ignore_errors=True)
