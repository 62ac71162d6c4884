"""The kifu on disk, which is the journal: a line is on the disk before anybody is told of it."""

import errno
import fcntl
import logging
import math
import os
import re
import zlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from companion.core.files import PRIVATE, sync_folder, write_whole
from companion.core.message import Message, message
from companion.core.rulings import ShinpanError
from companion.record import kifu
from companion.record.signing import TableKey

log = logging.getLogger("shinpan")

LONGEST_LINE = 64 * 2**10
"""Bytes of a line after the header, which may hold a whole deck."""


class JournalFailed(ShinpanError, OSError):
    """A line could not be written; nothing of it is left in the file."""


class InUse(ShinpanError):
    """Another service uses this data folder."""


class KifuHead(msgspec.Struct, frozen=True):
    """The end of a kifu at some moment: its check stands for every line so far."""

    file: str
    line: int
    check: str
    key: str
    """The public key of the table; empty where it signs nothing."""

    @property
    def text(self) -> str:
        """All of it for `shinpan verify --head`, as the code on the page has it."""
        return f"Shinpan {self.file}, line {self.line}, head {self.check}, key {self.key or '-'}"


class Journal:
    """One kifu, open for writing. Use `create` or `reopen`."""

    def __init__(self, path: Path, length: int, chain: kifu.Chain, lines: int, key: TableKey | None) -> None:
        self.path = path
        self.lines = lines
        self._length, self._chain = length, chain
        self._key = key
        self._signed = False
        """The last line is a signature, or one could not be written."""
        self._torn = False
        """There is a partial line at the end: a write failed, and so did truncating the file."""
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        self._clock = -1

    @classmethod
    def create(cls, path: Path, header: Mapping[str, Any], key: TableKey | None = None) -> "Journal":
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            sync_folder(path.parent)
        except OSError as error:
            raise JournalFailed(
                message("A new kifu cannot be written to {file}: {detail}.", file=str(path), detail=error.strerror)
            ) from error
        journal = cls(path, 0, kifu.START, 0, key)
        try:
            journal.append(header)
        except JournalFailed:
            journal.close()
            path.unlink()
            raise
        return journal

    @classmethod
    def reopen(cls, path: Path, key: TableKey | None = None) -> tuple["Journal", Message | None]:
        """Open an existing kifu to append to it. A torn last line is cut off and kept beside it, with a notice."""
        data = kifu.load(path)
        length, chain = kifu.sound_length(data)
        notice = None
        if length < len(data):
            torn = data[length:]
            if b"\n" in torn:  # a torn write never gets as far as the end of its line
                number = data[:length].count(b"\n") + 1
                raise kifu.Altered(message("line {number} was changed after it was written", number=number))
            notice = message(
                "The last line of {file} was torn in the middle of a write and was dropped.", file=path.name
            )
        try:
            if notice is not None:
                write_whole(path.with_suffix(".torn"), torn, rights=PRIVATE)
                os.truncate(path, length)
            journal = cls(path, length, chain, data[:length].count(b"\n"), key)
            if length and data[length - 1 : length] != b"\n":
                journal._end_line()
            journal._signed = data[:length].rstrip().rpartition(b"\n")[2].startswith(b'{"signed":')
            return journal, notice
        except OSError as error:
            raise JournalFailed(
                message("{file} cannot be written: {detail}.", file=path.name, detail=error.strerror)
            ) from error

    def append(self, fields: Mapping[str, Any]) -> int:
        """Write a line and wait for the disk; gives back its number."""
        line, chain = kifu.write(fields, self._chain)
        self._refuse_too_long(line)
        try:
            self._take_back()
            self._torn = True
            written = os.write(self._file, line)
            if written < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fdatasync(self._file)
            self._torn = False
        except OSError as error:
            with suppress(OSError):  # then it is tried again before the next line
                self._take_back()
            raise JournalFailed(
                message(
                    "The line could not be written to {file} ({detail}), so it does not count. Make room on the disk "
                    "and do it again.",
                    file=self.path.name,
                    detail=error.strerror,
                )
            ) from error
        self._length += len(line)
        self._chain, self._signed = chain, False
        self.lines += 1
        return self.lines

    def sign(self, rest: kifu.Rest) -> Mapping[str, Any] | None:
        """Sign what has been written since the last signature; the line, if one was written. If the disk refuses it,
        nothing else is held up."""
        if self._signed or self._key is None:
            return None
        line: dict[str, Any] = msgspec.to_builtins(self._key.sign(self._chain, rest))
        try:
            self.append(line)
        except JournalFailed as failure:
            log.warning("The kifu could not be signed: %s", failure)
            return None
        finally:
            self._signed = True
        return line

    @property
    def head(self) -> KifuHead:
        """What tells whether a file is this kifu, and whole, up to the present line."""
        return KifuHead(self.path.name, self.lines, self._chain.head.hex(), self._key.public if self._key else "")

    def _refuse_too_long(self, line: bytes) -> None:
        """A kifu that nobody could read again is worse than a line that does not count."""
        if self.lines and len(line) > LONGEST_LINE:
            raise JournalFailed(
                message("That is too long to be written down, so it does not count. Say it in fewer words.")
            )
        if self._length + len(line) > kifu.LARGEST:
            raise JournalFailed(
                message(
                    "{file} has reached {size} MB, and a kifu cannot be larger: the line does not count. Begin another "
                    "match.",
                    file=self.path.name,
                    size=kifu.LARGEST // 2**20,
                )
            )

    def _end_line(self) -> None:
        os.write(self._file, b"\n")
        self._length += 1
        self.lines += 1

    def _take_back(self) -> None:
        if self._torn:
            os.ftruncate(self._file, self._length)
            self._torn = False

    def keep_elapsed(self, seconds: float) -> None:
        """Remember the match clock between two clock lines, without waiting for the disk.

        This survives a crash of the service but not a power cut, after which the last clock line counts.
        """
        with suppress(OSError):  # the next line will tell of a full disk
            if self._clock < 0:
                self._clock = os.open(_clock_file(self.path), os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
            text = b"%012.2f" % seconds
            os.pwrite(self._clock, b"%b %08x\n" % (text, zlib.crc32(text)), 0)

    @staticmethod
    def elapsed(path: Path) -> float:
        """What `keep_elapsed` remembered of this kifu; 0 if nothing, or if the file does not agree with its check."""
        try:
            with _clock_file(path).open("rb") as file:
                text, _, check = file.read(64).rstrip(b"\n").partition(b" ")
            seconds = float(text) if check == b"%08x" % zlib.crc32(text) else 0.0
        except (OSError, ValueError):
            return 0.0
        return seconds if math.isfinite(seconds) and seconds > 0 else 0.0

    def close(self) -> None:
        for file in (self._file, self._clock):
            if file >= 0:
                os.close(file)
        self._file = self._clock = -1


def _clock_file(path: Path) -> Path:
    return path.with_suffix(".clock")


_NAMED = re.compile(r"(\d{4}-\d\d-\d\d-\d{6})(?:-(\d{3,}))?-\w+")
"""Names that `DataFolder.new` gives: when a match was begun, a number among those of the same second, and the game."""


class DataFolder:
    """Where a table keeps its matches and galleries. One service at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = -1
        self._key: TableKey | None = None
        self._news: list[Message] = []

    def __enter__(self) -> "DataFolder":
        try:
            self.matches.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise ShinpanError(
                message(
                    "The data folder {folder} cannot be used: {detail}.", folder=str(self.path), detail=error.strerror
                )
            ) from error
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(self._lock, 20, 0).decode(errors="replace").strip()
            os.close(self._lock)
            raise InUse(
                message(
                    "Another Shinpan (process {process}) uses the data folder {folder}. Stop it first, or give this "
                    "one another folder with --data.",
                    process=holder or "?",
                    folder=str(self.path),
                )
            ) from None
        with suppress(OSError):  # only another process reads this, to say whose folder it is: a full disk may lose it
            os.ftruncate(self._lock, 0)
            os.pwrite(self._lock, str(os.getpid()).encode(), 0)
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._lock)

    def key(self) -> TableKey:
        """What the table signs with."""
        if self._key is None:
            self._key, notice = TableKey.kept(self.path)
            self.tell(*filter(None, [notice]))
        return self._key

    def tell(self, *news: Message) -> None:
        """Something about a file here that people should know."""
        self._news += news

    def news(self) -> list[Message]:
        """What has not been said yet; whoever asks says it."""
        news, self._news = self._news, []
        return news

    @staticmethod
    def user(path: Path) -> int | None:
        """The process that uses this folder now."""
        try:
            lock = os.open(path / "lock", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return None
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(lock, 20, 0).strip()
            return int(holder) if holder.isdigit() else None
        finally:
            os.close(lock)
        return None

    @property
    def matches(self) -> Path:
        return self.path / "matches"

    def newest(self, game: str) -> Path | None:
        """The last match of that game that was begun here. Files that got their names elsewhere do not count."""
        return max(self.begun(game), key=lambda path: begun_at(path.stem), default=None)

    def begun(self, game: str) -> list[Path]:
        """The matches of that game that were begun here."""
        return [path for path in self.matches.glob(f"*-{game}.kifu") if _NAMED.fullmatch(path.stem) and path.is_file()]

    def new(self, game: str, stamp: str) -> Path:
        """A name for a new match that sorts after all others, of any game, even if the clock was set back."""
        last = self.newest("*")
        before, number = begun_at(last.stem) if last else ("", 0)
        if stamp > before:
            return self.matches / f"{stamp}-{game}.kifu"
        return self.matches / f"{before}-{number + 1:03}-{game}.kifu"


def begun_at(match: str) -> tuple[str, int]:
    """When a match was begun, from its name: the time, and a number among those of the same second."""
    named = _NAMED.fullmatch(match)
    return (named[1], int(named[2] or 1)) if named else ("", 0)
