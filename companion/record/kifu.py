"""The kifu: a match as plain text, one JSON object a line. `docs/kifu.md` is its full description.

One reader and one writer. A line that the service wrote ends in a check, a SHA-256 that runs on from the check
before it, so a line that was torn, altered or taken out is noticed; a line written by hand needs none. In older files
the check is a CRC-32.
"""

import re
import secrets
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from companion.core.message import message
from companion.core.rulings import Mistake
from companion.core.validation import read_json, wrong_field

VERSION = 1
PIECE = 2**18
LARGEST = 64 * 2**20
"""Bytes; an evening takes a few hundred thousand."""
_CHECK = re.compile(
    rb'(?:,"salt":"[0-9a-f]{16}",(?P<chained>"check":"(?P<sha>[0-9a-f]{64})")|,"check":"(?P<crc>[0-9a-f]{8})")\}$'
)


class Chain(NamedTuple):
    """What the next check runs on from."""

    head: bytes
    """The SHA-256 of the last line and, through it, of every line before."""
    crc: int | None
    """The CRC-32 of an older file; None from the first line on that has a SHA-256."""
    lines: int
    """How many lines with a check there were."""


START = Chain(bytes(32), 0, 0)


class NotAKifu(Mistake):
    """This file, or a line of it, is not part of a kifu."""


class Altered(Mistake):
    """A line does not match its checksum."""


class Header(msgspec.Struct, frozen=True):
    kifu: int
    game: str
    players: tuple[str, ...]
    options: dict[str, Any] = {}
    refused: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    """Fields that no header has. The reader keeps them, so that the rules can refuse the header by name."""


class Moved(msgspec.Struct, frozen=True):
    by: str
    """Empty where the line does not say."""
    fields: dict[str, Any]
    """What the game decodes as the move: `move` and the fields of that move."""
    at: float | None = None
    refused: tuple[str, ...] = ()


class Acted(msgspec.Struct, frozen=True):
    """An act of the referee."""

    fields: dict[str, Any]
    """What `companion.record.acts` decodes: `referee` and the fields of that act."""
    at: float | None = None
    refused: tuple[str, ...] = ()


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    clock: float
    refused: tuple[str, ...] = ()


class Undo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    undo: int
    why: str = ""
    by: str = ""
    at: float | None = None
    refused: tuple[str, ...] = ()


class Expect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    expect: dict[str, Any]


class FirstReady(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who was ready first before a count."""

    players: tuple[str, ...]
    """One, or all those between whom the clocks cannot decide."""
    apart: float
    """Seconds between those, or until the next one."""
    give: float
    """How far that may be wrong."""
    before: str = ""
    """Who came next, where one player was first."""


class Note(msgspec.Struct, frozen=True):
    """Something the referee noticed that changes nothing; replay ignores it."""

    note: str
    at: float | None = None
    rules: tuple[str, ...] = ()
    place: str = ""
    """The place whose card was moved after ready."""
    ready: tuple[dict[str, Any], ...] = ()
    """The order of the presses before a count, which began then."""
    first: FirstReady | None = None
    """Who of them was first; older files have it only in words."""


Rest = Literal["pause", "end"]
"""When a table signs."""


class Picture(msgspec.Struct, frozen=True):
    """A picture was kept; replay ignores it. It is taken after the lines that it belongs to, so it has its own line."""

    picture: str
    """Its SHA-256."""
    of: tuple[str, ...]
    """Its names in the folder beside the kifu: the lines that were read from it, the calls it led to."""
    at: float | None = None


class Signed(msgspec.Struct, frozen=True):
    """The table signs every line before this one; replay ignores it."""

    signed: Rest
    lines: int
    """How many lines with a check stand before this one."""
    head: str
    """The check of the last of them."""
    key: str
    """The table's public key."""
    signature: str


Line = Header | Moved | Acted | Clock | Undo | Expect | Note | Picture | Signed


@dataclass(frozen=True)
class Numbered:
    number: int
    line: Line


def parse(text: bytes) -> Line:
    """One line, without its checksum."""
    try:
        data = read_json(text)
    except msgspec.DecodeError:
        raise NotAKifu(message("it is not JSON")) from None
    if not isinstance(data, dict):
        raise NotAKifu(message("it is not a JSON object"))
    if "check" in data or "salt" in data:
        raise Altered(message("the line was rewritten: its check is not where the service puts it"))
    if isinstance(data.get("refused"), str):
        data["refused"] = [data["refused"]]
    try:
        if "kifu" in data:
            if data["kifu"] != VERSION:
                raise NotAKifu(
                    message(
                        "it is of version {version}; this Shinpan reads version {known}",
                        version=str(data["kifu"]),
                        known=VERSION,
                    )
                )
            return _header(data)
        if "move" in data:
            return _moved(data)
        if "referee" in data:
            return _acted(data)
        if "clock" in data:
            return msgspec.convert(data, Clock)
        if "undo" in data:
            return msgspec.convert(data, Undo)
        if "expect" in data:
            return msgspec.convert(data, Expect)
        if "note" in data:
            return msgspec.convert(data, Note)
        if "picture" in data:
            return msgspec.convert(data, Picture)
        if "signed" in data:
            return msgspec.convert(data, Signed)
        if "by" in data:
            return _moved(data)
    except msgspec.ValidationError as error:
        raise NotAKifu(message("a field of it is wrong ({detail})", detail=wrong_field(error))) from None
    raise NotAKifu(
        message(
            "it is neither a header, a move, an act of the referee, a clock, an undo, an expect, a note, a picture nor "
            "a signature"
        )
    )


def _header(data: dict[str, Any]) -> Header:
    unknown = tuple(name for name in data if name not in Header.__struct_fields__[:-1])
    return msgspec.convert({**data, "unknown": unknown}, Header)


def _moved(data: dict[str, Any]) -> Moved:
    """A move line that lacks `by` or `move` is still a move: the rules refuse it, the reader accepts it."""
    by, at, refused = data.pop("by", ""), data.pop("at", None), data.pop("refused", ())
    return msgspec.convert({"by": by, "fields": data, "at": at, "refused": refused}, Moved)


def _acted(data: dict[str, Any]) -> Acted:
    """Whatever else is wrong with an act, the rules refuse it, as they do a move."""
    at, refused = data.pop("at", None), data.pop("refused", ())
    return msgspec.convert({"fields": data, "at": at, "refused": refused}, Acted)


def read(data: bytes) -> Iterator[Numbered]:
    """The lines of a kifu, numbered from 1 as an editor shows them; the first is the header."""
    chain = START
    header_seen = False
    for number, raw in enumerate(data.split(b"\n"), 1):
        text = raw.strip()
        if number == 1:
            text = text.removeprefix(b"\xef\xbb\xbf")
        if not text or text.startswith(b"#"):
            continue
        try:
            text, chain = without_check(text, chain)
            line = parse(text)
            if isinstance(line, Header) == header_seen:
                second = message("it is a second header")
                raise NotAKifu(second if header_seen else message("it is something else where the header should be"))
        except (NotAKifu, Altered) as error:
            raise type(error)(message("line {number}: {reason}", number=number, reason=error.message)) from None
        header_seen = True
        yield Numbered(number, line)
    if not header_seen:
        raise NotAKifu(message("it has no header"))


def without_check(text: bytes, chain: Chain) -> tuple[bytes, Chain]:
    """The line without its check, and what the next check runs on from."""
    checked = claimed(text, chain)
    if checked is None:
        return text, chain
    body, right, following = checked
    if not right:
        raise Altered(
            message("the line does not agree with its check: it, or a line before it, was changed or taken out")
        )
    return body, following


def claimed(text: bytes, chain: Chain) -> tuple[bytes, bool, Chain] | None:
    """The line without its check, whether that is right, and what the next one runs on from if this one is believed.
    None for a line without one."""
    found = _CHECK.search(text)
    if not found:
        return None
    body, lines = text[: found.start()] + b"}", chain.lines + 1
    if found["sha"]:
        head, claim = sha256(chain.head + text[: found.start("chained")]).hexdigest(), found["sha"].decode()
        return body, head == claim, Chain(bytes.fromhex(claim), None, lines)
    crc = None if chain.crc is None else zlib.crc32(body, chain.crc)
    following = Chain(sha256(chain.head + body).digest(), crc, lines)
    return body, crc is not None and found["crc"] == b"%08x" % crc, following


def check_of(line: str) -> str:
    """The SHA-256 that a line of a kifu ends in; empty: it has none."""
    found = _CHECK.search(line.strip().encode())
    return found["sha"].decode() if found and found["sha"] else ""


def sound_length(data: bytes) -> tuple[int, Chain]:
    """How many bytes of a journal are complete, valid lines, and the last check among them.

    A kill in the middle of a write leaves a torn tail and nothing else; only a tail is ever cut. A last line that is
    whole but for its line end counts: the brace that closes it is the last thing written.
    """
    chain, length = START, 0
    for raw in data.split(b"\n"):
        text = raw.strip()
        if text and not text.startswith(b"#"):
            try:
                text, chain = without_check(text, chain)
                parse(text)
            except (NotAKifu, Altered):
                break
        length += len(raw) + 1
    return min(length, len(data)), chain


def write(fields: Mapping[str, Any], chain: Chain) -> tuple[bytes, Chain]:
    """A line as the service writes it, and what the next check runs on from.

    The salt is chance: whoever sees the check of a sealed move, which is shown on the page, cannot find out the move by
    trying all that there are.
    """
    salted = msgspec.json.encode(fields)[:-1] + b',"salt":"%b",' % secrets.token_hex(8).encode()
    head = sha256(chain.head + salted).digest()
    return salted + b'"check":"%b"}\n' % head.hex().encode(), Chain(head, None, chain.lines + 1)


def load(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            pieces, size = [], 0
            # Asked for all that there may be, Python would set as much memory aside, however small the file is.
            while size <= LARGEST and (piece := file.read(PIECE)):
                pieces.append(piece)
                size += len(piece)
            data = b"".join(pieces)
    except OSError as error:
        raise NotAKifu(message("it cannot be read ({detail})", detail=error.strerror)) from None
    if len(data) > LARGEST:
        raise NotAKifu(message("it is larger than {size} MB, and no match is", size=LARGEST // 2**20))
    return data
