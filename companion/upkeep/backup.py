"""Backups: everything that a table would miss, in one file that says by itself whether it is whole.

A gzipped tar with the data folder as it is, the configuration beside it, and as its last member a manifest with the
hash of every file: what was cut off has none. It is made while a match is played: files that grow are taken up to
their last whole line, all others are replaced as a whole by whoever writes them.
"""

import hashlib
import io
import os
import socket
import sqlite3
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import msgspec

from companion.core.files import PRIVATE, sync_folder
from companion.core.message import message
from companion.core.rulings import ShinpanError
from companion.record.evidence import CLIP, PICTURE
from companion.upkeep.config import TableConfig

FOLDER = "backups"
PREFIX, SUFFIX = "shinpan-", ".tar.gz"
MANIFEST = "manifest.json"
SETTINGS = "settings/shinpan.toml"
"""The configuration, where it does not lie in the data folder."""
FORM = 1
PICTURES = (PICTURE, CLIP)
"""What is kept of rulings and disputes: it is large, and a backup has it only where that is wanted."""
GROWING = (".kifu", ".events")
DATABASES = (".db", ".sqlite", ".sqlite3")
LEFT_OUT = {"lock", "serving.json", "logins.seconds", "doctor.line", "restore.json"}
FOLDERS_LEFT_OUT = (FOLDER, "copies", ".restoring", "before-restore-", "reports")


class BackupFailed(ShinpanError, OSError):
    """No backup could be made, and why."""


class BackedUp(msgspec.Struct, frozen=True, rename={"size": "bytes"}):
    """One file of a backup."""

    sha256: str
    size: int


class BackupManifest(msgspec.Struct, frozen=True):
    form: int
    made: str
    """The day and time by the table's clock."""
    table: str
    """The name of the machine."""
    pictures: bool
    files: dict[str, BackedUp]


def folder_of(table: TableConfig, data: Path) -> Path:
    return Path(table.backup_folder) if table.backup_folder else data / FOLDER


def kept(folder: Path) -> list[Path]:
    """The backups in a folder, the oldest first."""
    return sorted(folder.glob(f"{PREFIX}*{SUFFIX}"), key=lambda path: (path.stat().st_mtime, path.name))


def make(
    data: Path,
    folder: Path,
    settings: Path | None = None,
    *,
    pictures: bool = False,
    now: Callable[[], datetime] = datetime.now,
) -> Path:
    """A new backup in this folder. It is there as a whole or not at all."""
    name, stamp = socket.gethostname().split(".")[0] or "table", now()
    path = _unused(folder, f"{PREFIX}{name}-{stamp:%Y-%m-%d-%H%M%S}")
    beside = path.with_name(path.name + ".new")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            with os.fdopen(
                os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, PRIVATE), "wb"
            ) as file:
                with tarfile.open(fileobj=file, mode="w:gz", compresslevel=6) as tar:
                    _fill(tar, data, settings, BackupManifest(FORM, f"{stamp:%Y-%m-%d %H:%M}", name, pictures, {}))
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
            sync_folder(folder)
        except OSError:
            beside.unlink(missing_ok=True)
            raise
    except OSError as error:
        detail = error.strerror or str(error)
        raise BackupFailed(
            message("The backup cannot be written to {folder}: {detail}.", folder=str(folder), detail=detail)
        ) from None
    return path


def drop_old(folder: Path, keep: int) -> list[Path]:
    """Remove all but the newest so many; which."""
    dropped = kept(folder)[:-keep]
    for path in dropped:
        path.unlink(missing_ok=True)
    return dropped


def _unused(folder: Path, stem: str) -> Path:
    names = (stem, *(f"{stem}-{number}" for number in range(2, 1000)))
    return next(path for name in names if not (path := folder / f"{name}{SUFFIX}").exists())


def _fill(tar: tarfile.TarFile, data: Path, settings: Path | None, manifest: BackupManifest) -> None:
    for name, path in _wanted(data, manifest.pictures):
        _add(tar, name, path, manifest.files)
    if settings is not None and settings.exists() and data.resolve() not in settings.resolve().parents:
        _add(tar, SETTINGS, settings, manifest.files)
    _write(tar, MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)), time.time())


def _wanted(data: Path, pictures: bool) -> Iterator[tuple[str, Path]]:
    for folder, folders, files in os.walk(data):
        if Path(folder) == data:
            folders[:] = [each for each in folders if not each.startswith(FOLDERS_LEFT_OUT)]
        folders.sort()
        for name in sorted(files):
            path = Path(folder) / name
            if name in LEFT_OUT or name.endswith((".new", "-wal", "-shm", "-journal")) or path.is_symlink():
                continue
            if path.suffix in PICTURES and not pictures and "matches" in path.relative_to(data).parts:
                continue
            yield path.relative_to(data).as_posix(), path


def _add(tar: tarfile.TarFile, name: str, path: Path, files: dict[str, BackedUp]) -> None:
    try:
        content = _content(path)
        changed = path.stat().st_mtime
    except FileNotFoundError:  # gone since it was listed: an old picture made way for a new one
        return
    _write(tar, name, content, changed)
    files[name] = BackedUp(hashlib.sha256(content).hexdigest(), len(content))


def _content(path: Path) -> bytes:
    if path.suffix in DATABASES:
        return _database(path)
    content = path.read_bytes()
    if path.suffix in GROWING and not content.endswith(b"\n"):
        content = content[: content.rfind(b"\n") + 1]
    return content


def _database(path: Path) -> bytes:
    """As it is between two of its transactions."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        source, target = sqlite3.connect(path), sqlite3.connect(copy)
        try:
            source.backup(target)
        except sqlite3.DatabaseError:  # it only has the name of one, or is damaged: as it is
            return path.read_bytes()
        finally:
            source.close()
            target.close()
        return copy.read_bytes()


def _write(tar: tarfile.TarFile, name: str, content: bytes, changed: float) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode, entry.mtime = len(content), PRIVATE, int(changed)
    tar.addfile(entry, io.BytesIO(content))
