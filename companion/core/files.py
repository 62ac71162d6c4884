"""Files that are whole or not there: what is on the disk outlives a pulled plug and a full card.

Every file that is replaced as a whole is written here. The kifu and the record of events grow line by line instead;
they take `sync_folder` from here.
"""

import os
from pathlib import Path

from companion.core.message import message
from companion.core.rulings import ShinpanError


class NotWritten(ShinpanError, OSError):
    """A file could not be written, and why. What was there before is still there."""


def write_whole(path: Path, data: bytes, wrong: type[ShinpanError] = NotWritten) -> None:
    """Write the file whole or not at all; where that fails, `wrong` says why and what was there before stays.

    The new content goes to a file beside the old one and reaches the disk before it takes its name; then the folder
    is synced too, because a new name may be lost with the power as well.
    """
    beside = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with beside.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
            sync_folder(path.parent)
        except OSError:
            beside.unlink(missing_ok=True)
            raise
    except OSError as problem:
        detail = problem.strerror or str(problem)
        raise wrong(message("{file} cannot be written: {detail}.", file=str(path), detail=detail)) from None


def sync_folder(folder: Path) -> None:
    """Wait until the names in this folder are on the disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
