"""Where on the broker what is said. `docs/club.md` has the table; `companion.club.payloads` has what stands in it.

Three branches, so that a broker's rights can be given by branch: what a table says, what the venue says to one table,
and what it says to all. An id is made of letters and digits only: a dot or a wildcard in it would mean something to one
broker or another.
"""

import re
from typing import Final, NamedTuple

VERSION: Final = 1
ROOT: Final = f"shinpan/{VERSION}"
_ID = re.compile(r"[a-z0-9]{1,32}")

PRESENCE, STATE, RULING, KIFU, HAVE, PAGE = "presence", "state", "ruling", "kifu", "have", "page"
"""What a table says."""
ACKS, WANTED = "acks", "wanted"
"""What the venue says to a table."""
ROUND, VENUE = "round", "venue"
"""What the venue says to all."""


class Heard(NamedTuple):
    """Whose topic it is, and what is said there."""

    table: str
    what: str


def of_table(venue: str, table: str, what: str) -> str:
    return f"{ROOT}/{venue}/table/{table}/{what}"


def to_table(venue: str, table: str, what: str) -> str:
    return f"{ROOT}/{venue}/to/{table}/{what}"


def to_all(venue: str, what: str) -> str:
    return f"{ROOT}/{venue}/all/{what}"


def heard(venue: str, topic: str) -> Heard | None:
    """What a topic of a table of this venue is about; None: it is none."""
    parts = topic.removeprefix(f"{ROOT}/{venue}/table/").split("/")
    if not topic.startswith(f"{ROOT}/{venue}/table/") or len(parts) != 2 or not is_id(parts[0]):
        return None
    return Heard(*parts)


def is_id(text: str) -> bool:
    return _ID.fullmatch(text) is not None
