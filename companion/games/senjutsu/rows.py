"""The rows of a card script, taken one by one, and what is said where one cannot be read."""

import re
from typing import Any, NamedTuple

from companion.core.message import message
from companion.core.rulings import ShinpanError

NAMED, UNNAMED = "{card}, line {line}: ", "line {line}: "
"""Before every reason: the whole is the sentence that is translated."""
_COMMENT = re.compile(r"(^|\s)#.*$")


class BadCard(ShinpanError, ValueError):
    """A card that cannot be read: the line and the reason, as a template with its facts."""

    def __init__(self, line: int, reason: str, rule: str = "TABLE-4", card: str = "", /, **facts: Any) -> None:
        self.line, self.reason, self.rule = line, reason, rule
        self.say = (NAMED if card else UNNAMED) + reason
        self.facts = {"card": card, "line": line, **facts}
        super().__init__(message(self.say, **self.facts))


class Row(NamedTuple):
    number: int
    indent: int
    text: str
    raw: str


def rows_of(text: str) -> list[Row]:
    """The rows that say something, without their comments."""
    rows = []
    for number, line in enumerate(text.expandtabs(4).splitlines(), 1):
        line = _COMMENT.sub("", line).rstrip()
        if line:
            rows.append(Row(number, len(line) - len(line.lstrip()), line.strip(), line))
    return rows


class Rows:
    """The rows of one card, and how far they are read. The first one is its name."""

    def __init__(self, rows: list[Row]) -> None:
        self.rows, self.at = rows, 1
        self.name = rows[0].text[4:].lstrip(":").strip()

    def bad(self, reason: str, number: int | None = None, rule: str = "TABLE-4", /, **facts: Any) -> BadCard:
        at = min(self.at, len(self.rows) - 1)
        return BadCard(number or self.rows[at].number, reason, rule, self.name, **facts)

    def peek(self) -> Row | None:
        return self.rows[self.at] if self.at < len(self.rows) else None
