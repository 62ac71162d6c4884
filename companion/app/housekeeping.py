"""Looking after the table that runs: what `web.upkeep` asks for, and the thread that makes backups by itself."""

import logging
import os
import shutil
import threading
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import msgspec

from companion.app.checklist import all_facts
from companion.app.wiring import RunningTable
from companion.core.files import NotWritten, write_whole
from companion.core.message import Message, message
from companion.core.rulings import ShinpanError
from companion.core.validation import read_json
from companion.referee.housekeeping import STEPS, HouseGroup, HouseSetting, KeptBackup, Stick, WrongSetting
from companion.referee.lobby_view import Check
from companion.upkeep.asking import SERVING, Serving
from companion.upkeep.backup import drop_old, folder_of, kept, make
from companion.upkeep.config import (
    BadConfig,
    Configured,
    TableConfig,
    checked,
    choices_of,
    configured,
    converted,
    read_file,
)
from companion.upkeep.facts import ConfigFacts
from companion.upkeep.machine import MachineProbe, configuration
from companion.upkeep.mending import mend
from companion.upkeep.sense_checks import examined
from companion.upkeep.settings import GROUPS, SETTINGS, example
from companion.upkeep.sticks import Mounted, mounted_sticks
from companion.upkeep.toml_text import changed

log = logging.getLogger("shinpan")

FILE = "house.json"
EVERY = {"day": 86400.0, "week": 7 * 86400.0}
LOOK = 30.0
"""Seconds between two looks at what is due."""
ON_STICK = "shinpan-backups"
CLAIMABLE = 1800.0
"""Seconds from being switched on in which somebody on the network may choose a new table's first PIN. Whoever sets it
up does so then; one that was left alone is not for anybody who finds it later."""


class NotClaimable(ShinpanError):
    """Nobody chose a PIN in time."""


class HouseKept(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the house remembers over restarts."""

    sticks: dict[str, str] = {}
    """Stick -> `always` or `never`."""
    visited: bool = True
    """The first visit is over."""
    done: tuple[str, ...] = ()
    claimed: bool = True


class House:
    """Implements `Housekeeping`. `given` and `file` are what the table was started with."""

    def __init__(
        self,
        running: RunningTable,
        holds: Configured,
        apply: Callable[[TableConfig], None],
        given: Mapping[str, Any],
        file: Path | None,
        *,
        first: bool,
        claim: Callable[[str], None] = lambda pin: None,
        clock: Callable[[], float] = time.monotonic,
        probe: MachineProbe | None = None,
    ) -> None:
        """`apply` uses what can be used at once; `first`: nobody has ever opened this table; `claim` sets the
        referee's PIN."""
        self._running, self._holds, self._apply = running, holds, apply
        self._given, self._file, self._claim = given, file, claim
        self._probe = probe or MachineProbe()
        self._clock, self._switched_on = clock, clock()
        self._path = holds.data / FILE
        self._lock = threading.RLock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._kept = self._load()
        if first and not self._path.exists():
            self._remember(HouseKept(visited=False, claimed=bool(holds.table.referee_pin)))

    # --- doctor ---------------------------------------------------------------------------------------------------

    def checks(self) -> tuple[Check, ...]:
        _, config = configuration({}, self._holds.file) if self._holds.file else (None, None)
        return examined(all_facts(self._running, self._holds, config or ConfigFacts()))

    def mend(self) -> list[Message]:
        file = "" if self._holds.file is None else str(self._holds.file)
        return mend(self.checks(), self._holds, file)

    # --- settings -------------------------------------------------------------------------------------------------

    def file(self) -> str:
        return str(self._holds.file or self._holds.data / "shinpan.toml")

    def settings(self) -> tuple[HouseGroup, ...]:
        found = []
        for group in GROUPS:
            shown = tuple(self._shown(setting.name) for setting in group.settings if setting.page)
            found += [HouseGroup(group.title, shown)] if shown else []
        return tuple(found)

    def _shown(self, name: str) -> HouseSetting:
        setting, value, origin = SETTINGS[name], getattr(self._holds.table, name), self._holds.origin(name)
        kind: Any = "text"
        if setting.secret:
            kind, value = "secret", ""
        elif choices_of(name):
            kind = "choice"
        elif isinstance(value, bool):
            kind = "switch"
        elif isinstance(value, int | float):
            kind = "number"
        elif isinstance(value, tuple):
            kind = "list"
        fixed = origin.kind in ("command line", "environment")
        return HouseSetting(name, setting.about, kind, value, choices_of(name), origin.told, fixed, setting.live)

    def change(self, values: Mapping[str, Any]) -> list[Message]:
        path = self._holds.file or self._holds.data / "shinpan.toml"
        text = read_file(path) if path.exists() else example()
        for name, value in values.items():
            if name not in SETTINGS or not SETTINGS[name].page:
                raise WrongSetting(message("there is no setting called {key}", key=name), name)
            try:
                text = changed(text, name, converted(name, value))
            except BadConfig as error:
                raise WrongSetting(message("That cannot be set: {reason}.", reason=error.message), name) from None
        checked(text, path)
        rights = path.stat().st_mode & 0o777 if path.exists() else 0o600
        write_whole(path.resolve(), text.encode(), BadConfig, rights)
        before = self._holds
        self._holds = configured(self._given, path)
        self._apply(self._holds.table)
        later = tuple(name for name in values if not SETTINGS[name].live and self._differs(before, name))
        told = [message("Saved in {file}.", file=str(path))]
        if later:
            told.append(message("From the next start on: {names}.", names=later))
        return told

    def _differs(self, before: Configured, name: str) -> bool:
        return bool(getattr(before.table, name) != getattr(self._holds.table, name))

    # --- backups --------------------------------------------------------------------------------------------------

    def backups(self) -> tuple[KeptBackup, ...]:
        def shown(path: Path) -> KeptBackup:
            found = path.stat()
            day = datetime.fromtimestamp(found.st_mtime).strftime("%Y-%m-%d %H:%M")
            return KeptBackup(path.name, max(1, found.st_size // 1024), day)

        return tuple(shown(path) for path in reversed(kept(folder_of(self._holds.table, self._holds.data))))

    def back_up(self) -> Message:
        table = self._holds.table
        folder = folder_of(table, self._holds.data)
        path = make(self._holds.data, folder, self._holds.file, pictures=table.backup_pictures)
        drop_old(folder, table.backup_keep)
        return message("{file} is written: {size} kB.", file=path.name, size=max(1, path.stat().st_size // 1024))

    def stick(self) -> Stick | None:
        if self._holds.table.backup_usb != "ask":
            return None
        for each in mounted_sticks(self._probe):
            if each.number not in self._kept.sticks:
                return Stick(each.name, shutil.disk_usage(each.place).free // 2**20)
        return None

    def answer_stick(self, answer: Literal["always", "never", "now"]) -> Message:
        unknown = [each for each in mounted_sticks(self._probe) if each.number not in self._kept.sticks]
        if not unknown:
            raise ShinpanError(message("There is no USB stick to be asked about."))
        if answer != "now":
            with self._lock:
                sticks = {**self._kept.sticks, unknown[0].number: answer}
                self._remember(msgspec.structs.replace(self._kept, sticks=sticks))
        if answer == "never":
            return message("No backups go to {stick}.", stick=unknown[0].name)
        return self._to(unknown[0])

    def _to(self, stick: Mounted) -> Message:
        table, folder = self._holds.table, stick.place / ON_STICK
        path = make(self._holds.data, folder, self._holds.file, pictures=table.backup_pictures)
        drop_old(folder, table.backup_keep)
        os.sync()
        return message("{file} is on {stick}.", file=path.name, stick=stick.name)

    # --- by itself ------------------------------------------------------------------------------------------------

    def start(self, host: str, port: int, *, tls: bool) -> None:
        """`host` and `port`: where the pages really are, for the doctor at the terminal."""
        try:
            write_whole(self._holds.data / SERVING, msgspec.json.encode(Serving(host, port, tls)))
        except NotWritten as error:
            log.warning("Where the pages are could not be kept: %s", error)
        self._thread = threading.Thread(target=self._keep_house, name="housekeeping", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=5.0)

    def _keep_house(self) -> None:
        while not self._stop.wait(LOOK):
            try:
                self.do_what_is_due(time.time())
            except Exception:
                log.exception("Housekeeping failed; it is tried again.")

    def do_what_is_due(self, now: float) -> list[Message]:
        """Make the backups that are due; what was done. A failure is told in the log and on the doctor's page."""
        table, told = self._holds.table, []
        if table.backup_every != "never" and any((self._holds.data / "matches").glob("*.kifu")):
            newest = max((each.stat().st_mtime for each in kept(folder_of(table, self._holds.data))), default=0.0)
            if not now - EVERY[table.backup_every] < newest <= now + 3600:
                told.append(self._tried(self.back_up))
        if table.backup_usb != "never":
            for each in mounted_sticks(self._probe):
                wanted = table.backup_usb == "always" or self._kept.sticks.get(each.number) == "always"
                newest = max((one.stat().st_mtime for one in kept(each.place / ON_STICK)), default=0.0)
                if wanted and not now - EVERY["day"] < newest <= now + 3600:
                    told.append(self._tried(lambda each=each: self._to(each)))  # type: ignore[misc]
        return told

    def _tried(self, step: Callable[[], Message]) -> Message:
        try:
            told = step()
            log.info("%s", told)
        except ShinpanError as error:
            told = error.message
            log.warning("%s", told)
        return told

    # --- the first visit ------------------------------------------------------------------------------------------

    def awaited(self) -> tuple[str, ...]:
        return () if self._kept.visited else tuple(step for step in STEPS if step not in self._kept.done)

    def done(self, step: str) -> None:
        if step not in (*STEPS, "all"):
            raise ShinpanError(message("There is no such step."))
        with self._lock:
            finished = (*self._kept.done, *(STEPS if step == "all" else (step,)))
            visited = self._kept.visited or set(STEPS) <= set(finished)
            self._remember(msgspec.structs.replace(self._kept, done=tuple(dict.fromkeys(finished)), visited=visited))

    def claim(self, pin: str, *, here: bool) -> bool:
        with self._lock:
            if self._kept.visited or self._kept.claimed:
                return False
            if not here and self._clock() - self._switched_on > CLAIMABLE:
                raise NotClaimable(
                    message(
                        "A new table takes its first PIN within {minutes} minutes. Switch it off and on again, or "
                        "choose the PIN on its own screen",
                        minutes=int(CLAIMABLE // 60),
                    )
                )
            converted("referee_pin", pin)
            self._claim(pin)
            self._remember(msgspec.structs.replace(self._kept, claimed=True))
        self.done("pin")
        return True

    def has_referee(self) -> None:
        with self._lock:
            if self._kept.visited or self._kept.claimed:
                return
            self._remember(msgspec.structs.replace(self._kept, claimed=True))
        self.done("pin")

    def _load(self) -> HouseKept:
        try:
            return read_json(self._path.read_bytes(), HouseKept)
        except (OSError, msgspec.DecodeError):
            return HouseKept()

    def _remember(self, now: HouseKept) -> None:
        self._kept = now
        try:
            write_whole(self._path, msgspec.json.format(msgspec.json.encode(now)) + b"\n")
        except NotWritten as error:
            log.warning("What was answered could not be kept: %s", error)
