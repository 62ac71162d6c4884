"""Which lines of which kifu a table has to send now. Pure: it knows no file, no broker and no clock of its own.

There is no list of what has to be sent. What a table has is in its kifus, what the venue has the venue says, and the
difference is the outbox: it survives any kill because nothing of it is kept. A broker's word that it took something is
never asked for; only the venue's own word, which it gives when the lines are on its disk, moves anything here.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from companion.club.payloads import Acks, MatchHead

MOST_LINES: Final = 64
"""Lines in a piece."""
AGAIN, AGAIN_AT_MOST = 2.0, 30.0
"""Seconds without an answer after which a piece is sent again; twice as long each time."""
AT_ONCE: Final = 16
"""Pieces that may be on their way at the same time: a venue that comes back is not flooded."""


class Span(NamedTuple):
    match: str
    first: int
    last: int


class _Sent(NamedTuple):
    last: int
    at: float
    tries: int


class Outbox:
    """`written` is always: match -> how many of its lines are safely on this table's disk, the oldest match first."""

    def __init__(self) -> None:
        self.acked: dict[str, MatchHead] = {}
        """What the venue has said that it has; only matches of which it has spoken may be sent."""
        self._sent: dict[str, _Sent] = {}

    def forget(self) -> None:
        """The connection is another one: ask the venue again what it has."""
        self.acked.clear()
        self._sent.clear()

    def take(self, acks: Acks) -> None:
        for head in acks.matches:
            before = self.acked.get(head.match)
            if before is not None and before.lines > head.lines:
                # Deliveries may overtake each other. A venue that really has less says so after the next `have`.
                continue
            self.acked[head.match] = head
            if before is not None and head.lines > before.lines:
                self._sent.pop(head.match, None)  # it gets on: the next lines may go at once

    def unknown(self, written: Mapping[str, int]) -> list[str]:
        """Matches of which the venue has not said anything yet."""
        return [match for match in written if match not in self.acked]

    def due(self, written: Mapping[str, int], now: float) -> Iterator[Span]:
        """What to send at this moment, the oldest match first. Whatever is given counts as sent."""
        room = AT_ONCE - sum(1 for sent in self._sent.values() if now - sent.at < AGAIN)
        for match in written:
            head = self.acked.get(match)
            if head is None or head.lines >= written[match] or room <= 0:
                continue
            last = min(written[match], head.lines + MOST_LINES)
            sent = self._sent.get(match)
            tries = 0
            if sent is not None:
                wait = min(AGAIN_AT_MOST, AGAIN * 2.0 ** min(sent.tries, 8))
                if now - sent.at < wait:
                    continue
                tries = sent.tries + 1
            self._sent[match] = _Sent(last, now, tries)
            room -= 1
            yield Span(match, head.lines + 1, last)

    def unsent(self, written: Mapping[str, int]) -> int:
        """Lines that the venue does not have."""
        return sum(
            max(0, lines - (self.acked[match].lines if match in self.acked else 0)) for match, lines in written.items()
        )
