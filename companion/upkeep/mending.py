"""The harmless half of mending: what `shinpan doctor --fix` and the button on the page do by themselves."""

import os
from collections.abc import Callable
from pathlib import Path

from companion.core.files import PRIVATE, write_whole
from companion.core.message import Message, message
from companion.core.rulings import ShinpanError
from companion.referee.lobby_view import Check
from companion.upkeep.backup import drop_old, folder_of, make
from companion.upkeep.config import BadConfig, Configured, examined, read_file
from companion.upkeep.machine import SECRETS
from companion.upkeep.toml_text import NotToml, removed


def mend_config(file: Path) -> Message:
    """Comment out what cannot be used, so that its default holds. A copy of the file is kept beside it."""
    text = read_file(file)
    try:
        faults = examined(text)[1]
    except NotToml as error:
        raise BadConfig(
            message("The configuration {file} is not TOML: {where}. Only a person can mend that.", file=str(file),
                    where=error.message)
        ) from None  # fmt: skip
    if not faults:
        return message("{file} is in order.", file=str(file))
    before = file.with_name(file.name + ".before-mend")
    write_whole(before, text.encode(), BadConfig, PRIVATE)
    for fault in faults:
        text = removed(text, fault.key)
    write_whole(file.resolve(), text.encode(), BadConfig, file.stat().st_mode & 0o777)
    keys = tuple(fault.key for fault in faults)
    return message("Commented out: {keys}. The file as it was is {file}.", keys=keys, file=str(before))


def mend(checks: tuple[Check, ...], holds: Configured, file: str) -> list[Message]:
    """Mend what can be mended without asking; what was done, and what failed."""
    wanted = {check.fix for check in checks if check.state == "trouble" and check.fix}
    open_to_all = {check.name for check in checks if check.state == "trouble" and check.fix == "rights"}
    steps: dict[str, Callable[[], Message]] = {
        "config": lambda: mend_config(Path(file)),
        "data": lambda: _make_data(holds.data),
        "rights": lambda: _tighten(holds.data, Path(file) if file and "config" in open_to_all else None),
        "tls": lambda: _renew(holds),
        "backup": lambda: _back_up(holds),
    }
    told = []
    for name, step in steps.items():
        if name not in wanted:
            continue
        try:
            told.append(step())
        except ShinpanError as error:
            told.append(error.message)
        except OSError as error:
            told.append(message("{file}: {detail}.", file=str(error.filename), detail=error.strerror))
    return told


def _make_data(data: Path) -> Message:
    (data / "matches").mkdir(parents=True, exist_ok=True)
    return message("The data folder {folder} is made.", folder=str(data))


def _tighten(data: Path, config: Path | None) -> Message:
    done = []
    for path in (data / name for name in SECRETS):
        if path.exists() and path.stat().st_mode & 0o077:
            path.chmod(PRIVATE)
            done.append(path.name)
    if config is not None and config.exists() and config.stat().st_mode & 0o007:
        config.chmod(config.stat().st_mode & 0o770)
        done.append(config.name)
    return message("Private again: {names}.", names=tuple(done))


def _renew(holds: Configured) -> Message:
    from web.certificates import Certificates
    from web.guard import own_names
    from web.mdns import own_addresses

    Certificates(holds.data, lambda: {*own_names(), *own_addresses()})
    return message("The certificate is made anew.")


def _back_up(holds: Configured) -> Message:
    table, folder = holds.table, folder_of(holds.table, holds.data)
    path = make(holds.data, folder, holds.file, pictures=table.backup_pictures)
    drop_old(folder, table.backup_keep)
    return message("{file} is written: {size} kB.", file=str(path), size=max(1, os.path.getsize(path) // 1024))
