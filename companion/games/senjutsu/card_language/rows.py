"""The rows of a card script, taken one by one, and what is said where one cannot be read."""

import re
from typing import NamedTuple

from companion.core.message import Message, message
from companion.core.rulings import ShinpanError

_COMMENT = re.compile(r"(^|\s)#.*$")


class BadCard(ShinpanError, ValueError):
    """A card that cannot be read: the line, the reason and the rule."""

    def __init__(self, line: int, reason: Message, rule: str = "TABLE-4", card: str = "") -> None:
        """Line 0: it is not about a line, but about another field of a card that is given as an object."""
        self.line, self.reason, self.rule, self.card = line, reason, rule, card
        if not line:
            super().__init__(message("{card}: {reason}", card=card, reason=reason))
        elif card:
            super().__init__(message("{card}, line {line}: {reason}", card=card, line=line, reason=reason))
        else:
            super().__init__(message("line {line}: {reason}", line=line, reason=reason))


class ScriptRow(NamedTuple):
    number: int
    indent: int
    text: str
    raw: str


def rows_of(text: str) -> list[ScriptRow]:
    """The rows that are not empty, without their comments."""
    rows = []
    for number, line in enumerate(text.expandtabs(4).splitlines(), 1):
        line = _COMMENT.sub("", line).rstrip()
        if line:
            rows.append(ScriptRow(number, len(line) - len(line.lstrip()), line.strip(), line))
    return rows


class CardRows:
    """The rows of one card, and how far they are read. The first one is its name."""

    def __init__(self, rows: list[ScriptRow]) -> None:
        self.rows, self.at = rows, 1
        self.name = rows[0].text[4:].lstrip(":").strip()

    def bad(self, reason: Message, number: int | None = None, rule: str = "TABLE-4") -> BadCard:
        at = min(self.at, len(self.rows) - 1)
        return BadCard(number or self.rows[at].number, reason, rule, self.name)

    def peek(self) -> ScriptRow | None:
        return self.rows[self.at] if self.at < len(self.rows) else None
