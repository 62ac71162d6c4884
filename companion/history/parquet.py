"""A table as a Parquet file, for people who like data.

The libraries that write Parquet weigh 20 to 40 MB for a Raspberry Pi; a plain table needs only this: columns that are
never empty, one page a column and row group, compressed with gzip. Every reader of Parquet takes that.
"""

import gzip
import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO, NamedTuple

INT64, DOUBLE, BYTE_ARRAY = 2, 5, 6
_KINDS = {int: INT64, float: DOUBLE, str: BYTE_ARRAY}
_UTF8, _REQUIRED, _PLAIN, _RLE, _GZIP, _DATA_PAGE = 0, 0, 0, 3, 2, 0
MAGIC = b"PAR1"
ROWS = 50_000
"""In a row group: what is held in memory at a time."""

Value = int | float | str


class Column(NamedTuple):
    name: str
    kind: type
    """int, float or str."""


class _Chunk(NamedTuple):
    column: Column
    offset: int
    plain: int
    packed: int
    values: int


def write_table(file: BinaryIO, columns: Sequence[Column], rows: Iterable[Sequence[Value]]) -> int:
    """Write the table; the number of its rows."""
    at = file.write(MAGIC)
    groups: list[tuple[list[_Chunk], int]] = []
    for part in _parts(rows):
        chunks = []
        for place, column in enumerate(columns):
            page, chunk = _page(column, [row[place] for row in part], at)
            at += file.write(page)
            chunks.append(chunk)
        groups.append((chunks, len(part)))
    total = sum(count for _, count in groups)
    footer = _footer(columns, groups, total)
    file.write(footer + struct.pack("<I", len(footer)) + MAGIC)
    return total


def _parts(rows: Iterable[Sequence[Value]]) -> Iterator[list[Sequence[Value]]]:
    part: list[Sequence[Value]] = []
    for row in rows:
        part.append(row)
        if len(part) == ROWS:
            yield part
            part = []
    if part:
        yield part


def _page(column: Column, values: Sequence[Value], at: int) -> tuple[bytes, _Chunk]:
    plain = b"".join(_plain(value) for value in values)
    packed = gzip.compress(plain, 6, mtime=0)
    levels = _struct((1, _i32(len(values))), (2, _i32(_PLAIN)), (3, _i32(_RLE)), (4, _i32(_RLE)))
    header = _struct((1, _i32(_DATA_PAGE)), (2, _i32(len(plain))), (3, _i32(len(packed))), (5, (12, levels)))
    page = header + packed
    return page, _Chunk(column, at, len(header) + len(plain), len(page), len(values))


def _plain(value: Value) -> bytes:
    if isinstance(value, str):
        text = value.encode("utf-8", "replace")
        return struct.pack("<I", len(text)) + text
    return struct.pack("<q", value) if isinstance(value, int) else struct.pack("<d", value)


def _footer(columns: Sequence[Column], groups: Sequence[tuple[list[_Chunk], int]], total: int) -> bytes:
    root = _struct((4, _text("table")), (5, _i32(len(columns))))
    schema = [root, *(_element(column) for column in columns)]
    told = [
        _struct(
            (1, _list(12, [_column(chunk) for chunk in chunks])),
            (2, _i64(sum(chunk.plain for chunk in chunks))),
            (3, _i64(rows)),
        )
        for chunks, rows in groups
    ]
    return _struct((1, _i32(1)), (2, _list(12, schema)), (3, _i64(total)), (4, _list(12, told)), (6, _text("Shinpan")))


def _element(column: Column) -> bytes:
    kind = _KINDS[column.kind]
    fields = [(1, _i32(kind)), (3, _i32(_REQUIRED)), (4, _text(column.name))]
    return _struct(*fields, *([(6, _i32(_UTF8))] if kind == BYTE_ARRAY else []))


def _column(chunk: _Chunk) -> bytes:
    meta = _struct(
        (1, _i32(_KINDS[chunk.column.kind])),
        (2, _list(5, [_varint(_zigzag(_PLAIN))])),
        (3, _list(8, [_text(chunk.column.name)[1]])),
        (4, _i32(_GZIP)),
        (5, _i64(chunk.values)),
        (6, _i64(chunk.plain)),
        (7, _i64(chunk.packed)),
        (9, _i64(chunk.offset)),
    )
    return _struct((2, _i64(chunk.offset)), (3, (12, meta)))


# --- Thrift's compact protocol, as much of it as a footer needs -----------------------------------------------------

Encoded = tuple[int, bytes]
"""The type of a field, and its bytes."""


def _struct(*fields: tuple[int, Encoded]) -> bytes:
    out, last = [], 0
    for number, (kind, content) in fields:
        out.append(bytes([(number - last) << 4 | kind]) + content)
        last = number
    return b"".join(out) + b"\x00"


def _list(kind: int, items: Sequence[bytes]) -> Encoded:
    head = bytes([len(items) << 4 | kind]) if len(items) < 15 else bytes([0xF0 | kind]) + _varint(len(items))
    return 9, head + b"".join(items)


def _i32(value: int) -> Encoded:
    return 5, _varint(_zigzag(value))


def _i64(value: int) -> Encoded:
    return 6, _varint(_zigzag(value))


def _text(value: str) -> Encoded:
    text = value.encode()
    return 8, _varint(len(text)) + text


def _zigzag(value: int) -> int:
    return value << 1 if value >= 0 else ((-value) << 1) - 1


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])
