"""The pictures and clips behind rulings and calls, kept as files beside the kifu for a dispute."""

import errno
import logging
import os
import re
import shutil
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from companion.core.events import Said
from companion.core.files import PRIVATE
from companion.core.message import Message, message
from companion.record.clip import LARGEST, Clip, NotAClip, Testimony, decode, testimony

log = logging.getLogger("shinpan")
_NAME = re.compile(r"\d{5,}|call-[\d-]+")


QUOTA = 2 * 2**30
"""Bytes for the pictures and clips of all matches in a data folder; an evening takes some tens of millions."""
SHARE = 8
"""The clips of one match take at most this part of it: nobody can make a table forget all other matches."""
PICTURE, CLIP, UNFINISHED = ".jpg", ".avi", ".new"


class Evidence:
    """One match's folder of pictures and clips. `folder` None keeps nothing."""

    def __init__(self, folder: Path | None, quota: int = QUOTA) -> None:
        self.folder, self.quota = folder, quota
        self._room: int | None = None
        """Bytes left of the quota; None until the folder has been measured."""
        self._calls: dict[int, str] = {}
        """Number of a sentence -> its picture or clip: not every call has a line in the kifu."""
        self._clips = 0
        """Bytes of clips that were kept since the match began or went on."""
        self.trouble: Message | None = None
        """Why the last picture or clip was not kept."""

    def keep(self, picture: bytes, lines: Sequence[int], calls: Sequence[int] = (), kind: str = PICTURE) -> list[str]:
        """Keep this picture or clip for the lines that were read from it and the sentences that were said about it;
        the names that it has now."""
        if kind == CLIP:
            self._clips += len(picture)
            if self._clips > self.quota // SHARE:
                return []
        named = {line: f"{line:05}" for line in lines}
        called = f"call-{datetime.now():%Y%m%d-%H%M%S}-{min(calls)}" if calls else ""
        names = [*named.values(), *filter(None, [called])]
        if self.folder is None or not names:
            return []
        try:
            self._make_room(len(picture))
            self.folder.mkdir(0o700, parents=True, exist_ok=True)
            first = self.folder / f"{names[0]}{kind}"
            _write(first, picture)
            for name in names[1:]:
                _also(first, self.folder / f"{name}{kind}", picture)
        except OSError as error:
            self._room = None
            self.trouble = message(
                "The pictures of this match are not kept any more ({detail}); the match goes on.",
                detail=error.strerror or str(error),
            )
            log.warning("The picture of %s was not kept: %s.", names[0], error.strerror)
            return []
        self.trouble = None
        self._calls.update(dict.fromkeys(calls, called))
        return names

    def _make_room(self, more: int) -> None:
        """Keep the pictures of all matches within the quota: the oldest matches lose theirs first, and a match that may
        still go on loses none. Where that is not enough, no more are kept."""
        assert self.folder is not None
        if self._room is None or self._room < more:
            for torn in self.folder.glob(f"*{UNFINISHED}"):  # left by a kill or a power cut
                torn.unlink(missing_ok=True)
            matches = self.folder.parent
            mine, playing = self.folder.name, _may_go_on(matches)
            taken = {path: _taken(path) for path in sorted(matches.glob("*/")) if path.name not in (mine, *playing)}
            spared = sum(_taken(matches / name) for name in {mine, *playing} if (matches / name).is_dir())
            while taken and spared + sum(taken.values()) + more > self.quota:
                oldest = next(iter(taken))
                log.warning("The pictures of %s were deleted: the quota for pictures is used up.", oldest.name)
                shutil.rmtree(oldest, ignore_errors=True)
                del taken[oldest]
            self._room = self.quota - spared - sum(taken.values())
            if self._room < more:
                raise OSError(errno.EDQUOT, os.strerror(errno.EDQUOT))
        self._room -= more

    def of(self, number: int, said: Said, kind: str = PICTURE) -> str | None:
        """The name of the picture or the clip that goes with a sentence, where there is one."""
        if self.folder is None:
            return None
        names = (f"{said.line:05}" if said.line else "", self._calls.get(number, ""))
        return next((name for name in names if name and (self.folder / f"{name}{kind}").is_file()), None)

    def read(self, name: str, kind: str = PICTURE) -> bytes | None:
        """A picture or a clip by its name. No other file, in the folder or outside it, can be read this way."""
        if self.folder is None or not _NAME.fullmatch(name):
            return None
        try:
            path = self.folder / f"{name}{kind}"
            return None if path.stat().st_size > LARGEST else path.read_bytes()
        except OSError:
            return None

    def files(self) -> list[str]:
        """The names of all files that are kept."""
        try:
            return [] if self.folder is None else os.listdir(self.folder)
        except OSError:
            return []

    def testimony(self, name: str) -> Testimony | None:
        """What the referee knew in the seconds of a clip, without reading its pictures."""
        if self.folder is None or not _NAME.fullmatch(name):
            return None
        try:
            with (self.folder / f"{name}{CLIP}").open("rb") as file:
                return testimony(file)
        except (OSError, NotAClip):
            return None

    def clip(self, name: str) -> Clip | None:
        """What is in a clip; None: it is not there, or not whole."""
        data = self.read(name, CLIP)
        try:
            return None if data is None else decode(data)
        except NotAClip:
            return None


def _write(path: Path, picture: bytes) -> None:
    """Only for the user that the service runs as. It has its name when all of it is written, so a kill leaves nothing
    that is torn. Nobody waits for the disk: a power cut may cost the last picture."""
    beside = path.with_name(path.name + UNFINISHED)
    beside.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, PRIVATE), "wb") as file:
            file.write(picture)
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise


def _may_go_on(matches: Path) -> set[str]:
    """The newest match of each game, which may be resumed."""
    newest: dict[str, str] = {}
    for path in sorted(matches.glob("*.kifu")):
        newest[path.stem.rpartition("-")[2]] = path.stem
    return set(newest.values())


def _taken(folder: Path) -> int:
    """Bytes on the disk; a picture with several names counts once."""
    kept = [path for path in folder.iterdir() if path.suffix in (PICTURE, CLIP)]
    found = {status.st_ino: status.st_size for path in kept if (status := path.stat())}
    return sum(found.values())


def _also(first: Path, other: Path, picture: bytes) -> None:
    """The same picture under a second name: a hard link where the file system has them."""
    other.unlink(missing_ok=True)
    try:
        os.link(first, other)
    except OSError:
        _write(other, picture)
