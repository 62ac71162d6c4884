"""Every move and act of every match as rows of one table."""

import csv
import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TextIO

import msgspec

from companion.core.rulings import Mistake, ShinpanError
from companion.history.other_names import called_otherwise, names_in
from companion.history.parquet import Column, Value
from companion.record import kifu

COLUMNS = (
    Column("match", str),
    Column("game", str),
    Column("line", int),
    Column("at", float),
    Column("player", str),
    Column("seat", int),
    Column("move", str),
    Column("fields", str),
    Column("refused", str),
    Column("taken_back", int),
)
"""`at` is on the match clock, and nan where the line does not say; `seat` counts from 1, and 0 is the referee; `fields`
is JSON; `refused` has the rules; `taken_back` is 1 where the line does not count any more."""


class _Row(msgspec.Struct):
    line: int
    at: float
    player: str
    seat: int
    move: str
    fields: str
    refused: str
    counts: bool
    taken_back: bool = False


def rows_of(name: str, data: bytes, names: Mapping[str, str] | None = None) -> Iterator[tuple[Value, ...]]:
    """The rows of one kifu; `names` are what somebody is called instead, who wants to stay unnamed. A file that breaks
    off gives what comes before."""
    game, rows = "", list[_Row]()
    seats: list[str] = []
    hidden = names_in(data, names or {})
    try:
        for numbered in kifu.read(data):
            line = called_otherwise(numbered.line, hidden)
            match line:
                case kifu.Header():
                    game, seats = line.game, list(line.players)
                case kifu.Moved():
                    rows.append(_moved(numbered.number, line, seats))
                case kifu.Acted():
                    rows.append(_acted(numbered.number, line))
                    if line.fields.get("referee") == "rename" and not line.refused:
                        _rename(seats, line.fields)
                case kifu.Undo() if not line.refused:
                    _take_back(rows, line.undo)
    except (Mistake, ShinpanError):
        pass  # it is named in the list of matches
    for row in rows:
        yield (
            name, game, row.line, row.at, row.player, row.seat, row.move, row.fields, row.refused, int(row.taken_back),
        )  # fmt: skip


def write_csv(file: TextIO, rows: Iterable[tuple[Value, ...]]) -> int:
    writer = csv.writer(file)
    writer.writerow([column.name for column in COLUMNS])
    count = 0
    for row in rows:
        writer.writerow(["" if isinstance(value, float) and math.isnan(value) else _harmless(value) for value in row])
        count += 1
    return count


def all_rows(files: Iterable[tuple[str, Path]], names: Mapping[str, str]) -> Iterator[tuple[Value, ...]]:
    for name, path in files:
        try:
            data = kifu.load(path)
        except (Mistake, ShinpanError, OSError):
            continue
        yield from rows_of(name, data, names)


def _moved(number: int, line: kifu.Moved, seats: list[str]) -> _Row:
    seat = seats.index(line.by) + 1 if line.by in seats else 0
    kind = str(line.fields.get("move", ""))
    fields = {key: value for key, value in line.fields.items() if key != "move"}
    return _Row(number, _time(line.at), line.by, seat, kind, _json(fields), " ".join(line.refused), not line.refused)


def _acted(number: int, line: kifu.Acted) -> _Row:
    kind = str(line.fields.get("referee", ""))
    fields = {key: value for key, value in line.fields.items() if key != "referee"}
    counts = not line.refused and kind != "rename"
    return _Row(number, _time(line.at), "referee", 0, kind, _json(fields), " ".join(line.refused), counts)


def _json(fields: Mapping[str, object]) -> str:
    return msgspec.json.encode(fields).decode()


def _take_back(rows: list[_Row], moves: int) -> None:
    for row in reversed(rows):
        if moves <= 0:
            return
        if row.counts and not row.taken_back:
            row.taken_back = True
            moves -= 1


def _rename(seats: list[str], fields: Mapping[str, object]) -> None:
    player, name = str(fields.get("player", "")), str(fields.get("name", ""))
    if player in seats:
        seats[seats.index(player)] = name


def _time(at: float | None) -> float:
    return math.nan if at is None else float(at)


def _harmless(value: Value) -> Value:
    """A player may be called `=1+1`; spreadsheets must not reckon with that."""
    return "'" + value if isinstance(value, str) and value[:1] in "=+-@\t\r" and value else value
