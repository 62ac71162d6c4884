"""A tournament as files: CSV and JSON in and out, and a report to print."""

import csv
import io
from collections.abc import Sequence
from typing import Any

import msgspec

from companion.club.tournament import ledger
from companion.club.tournament.ledger import AnyLedgerEvent
from companion.club.tournament.standings import standings, tie_breaks
from companion.club.tournament.tournament import NotInThisTournament, Tournament
from companion.core.message import message
from companion.core.rulings import ShinpanError
from companion.core.wording import sentence

MOST_ROWS = 2000


def standings_csv(tournament: Tournament, language: str = "en") -> str:
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    breaks = [sentence(each.name, language) for each in tie_breaks(tournament)]
    heads = [message("rank"), message("name"), message("points")]
    table.writerow([*(sentence(each, language) for each in heads), *breaks])
    for row in standings(tournament):
        table.writerow([row.rank, _plain(row.name), _number(row.points), *map(_number, row.breaks)])
    return out.getvalue()


def results_csv(tournament: Tournament, language: str = "en") -> str:
    """A line for everybody at every table of every round; byes without a table."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    heads = [message("round"), message("table"), message("seat"), message("name"), message("points"), message("reason")]
    table.writerow([sentence(each, language) for each in heads])
    for one in tournament.rounds:
        for number, board in one.boards.items():
            result = one.results.get(number) if one.counts(number) else None
            for seat, player in enumerate(board.players):
                points = "" if result is None else _number(result.points[seat])
                why = "" if result is None else _plain(result.why)
                table.writerow([one.number, number, seat + 1, _plain(tournament.name(player)), points, why])
        for player in one.byes:
            table.writerow(
                [one.number, "", "", _plain(tournament.name(player)), "1", sentence(message("bye"), language)]
            )
    return out.getvalue()


def entrants_of(text: str) -> list[tuple[str, float]]:
    """Names, and ratings where there are any, from a CSV: `name` or `name,rating`, with or without a head line."""
    found: list[tuple[str, float]] = []
    for number, row in enumerate(csv.reader(io.StringIO(text)), 1):
        cells = [cell.strip() for cell in row]
        if not any(cells):
            continue
        if number > MOST_ROWS:
            raise NotInThisTournament(message("That file has more than {most} lines.", most=MOST_ROWS))
        if number == 1 and cells[0].casefold() in ("name", "nome"):
            continue
        rating = cells[1] if len(cells) > 1 and cells[1] else "0"
        try:
            found.append((cells[0], float(rating)))
        except ValueError:
            raise NotInThisTournament(
                message("Line {line}: {value} is not a rating.", line=number, value=rating)
            ) from None
    return found


def as_json(events: Sequence[str]) -> bytes:
    """The whole ledger: what is imported from it is the same tournament."""
    return msgspec.json.format(b"[" + b",".join(each.encode() for each in events) + b"]") + b"\n"


def from_json(data: bytes) -> list[AnyLedgerEvent]:
    """A ledger that was exported, played through again; raises NotInThisTournament where it does not hold."""
    try:
        events = msgspec.json.decode(data, type=list[AnyLedgerEvent])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise NotInThisTournament(message("That file is not an exported tournament.")) from None
    tournament = Tournament()
    if not events or not isinstance(events[0], ledger.TournamentBegan):
        raise NotInThisTournament(message("That file is not an exported tournament."))
    for number, event in enumerate(events, 1):
        try:
            tournament.check(event)
            tournament.apply(event)
        except (NotInThisTournament, IndexError, KeyError, ValueError):
            raise NotInThisTournament(
                message("Step {number} of that file does not fit what came before it.", number=number)
            ) from None
    return events


def report(tournament: Tournament, language: str = "en") -> bytes:
    """Standings, every round, penalties, and what the tie-breaks mean, as a PDF."""
    try:
        from fpdf import FPDF
    except ImportError:
        raise ShinpanError(message("Reports need the extra `print`: pip install 'shinpan[print]'.")) from None
    pdf: Any = FPDF(format="A4")
    pdf.set_margin(15)
    pdf.add_page()
    pdf.set_font("helvetica", "B", 20)
    pdf.cell(0, 12, _latin(tournament.rules.title), new_x="LMARGIN", new_y="NEXT")
    breaks = tie_breaks(tournament)
    _head(pdf, sentence(message("Standings"), language))
    with pdf.table(text_align="LEFT", col_widths=(8, 40, 12, *[16] * len(breaks)), line_height=6) as table:
        heads = [message("rank"), message("name"), message("points"), *(each.name for each in breaks)]
        row = table.row()
        for head in heads:
            row.cell(_latin(sentence(head, language)))
        for each in standings(tournament):
            row = table.row()
            for cell in (each.rank, each.name, _number(each.points), *map(_number, each.breaks)):
                row.cell(_latin(str(cell)))
    for one in tournament.rounds:
        _head(pdf, sentence(message("Round {number}", number=one.number), language))
        for number, board in one.boards.items():
            result = one.results.get(number)
            names = ", ".join(map(tournament.name, board.players))
            told = " : ".join(map(_number, result.points)) if result is not None else "–"
            why = f"  ({result.why})" if result is not None and result.why else ""
            pdf.multi_cell(0, 6, _latin(f"{number}.  {names}   {told}{why}"), new_x="LMARGIN", new_y="NEXT")
        for player in one.byes:
            pdf.cell(0, 6, _latin(sentence(message("{player} has a bye.", player=tournament.name(player)), language)))
            pdf.ln()
    if tournament.penalties:
        _head(pdf, sentence(message("Penalties"), language))
        for penalty in tournament.penalties.values():
            text = f"{tournament.name(penalty.id)}: -{_number(penalty.points)}  {penalty.why}"
            pdf.multi_cell(0, 6, _latin(text), new_x="LMARGIN", new_y="NEXT")
    _head(pdf, sentence(message("What tells equal points apart"), language))
    for each_break in breaks:
        text = f"{sentence(each_break.name, language)}: {sentence(each_break.explained, language)}"
        pdf.multi_cell(0, 6, _latin(text), new_x="LMARGIN", new_y="NEXT")
    return bytes(pdf.output())


def _head(pdf: Any, text: str) -> None:
    pdf.ln(4)
    pdf.set_font("helvetica", "B", 13)
    pdf.cell(0, 8, _latin(text), new_x="LMARGIN", new_y="NEXT")
    pdf.set_font("helvetica", "", 10)


def _number(value: float) -> str:
    return f"{value:g}" if abs(value - round(value, 2)) < 1e-9 else f"{value:.2f}"


def _plain(text: str) -> str:
    """A spreadsheet must not take a player's name for a formula."""
    return f"'{text}" if text[:1] in "=+-@\t\r" else text


def _latin(text: str) -> str:
    """The letters that the fonts of every PDF reader have; others become a question mark."""
    return text.replace("–", "-").replace("·", "-").encode("latin-1", "replace").decode("latin-1")
