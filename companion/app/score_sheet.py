"""The score sheet as PDF: empty for those who keep the score by hand, or filled from a kifu."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from companion.app.paper import MARGIN, PaperPage, widths
from companion.core.message import Message, message, things
from companion.games.kit.game import Move
from companion.record import kifu
from companion.record.match import Match
from companion.record.replay import Replay
from companion.referee.history import tally

ROW = 7.2
WHOLE, BROKEN = 8.0, 6.5
"""Points of what was played, where it stands on one line and where it takes several."""
HEAD = 58.0
"""Millimetres above the table."""
FOOT = 40.0


class SheetCell(msgspec.Struct, frozen=True):
    """What one player did in a step, and what came of it."""

    did: str = ""
    gained: str = ""
    total: str = ""


class SheetRow(msgspec.Struct, frozen=True):
    number: str
    cells: tuple[SheetCell, ...]


class FilledSheet(msgspec.Struct, frozen=True):
    """What a kifu puts on the sheet."""

    rows: tuple[SheetRow, ...]
    file: str
    head: str
    """The check of its last line, as the page shows it."""


def print_sheet(path: Path, match: Match, language: str, filled: FilledSheet | None = None, paper: str = "A4") -> int:
    """The number of pages. `match` says who plays; an empty sheet has room for their names."""
    sheet = PaperPage(paper, language, match.name)
    room = sheet.height - HEAD - FOOT - MARGIN
    players = len(match.players)
    blank = [SheetRow(str(number + 1), (SheetCell(),) * players) for number in range(int(room // ROW))]
    sheet.turn()  # lines can only be measured on a page
    pages = _pages(sheet, filled.rows, room) if filled is not None and filled.rows else [blank]
    for page, rows in enumerate(pages):
        if page:
            sheet.turn()
        _head(sheet, match, filled, page, len(pages))
        _table(sheet, match.players if filled is not None else ("",) * players, rows)
        _foot(sheet, match, filled, last=page == len(pages) - 1)
    return sheet.save(path)


def _pages(sheet: PaperPage, rows: Sequence[SheetRow], room: float) -> list[list[SheetRow]]:
    """The rows of each page: as many as there is room for."""
    pages: list[list[SheetRow]] = [[]]
    down = 0.0
    for row in rows:
        height = _height(sheet, row)
        if pages[-1] and down + height > room:
            pages.append([])
            down = 0.0
        pages[-1].append(row)
        down += height
    return pages


def _height(sheet: PaperPage, row: SheetRow) -> float:
    """Millimetres: a row grows where somebody played more than fits on one line."""
    _, _, parts = _columns(sheet, len(row.cells))
    most = max(1 if sheet.fits(cell.did, parts[0] - 2, WHOLE) else _lines(sheet, cell, parts[0]) for cell in row.cells)
    return ROW if most == 1 else max(ROW, most * BROKEN * 0.43 + 2.0)


def _lines(sheet: PaperPage, cell: SheetCell, width: float) -> int:
    return sheet.lines(sheet.told(cell.did), width - 2, BROKEN)


def filled_from(path: Path, language: str) -> tuple[Match, FilledSheet]:
    """A kifu as it stands: what was taken back is not on the sheet."""
    data = kifu.load(path)
    match = Replay(data).finish()
    _, chain = kifu.sound_length(data)
    head = chain.head.hex() if chain.crc is None else ""
    return match, FilledSheet(tuple(_rows(match, language)), path.name, head)


def _rows(match: Match, language: str) -> list[SheetRow]:
    """A row for each reveal, and for whatever else changed how somebody stands."""
    past = list(match.past)[::-1]
    states = [moment.state for moment in past[1:]] + [match.state]
    sealed = [moment.sealed for moment in past[1:]] + [match.sealed]
    rules, kinds = match.game.rules, set(match.game.reveals.kinds)
    stood = tally(rules, past[0].state) if past else ()
    begins = stood
    did: dict[str, list[str]] = {}
    rows: list[SheetRow] = []
    for moment, state, hidden in zip(past, states, sealed, strict=True):
        done = moment.done
        if isinstance(done, Move) and moment.by in match.players and (done.kind in kinds or not kinds):
            did.setdefault(moment.by, []).append(_short(match, done, language))
        stands = tally(rules, state)
        revealed = bool(kinds) and bool(did) and not hidden
        if not hidden and (revealed or stands != stood):
            # What follows from a reveal, a blow or a wound, belongs to its row.
            follows = rows.pop() if rows and not did else None
            before = begins if follows is not None else stood
            did = did if follows is None else _again(match.players, follows)
            rows.append(_row(len(rows) + 1, match.players, did, before, stands))
            did, stood, begins = {}, stands, before
    return rows


def _again(players: Sequence[str], row: SheetRow) -> dict[str, list[str]]:
    return {player: [cell.did] for player, cell in zip(players, row.cells, strict=True) if cell.did}


def _row(
    number: int, players: Sequence[str], did: dict[str, list[str]], stood: Sequence[int], stands: Sequence[int]
) -> SheetRow:
    by_player = len(stands) == len(players)
    cells = []
    for seat, player in enumerate(players):
        before, after = (stood[seat], stands[seat]) if by_player else (0, 0)
        gained = f"{after - before:+d}".replace("-", "−") if after != before else ""
        total = str(after).replace("-", "−") if by_player else ""
        cells.append(SheetCell(", ".join(did.get(player, ())[-3:]), gained, total))
    return SheetRow(str(number), tuple(cells))


def _short(match: Match, move: Move, language: str) -> str:
    """A move in a few words: the cards and directions in it, or what people call it."""
    fields = msgspec.to_builtins(move)
    fields.pop("move", None)
    values = [each for value in fields.values() for each in (value if isinstance(value, list | tuple) else [value])]
    named = [_briefly(match, each, language) for each in values if isinstance(each, str) and each]
    return " ".join(named[:3]) or match.name(move.kind, language) or move.kind


def _briefly(match: Match, thing: str, language: str) -> str:
    """Its short name, where the game has one for it: a direction stands here beside a card, not in a sentence."""
    told = match.name(f"short-{thing}", language) or match.name(thing, language) or thing
    return told.replace(" ", "\u00a0")  # a card is not broken apart from its number


def _head(sheet: PaperPage, match: Match, filled: FilledSheet | None, page: int, pages: int) -> None:
    left, wide = MARGIN, sheet.width - 2 * MARGIN
    sheet.text(message("Score sheet"), left, 20, 18.0, bold=True)
    sheet.text(match.game.title, left, 27, 12.0)
    if pages > 1:
        sheet.text(message("Page {page} of {pages}", page=page + 1, pages=pages), left + wide - 30, 20, 9.0, soft=True)
    for place, title in enumerate((message("Date"), message("Place"), message("Referee"))):
        x, width = left + place * wide / 3, wide / 3 - 5
        sheet.text(title, x, 36, 7.0, soft=True)
        sheet.line(x, 43, width)
    if filled is not None:
        sheet.text(_date(filled.file), left, 42, 10.0)
        sheet.fitted(filled.file, left + wide - 62, 27, 62, 7.0)


def _seats(match: Match) -> list[Message]:
    return [message("Player {number}", number=seat + 1) for seat in range(len(match.players))]


def _date(file: str) -> str:
    """The table names a kifu by when it began."""
    day = file[:10]
    return day if day.replace("-", "").isdecimal() and len(day) == 10 else ""


def _columns(sheet: PaperPage, players: int) -> tuple[float, list[float], list[float]]:
    """Width of the number, and of the three columns of each player."""
    first = 9.0
    each = (sheet.width - 2 * MARGIN - first) / players
    return first, [each] * players, widths(each, (3.4, 1.2, 1.4))


def _table(sheet: PaperPage, players: Sequence[str], rows: Sequence[SheetRow]) -> None:
    first, wide, parts = _columns(sheet, len(players))
    titles = (message("Played"), message("+/−"), message("Total"))
    top = HEAD - 2 * ROW + 4
    for seat, player in enumerate(players):
        x = MARGIN + first + seat * wide[seat]
        sheet.box(x, top, wide[seat], ROW, fill=True)
        if player:
            sheet.fitted(player, x + 1.5, top + 5, wide[seat] - 3, 10.0)
        for part, title in enumerate(titles):
            at = x + sum(parts[:part])
            sheet.box(at, top + ROW, parts[part], ROW - 1.5, fill=True)
            sheet.fitted(title, at + 1, top + ROW + 4, parts[part] - 2, 6.5)
    y = top + 2 * ROW - 1.5
    for row in rows:
        height = _height(sheet, row)
        sheet.box(MARGIN, y, first, height)
        sheet.text(row.number, MARGIN + 2, y + 4.8, 8.0, soft=True)
        for seat, cell in enumerate(row.cells):
            x = MARGIN + first + seat * wide[seat]
            for part, text in enumerate((cell.did, cell.gained, cell.total)):
                at = x + sum(parts[:part])
                sheet.box(at, y, parts[part], height)
                if part == 0 and not sheet.fits(text, parts[part] - 2, WHOLE):
                    sheet.block(text, at + 1, y + 1, parts[part] - 2, BROKEN)
                elif text:
                    sheet.fitted(text, at + 1, y + 4.8, parts[part] - 2, WHOLE)
        y += height


def _foot(sheet: PaperPage, match: Match, filled: FilledSheet | None, *, last: bool) -> None:
    top, left = sheet.height - MARGIN - FOOT + 16, MARGIN
    wide = sheet.width - 2 * MARGIN
    code = 22.0 if filled is not None and filled.head else 0.0
    if last:
        winners = things("player", match.facts["winners"]) if filled is not None and match.over else ()
        if winners:
            sheet.text(message("Won by {players}", players=winners), left, top - 4, 11.0, bold=True)
        elif filled is None:
            sheet.text(message("Won by"), left, top - 4, 9.0)
            sheet.line(left + 24, top - 3.5, 70)
    signing = (wide - code - 6) / (len(match.players) + 1)
    signers: list[Message | str] = [message("Referee"), *(match.players if filled is not None else _seats(match))]
    for place, title in enumerate(signers):
        sheet.line(left + place * signing, top + 15, signing - 4)
        sheet.fitted(title, left + place * signing, top + 19, signing - 4, 7.0)
    if filled is not None and filled.head:
        told = message("Head of the kifu: {head}", head=filled.head[:32])
        sheet.text(told, left, sheet.height - MARGIN + 1, 6.0, soft=True)
        sheet.code(f"Shinpan {filled.file}, head {filled.head}", left + wide - code, top - 2, code)
