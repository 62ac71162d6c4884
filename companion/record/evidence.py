"""The pictures behind rulings and calls, kept as files beside the kifu for a dispute."""

import logging
import os
import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from companion.core.events import Said

log = logging.getLogger("shinpan")
_NAME = re.compile(r"\d{5,}|call-[\d-]+")


class Evidence:
    """One match's folder of pictures. `folder` None keeps nothing."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._calls: dict[int, str] = {}
        """Number of a sentence -> its picture: calls have no line in the kifu."""

    def keep(self, picture: bytes, lines: Sequence[int], calls: Sequence[int] = ()) -> None:
        """Keep this picture for the lines that were read from it and the sentences that were said about it."""
        named = {line: f"{line:05}" for line in lines}
        called = f"call-{datetime.now():%Y%m%d-%H%M%S}-{min(calls)}" if calls else ""
        names = [*named.values(), *filter(None, [called])]
        if self.folder is None or not names:
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            first = self.folder / f"{names[0]}.jpg"
            first.write_bytes(picture)  # nobody waits for the disk: a power cut may cost the last picture
            for name in names[1:]:
                _also(first, self.folder / f"{name}.jpg", picture)
        except OSError as error:
            log.warning("The picture of %s was not kept: %s.", names[0], error.strerror)
            return
        self._calls.update(dict.fromkeys(calls, called))

    def of(self, number: int, said: Said) -> str | None:
        """The name of the picture that goes with a sentence, where there is one."""
        if self.folder is None:
            return None
        name = f"{said.line:05}" if said.line else self._calls.get(number, "")
        return name if name and (self.folder / f"{name}.jpg").is_file() else None

    def read(self, name: str) -> bytes | None:
        """A picture by its name. No other file, in the folder or outside it, can be read this way."""
        if self.folder is None or not _NAME.fullmatch(name):
            return None
        try:
            return (self.folder / f"{name}.jpg").read_bytes()
        except OSError:
            return None


def _also(first: Path, other: Path, picture: bytes) -> None:
    """The same picture under a second name: a hard link where the file system has them."""
    other.unlink(missing_ok=True)
    try:
        os.link(first, other)
    except OSError:
        other.write_bytes(picture)
