"""All matches of a table: listed, opened, called something, deleted, taken out and brought in.

The one door to the history for pages and commands. Safe to call from any thread; nothing here waits for the table's
lock.
"""

import shutil
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from companion.core.files import sync_folder
from companion.core.message import Message, message, plural
from companion.core.rulings import Mistake, ShinpanError, Unknown
from companion.history import archive, listing, wishes
from companion.history.archive import BroughtIn
from companion.history.index import MatchIndex, Refreshed
from companion.history.listing import MatchesFound, MatchListed, WantedMatches
from companion.history.other_names import names_in
from companion.history.retelling import Retelling
from companion.history.wishes import HistoryWishes
from companion.record import kifu
from companion.record.evidence import CLIP, PICTURE, Evidence
from companion.record.signing import public_key
from companion.record.verification import Verification, verify

OPEN, OPEN_LINES = 6, 3000
"""Matches whose moments are kept in memory, those that were looked at last, and how many lines these may have together:
the more there is in memory, the longer everybody waits while it is looked through for what can be freed."""
VERIFIED = 64
"""Files whose signatures need not be checked again before they change."""
ARCHIVED = 5000
"""Matches in one archive."""


class AtTable(NamedTuple):
    """The match that has the table."""

    name: str = ""
    """Empty: the table is in the lobby."""
    over: bool = False
    """It is over, and its result is still shown."""


class BeingPlayed(ShinpanError):
    """A match that has the table cannot be deleted."""


class WhatGoes(msgspec.Struct, frozen=True):
    """What deleting a match takes away for good."""

    told: tuple[Message, ...]
    size: int
    """Bytes, all together."""


class MatchLibrary:
    def __init__(self, data: Path, at_table: Callable[[], AtTable] = AtTable) -> None:
        """`data` is the table's data folder."""
        self.data = data
        self._at_table = at_table
        self._folder = data / "matches"
        self.index = MatchIndex(data)
        self._lock = threading.Lock()
        self._told: OrderedDict[str, Retelling] = OrderedDict()
        self._verified: OrderedDict[str, tuple[object, Verification]] = OrderedDict()
        self._wishes, self.notice = wishes.load(data)
        """What people want, and what is to be said of the file it stands in."""
        self._titles = self._wishes.titles_shown
        self.index.call_people(self._wishes.shown)

    # --- listing --------------------------------------------------------------------------------------------------

    @property
    def wishes(self) -> HistoryWishes:
        return self._wishes

    def refresh(self, seconds: float | None = None) -> Refreshed:
        """Take in what is new in the folder, as far as that goes in so many seconds."""
        at_table = self._at_table()
        return self.index.refresh(seconds, *(("", at_table.name) if at_table.over else (at_table.name, "")))

    def find(self, wanted: WantedMatches, start: int = 0, count: int = listing.PAGE) -> MatchesFound:
        return listing.listed(self.index, self._titles, wanted, start, count)

    def match(self, name: str) -> MatchListed:
        found = listing.one(self.index, self._titles, name) if archive.safe(name) else None
        if found is None and self.path(name):  # it is new
            self.refresh(0.0)
            found = listing.one(self.index, self._titles, name)
        if found is None:
            raise Unknown(message("There is no match called {name} here.", name=name))
        return found

    def running(self, name: str) -> bool:
        """Whether that match has the table and is not over."""
        return bool(name) and self._at_table() == AtTable(name)

    def path(self, name: str) -> Path:
        """The kifu of a match; raises Unknown where there is none."""
        path = self.index.path(name)
        if not archive.safe(name) or not path.is_file():
            raise Unknown(message("There is no match called {name} here.", name=name))
        return path

    # --- one match ------------------------------------------------------------------------------------------------

    def open(self, name: str) -> Retelling:
        """The match told again, to its last line. One that grows is told on from where it was."""
        data = kifu.load(self.path(name))
        hidden = names_in(data, self._wishes.hidden)
        with self._lock:
            told = self._told.pop(name, None)
            if told is None or told.names != hidden or not told.take(data):
                told = Retelling(f"{name}.kifu", public_key(self.data) or "", hidden)
                told.take(data)
            self._told[name] = told
            lines = sum(len(each.then) for each in self._told.values())
            while len(self._told) > OPEN or (lines > OPEN_LINES and len(self._told) > 1):
                _, dropped = self._told.popitem(last=False)
                lines -= len(dropped.then)
            return told

    def evidence(self, name: str) -> Evidence:
        """The pictures and clips that were kept of that match."""
        return Evidence(self.path(name).with_suffix(""))

    def verified(self, name: str) -> Verification:
        """Whether its kifu is what the table wrote."""
        path, key = self.path(name), public_key(self.data)
        looks = (key, *map(_looks, (path, *self._beside(name))))
        with self._lock:
            known = self._verified.pop(name, None)
            if known is None or known[0] != looks:
                known = looks, verify(path, key)
            self._verified[name] = known
            while len(self._verified) > VERIFIED:
                self._verified.popitem(last=False)
            return known[1]

    def entitle(self, name: str, title: str) -> None:
        """Give the match a title, which stands beside its kifu and not in it."""
        self._wish(wishes.entitled(self._wishes, self.match(name).name, title))

    def what_goes(self, name: str) -> WhatGoes:
        """What deleting this match comes to, said plainly."""
        path = self.path(name)
        beside = list(self._beside(name))
        pictures = sum(file.suffix == PICTURE for file in beside)
        clips = sum(file.suffix == CLIP for file in beside)
        told = [message("The kifu of the match: no moment of it can be looked at again.")]
        if pictures:
            told.append(
                plural(
                    "{count} picture that a ruling was read from.",
                    "{count} pictures that rulings were read from.",
                    pictures,
                )
            )
        if clips:
            told.append(plural("{count} clip of a disputed second.", "{count} clips of disputed seconds.", clips))
        told.append(message("It counts in no standings any more. Nothing of it can be brought back."))
        return WhatGoes(tuple(told), sum(file.stat().st_size for file in (path, *beside)))

    def delete(self, name: str) -> None:
        path = self.path(name)
        if name == self._at_table().name:
            raise BeingPlayed(message("This match has the table: end it and go to the lobby first."))
        shutil.rmtree(self._folder / name, ignore_errors=True)
        for file in self._beside(name):
            file.unlink(missing_ok=True)
        path.unlink()
        sync_folder(self._folder)
        with self._lock:
            self._told.pop(name, None)
        self._wish(wishes.without(self._wishes, name))
        self.refresh(0.0)

    def _beside(self, name: str) -> Iterator[Path]:
        """The files that belong to a match beside its kifu."""
        for ending in (".clock", ".torn"):
            if (self._folder / f"{name}{ending}").is_file():
                yield self._folder / f"{name}{ending}"
        folder = self._folder / name
        yield from sorted(each for each in folder.rglob("*") if each.is_file()) if folder.is_dir() else ()

    # --- in and out -----------------------------------------------------------------------------------------------

    def kifu(self, name: str) -> bytes:
        return kifu.load(self.path(name))

    def names_anonymous(self, data: bytes) -> bool:
        """Whether somebody who wants to be anonymous is named in this kifu."""
        hidden = self._wishes.hidden
        for numbered in kifu.read(data) if hidden else ():
            match numbered.line:
                case kifu.Header(players=players) if not hidden.keys().isdisjoint(players):
                    return True
                case kifu.Acted(fields={"referee": "rename", "name": name}) if name in hidden:
                    return True
        return False

    def archived(self, wanted: WantedMatches) -> bytes:
        """The kifus of these matches in a ZIP archive; the match that is being played is not among them."""
        found = self.find(wanted, count=ARCHIVED + 1)
        if found.total > ARCHIVED:
            raise Mistake(
                message("An archive holds {most} matches at most: choose a game, a player or a day.", most=ARCHIVED)
            )
        names = [match.name for match in found.matches if not self.running(match.name)]
        return archive.packed((name, self.kifu(name)) for name in names)

    def bring_in(self, file: str, data: bytes) -> list[BroughtIn]:
        """Take a kifu, or an archive of them, in. Each is played through the rules first."""
        self._folder.mkdir(parents=True, exist_ok=True)
        brought = archive.bring_in(self.index, self._folder, file, data)
        self.refresh()
        return brought

    # --- people ---------------------------------------------------------------------------------------------------

    def merge(self, name: str, into: str) -> None:
        self._wish(wishes.merged(self._wishes, name, into))

    def make_anonymous(self, name: str, wish: bool) -> None:
        self._wish(wishes.made_anonymous(self._wishes, name, wish))

    def _wish(self, wanted: HistoryWishes) -> None:
        if wanted != self._wishes:
            wishes.keep(self.data, wanted)
            self._wishes, self._titles = wanted, wanted.titles_shown
            self.index.call_people(wanted.shown)

    def close(self) -> None:
        self.index.close()


def _looks(path: Path) -> tuple[str, int, int, int]:
    """What a file looks like from outside: another content does not look the same."""
    stat = path.stat()
    return path.name, stat.st_size, stat.st_mtime_ns, stat.st_ino
