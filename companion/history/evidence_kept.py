"""What the camera kept of a match that is looked back at: the picture or the clip of each ruling, call and refusal.

A ruling has a line in the kifu, and its files are named after it. A call or a refusal need not have one: then the line
that vouches for the file says where in the match it belongs, and the clip itself says what it was about.
"""

import re
from collections.abc import Iterator

import msgspec

from companion.core.wording import sentence
from companion.history.other_names import witnessed_otherwise
from companion.history.retelling import Retelling
from companion.record import kifu
from companion.record.clip import Testimony
from companion.record.evidence import CLIP, PICTURE, Evidence

_NAMED = re.compile(r"(\d{5,}|call-[\d-]+?-(\d+))(\.\w+)")
"""A file of evidence: what it is called by; for a call, the number that its sentence had; its kind."""


class KeptShown(msgspec.Struct, frozen=True, omit_defaults=True):
    """The picture and the clip of one sentence, or of several that were said within seconds."""

    line: int
    """Of the kifu: where it belongs."""
    picture: str = ""
    """The name of its picture, and below that of its clip; empty: there is none."""
    clip: str = ""
    text: str = ""
    """What was said, where no line of the kifu says it."""


def evidence_kept(told: Retelling, evidence: Evidence, language: str) -> list[KeptShown]:
    """In the order of the match. It is for the referee alone: a picture may show what somebody covered too late."""
    here = set(evidence.files())
    found: dict[str, KeptShown] = {}
    for line, file, name, key, kind in _vouched_for(told):
        if file not in here:
            continue  # the quota has taken it
        field = "picture" if kind == PICTURE else "clip"
        while key in found and getattr(found[key], field):
            key += "+"  # a table that was started again counts its sentences anew
        text = "" if name.isdecimal() or kind == PICTURE else _said(told, evidence.testimony(name), language)
        known = found.get(key, KeptShown(line))
        found[key] = msgspec.structs.replace(known, **{field: name, "text": text or known.text})
    return sorted(found.values(), key=lambda each: each.line)


def _vouched_for(told: Retelling) -> Iterator[tuple[int, str, str, str, str]]:
    """Line, file, its name, what it shares with the other file of the same sentence, kind: of each file that the kifu
    knows."""
    for then in told.then:
        for each in then.line.of if isinstance(then.line, kifu.Picture) else ():
            file = each if each.endswith(CLIP) else each + PICTURE
            if (named := _NAMED.fullmatch(file)) is not None:
                name, number, kind = named.groups()
                if number is None:
                    yield int(name), file, name, name, kind
                else:
                    yield then.number, file, name, f"call {number}", kind


def _said(told: Retelling, testimony: Testimony | None, language: str) -> str:
    if testimony is None:
        return ""
    said = (each for each in witnessed_otherwise(testimony, told.names).sentences if not each.line)
    texts = (each.text if each.said is None else sentence(each.said, language, told.match.name) for each in said)
    return " ".join(dict.fromkeys(texts))
