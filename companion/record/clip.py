"""A clip of the camera: JPEG pictures with their times, and what the referee knew in those seconds.

The file is an AVI, which any player shows. Its pictures are single JPEGs, or H.264 where the machine can write that:
then each one but the first says only what is new in it. Our page is always sent single JPEGs, so that one can step
through them exactly. AVI has a fixed number of pictures a second: where nothing moved, empty ones stand
between two pictures, which means "as before". What an AVI has no place for is a chunk of our own, which players skip.
"""

import struct
from collections.abc import Callable, Iterator, Sequence
from os import SEEK_CUR
from typing import BinaryIO, NamedTuple

import msgspec

from companion.core.layout import SeenCard
from companion.core.message import Message, message
from companion.core.rulings import Mistake
from companion.core.validation import read_json

RATE = 10
"""Pictures a second, at most."""
LONGEST = 60.0
"""Seconds; a clip that claims to be longer was not written by us."""
LARGEST = 32 * 2**20
"""Bytes."""
MJPEG, H264 = b"MJPG", b"H264"
"""How the pictures are written, as an AVI says it."""
_OURS, _PICTURE = b"shin", b"00dc"
_EMPTY = _PICTURE + bytes(4)
_INDEXED = 0x10
"""In the file's header: it has an index. In the index: a picture that depends on no other."""


class NotAClip(Mistake):
    """This file is not one of our clips, or part of it is missing."""


class PressHeard(msgspec.Struct, frozen=True):
    """Somebody pressed ready. `at` may be wrong by `uncertainty`."""

    player: str
    at: float
    uncertainty: float
    tapped: bool
    """On a page; else on a panel."""
    clock: str = ""
    """The board's clock that stamped it, and below its stamp: presses on one board are told apart by that."""
    stamp: float = 0.0


class CountHeard(msgspec.Struct, frozen=True):
    """The reveal reached another stage, or the count another number."""

    at: float
    stage: str
    count: int


class ReadingMade(msgspec.Struct, frozen=True):
    """What the camera made of one place, from then on."""

    at: float
    zone: str
    cards: tuple[SeenCard, ...]


class SentenceSaid(msgspec.Struct, frozen=True):
    """A ruling, a call or a refusal."""

    at: float
    kind: str
    rules: tuple[str, ...]
    line: int
    said: Message | None = None
    text: str = ""
    """In English; only clips of older versions have it, and they have nothing else."""


class Testimony(msgspec.Struct, frozen=True, kw_only=True):
    """What the referee knew in the seconds of a clip, besides its pictures. Times count from the first picture."""

    players: tuple[str, ...] = ()
    clock: float = 0.0
    """The match clock at the first picture."""
    presses: tuple[PressHeard, ...] = ()
    counts: tuple[CountHeard, ...] = ()
    readings: tuple[ReadingMade, ...] = ()
    sentences: tuple[SentenceSaid, ...] = ()


class _Told(msgspec.Struct, frozen=True):
    """The chunk of our own."""

    times: tuple[float, ...]
    testimony: Testimony


class Still(NamedTuple):
    """One picture of a clip."""

    at: float
    jpeg: bytes
    """The part of the stream that is new in it, where the clip is written as H.264."""


class ClipFrame(msgspec.Struct, frozen=True):
    """Where a picture stands in the file."""

    at: float
    """Seconds since the first one."""
    start: int
    size: int


class Clip(msgspec.Struct, frozen=True):
    frames: tuple[ClipFrame, ...]
    testimony: Testimony
    size: tuple[int, int]
    """Width and height of the pictures."""
    codec: bytes


def encode(stills: Sequence[Still], size: tuple[int, int], testimony: Testimony, codec: bytes = MJPEG) -> bytes:
    """The file. The pictures are in order, and there is at least one; their times count from the first."""
    times = tuple(round(still.at - stills[0].at, 3) for still in stills)
    pictures = list(_on_the_grid(stills, times))
    largest = max(len(each) for each in pictures)
    told = _chunk(_OURS, msgspec.json.encode(_Told(times, testimony)))
    movie = _chunk(b"LIST", b"movi" + b"".join(pictures))
    body = b"AVI " + _headers(len(pictures), size, largest, codec) + told + movie + _index(pictures, codec)
    return _chunk(b"RIFF", body)


def decode(data: bytes) -> Clip:
    """Raises NotAClip where anything is missing: a clip is shown whole or not at all."""
    chunks = _chunks(data)
    at, size = chunks[_OURS]
    told = _told_in(data[at : at + size])
    movie, length = chunks[b"movi"]
    places = [(at, size) for _, at, size in _walk(data[: movie + length], movie + 4) if size]
    if len(places) != len(told.times) or not told.times or not all(0 <= at <= LONGEST for at in told.times):
        raise NotAClip(message("the clip is not whole"))
    frames = tuple(ClipFrame(at, *place) for at, place in zip(told.times, places, strict=True))
    return Clip(frames, told.testimony, *_format(data, *chunks[b"hdrl"]))


def in_pictures(data: bytes, pictures: Callable[[bytes], Sequence[bytes]]) -> bytes:
    """The same clip in single JPEGs, whatever it is written as; `pictures` takes a film of H.264 apart."""
    clip = decode(data)
    if clip.codec == MJPEG:
        return data
    stills = [Still(frame.at, jpeg) for frame, jpeg in zip(clip.frames, pictures(data), strict=True)]
    return encode(stills, clip.size, clip.testimony)


def testimony(file: BinaryIO) -> Testimony:
    """What the referee knew in the seconds of this clip; its pictures, which come behind it, are not read. Raises
    NotAClip."""
    file.seek(12)
    while head := file.read(8):
        size = _size(head, 4)
        if head[:4] == _OURS and size <= LARGEST:
            return _told_in(file.read(size)).testimony
        file.seek(size + size % 2, SEEK_CUR)
    raise NotAClip(message("the clip is not whole"))


def retold(data: bytes, change: Callable[[Testimony], Testimony]) -> bytes:
    """The same film with another testimony; raises NotAClip. Only the chunk of our own is another: the index of an AVI
    counts from the beginning of its pictures."""
    at, size = _chunks(data)[_OURS]
    told = _told_in(data[at : at + size])
    ours = _chunk(_OURS, msgspec.json.encode(_Told(told.times, change(told.testimony))))
    return _chunk(b"RIFF", data[8 : at - 8] + ours + data[at + size + size % 2 :])


def _on_the_grid(stills: Sequence[Still], times: Sequence[float]) -> Iterator[bytes]:
    """Each picture in the slot of its time, the slots between two of them empty."""
    slot = -1
    for still, at in zip(stills, times, strict=True):
        wanted = max(slot + 1, round(at * RATE))
        yield from [_EMPTY] * (wanted - slot - 1)
        yield _chunk(_PICTURE, still.jpeg)
        slot = wanted


def _headers(slots: int, size: tuple[int, int], largest: int, codec: bytes) -> bytes:
    width, height = size
    main = struct.pack("<14I", 1_000_000 // RATE, largest * RATE, 0, _INDEXED, slots, 0, 1, largest, *size, 0, 0, 0, 0)
    stream = struct.pack(
        "<4s4sIHHIIIIIIiI4H", b"vids", codec, 0, 0, 0, 0, 1, RATE, 0, slots, largest, -1, 0, 0, 0, width, height
    )
    picture = struct.pack("<IiiHH4sIiiII", 40, width, height, 1, 24, codec, width * height * 3, 0, 0, 0, 0)
    streams = _chunk(b"LIST", b"strl" + _chunk(b"strh", stream) + _chunk(b"strf", picture))
    return _chunk(b"LIST", b"hdrl" + _chunk(b"avih", main) + streams)


def _index(pictures: Sequence[bytes], codec: bytes) -> bytes:
    rows, at = [], 4
    for each in pictures:
        alone = each is not _EMPTY and (codec == MJPEG or at == 4)
        rows.append(struct.pack("<4sIII", _PICTURE, _INDEXED if alone else 0, at, _size(each, 4)))
        at += len(each)
    return _chunk(b"idx1", b"".join(rows))


def _chunk(name: bytes, content: bytes) -> bytes:
    return name + struct.pack("<I", len(content)) + content + bytes(len(content) % 2)


def _chunks(data: bytes) -> dict[bytes, tuple[int, int]]:
    """Where each part of the file begins, and its size; our own chunk and the pictures are among them."""
    if len(data) > LARGEST or data[:4] != b"RIFF" or data[8:12] != b"AVI " or _size(data, 4) + 8 != len(data):
        raise NotAClip(message("the clip is not whole"))
    chunks = {name if name != b"LIST" else data[at : at + 4]: (at, size) for name, at, size in _walk(data, 12)}
    if not chunks.keys() >= {_OURS, b"movi", b"hdrl"}:
        raise NotAClip(message("the clip is not whole"))
    return chunks


def _format(data: bytes, at: int, size: int) -> tuple[tuple[int, int], bytes]:
    """Size and kind of the pictures, by the headers."""
    heads = data[at : at + size]
    picture = heads.find(b"strf")
    if picture < 0 or len(heads) < picture + 28:
        raise NotAClip(message("the clip is not whole"))
    width, height, _, _, codec = struct.unpack_from("<iiHH4s", heads, picture + 12)
    return (width, height), codec


def _told_in(chunk: bytes) -> _Told:
    try:
        return read_json(chunk, _Told)
    except msgspec.DecodeError:
        raise NotAClip(message("the clip is not whole")) from None


def _walk(data: bytes, at: int) -> Iterator[tuple[bytes, int, int]]:
    """The chunks from there on: name, where the content begins, its size."""
    while at < len(data):
        size = _size(data, at + 4)
        if at + 8 + size > len(data):
            raise NotAClip(message("the clip is not whole"))
        yield data[at : at + 4], at + 8, size
        at += 8 + size + size % 2


def _size(data: bytes, at: int) -> int:
    if at + 4 > len(data):
        raise NotAClip(message("the clip is not whole"))
    return int(struct.unpack_from("<I", data, at)[0])
