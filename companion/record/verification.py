"""Whether a kifu is what the table wrote, all of it and nothing else; `shinpan verify` says so."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from hashlib import sha256
from pathlib import Path

from companion.core.message import Message, message, plural
from companion.record import kifu
from companion.record.evidence import CLIP, PICTURE
from companion.record.signing import holds, in_groups


class Proven(IntEnum):
    """How sure it is; the exit codes of the command."""

    WHOLE = 0
    """A table that is known signed every line, up to the end of the match."""
    ALTERED = 1
    NO_KIFU = 2
    OPEN = 3
    """Nothing was found to be altered, but not everything is signed, or nobody knows by whom."""


@dataclass
class Verification:
    proven: Proven
    told: list[Message] = field(default_factory=list)


@dataclass
class _Walk:
    """What is found on the way from the first line to the last."""

    chain: kifu.Chain = kifu.START
    broken: list[int] = field(default_factory=list)
    """Lines since the last signature that do not agree with their check."""
    by_hand: list[int] = field(default_factory=list)
    altered: list[Message] = field(default_factory=list)
    signatures: list[tuple[int, kifu.Signed]] = field(default_factory=list)
    heads: dict[str, int] = field(default_factory=dict)
    """The check of each line -> its number."""
    pictures: dict[str, str] = field(default_factory=dict)
    """Name of a picture -> its SHA-256."""
    last: int = 0
    torn: bool = False


def verify(path: Path, known: str | None, head: str = "") -> Verification:
    """`known` is the public key, or its beginning, of the table that is believed to have signed; `head` is what the
    page showed, as a person read or scanned it."""
    try:
        data = kifu.load(path)
        next(kifu.read(data))
    except kifu.Altered:
        pass
    except kifu.NotAKifu as error:
        return Verification(
            Proven.NO_KIFU, [message("{file} is not a kifu: {error}.", file=path.name, error=error.message)]
        )
    walk = _walked(data)
    faults = [*walk.altered, *_faults(walk), *_of_head(walk, head), *_of_pictures(walk, path.with_suffix(""))]
    signed = list(_of_signatures(walk, known))
    whole = not any(each.proven for each in signed)
    proven = Proven.ALTERED if faults else Proven.WHOLE if whole else Proven.OPEN
    told = [*faults, *(each for verdict in signed for each in verdict.told)]
    if walk.heads:
        number, last = walk.last, list(walk.heads)[-1]
        told.append(message("Its head is {head}, at line {line}.", head=in_groups(last), line=number))
    if proven is Proven.WHOLE:
        told.append(message("Nothing was changed, taken out or cut off."))
    return Verification(proven, told)


def _walked(data: bytes) -> _Walk:
    walk = _Walk()
    lines = data.split(b"\n")
    for number, raw in enumerate(lines, 1):
        text = raw.strip().removeprefix(b"\xef\xbb\xbf")
        if not text or text.startswith(b"#"):
            continue
        checked = kifu.claimed(text, walk.chain)
        if checked is None:
            walk.torn = number == len(lines)
            walk.by_hand += [] if walk.torn else [number]
            continue
        body, right, following = checked
        walk.broken += [] if right else [number]
        try:
            line = kifu.parse(body)
        except (kifu.NotAKifu, kifu.Altered):
            line = None
            walk.broken += [number] if right else []
        if isinstance(line, kifu.Signed):
            following = _signature(walk, number, line, following)
        elif isinstance(line, kifu.Picture):
            walk.pictures.update(dict.fromkeys(line.of, line.picture))
        walk.chain, walk.last = following, number
        if following.crc is None:
            walk.heads[following.head.hex()] = number
    return walk


def _signature(walk: _Walk, number: int, line: kifu.Signed, following: kifu.Chain) -> kifu.Chain:
    """A signature: the lines before it are counted, and those that do not agree with their check are judged by that."""
    missing, since = line.lines - walk.chain.lines, walk.signatures[-1][0] + 1 if walk.signatures else 1
    if not holds(line):
        walk.altered.append(message("The signature in line {line} is not genuine.", line=number))
    elif missing > 0:
        at = walk.broken[0] if walk.broken else number
        told = plural(
            "{count} line was taken out before line {line}.",
            "{count} lines were taken out before line {line}.",
            missing,
            line=at,
        )
        walk.altered.append(told)
        walk.broken = walk.broken[1:]
    elif missing < 0:
        told = plural(
            "{count} line was put in before line {line}.",
            "{count} lines were put in before line {line}.",
            -missing,
            line=number,
        )
        walk.altered.append(told)
    elif not walk.broken and line.head != walk.chain.head.hex():
        told = message(
            "Between line {since} and line {line} something was changed, and the checks were made anew.",
            since=since,
            line=number,
        )
        walk.altered.append(told)
    walk.altered += [_changed(each) for each in walk.broken]
    walk.broken = []
    walk.signatures.append((number, line))
    return following._replace(lines=line.lines + 1)


def _changed(number: int) -> Message:
    return message("Line {line} was changed after it was written.", line=number)


def _faults(walk: _Walk) -> Iterator[Message]:
    for number in walk.broken:
        yield message("Line {line} was changed, or a line before it was taken out.", line=number)
    if walk.heads:  # in a file that was written by hand they are not a fault
        for number in walk.by_hand:
            yield message("Line {line} was not written by the table: it has no check.", line=number)


def _of_head(walk: _Walk, head: str) -> Iterator[Message]:
    """Whether the head that the page showed is in the file: only so can one know that no lines are missing at its
    end."""
    found = re.search(r"\b[0-9a-f]{64}\b", head.lower())
    wanted = found[0] if found else re.sub(r"[^0-9a-f]", "", head.lower())
    if head and not (len(wanted) >= 8 and any(each.startswith(wanted) for each in walk.heads)):
        yield message(
            "The head {head} is not in it: the file was cut off before that line, or it is another match's.",
            head=in_groups(wanted, min(len(wanted), 16)) or head,
        )


def _of_pictures(walk: _Walk, folder: Path) -> Iterator[Message]:
    for name, digest in walk.pictures.items():
        try:
            found = sha256((folder / _file(name)).read_bytes()).hexdigest()
        except OSError:
            continue  # older ones make room for new ones, and not everybody gets the pictures
        if found != digest:
            yield message("The picture {name} was exchanged or damaged.", name=name)
    named = {_file(name) for name in walk.pictures}
    for path in sorted([*folder.glob(f"*{PICTURE}"), *folder.glob(f"*{CLIP}")]) if named else ():
        if path.name not in named:
            yield message("The picture {name} is in no line of the kifu.", name=path.name.removesuffix(PICTURE))


def _file(name: str) -> str:
    """A clip is named with its ending, a picture without."""
    plain = Path(name).name
    return plain if plain.endswith(CLIP) else plain + PICTURE


def _of_signatures(walk: _Walk, known: str | None) -> Iterator[Verification]:
    if not walk.signatures:
        if walk.heads:
            yield Verification(
                Proven.OPEN, [message("It is not signed: the table signs when a match is paused or over.")]
            )
        else:
            unsigned = message("It is not signed, and anybody may have written it: by hand, or an older Shinpan.")
            yield Verification(Proven.OPEN, [unsigned])
        return
    keys = list(dict.fromkeys(line.key for _, line in walk.signatures))
    for key in keys:
        if known is None:
            signer = message(
                "It is signed with the key {key}: compare that with the key on the page of the table.",
                key=in_groups(key),
            )
            yield Verification(Proven.OPEN, [signer])
        elif key.startswith(known):
            yield Verification(Proven.WHOLE, [message("It is signed by this table, key {key}.", key=in_groups(key))])
        else:
            stranger = message(
                "It is signed with the key {key}, and this table's key is {known}.",
                key=in_groups(key),
                known=in_groups(known, min(len(known), 16)),
            )
            yield Verification(Proven.OPEN, [stranger])
    number, last = walk.signatures[-1]
    if walk.last > number or walk.torn:
        yield Verification(
            Proven.OPEN,
            [
                message(
                    "Everything before line {line} is signed. What comes after is not, and more may have been cut off.",
                    line=number,
                )
            ],
        )
    elif last.signed == "pause":
        paused = message(
            "It ends with a pause, in line {line}: if the match went on, the lines after it were cut off.", line=number
        )
        yield Verification(Proven.OPEN, [paused])
