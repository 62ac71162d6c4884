"""The venue's side of the kifus: what arrives, however often, is written down once and then acknowledged.

A piece counts only where it follows what is here; anything else is answered with how far the venue has got, and the
table goes on from there. So lines are in order and none is there twice, whatever the broker does.
"""

from collections.abc import Callable

import msgspec
from sqlalchemy.exc import IntegrityError

from companion.club.payloads import Acks, Have, MatchHead, Piece
from companion.club.results import MatchResult, NotOver, ends, order_of, result_of, trouble
from companion.club.store import KnownMatch, Store
from companion.core.message import Message, message
from companion.core.rulings import ShinpanError
from companion.record.kifu import check_of


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

    def have(self, table: str, have: Have) -> Acks:
        known = self._store.heads(table, [each.match for each in have.matches])
        for each in have.matches:
            lines, head = known.get(each.match, (0, ""))
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
        heads = tuple(MatchHead(each.match, *known.get(each.match, (0, ""))) for each in have.matches)
        return Acks(session=have.session, part=have.part, matches=heads)

    def piece(self, table: str, piece: Piece) -> Acks:
        """Raises StoreFailed, and then nothing is acknowledged."""
        lines, head = self._store.heads(table, [piece.match]).get(piece.match, (0, ""))
        new = piece.lines[lines + 1 - piece.first :] if piece.first <= lines + 1 else ()
        overlap = piece.lines[: len(piece.lines) - len(new)] if piece.first <= lines else ()
        if overlap and piece.first + len(overlap) - 1 == lines and check_of(overlap[-1]) != head:
            self._differs(table, piece.match, lines)
            new = ()
        if new:
            head = check_of(new[-1])
            order = order_of(new) if lines < 4 else ""
            try:
                self._store.append(table, piece.match, lines + 1, new, head, order)
            except IntegrityError:  # another venue process wrote the same lines at this moment
                lines, head = self._store.heads(table, [piece.match]).get(piece.match, (0, ""))
                return Acks(matches=(MatchHead(piece.match, lines, head),))
            lines += len(new)
            self.look(table, piece.match, any(map(ends, new)))
        return Acks(matches=(MatchHead(piece.match, lines, head),))

    def sweep(self) -> None:
        """At the start: matches whose end arrived when the venue was killed before it had read the result."""
        for table, match in self._store.ended_without_result():
            self.look(table, match, True)

    def look(self, table: str, match: str, ended: bool) -> None:
        """Whether this match has a result now, or has it no more."""
        known = self._store.match(table, match)
        if known is None or not (ended or known.result):
            return
        lines = self._store.kifu(table, match)
        try:
            result = result_of(lines, self._key_of(table))
        except NotOver:
            if known.result:
                self._store.set_result(table, match, "")
                self._finished(known, None)
            return
        except ShinpanError as error:
            self._alarm(table, trouble(table, match, error.message))
            return
        text = msgspec.json.encode(result).decode()
        if text != known.result:
            self._store.set_result(table, match, text)
            self._finished(msgspec.structs.replace(known, result=text), result)

    def _differs(self, table: str, match: str, line: int) -> None:
        told = message(
            "Line {line} of {match} is not the one that {table} sent before; the first one counts. Do two tables use "
            "one identity?",
            line=line,
            match=match,
            table=table,
        )
        self._alarm(table, told)
