"""Names of people taken out of what somebody wrote freely, and nothing else with them: Ben, but not the Ben of a
benefit.

A name counts where it stands as a word of its own. Some languages put no space between a name and what follows it;
there it is taken out wherever it stands, because a name too few is worse than a word too many.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Mapping
from functools import lru_cache

_UNSPACED = (
    (0x0E00, 0x0FFF),  # Thai, Lao, Tibetan
    (0x1000, 0x109F),  # Burmese
    (0x1100, 0x11FF),  # Korean, which adds its particles without a space
    (0x1780, 0x17FF),  # Khmer
    (0x2E80, 0x2FDF),  # Chinese and Japanese, to the end
    (0x3005, 0x3007),
    (0x3040, 0x318F),
    (0x31F0, 0x31FF),
    (0x3400, 0x9FFF),
    (0xA960, 0xA97F),
    (0xAC00, 0xD7FF),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFFDC),
    (0x20000, 0x3FFFF),
)
"""Letters of scripts that do not part words by spaces, or not all of them."""
_STARTS = [first for first, _ in _UNSPACED]


def without_names(text: str, names: Mapping[str, str]) -> str:
    """The text with each of these names replaced by what somebody is called instead. Replacements are not looked at
    again, so nobody is renamed twice."""
    swaps, start = _sought(tuple(names.items()))
    composed = unicodedata.normalize("NFC", text)
    parts, at = [], 0
    for found in start.finditer(composed) if swaps else ():
        begin = found.start()
        if begin < at:
            continue
        for name, shown in swaps:
            end = begin + len(name)
            if composed.startswith(name, begin) and _alone(composed, begin, end):
                parts += [composed[at:begin], shown]
                at = end
                break
    return "".join([*parts, composed[at:]]) if parts else text


@lru_cache(maxsize=8)
def _sought(names: tuple[tuple[str, str], ...]) -> tuple[list[tuple[str, str]], re.Pattern[str]]:
    """The names, longest first, and what finds every place where one of them may begin."""
    composed = [(unicodedata.normalize("NFC", name), shown) for name, shown in names if name]
    swaps = sorted(composed, key=lambda each: -len(each[0]))
    return swaps, re.compile(f"(?=(?:{'|'.join(re.escape(name) for name, _ in swaps)}))")


def _alone(text: str, begin: int, end: int) -> bool:
    """Whether the part is not within a longer word."""
    before, after = text[begin - 1 : begin], text[end : end + 1]
    return not _one_word(before, text[begin]) and not _one_word(text[end - 1], after)


def _one_word(left: str, right: str) -> bool:
    return _spaced_letter(left) and _spaced_letter(right)


def _spaced_letter(char: str) -> bool:
    """A letter, digit or accent of a script that parts its words."""
    if not char or (char != "_" and unicodedata.category(char)[0] not in "LMN"):
        return False
    place = bisect_right(_STARTS, ord(char)) - 1
    return place < 0 or ord(char) > _UNSPACED[place][1]
