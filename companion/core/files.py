"""Files that are whole or not there: what is on the disk outlives a pulled plug and a full card.

Every file that is replaced as a whole is written here. The kifu and the record of events grow line by line instead;
they take `sync_folder` from here.
"""

import logging
import os
from pathlib import Path

from companion.core.message import Message, message
from companion.core.rulings import ShinpanError

log = logging.getLogger("shinpan")

PRIVATE = 0o600
"""Only the user that the service runs as may read or write the file."""
PUBLIC = 0o644


class NotWritten(ShinpanError, OSError):
    """A file could not be written, and why. What was there before is still there."""


def write_whole(path: Path, data: bytes, wrong: type[ShinpanError] = NotWritten, rights: int = PUBLIC) -> None:
    """Write the file whole or not at all; where that fails, `wrong` says why and what was there before stays.

    The new content goes to a file beside the old one and reaches the disk before it takes its name; then the folder
    is synced too, because a new name may be lost with the power as well. A PRIVATE file is private from its first byte.
    """
    beside = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            beside.unlink(missing_ok=True)  # left by a power cut, perhaps with other rights
            with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, rights), "wb") as file:
                file.write(data)
                file.flush()
                _leave_to_owner(file.fileno(), path)
                os.fsync(file.fileno())
            beside.replace(path)
            sync_folder(path.parent)
        except OSError:
            beside.unlink(missing_ok=True)
            raise
    except OSError as problem:
        detail = problem.strerror or str(problem)
        raise wrong(message("{file} cannot be written: {detail}.", file=str(path), detail=detail)) from None


def _leave_to_owner(file: int, path: Path) -> None:
    """What root writes for a table belongs to the table's user, who could not read it otherwise."""
    if os.geteuid() == 0:
        before = path if path.exists() else path.parent
        os.fchown(file, before.stat().st_uid, before.stat().st_gid)


def set_aside(path: Path, reason: Message) -> Message:
    """Give a damaged file another name, so that the table can go on without it; the sentence that says so.

    Nothing is lost: a person can look at the file, mend it and give it its name back.
    """
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    try:
        path.rename(aside)
        sync_folder(path.parent)
        told = message(
            "{reason} The file was set aside as {aside}, and the table goes on without it.",
            reason=reason,
            aside=aside.name,
        )
    except OSError:  # the disk takes no writes: the file is ignored this time
        told = message("{reason} The table goes on without the file.", reason=reason)
    log.warning("%s", told)
    return told


def sync_folder(folder: Path) -> None:
    """Wait until the names in this folder are on the disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
