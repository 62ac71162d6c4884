"""`shinpan show`: one moment of a match."""

from pathlib import Path

import click
import msgspec

from companion.cli.language import language_option
from companion.core.message import Message, message, things
from companion.core.wording import sentence
from companion.history import wishes
from companion.history.moments import moments
from companion.history.other_names import names_in
from companion.history.retelling import Retelling, retold
from companion.history.then import Then
from companion.record import kifu

LAST = 8
"""Rulings that are printed."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--at", type=click.IntRange(1), help="The line of the kifu; without it, the last one.")
@click.option("--list", "as_list", is_flag=True, help="List the moments of the match instead.")
@click.option("--json", "as_json", is_flag=True, help="The page of that moment as JSON, as a spectator saw it.")
@click.option("--png", type=click.Path(path_type=Path, dir_okay=False), help="Draw it to this file (needs Chromium).")
@click.option("--size", default=(1280, 800), show_default=True, type=(int, int), help="Of the picture, in pixels.")
@language_option()
def show(
    file: Path, at: int | None, as_list: bool, as_json: bool, png: Path | None, size: tuple[int, int], language: str
) -> None:
    """Show any moment of the match in FILE: how it stood once a line was written, what lay on the table, who was
    awaited, the rulings up to there. What was hidden then is hidden."""
    data = kifu.load(file)
    wanted = _wishes(file)
    told = retold(file.name, data, names=names_in(data, wanted.hidden))
    if told.fault is not None:
        click.echo(sentence(message("{file}: {error}", file=file.name, error=told.fault), language), err=True)
    if as_list:
        for moment in moments(told, language):
            back = sentence(message("(taken back)"), language) if moment.undone else ""
            click.echo(f"{moment.line:6}  {moment.text} {back}".rstrip())
        return
    then = told.at(at if at is not None else 2**62)
    if as_json:
        click.echo(msgspec.json.encode(told.page(then, language)))
        return
    if png is not None:
        from companion.cli.table_picture import draw  # the pages and their server are loaded only here

        draw(told, data, wanted, then.number, png, language, size)
        return
    for line in account(told, then, language):
        click.echo(line)


def _wishes(file: Path) -> wishes.HistoryWishes:
    """Whoever wants to be anonymous at the table that keeps this file is so here, too."""
    folder = file.resolve().parent
    return wishes.load(folder.parent)[0] if folder.name == "matches" else wishes.HistoryWishes()


def account(told: Retelling, then: Then, language: str) -> list[str]:
    """The moment in words, for a terminal."""
    page, names = told.page(then, language), told.match.name

    def say(what: Message) -> str:
        return sentence(what, language, names)

    lines = [f"{page.title}: {', '.join(page.players)}", say(message("Line {number}", number=then.number)), ""]
    standing = page.tally.steps[-1].tally if page.tally.steps else ()
    lines += [f"  {page.tally.title}"] if standing else []
    lines += [f"    {player:20} {count}" for player, count in zip(page.players, standing, strict=False)]
    lies = told.match.game.table.lies
    if lies is not None:
        lines += ["", *(f"  {say(each)}" for each in lies(then.state, then.sealed).values())]
    awaited = things("player", page.awaited)
    lines += ["", say(message("Awaited: {players}", players=awaited) if awaited else message("The match is over."))]
    for said in page.said[-LAST:]:
        cited = f"[{', '.join(said.rules)}] " if said.rules else ""
        struck = f" {say(message('(taken back)'))}" if said.taken_back else ""
        lines.append(f"  {cited}{said.text}{struck}")
    return lines
