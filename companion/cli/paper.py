"""`shinpan print`: score sheets, summaries and consoles."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from companion.app.score_sheet import filled_from, print_sheet
from companion.app.summary_paper import print_consoles, print_summaries
from companion.core.message import Message, message, plural
from companion.core.rulings import ShinpanError
from companion.core.wording import sentence
from companion.games.kit.game import Game
from companion.record.match import Match


def print_paper(
    what: str,
    name: str,
    players: int | None,
    kifu: Path | None,
    output: Path | None,
    language: str,
    paper: str,
    set_up: Callable[[], tuple[Game, Any]],
) -> None:
    if what == "sheet" and kifu is not None:
        match, filled = filled_from(kifu, language)
        path = output or Path(f"{kifu.stem}-sheet.pdf")
        pages = print_sheet(path, match, language, filled, paper)
        _tell(_sheets(pages, path), language)
        return
    game, state = set_up()
    path = output or Path(f"{name}-{what}.pdf")
    if what == "sheet":
        people = [f"Player {seat + 1}" for seat in range(players or game.seats.start)]
        pages = print_sheet(path, Match(game, people), language, None, paper)
        _tell(_sheets(pages, path), language)
        return
    done = (
        print_consoles(path, game, state, language, paper)
        if what == "consoles"
        else print_summaries(path, game, state, players or game.seats.stop - 1, language, paper)
    )
    if not done:
        path.unlink(missing_ok=True)
        raise ShinpanError(message("{game} has nothing of that kind.", game=game.title))
    told = plural("{count} card in {file}.", "{count} cards in {file}.", done, file=str(path))
    _tell(told, language)


def _sheets(pages: int, path: Path) -> Message:
    return plural(
        "A score sheet of {count} page in {file}.", "A score sheet of {count} pages in {file}.", pages, file=str(path)
    )


def _tell(said: Message, language: str) -> None:
    click.echo(sentence(said, language))
