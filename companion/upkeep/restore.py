"""Bringing a backup back: looked through as a whole first, and nothing that was there is lost."""

import hashlib
import os
import shutil
import tarfile
import zlib
from pathlib import Path, PurePosixPath

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
WAITING = ".restoring"
UNFINISHED = "restore.json"


class BadBackup(ShinpanError, ValueError):
    """A file that cannot be restored, and why."""


def look_through(file: Path, into: Path | None = None) -> BackupManifest:
    """Read all of it and hold every file to its hash; with `into`, unpack it there. BadBackup says what is wrong."""
    found: dict[str, tuple[str, int]] = {}
    manifest: BackupManifest | None = None
    try:
        with tarfile.open(file, "r:gz") as tar:
            total = 0
            for entry in tar:
                _refuse(entry, file)
                total += entry.size
                if total > LARGEST_ALL or len(found) > MOST_FILES or entry.name in found:
                    raise BadBackup(message("{file} is not a backup of a table.", file=file.name))
                source = tar.extractfile(entry)
                assert source is not None
                if entry.name == MANIFEST:
                    manifest = read_json(source.read(), BackupManifest)
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


def _refuse(entry: tarfile.TarInfo, file: Path) -> None:
    """Only plain files, and only inside the folder."""
    place = PurePosixPath(entry.name)
    inside = not place.is_absolute() and ".." not in place.parts and place.parts and "\\" not in entry.name
    if not entry.isreg() or not inside or "\0" in entry.name or entry.size > LARGEST:
        raise BadBackup(
            message(
                "{file} has an entry that no table writes ({name}): it is refused.", file=file.name, name=entry.name
            )
        )


def _taken(source: object, entry: tarfile.TarInfo, into: Path | None) -> tuple[str, int]:
    content: bytes = source.read()  # type: ignore[attr-defined]
    if into is not None:
        target = into / entry.name
        target.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb") as copy:
            copy.write(content)
        os.utime(target, (entry.mtime, entry.mtime))
    return hashlib.sha256(content).hexdigest(), len(content)


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
