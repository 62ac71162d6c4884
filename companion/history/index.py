"""The list of all matches, in SQLite. It can be thrown away at any time: the kifus are the truth, and it is made of
them again.

A file is read once, when it is new or has changed; what it came to stands here. Names are kept as they are in the
kifus: whom people merge or make anonymous is applied when somebody asks.
"""

import logging
import os
import sqlite3
import threading
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG
from typing import Any, BinaryIO, NamedTuple

import msgspec

from companion.core.message import Message
from companion.history.other_names import told_otherwise
from companion.history.summary import MatchSummary, digest, glance, summarise
from companion.record import kifu

log = logging.getLogger("shinpan")

FILE = "history.sqlite"
SCHEMA = 3
"""To be raised whenever tables or figures change: an index of another number is made anew."""
HEADER = 2**20
"""Bytes of a header at most, to be found at a glance."""
BEFORE = 100
"""Blank lines and remarks at most that may stand before it."""
AT_ONCE = 200
"""Files between two writes to the disk."""
JUST_NOW = 0.05
"""Seconds within which a folder may change twice without another time stamp."""

_TABLES = """
CREATE TABLE matches (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, stamp INTEGER NOT NULL,
    digest TEXT NOT NULL, told INTEGER NOT NULL, game TEXT NOT NULL, began TEXT NOT NULL, lines INTEGER NOT NULL,
    moves INTEGER NOT NULL, seconds REAL NOT NULL, over INTEGER NOT NULL, how TEXT NOT NULL, fault BLOB
);
CREATE INDEX by_day ON matches (began, id);
CREATE INDEX by_game ON matches (game, began, id);
CREATE INDEX by_digest ON matches (digest);
CREATE INDEX not_told ON matches (told) WHERE told = 0;
CREATE INDEX at_fault ON matches (name) WHERE fault IS NOT NULL;
CREATE INDEX may_change ON matches (id) WHERE over = 0 OR fault IS NOT NULL;
CREATE TABLE seats (
    match INTEGER NOT NULL REFERENCES matches ON DELETE CASCADE, seat INTEGER NOT NULL, name TEXT NOT NULL,
    won INTEGER NOT NULL, thought REAL NOT NULL, thoughts INTEGER NOT NULL,
    game TEXT NOT NULL, counts INTEGER NOT NULL, shared INTEGER NOT NULL, PRIMARY KEY (match, seat)
) WITHOUT ROWID;
CREATE INDEX by_player ON seats (name, match);
CREATE TABLE figures (
    match INTEGER NOT NULL REFERENCES matches ON DELETE CASCADE, seat INTEGER NOT NULL, figure TEXT NOT NULL,
    value INTEGER NOT NULL, rounds INTEGER NOT NULL, PRIMARY KEY (match, seat, figure)
) WITHOUT ROWID;
CREATE TABLE chosen (
    match INTEGER NOT NULL REFERENCES matches ON DELETE CASCADE, seat INTEGER NOT NULL, thing TEXT NOT NULL,
    times INTEGER NOT NULL, cost INTEGER, PRIMARY KEY (match, seat, thing)
) WITHOUT ROWID;
CREATE TABLE people (name TEXT PRIMARY KEY, shown TEXT NOT NULL) WITHOUT ROWID;

-- Sums that every list asks for. They are kept up with each match, so that nobody counts a hundred thousand of them.
CREATE TABLE games (game TEXT PRIMARY KEY, matches INTEGER NOT NULL) WITHOUT ROWID;
CREATE TRIGGER match_added AFTER INSERT ON matches BEGIN
    INSERT INTO games VALUES (NEW.game, 1) ON CONFLICT (game) DO UPDATE SET matches = matches + 1;
END;
CREATE TRIGGER match_gone AFTER DELETE ON matches BEGIN
    UPDATE games SET matches = matches - 1 WHERE game = OLD.game;
END;
CREATE TABLE totals (
    name TEXT NOT NULL, game TEXT NOT NULL, played INTEGER NOT NULL, matches INTEGER NOT NULL, wins INTEGER NOT NULL,
    shared INTEGER NOT NULL, PRIMARY KEY (name, game)
) WITHOUT ROWID;
CREATE TRIGGER seat_added AFTER INSERT ON seats BEGIN
    INSERT INTO totals VALUES (NEW.name, NEW.game, 1, NEW.counts, NEW.counts * NEW.won, NEW.counts * NEW.shared)
    ON CONFLICT (name, game) DO UPDATE SET played = played + 1, matches = matches + excluded.matches,
        wins = wins + excluded.wins, shared = shared + excluded.shared;
END;
CREATE TRIGGER seat_gone AFTER DELETE ON seats BEGIN
    UPDATE totals SET played = played - 1, matches = matches - OLD.counts, wins = wins - OLD.counts * OLD.won,
        shared = shared - OLD.counts * OLD.shared WHERE name = OLD.name AND game = OLD.game;
    DELETE FROM totals WHERE name = OLD.name AND game = OLD.game AND played = 0;
END;
"""


class Refreshed(NamedTuple):
    read: int
    """Files that were read as a whole now."""
    left: int
    """Files that are known by their header only, so far."""


class MatchIndex:
    """Safe to call from any thread. `data` is the table's data folder."""

    def __init__(self, data: Path) -> None:
        self._folder = data / "matches"
        self._file = data / FILE
        self._lock = threading.RLock()
        self._seen: int | None = None
        """The time stamp of the folder when its names were last read."""
        self._checked = False
        """Every file has been compared with what is known of it."""
        self._ended: set[str] = set()
        self._people: Mapping[str, str] | None = None
        self._db = self._open()

    # --- the file -------------------------------------------------------------------------------------------------

    def _open(self) -> sqlite3.Connection:
        """The index as it is on the disk; made anew where it is damaged or of another version, and in memory where
        nothing can be written."""
        with suppress(sqlite3.DatabaseError):
            return self._connect(str(self._file))
        with suppress(OSError, sqlite3.DatabaseError):
            self._remove_file()
            return self._connect(str(self._file))
        log.warning("The list of matches cannot be kept in %s and is made anew each time.", self._file)
        return self._connect(":memory:")

    def _connect(self, where: str) -> sqlite3.Connection:
        db = sqlite3.connect(where, timeout=10.0, check_same_thread=False, isolation_level=None)
        try:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA wal_autocheckpoint = 256")  # pages: the log of a small index stays near a megabyte
            db.execute("PRAGMA synchronous = NORMAL")
            db.execute("PRAGMA foreign_keys = ON")
            (version,) = db.execute("PRAGMA user_version").fetchone()
            if version not in (0, SCHEMA):
                raise sqlite3.DatabaseError("another version")
            if not version:
                db.executescript(f"BEGIN; {_TABLES} PRAGMA user_version = {SCHEMA}; COMMIT;")
            db.execute("SELECT count(*) FROM (SELECT 1 FROM matches JOIN seats ON match = id LIMIT 1)").fetchone()
        except sqlite3.DatabaseError:
            db.close()
            raise
        return db

    def _remove_file(self) -> None:
        for ending in ("", "-wal", "-shm"):
            self._file.with_name(self._file.name + ending).unlink(missing_ok=True)

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def rebuild(self) -> None:
        """Throw it away and begin again; `refresh` reads all files."""
        with self._lock:
            self._db.close()
            with suppress(OSError):
                self._remove_file()
            self._seen, self._checked, self._people = None, False, None
            self._db = self._open()

    # --- keeping up -----------------------------------------------------------------------------------------------

    def refresh(self, seconds: float | None = None, playing: str = "", ended: str = "") -> Refreshed:
        """Bring the list up to date with the folder. Reading whole files ends after so many seconds; the rest is known
        by its headers until the next time. The match that is `playing` is not read: it changes with every move.
        One that has just `ended` is looked at each time: the referee may still add to it, or take the end back."""
        with self._lock:
            self._ended |= {ended} - {""}
            try:
                self._look_at_names(playing)
                return self._read_files(seconds, playing)
            except sqlite3.DatabaseError as error:
                log.warning("The list of matches was damaged (%s) and is made anew.", error)
                self.rebuild()
                self._look_at_names(playing)
                return self._read_files(seconds, playing)

    def _look_at_names(self, playing: str) -> None:
        try:
            stamp = self._folder.stat().st_mtime_ns
        except OSError:
            stamp = 0
        if self._checked and stamp == self._seen:
            self._look_again(playing)
            return
        gone, changed = self._compared(self._names_in_folder())
        with self._transaction():
            self._db.executemany("DELETE FROM matches WHERE name = ?", [(name,) for name in gone])
        self._glance_at(changed)
        settled = time.time_ns() - stamp > JUST_NOW * 1e9
        self._seen, self._checked = stamp if settled else None, True
        self._look_again(playing)

    def _names_in_folder(self) -> list[str]:
        names: list[str] = []
        with suppress(OSError):
            names = [file[:-5] for file in os.listdir(self._folder) if file.endswith(".kifu")]
        strange = [name for name in names if not name.isprintable()]
        if strange:  # bytes that are no text, or signs that no page could show
            log.warning("Files with names that cannot be shown are not listed: %s.", ", ".join(map(ascii, strange[:5])))
            names = [name for name in names if name.isprintable()]
        return sorted(names)

    def _compared(self, names: list[str]) -> tuple[list[str], list[str]]:
        """Matches that are gone, and those that are new or have changed. Both sides are gone through side by side in
        the same order, so that nothing has to be kept of a hundred thousand files but their names."""
        gone, changed = [], []
        known = iter(self._db.execute("SELECT name, size, stamp FROM matches ORDER BY name"))
        row = next(known, None)
        for name in names:
            while row is not None and row[0] < name:
                gone.append(row[0])
                row = next(known, None)
            same = row is not None and row[0] == name
            if not (same and self._checked) and self._differs(name, row[1:] if row is not None and same else None):
                changed.append(name)
            if same:
                row = next(known, None)
        gone += [row[0]] if row is not None else []
        return gone + [name for name, *_ in known], changed

    def _differs(self, name: str, known: tuple[int, int] | None) -> bool:
        try:
            status = os.stat(f"{self._folder}/{name}.kifu")
        except OSError:
            return False
        return S_ISREG(status.st_mode) and known != (status.st_size, status.st_mtime_ns)

    def _look_again(self, playing: str) -> None:
        """Only a match that was not over, or just ended, or could not be read may have changed in the meantime."""
        changed = []
        rows = self._db.execute("SELECT name, size, stamp FROM matches WHERE over = 0 OR fault IS NOT NULL").fetchall()
        for name in self._ended:
            rows += self._db.execute("SELECT name, size, stamp FROM matches WHERE name = ?", (name,)).fetchall()
        for name, size, stamped in rows:
            if name != playing:
                with suppress(OSError):
                    status = self.path(name).stat()
                    if (size, stamped) != (status.st_size, status.st_mtime_ns):
                        changed.append(name)
        self._glance_at(changed)

    def _glance_at(self, names: Iterable[str]) -> None:
        """New or changed files, by their headers."""
        rows = []
        for name in names:
            with suppress(OSError), self.path(name).open("rb") as file:
                status = os.fstat(file.fileno())
                rows.append((glance(name, _header_line(file)), status))
        for at in range(0, len(rows), 5000):
            with self._transaction():
                for short, status in rows[at : at + 5000]:
                    self._put(short, status, told=False)

    def _read_files(self, seconds: float | None, playing: str) -> Refreshed:
        due = [
            name for (name,) in self._db.execute("SELECT name FROM matches WHERE told = 0 ORDER BY began DESC, id DESC")
        ]
        due = [name for name in due if name != playing]
        until = None if seconds is None else time.monotonic() + seconds
        read = 0
        while read < len(due) and (until is None or time.monotonic() < until):
            batch = []
            for name in due[read : read + AT_ONCE]:
                batch.append(self._read(name))
                if until is not None and time.monotonic() >= until:
                    break
            with self._transaction():
                for each in batch:
                    if each is not None:
                        self._put(*each, told=True)
            read += len(batch)
        return Refreshed(read, len(due) - read)

    def _read(self, name: str) -> tuple[MatchSummary, os.stat_result] | None:
        try:
            status = self.path(name).stat()
            return summarise(name, kifu.load(self.path(name))), status
        except OSError:
            return None  # deleted in the meantime
        except kifu.NotAKifu as error:
            return MatchSummary(name=name, fault=error.message), status

    def _put(self, short: MatchSummary, status: os.stat_result, *, told: bool) -> None:
        db = self._db
        db.execute("DELETE FROM matches WHERE name = ?", (short.name,))
        fault = None if short.fault is None else msgspec.json.encode(short.fault)
        stamped = short.began or time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(status.st_mtime))
        row = (
            *(short.name, status.st_size, status.st_mtime_ns, short.digest, told, short.game, stamped, short.lines),
            *(short.moves, short.seconds, short.over, short.how, fault),
        )
        key = db.execute(f"INSERT INTO matches VALUES (NULL{', ?' * len(row)})", row).lastrowid
        counts, several = short.counts, sum(seat.won for seat in short.seats) > 1
        for number, seat in enumerate(short.seats):
            person = (seat.name, seat.won, seat.thought, seat.thoughts)
            shared = seat.won and several
            db.execute(
                "INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (key, number, *person, short.game, counts, shared),
            )
            db.executemany(
                "INSERT INTO figures VALUES (?, ?, ?, ?, ?)",
                [(key, number, name, each.value, each.rounds) for name, each in seat.figures.items()],
            )
            db.executemany(
                "INSERT INTO chosen VALUES (?, ?, ?, ?, ?)",
                [(key, number, thing, each.times, each.cost) for thing, each in seat.chosen.items()],
            )

    def _transaction(self) -> "_Transaction":
        return _Transaction(self._db)

    # --- asking ---------------------------------------------------------------------------------------------------

    def path(self, name: str) -> Path:
        return self._folder / f"{name}.kifu"

    def call_people(self, shown: Mapping[str, str]) -> None:
        """From now on people are listed by these names: name in the kifu -> name that is shown."""
        with self._lock:
            if shown != self._people:
                with self._transaction():
                    self._db.execute("DELETE FROM people")
                    self._db.executemany("INSERT INTO people VALUES (?, ?)", shown.items())
                self._people = dict(shown)

    def rows(self, query: str, values: Iterable[Any] = ()) -> list[tuple[Any, ...]]:
        """The answer to a question; for the modules beside this one."""
        with self._lock:
            return self._db.execute(query, tuple(values)).fetchall()

    def fault(self, encoded: bytes | None) -> Message | None:
        """What is wrong with a file, as it was put down; people are called in it as they are everywhere."""
        if encoded is None:
            return None
        return told_otherwise(msgspec.json.decode(encoded, type=Message), self._people or {})

    def has(self, data: bytes) -> str | None:
        """The match that has exactly this kifu, if one is known."""
        found = self.rows("SELECT name FROM matches WHERE digest = ? AND told = 1 LIMIT 1", (digest(data),))
        return str(found[0][0]) if found else None


class _Transaction:
    """All of it or nothing."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def __enter__(self) -> None:
        self._db.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, *_: object) -> None:
        self._db.execute("COMMIT" if kind is None else "ROLLBACK")


def _header_line(file: BinaryIO) -> bytes:
    """The first line that is neither blank nor a remark."""
    for _ in range(BEFORE):
        line = file.readline(HEADER)
        if not line or (line.strip() and not line.lstrip().startswith(b"#")):
            return line
    return b""
