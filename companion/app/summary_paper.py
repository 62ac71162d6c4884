"""Summary cards and consoles of a game as PDF."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from companion.app.paper import MARGIN, PaperPage
from companion.core.message import message
from companion.games.kit.game import Game
from companion.games.kit.paper import ConsoleCard, SummaryCard

GAP = 5.0
ORIGIN = {"house": " *"}
"""What stands behind a rule that is ours: the booklet is silent there."""


def print_summaries(path: Path, game: Game, state: Any, copies: int, language: str, paper: str = "A4") -> int:
    """The summary of a game, four on a sheet, as often as it is wanted; the number of cards."""
    sheet = PaperPage(paper, language, lambda thing, spoken: game.rules.names(state, thing, spoken))
    cards = [each for each in game.paper(state) if isinstance(each, SummaryCard)] * copies
    width, height = (sheet.width - 2 * MARGIN - GAP) / 2, (sheet.height - 2 * MARGIN - GAP) / 2
    for number, card in enumerate(cards):
        if number % 4 == 0:
            sheet.turn()
        x = MARGIN + (number % 2) * (width + GAP)
        y = MARGIN + (number % 4 // 2) * (height + GAP)
        _summary(sheet, game, card, (x, y, width, height), language)
    sheet.save(path)
    return len(cards)


def _summary(sheet: PaperPage, game: Game, card: SummaryCard, at: tuple[float, ...], language: str) -> None:
    x, y, width, height = at
    rules = game.rules.catalogue()
    size = _size(sheet, game, card, at, language)
    sheet.box(x, y, width, height, line=0.4)
    sheet.text(card.title, x + 4, y + 7, 12.0, bold=True)
    down = y + 10.0
    down = _table(sheet, card, x + 4, down, width - 8)
    for section in card.sections:
        sheet.text(section.title, x + 4, down + 3.2, size + 0.8, bold=True)
        down += 4.2
        for number in section.rules:
            told = rules[number].told(number, language)
            down = sheet.block(f"– {told}{ORIGIN.get(rules[number].origin, '')}", x + 4, down, width - 8, size)
        down += 0.8
    ours = any(rules[number].origin in ORIGIN for section in card.sections for number in section.rules)
    note = message("{game}. * The booklet is silent there, and the house decides.", game=game.title)
    sheet.text(note if ours else game.title, x + 4, y + height - 2.5, 5.5, soft=True)


def _table(sheet: PaperPage, card: SummaryCard, x: float, y: float, width: float) -> float:
    for title, figures in card.table:
        sheet.text(title, x, y + 3.4, 7.0, bold=True)
        step = (width - 16) / len(figures)
        for place, figure in enumerate(figures):
            sheet.box(x + 16 + place * step, y, step, 4.8, fill=title is card.table[0][0])
            sheet.text(figure, x + 16 + (place + 0.5) * step - 0.8, y + 3.4, 7.0)
        y += 4.8
    return y + 1.6 if card.table else y


def _size(sheet: PaperPage, game: Game, card: SummaryCard, at: tuple[float, ...], language: str) -> float:
    """The largest letters with which everything fits its card."""
    _, _, width, height = at
    rules = game.rules.catalogue()
    for size in (9.0, 8.5, 8.0, 7.5, 7.0, 6.5, 6.0, 5.5):
        lines = 0
        for section in card.sections:
            for number in section.rules:
                text = sheet.told(f"– {rules[number].told(number, language)} *")
                lines += sheet.lines(text, width - 8, size)
        if 10 + 12 * bool(card.table) + 5.2 * len(card.sections) + lines * size * 0.43 < height - 6:
            return size
    return 5.0


def print_consoles(path: Path, game: Game, state: Any, language: str, paper: str = "A4") -> int:
    """The consoles of a game, two on a sheet; their number."""
    sheet = PaperPage(paper, language, lambda thing, spoken: game.rules.names(state, thing, spoken))
    consoles = [each for each in game.paper(state) if isinstance(each, ConsoleCard)]
    height = (sheet.height - 2 * MARGIN - GAP) / 2
    for number, console in enumerate(consoles):
        if number % 2 == 0:
            sheet.turn()
        _console(sheet, console, MARGIN, MARGIN + (number % 2) * (height + GAP), sheet.width - 2 * MARGIN, height)
    sheet.save(path)
    return len(consoles)


def _console(sheet: PaperPage, console: ConsoleCard, x: float, y: float, width: float, height: float) -> None:
    sheet.box(x, y, width, height, line=0.4)
    title = sheet.told(console.title)
    sheet.text(title[:1].upper() + title[1:], x + 6, y + 11, 18.0, bold=True)
    _facts(sheet, console.facts, x + 6, y + 21)
    side = height - 30.0
    sheet.branches(console.drawing, x + width - side - 4, y + 13, side)
    down = y + 48.0
    for track in console.tracks:
        sheet.text(track.title, x + 6, down, 9.0, bold=True)
        step = min(13.0, (width - side - 18) / track.boxes)
        for place in range(track.boxes):
            sheet.box(x + 6 + place * step, down + 2, step - 1, step - 1, fill=True)
            sheet.text(str(place + 1), x + 7 + place * step, down + 5, 6.0, soft=True)
        down += step + 12
    sheet.block(console.note, x + 6, y + height - 9, width - 12, 6.0)


def _facts(sheet: PaperPage, facts: Sequence[Any], x: float, y: float) -> None:
    for fact in facts:
        sheet.text(fact, x, y, 10.0)
        y += 6.0
