"""Files that are whole or not there: what is on the disk outlives a pulled plug and a full card."""

import os
from pathlib import Path

from companion.core.rulings import ShinpanError


def write_whole(path: Path, data: bytes, wrong: type[ShinpanError]) -> None:
    """Write the file whole or not at all; where that cannot be, `wrong` says why and what was there before stays."""
    beside = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with beside.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        except OSError:
            beside.unlink(missing_ok=True)
            raise
    except OSError as problem:
        raise wrong(f"{path} cannot be written: {problem.strerror}.") from None
