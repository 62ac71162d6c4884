"""Kifus in and out of the table, one by one or as a ZIP archive.

What comes in is played through the rules before it is kept. An archive is never unpacked: its members are read one by
one into memory, within limits, and written under names of our own making, so nothing in it decides where a file goes.
"""

import io
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

import msgspec

from companion.core.files import PRIVATE, write_whole
from companion.core.message import Message, message
from companion.core.rulings import Mistake, ShinpanError
from companion.history.index import MatchIndex
from companion.record import kifu
from companion.record.replay import Replay

LARGEST_KIFU = 8 * 2**20
"""Bytes of one kifu that is brought in; an evening takes a few hundred thousand."""
LARGEST_ARCHIVE = 64 * 2**20
MOST_MEMBERS = 20_000
MOST_BYTES = 512 * 2**20
"""Of all members of an archive together."""
BROUGHT = "-imported"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")
"""Names that a match may have: nothing in them means anything to a file system."""


class BroughtIn(msgspec.Struct, frozen=True):
    """What became of one file."""

    file: str
    """Its name where it came from."""
    name: str = ""
    """What the match is known by here; empty: it was not taken."""
    reason: Message | None = None
    """Why it was not taken, or what is to be known of it."""


def safe(name: str) -> bool:
    """Whether a match may be called that."""
    return _NAME.fullmatch(name) is not None


def bring_in(index: MatchIndex, folder: Path, file: str, data: bytes) -> list[BroughtIn]:
    """A kifu, or a ZIP archive of kifus."""
    if data[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        return list(_from_archive(index, folder, data))
    return [_one(index, folder, file, data)]


def _one(index: MatchIndex, folder: Path, file: str, data: bytes) -> BroughtIn:
    shown = PurePosixPath(file.replace("\\", "/")).name[:120]
    if len(data) > LARGEST_KIFU:
        too_large = message("it is larger than {size} MB, and no match is", size=LARGEST_KIFU // 2**20)
        return BroughtIn(shown, reason=too_large)
    try:
        Replay(data).finish()
    except ShinpanError as error:
        return BroughtIn(shown, reason=error.message)
    known = index.has(data)
    if known is not None:
        return BroughtIn(shown, reason=message("it is here already, as {name}", name=known))
    header = next(kifu.read(data)).line
    assert isinstance(header, kifu.Header)
    name = _free(folder, PurePosixPath(shown).stem, header.game)
    write_whole(folder / f"{name}.kifu", data, rights=PRIVATE)
    return BroughtIn(shown, name)


def _free(folder: Path, stem: str, game: str) -> str:
    """The name that it had, made safe, with a word behind it: only names that the table gives itself count as its own
    matches, which it goes on with."""
    wished = (re.sub(r"[^A-Za-z0-9_-]+", "-", stem).strip("-_")[:80] or game).removesuffix(BROUGHT) + BROUGHT
    taken = (wished, *(f"{wished}-{number}" for number in range(2, 100_000)))
    return next(name for name in taken if not (folder / f"{name}.kifu").exists() and not (folder / name).exists())


def _from_archive(index: MatchIndex, folder: Path, data: bytes) -> Iterator[BroughtIn]:
    if len(data) > LARGEST_ARCHIVE:
        raise Mistake(message("The archive is larger than {size} MB.", size=LARGEST_ARCHIVE // 2**20))
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        raise Mistake(message("That is not a ZIP archive, or it is damaged.")) from None
    members = [each for each in archive.infolist() if not each.is_dir() and each.filename.endswith(".kifu")]
    if len(members) > MOST_MEMBERS:
        raise Mistake(message("There are more than {count} kifus in the archive.", count=MOST_MEMBERS))
    if not members:
        raise Mistake(message("There is no kifu in the archive."))
    left = MOST_BYTES
    for member in members:
        content = _unpacked(archive, member, min(LARGEST_KIFU, left))
        if isinstance(content, Message):
            yield BroughtIn(PurePosixPath(member.filename).name[:120], reason=content)
            continue
        left -= len(content)
        yield _one(index, folder, member.filename, content)


def _unpacked(archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int) -> bytes | Message:
    """At most so much of it, whatever it claims to be: a small archive can hold a very large nothing."""
    if member.flag_bits & 0x1:
        return message("it is encrypted")
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        # What else there is may ask for gigabytes before its first byte.
        return message("it is packed in a way that is not read here")
    try:
        with archive.open(member) as file:
            content = file.read(most + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, RuntimeError):
        return message("it is damaged in the archive")
    if len(content) > most:
        return message("it is larger than {size} MB, and no match is", size=most // 2**20)
    return content


def packed(files: Iterable[tuple[str, bytes]]) -> bytes:
    """A ZIP archive of these kifus, each under its name."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            archive.writestr(zipfile.ZipInfo(f"{name}.kifu", (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()
