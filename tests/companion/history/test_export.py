"""All moves as one table: as CSV and as Parquet, whoever wants to stay unnamed being so."""

import csv
import gzip
import io
import math
import struct
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.cli import shinpan
from companion.history.export import COLUMNS, rows_of, write_csv
from companion.history.parquet import Column, write_table

KIFUS = Path(__file__).parents[2] / "kifu"
KIFU = b"""{"kifu": 1, "game": "sen_so", "players": ["Aki", "Ben"], "options": {"end": {"time": 600}}}
{"by": "Aki", "move": "arm", "weapons": ["katana"], "at": 1.5}
{"by": "Ben", "move": "arm", "weapons": ["katana", "nunchaku", "bo_staff"], "refused": "SEN-10"}
{"referee": "award", "player": "Aki", "points": -5, "why": "looked"}
{"undo": 1, "why": "did not"}
{"referee": "rename", "player": "Ben", "name": "=Bea"}
{"by": "=Bea", "move": "arm", "weapons": []}
"""


def test_every_move_and_act_is_a_row_and_what_was_taken_back_says_so() -> None:
    rows = [dict(zip((column.name for column in COLUMNS), row, strict=True)) for row in rows_of("m", KIFU)]

    assert [(row["line"], row["player"], row["seat"], row["move"], row["taken_back"]) for row in rows] == [
        (2, "Aki", 1, "arm", 0),
        (3, "Ben", 2, "arm", 0),
        (4, "referee", 0, "award", 1),
        (6, "referee", 0, "rename", 0),
        (7, "=Bea", 2, "arm", 0),
    ]
    assert rows[0]["at"] == 1.5
    assert math.isnan(float(rows[1]["at"]))
    assert rows[0]["fields"] == '{"weapons":["katana"]}'
    assert rows[1]["refused"] == "SEN-10"


def test_whoever_wants_to_stay_unnamed_is() -> None:
    rows = list(rows_of("m", KIFU, {"Aki": "Player 1"}))

    assert "Aki" not in repr(rows)
    assert rows[0][4] == "Player 1"


def test_a_spreadsheet_reckons_with_nobodys_name() -> None:
    file = io.StringIO()

    assert write_csv(file, rows_of("m", KIFU)) == 5
    table = list(csv.reader(io.StringIO(file.getvalue())))
    assert table[0] == [column.name for column in COLUMNS]
    assert table[-1][4] == "'=Bea"
    assert table[2][3] == ""


class Compact:
    """Reads Thrift's compact protocol, as the specification of Parquet has it: written apart from the writer."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def varint(self) -> int:
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    def value(self, kind: int) -> Any:
        if kind in (5, 6):
            number = self.varint()
            return (number >> 1) ^ -(number & 1)
        if kind == 8:
            size = self.varint()
            self.at += size
            return self.data[self.at - size : self.at].decode()
        if kind == 9:
            head = self.data[self.at]
            self.at += 1
            size = head >> 4 if head >> 4 < 15 else self.varint()
            return [self.value(head & 15) for _ in range(size)]
        assert kind == 12
        fields: dict[int, Any] = {}
        last = 0
        while self.data[self.at]:
            head = self.data[self.at]
            self.at += 1
            last += head >> 4
            fields[last] = self.value(head & 15)
        self.at += 1
        return fields


def read_table(data: bytes) -> tuple[list[str], list[list[Any]]]:
    assert data[:4] == data[-4:] == b"PAR1"
    (size,) = struct.unpack("<I", data[-8:-4])
    footer = Compact(data[-8 - size : -8]).value(12)
    names = [element[4] for element in footer[2][1:]]
    columns: list[list[Any]] = [[] for _ in names]
    for group in footer[4]:
        for place, chunk in enumerate(group[1]):
            meta = chunk[3]
            assert (meta[3], meta[2], meta[4]) == ([names[place]], [0], 2)
            page = Compact(data[meta[9] :])
            header = page.value(12)
            packed = data[meta[9] + page.at : meta[9] + page.at + header[3]]
            assert page.at + header[3] == meta[7]
            plain = gzip.decompress(packed)
            assert len(plain) == header[2]
            columns[place] += decoded(plain, meta[1], header[5][1])
    assert footer[3] == len(columns[0])
    return names, columns


def decoded(plain: bytes, kind: int, count: int) -> list[Any]:
    if kind != 6:
        return list(struct.unpack(f"<{count}{'q' if kind == 2 else 'd'}", plain))
    values, at = [], 0
    for _ in range(count):
        (size,) = struct.unpack_from("<I", plain, at)
        values.append(plain[at + 4 : at + 4 + size].decode())
        at += 4 + size
    assert at == len(plain)
    return values


@pytest.mark.parametrize("rows", [0, 1, 20, 3])
def test_a_parquet_file_reads_back_as_it_was_written(rows: int, monkeypatch) -> None:
    monkeypatch.setattr("companion.history.parquet.ROWS", 7)
    columns = [Column("name", str), Column("line", int), Column("at", float)]
    table = [("ō" * number, -number * 10**12, number / 3) for number in range(rows)]
    file = io.BytesIO()

    assert write_table(file, columns, table) == rows
    if rows:
        names, read = read_table(file.getvalue())
        assert names == ["name", "line", "at"]
        assert list(zip(*read, strict=True)) == table


def test_the_command_writes_both(tmp_path: Path) -> None:
    matches = tmp_path / "matches"
    matches.mkdir()
    for day, name in (("01", "high_card/three-rounds"), ("02", "sen_so/first-match")):
        game = name.partition("/")[0]
        (matches / f"2026-01-{day}-200000-{game}.kifu").write_bytes((KIFUS / f"{name}.kifu").read_bytes())
    csv_file, parquet = tmp_path / "all.csv", tmp_path / "all.parquet"
    wanted = ["export", "--csv", str(csv_file), "--parquet", str(parquet), "--data", str(tmp_path)]
    done = CliRunner().invoke(shinpan, wanted, obj={}, catch_exceptions=False)

    assert done.exit_code == 0
    table = list(csv.reader(io.StringIO(csv_file.read_text())))
    names, columns = read_table(parquet.read_bytes())
    assert names == table[0]
    assert len(columns[0]) == len(table) - 1 > 20
    assert {*columns[1]} == {"high_card", "sen_so"}
    nothing = CliRunner().invoke(shinpan, ["export", "--data", str(tmp_path)], obj={})
    assert "--csv FILE or --parquet FILE" in str(nothing.exception)
