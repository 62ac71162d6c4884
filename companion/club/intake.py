"""The venue's side of the kifus: what arrives, however often, is written down once and then acknowledged.

A piece counts only where it follows what is here; anything else is answered with how far the venue has got, and the
table goes on from there. So lines are in order and none is there twice, whatever the broker does.
"""

from collections.abc import Callable, Sequence

import msgspec
from sqlalchemy.exc import DataError, IntegrityError

from companion.club.payloads import Acks, Have, MatchHead, Piece
from companion.club.results import MatchResult, NotOver, ends, order_of, result_of, trouble
from companion.club.store import KnownHead, KnownMatch, NewLines, Store
from companion.core.message import Message, message
from companion.core.rulings import ShinpanError
from companion.record.kifu import check_of

Arrived = Sequence[tuple[str, Piece]]
"""Pieces, each with the table that sent it."""


class Intake:
    def __init__(
        self,
        store: Store,
        finished: Callable[[KnownMatch, MatchResult | None], None] = lambda match, result: None,
        alarm: Callable[[str, Message], None] = lambda table, told: None,
        key_of: Callable[[str], str] = lambda table: "",
    ) -> None:
        """`finished` is told when a match has a result, or, with None, has it no more; `alarm` is told of what a person
        should look at; `key_of` gives the key that a table signs with."""
        self._store, self._finished, self._alarm, self._key_of = store, finished, alarm, key_of
        self._unread: dict[tuple[str, str], None] = {}
        """Matches whose result has to be read, the oldest first: kept until it could be written down."""

    def have(self, table: str, have: Have) -> Acks:
        known = self._store.heads([(table, each.match) for each in have.matches])
        for each in have.matches:
            lines, head, _ = known.get((table, each.match), KnownHead())
            if lines == each.lines and head != each.check:
                self._differs(table, each.match, lines)
            elif lines > each.lines:
                self._alarm(
                    table,
                    message(
                        "The venue has {here} lines of {match} and {table} has {there}: was its card put back?",
                        here=lines,
                        there=each.lines,
                        match=each.match,
                        table=table,
                    ),
                )
        heads = tuple(_told(each.match, known.get((table, each.match), KnownHead())) for each in have.matches)
        return Acks(session=have.session, part=have.part, matches=heads)

    def pieces(self, arrived: Arrived) -> list[tuple[str, Acks]]:
        """What each table is to be told. Raises StoreFailed, and then nothing is acknowledged."""
        heads = self._store.heads({(table, piece.match) for table, piece in arrived})
        new: list[NewLines] = []
        for table, piece in arrived:
            known = heads.get((table, piece.match), KnownHead())
            follows = self._follows(table, piece, known)
            if follows is not None:
                new.append(follows)
                heads[table, piece.match] = KnownHead(known.lines + len(follows.lines), follows.head, known.over)
        try:
            if new:
                self._store.append(new)
        except (IntegrityError, DataError) as refused:
            return self._one_by_one(arrived, refused)
        for each in new:
            if heads[each.table, each.match].over or any(map(ends, each.lines)):
                self._unread[each.table, each.match] = None
        return [
            (table, Acks(matches=(_told(piece.match, heads.get((table, piece.match), KnownHead())),)))
            for table, piece in arrived
        ]

    def _follows(self, table: str, piece: Piece, known: KnownHead) -> NewLines | None:
        """What of this piece is new here."""
        if piece.first > known.lines + 1:
            return None
        at = known.lines + 1 - piece.first
        overlap, new = piece.lines[:at], piece.lines[at:]
        if overlap and len(overlap) == at and check_of(overlap[-1]) != known.head:
            self._differs(table, piece.match, known.lines)
            return None
        if not new:
            return None
        order = order_of(new)[:200] if known.lines < 4 else ""
        return NewLines(table, piece.match, known.lines + 1, new, check_of(new[-1]), order)

    def _one_by_one(self, arrived: Arrived, refused: IntegrityError | DataError) -> list[tuple[str, Acks]]:
        """Something among these cannot be kept; the others must not wait for it."""
        if len(arrived) > 1:
            return [each for one in arrived for each in self.pieces([one])]
        [(table, piece)] = arrived
        if isinstance(refused, DataError):
            told = message("The venue's database does not take the lines of {match}.", match=piece.match)
            self._alarm(table, told)
        # Or another venue process wrote the same lines at this moment.
        known = self._store.heads([(table, piece.match)]).get((table, piece.match), KnownHead())
        return [(table, Acks(matches=(_told(piece.match, known),)))]

    # --- results --------------------------------------------------------------------------------------------------

    def sweep(self) -> None:
        """At the start: matches whose end arrived when the venue was killed before it had read the result."""
        self._unread.update(dict.fromkeys(self._store.ended_without_result()))
        self.read_results()

    def read_results(self) -> None:
        """Of matches that are over now, or are not any more. Raises StoreFailed; what is left is read the next time."""
        for table, match in list(self._unread):
            self._read_result(table, match)
            del self._unread[table, match]

    def _read_result(self, table: str, match: str) -> None:
        known = self._store.match(table, match)
        if known is None:
            return
        lines = self._store.kifu(table, match)
        result: MatchResult | None = None
        try:
            result = result_of(lines, self._key_of(table))
        except NotOver:
            pass
        except ShinpanError as error:
            self._alarm(table, trouble(table, match, error.message))
            return
        text = "" if result is None else msgspec.json.encode(result).decode()
        if text != known.result:
            # The tournament hears of it first: killed in between, it is told the same once more, which changes nothing.
            self._finished(msgspec.structs.replace(known, result=text), result)
            self._store.set_result(table, match, text)

    def _differs(self, table: str, match: str, line: int) -> None:
        told = message(
            "Line {line} of {match} is not the one that {table} sent before; the first one counts. Do two tables use "
            "one identity?",
            line=line,
            match=match,
            table=table,
        )
        self._alarm(table, told)


def _told(match: str, known: KnownHead) -> MatchHead:
    return MatchHead(match, known.lines, known.head)
