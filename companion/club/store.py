"""What the venue keeps, in SQLite or in any other database that SQLAlchemy knows, by its URL.

What is acknowledged is on the disk before: SQLite runs in WAL mode and waits for the disk at every commit. A line is
known by (table, match, line) and can therefore arrive any number of times.
"""

import logging
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Engine,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    event,
    func,
    insert,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy.exc import ArgumentError, DataError, IntegrityError, NoSuchModuleError, SQLAlchemyError

from companion.core.message import message
from companion.core.rulings import ShinpanError

log = logging.getLogger("shinpan")

_meta = MetaData()
_settings = Table(
    "settings", _meta, Column("name", String(64), primary_key=True), Column("value", Text, nullable=False)
)
_tables = Table(
    "tables",
    _meta,
    Column("id", String(32), primary_key=True),
    Column("name", String(80), nullable=False, unique=True),
    Column("secret", String(80), nullable=False),
    Column("key", String(64), nullable=False),
)
_codes = Table(
    "codes",
    _meta,
    Column("code", String(16), primary_key=True),
    Column("name", String(80), nullable=False),
    Column("expires", Integer, nullable=False),
    Column("used", Boolean, nullable=False),
)
_matches = Table(
    "matches",
    _meta,
    Column("table", String(32), primary_key=True),
    Column("match", String(120), primary_key=True),
    Column("lines", Integer, nullable=False),
    Column("head", String(64), nullable=False),
    Column("order", String(200), nullable=False),
    Column("result", Text, nullable=False),
)
_lines = Table(
    "lines",
    _meta,
    Column("table", String(32), primary_key=True),
    Column("match", String(120), primary_key=True),
    Column("line", Integer, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
)
_ledger = Table(
    "ledger",
    _meta,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("tournament", String(32), nullable=False, index=True),
    Column("event", Text, nullable=False),
)


class StoreFailed(ShinpanError):
    """The venue's disk or database does not take anything; nothing was acknowledged."""


class KnownTable(msgspec.Struct, frozen=True):
    id: str
    name: str
    secret: str
    key: str
    """The public key that it signs its kifus with."""


class KnownMatch(msgspec.Struct, frozen=True):
    table: str
    match: str
    lines: int
    head: str
    """The check of the last line."""
    order: str
    """The order of the venue that it was played for; empty: a match of the table's own."""
    result: str
    """JSON of a `MatchResult`; empty: it is not over."""


class KnownHead(NamedTuple):
    """How far the venue has a kifu."""

    lines: int = 0
    head: str = ""
    """The check of the last line."""
    over: bool = False
    """It has a result."""


class NewLines(NamedTuple):
    """Lines that follow those that are here."""

    table: str
    match: str
    first: int
    lines: tuple[str, ...]
    head: str
    """The check of the last of them."""
    order: str
    """What the match is played for, where these lines say so."""


class Store:
    """Safe to use from any thread."""

    def __init__(self, url: str) -> None:
        self._lock = threading.RLock()
        try:
            self._engine = _engine(url)
            _meta.create_all(self._engine)
        except (ArgumentError, NoSuchModuleError, ImportError):
            raise ShinpanError(
                message("{url} is not the address of a database that can be used here.", url=_without_password(url))
            ) from None
        except SQLAlchemyError as error:
            raise StoreFailed(
                message("The venue's database cannot be opened: {detail}.", detail=_detail(error))
            ) from error

    def close(self) -> None:
        self._engine.dispose()

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """All of it is on the disk afterwards, or nothing is. Raises StoreFailed, or what is wrong with the data."""
        try:
            with self._lock, self._engine.begin() as connection:
                yield connection
        except (IntegrityError, DataError):
            raise
        except SQLAlchemyError as error:
            raise StoreFailed(
                message(
                    "The venue cannot write to its database ({detail}). Nothing is lost: the tables send everything "
                    "again. Make room on the disk.",
                    detail=_detail(error),
                )
            ) from error

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        try:
            with self._engine.connect() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise StoreFailed(
                message("The venue cannot read its database ({detail}).", detail=_detail(error))
            ) from error

    # --- settings and tables --------------------------------------------------------------------------------------

    def setting(self, name: str, otherwise: str = "") -> str:
        with self._reading() as db:
            found = db.execute(select(_settings.c.value).where(_settings.c.name == name)).scalar()
        return otherwise if found is None else str(found)

    def set(self, name: str, value: str) -> None:
        with self._writing() as db:
            if not db.execute(update(_settings).where(_settings.c.name == name).values(value=value)).rowcount:
                db.execute(insert(_settings).values(name=name, value=value))

    def tables(self) -> list[KnownTable]:
        with self._reading() as db:
            return [KnownTable(*row) for row in db.execute(select(_tables).order_by(_tables.c.name))]

    def add_table(self, table: KnownTable) -> None:
        """Raises IntegrityError where the name is taken."""
        with self._writing() as db:
            db.execute(insert(_tables).values(msgspec.structs.asdict(table)))

    def drop_table(self, table: str) -> None:
        """It may not come in any more; its matches stay."""
        with self._writing() as db:
            db.execute(_tables.delete().where(_tables.c.id == table))

    def add_code(self, code: str, name: str, expires: int) -> None:
        with self._writing() as db:
            db.execute(insert(_codes).values(code=code, name=name, expires=expires, used=False))

    def use_code(self, code: str, now: int) -> str | None:
        """The name that the code was made for, once; None: there is no such code, or it is old or used."""
        with self._writing() as db:
            open_ = (_codes.c.code == code) & (_codes.c.expires > now) & _codes.c.used.is_(False)
            name = db.execute(select(_codes.c.name).where(open_)).scalar()
            db.execute(update(_codes).where(open_).values(used=True))
            return None if name is None else str(name)

    # --- kifus ----------------------------------------------------------------------------------------------------

    def heads(self, asked: Collection[tuple[str, str]]) -> dict[tuple[str, str], KnownHead]:
        """Table and match -> how far that kifu is here."""
        here = tuple_(_matches.c.table, _matches.c.match).in_(list(asked))
        columns = (_matches.c.table, _matches.c.match, _matches.c.lines, _matches.c.head, _matches.c.result != "")
        with self._reading() as db:
            rows = db.execute(select(*columns).where(here))
            return {(table, match): KnownHead(lines, head, bool(over)) for table, match, lines, head, over in rows}

    def append(self, pieces: Sequence[NewLines]) -> None:
        """All of these in one step to the disk: waiting for it once costs as much as waiting for one piece."""
        with self._writing() as db:
            rows = [
                {"table": each.table, "match": each.match, "line": number, "text": text}
                for each in pieces
                for number, text in enumerate(each.lines, each.first)
            ]
            db.execute(insert(_lines), rows)
            for each in pieces:
                values: dict[str, Any] = {"lines": each.first + len(each.lines) - 1, "head": each.head}
                if each.order:
                    values["order"] = each.order
                if each.first == 1:
                    first = {"table": each.table, "match": each.match, "order": "", "result": ""}
                    db.execute(insert(_matches).values(**{**first, **values}))
                else:
                    here = (_matches.c.table == each.table) & (_matches.c.match == each.match)
                    db.execute(update(_matches).where(here).values(**values))

    def kifu(self, table: str, match: str) -> list[str]:
        """The lines of a match, in order."""
        with self._reading() as db:
            here = (_lines.c.table == table) & (_lines.c.match == match)
            return [str(text) for (text,) in db.execute(select(_lines.c.text).where(here).order_by(_lines.c.line))]

    def line(self, table: str, match: str, number: int) -> str | None:
        with self._reading() as db:
            here = (_lines.c.table == table) & (_lines.c.match == match) & (_lines.c.line == number)
            found = db.execute(select(_lines.c.text).where(here)).scalar()
        return None if found is None else str(found)

    def set_result(self, table: str, match: str, result: str) -> None:
        with self._writing() as db:
            here = (_matches.c.table == table) & (_matches.c.match == match)
            db.execute(update(_matches).where(here).values(result=result))

    def matches(self, order: str | None = None) -> list[KnownMatch]:
        """All of them, or those that were played for an order, in the order of their names."""
        asked = select(_matches).order_by(_matches.c.match, _matches.c.table)
        with self._reading() as db:
            return [
                KnownMatch(*row)
                for row in db.execute(asked if order is None else asked.where(_matches.c.order == order))
            ]

    def match(self, table: str, match: str) -> KnownMatch | None:
        with self._reading() as db:
            row = db.execute(select(_matches).where((_matches.c.table == table) & (_matches.c.match == match))).first()
        return None if row is None else KnownMatch(*row)

    def ended_without_result(self) -> list[tuple[str, str]]:
        """Table and match, where a table signed the end and nobody has read the result."""
        with self._reading() as db:
            asked = (
                select(_matches.c.table, _matches.c.match)
                .join(_lines, (_lines.c.table == _matches.c.table) & (_lines.c.match == _matches.c.match))
                .where((_matches.c.result == "") & _lines.c.text.startswith('{"signed":"end"', autoescape=True))
                .distinct()
            )
            return [(str(table), str(match)) for table, match in db.execute(asked)]

    def counts(self) -> tuple[int, int]:
        """How many matches and lines there are."""
        with self._reading() as db:
            matches = db.execute(select(func.count()).select_from(_matches)).scalar()
            return int(matches or 0), int(db.execute(select(func.count()).select_from(_lines)).scalar() or 0)

    # --- tournaments ----------------------------------------------------------------------------------------------

    def write_down(self, tournament: str, events: Sequence[str]) -> None:
        with self._writing() as db:
            for each in events:
                db.execute(insert(_ledger).values(tournament=tournament, event=each))

    def ledger(self, tournament: str) -> list[str]:
        with self._reading() as db:
            asked = select(_ledger.c.event).where(_ledger.c.tournament == tournament).order_by(_ledger.c.number)
            return [str(text) for (text,) in db.execute(asked)]

    def last_step(self, *kinds: str) -> int:
        """The number of the newest event of these kinds in any ledger, or of any; 0: there is none."""
        asked = select(func.max(_ledger.c.number))
        starts = [_ledger.c.event.startswith(f'{{"what":"{kind}"', autoescape=True) for kind in kinds]
        with self._reading() as db:
            return int(db.execute(asked.where(or_(*starts)) if starts else asked).scalar() or 0)

    def tournaments(self) -> list[str]:
        """Their ids, in the order in which they were begun."""
        with self._reading() as db:
            asked = select(_ledger.c.tournament).group_by(_ledger.c.tournament).order_by(func.min(_ledger.c.number))
            return [str(name) for (name,) in db.execute(asked)]


def _engine(url: str) -> Engine:
    engine = create_engine(url, pool_pre_ping=not url.startswith("sqlite"))
    if engine.dialect.name == "sqlite":

        @event.listens_for(engine, "connect")
        def careful(connection: Any, record: object) -> None:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")
            connection.execute("PRAGMA busy_timeout=10000")

    return engine


def _detail(error: SQLAlchemyError) -> str:
    """What the database says, without the statement."""
    return str(getattr(error, "orig", None) or error).splitlines()[0].rstrip(".")


def _without_password(url: str) -> str:
    before, at, after = url.rpartition("@")
    return f"{before.partition('://')[0]}://…@{after}" if at else url
