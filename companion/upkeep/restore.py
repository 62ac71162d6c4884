"""Bringing a backup back: looked through as a whole first, and nothing that was there is lost."""

import gzip
import hashlib
import os
import shutil
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO

import msgspec

from companion.core.files import PRIVATE, sync_folder, write_whole
from companion.core.message import Message, message, plural
from companion.core.rulings import ShinpanError
from companion.core.validation import read_json
from companion.record.journal import DataFolder
from companion.upkeep.backup import FOLDERS_LEFT_OUT, FORM, LEFT_OUT, MANIFEST, SETTINGS, BackupManifest

LARGEST = 512 * 2**20
"""Bytes of one file, and"""
LARGEST_ALL = 8 * 2**30
"""of all of them together: a backup that claims more is not one of ours."""
MOST_FILES = 200_000
LARGEST_MANIFEST = 64 * 2**20
AT_ONCE = 2**20
"""Bytes that are in memory at a time; what claims to need more between two files is not ours."""
LATEST = 2**33
"""Seconds since 1970, in the year 2242: no later date fits every file system."""
WAITING = ".restoring"
UNFINISHED = "restore.json"


class BadBackup(ShinpanError, ValueError):
    """A file that cannot be restored, and why."""


def look_through(file: Path, into: Path | None = None) -> BackupManifest:
    """Read all of it and hold every file to its hash; with `into`, unpack it there. BadBackup says what is wrong."""
    found: dict[str, tuple[str, int]] = {}
    manifest: BackupManifest | None = None
    try:
        with gzip.open(file) as unzipped, tarfile.TarFile(fileobj=_InParts(unzipped)) as tar:  # type: ignore[arg-type]
            total = 0
            for entry in tar:
                _refuse(entry, file)
                total += entry.size
                if total > LARGEST_ALL or len(found) > MOST_FILES or entry.name in found:
                    raise BadBackup(message("{file} is not a backup of a table.", file=file.name))
                source = tar.extractfile(entry)
                assert source is not None
                if entry.name == MANIFEST:
                    manifest = read_json(b"".join(_parts(source, entry.size)), BackupManifest)
                else:
                    found[entry.name] = _taken(source, entry, into)
    except FileNotFoundError:
        raise BadBackup(message("{file} is not there.", file=str(file))) from None
    except (tarfile.TarError, EOFError, zlib.error, msgspec.DecodeError):
        raise BadBackup(message("{file} is torn or damaged: nothing was changed.", file=file.name)) from None
    except OSError as error:
        if error.errno is None:  # what gzip says of bytes that are not its own
            raise BadBackup(message("{file} is torn or damaged: nothing was changed.", file=file.name)) from None
        detail = error.strerror or str(error)
        raise BadBackup(message("{file} cannot be unpacked: {detail}.", file=file.name, detail=detail)) from None
    if manifest is None:
        raise BadBackup(message("{file} is cut off: its end is missing.", file=file.name))
    if manifest.form > FORM:
        raise BadBackup(message("{file} was made by a newer version: update first.", file=file.name))
    _hold(file, manifest, found)
    return manifest


class _InParts:
    """A file for `tarfile`, which takes a header of any length into memory as a whole: this one has none so long."""

    def __init__(self, file: gzip.GzipFile) -> None:
        self._file = file
        self.seek, self.tell = file.seek, file.tell

    def read(self, size: int) -> bytes:
        if not 0 <= size <= AT_ONCE:
            raise tarfile.ReadError("a header that is too long")
        return self._file.read(size)


def _refuse(entry: tarfile.TarInfo, file: Path) -> None:
    """Only plain files, only inside the folder, and nothing that belongs to this machine alone."""
    place = PurePosixPath(entry.name)
    inside = not place.is_absolute() and ".." not in place.parts and place.parts and "\\" not in entry.name
    own = inside and (place.parts[0] in LEFT_OUT or place.parts[0].startswith(FOLDERS_LEFT_OUT))
    largest = LARGEST_MANIFEST if entry.name == MANIFEST else LARGEST
    if not entry.isreg() or not inside or own or not entry.name.isprintable() or entry.size > largest:
        raise BadBackup(
            message(
                "{file} has an entry that no table writes ({name}): it is refused.",
                file=file.name,
                name=ascii(entry.name)[1:-1][:200],
            )
        )


def _parts(source: IO[bytes], size: int) -> Iterator[bytes]:
    """All of a file, piece by piece."""
    left = size
    while left:
        part = source.read(min(left, AT_ONCE))
        if not part:
            raise EOFError
        left -= len(part)
        yield part


def _taken(source: IO[bytes], entry: tarfile.TarInfo, into: Path | None) -> tuple[str, int]:
    digest = hashlib.sha256()
    if into is None:
        for part in _parts(source, entry.size):
            digest.update(part)
        return digest.hexdigest(), entry.size
    target = into / entry.name
    target.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb") as copy:
        for part in _parts(source, entry.size):
            digest.update(part)
            copy.write(part)
    if 0 <= entry.mtime < LATEST:  # else it is as old as its restoring
        os.utime(target, (entry.mtime, entry.mtime))
    return digest.hexdigest(), entry.size


def _hold(file: Path, manifest: BackupManifest, found: dict[str, tuple[str, int]]) -> None:
    for name, kept in manifest.files.items():
        if found.get(name) != (kept.sha256, kept.size):
            raise BadBackup(
                message("{file} is damaged: {name} is not what it was. Nothing was changed.", file=file.name, name=name)
            )
    for name in found.keys() - manifest.files.keys():
        raise BadBackup(
            message("{file} has an entry that no table writes ({name}): it is refused.", file=file.name, name=name)
        )


def restore(file: Path, data: Path, settings: Path | None = None) -> tuple[BackupManifest, list[Message]]:
    """Put a backup in the place of what is in the data folder, which is set aside; what is to be said about it.

    Nothing is touched before all of the backup has been unpacked and found whole. Raises InUse while a table runs
    there. `settings` is the configuration file of this machine, which is replaced too, and kept beside.
    """
    with DataFolder(data) as folder:
        waiting = folder.path / WAITING
        shutil.rmtree(waiting, ignore_errors=True)
        try:
            waiting.mkdir()
            manifest = look_through(file, waiting)
        except ShinpanError:
            shutil.rmtree(waiting, ignore_errors=True)
            raise
        aside = _unused(folder.path)
        write_whole(folder.path / UNFINISHED, msgspec.json.encode({"from": str(file), "aside": aside.name}))
        _move_all(folder.path, aside)
        told = _settings(waiting / SETTINGS, settings)
        for entry in sorted(waiting.iterdir()):
            entry.rename(folder.path / entry.name)
        waiting.rmdir()
        (folder.path / "matches").mkdir(exist_ok=True)
        (folder.path / UNFINISHED).unlink()
        sync_folder(folder.path)
    count = sum(name.startswith("matches/") and name.endswith(".kifu") for name in manifest.files)
    return manifest, [
        plural("{count} match is back.", "{count} matches are back.", count),
        message("What was there before is in {folder}.", folder=str(aside)),
        *told,
    ]


def _unused(data: Path) -> Path:
    number = 1
    while (aside := data / f"before-restore-{number}").exists():
        number += 1
    return aside


def _move_all(data: Path, aside: Path) -> None:
    aside.mkdir(mode=0o700)
    for entry in sorted(data.iterdir()):
        if entry.name not in LEFT_OUT and not entry.name.startswith(FOLDERS_LEFT_OUT):
            entry.rename(aside / entry.name)


def _settings(found: Path, here: Path | None) -> list[Message]:
    """The configuration of the other machine."""
    if not found.exists():
        return []
    content = found.read_bytes()
    if here is None or not os.access(here.parent, os.W_OK):
        return [message("The settings of the backup are in {file}; they were not put in place.", file=str(found.name))]
    if here.exists():
        write_whole(here.with_name(here.name + ".before-restore"), here.read_bytes(), rights=PRIVATE)
    write_whole(here.resolve(), content, rights=PRIVATE if not here.exists() else here.stat().st_mode & 0o777)
    shutil.rmtree(found.parent)
    return [message("{file} is that of the backup; the old one is beside it.", file=str(here))]
