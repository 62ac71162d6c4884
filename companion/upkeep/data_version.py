"""The data folder has a version. A newer program brings an older folder up to date, and keeps a copy of it first.

`shinpan serve` does that before it opens anything; `shinpan update` puts the copy back where the newer program does not
come up. A folder without the file is of version 1.
"""

import logging
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from companion.core.files import sync_folder, write_whole
from companion.core.message import message
from companion.core.rulings import ShinpanError

log = logging.getLogger("shinpan")

FILE = "data-version"
COPIES = "copies"
"""Below the data folder; not part of what is copied."""
CURRENT = 1
"""The version that this program writes."""
MIGRATIONS: Mapping[int, Callable[[Path], None]] = {}
"""Version -> what makes the next one of it. Each may be interrupted and begun again."""
WRITTEN_ONCE = {".jpg"}
"""Files that never change: a copy of them is another name for the same bytes."""
NOT_COPIED = {COPIES, "lock"}


class WrongDataVersion(ShinpanError):
    """This program cannot use this data folder, and why."""


def version(data: Path) -> int:
    """The version of this folder."""
    try:
        return int((data / FILE).read_text("ascii"))
    except FileNotFoundError:
        return 1
    except (OSError, ValueError):
        raise WrongDataVersion(
            message("{file} does not say which version the data folder has.", file=str(data / FILE))
        ) from None


def bring_up_to_date(
    data: Path, current: int = CURRENT, migrations: Mapping[int, Callable[[Path], None]] = MIGRATIONS
) -> None:
    """Make the folder one of this program's version. Nobody else may be using it."""
    found = version(data)
    if found > current:
        raise WrongDataVersion(
            message(
                "The data folder {folder} was written by a newer Shinpan (data version {found}; this one knows "
                "{current}). Update this one, or give it another folder with --data.",
                folder=str(data),
                found=found,
                current=current,
            )
        )
    if found < current:
        copy_of(data, found)
        for step in range(found, current):
            migrations[step](data)
            _stamp(data, step + 1)
        log.info("The data folder is of version %d now; a copy of version %d is kept.", current, found)
    elif not (data / FILE).exists():
        _stamp(data, current)


def _stamp(data: Path, number: int) -> None:
    write_whole(data / FILE, b"%d\n" % number)


def copy_path(data: Path, number: int) -> Path:
    return data / COPIES / f"data-{number}"


def copy_of(data: Path, number: int) -> Path:
    """Keep a copy of the folder as it is. One that is there already, from a migration that was interrupted, stays."""
    kept = copy_path(data, number)
    if kept.exists():
        return kept
    making = kept.with_name(kept.name + ".new")
    shutil.rmtree(making, ignore_errors=True)
    making.parent.mkdir(exist_ok=True)
    shutil.copytree(data, making, ignore=_left_out(data), copy_function=_copied, symlinks=True)
    os.sync()
    making.rename(kept)
    sync_folder(kept.parent)
    return kept


def _left_out(data: Path) -> Callable[[str, list[str]], set[str]]:
    return lambda folder, names: NOT_COPIED & {*names} if Path(folder) == data else set()


def _copied(source: str, target: str) -> str:
    if Path(source).suffix in WRITTEN_ONCE:
        os.link(source, target, follow_symlinks=False)
    else:
        shutil.copy2(source, target, follow_symlinks=False)
    return target


def put_back(data: Path, current: int = CURRENT) -> bool:
    """After a newer program has failed: put back the copy that it made of this one's data. False: there was no need.
    What the newer one left is kept beside the copy. This may be interrupted at any point and begun again."""
    found, kept = version(data), copy_path(data, current)
    coming_back = kept.with_name(f"back-{current}")
    if found > current and not coming_back.is_dir():
        if not kept.is_dir():
            raise WrongDataVersion(
                message("There is no copy of the data folder from before the update: {folder}.", folder=str(kept))
            )
        kept.rename(coming_back)
    if found > current:
        aside = _free(data / COPIES / f"undone-{found}")
        aside.mkdir()
        # The version goes last: as long as it is there, not everything has been set aside.
        for each in sorted(data.iterdir(), key=lambda each: each.name == FILE):
            if each.name not in NOT_COPIED:
                each.rename(aside / each.name)
    if not coming_back.is_dir():
        return False
    for each in [*coming_back.iterdir()]:
        each.rename(data / each.name)
    _stamp(data, current)
    coming_back.rmdir()
    return True


def _free(path: Path) -> Path:
    numbered = (path.with_name(f"{path.name}-{number}") for number in range(2, 10_000))
    return path if not path.exists() else next(each for each in numbered if not each.exists())
