"""`shinpan history`: the matches of a table, listed, opened, called something, deleted, taken out and brought in."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import msgspec

from companion.cli.language import language_option
from companion.core.message import Message, message, plural
from companion.core.rulings import Mistake
from companion.core.wording import sentence
from companion.history.archive import LARGEST_ARCHIVE
from companion.history.ending import ending
from companion.history.library import MatchLibrary
from companion.history.listing import MatchListed, WantedMatches, faults
from companion.history.standings import title_of
from companion.record.journal import DataFolder

Told = Callable[[Message], str]


def data_option() -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    where = click.Path(path_type=Path, file_okay=False)
    return click.option("--data", type=where, default="data", show_default=True, help="The table's data folder.")


def wanted_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option("--day", default="", help="Only of that day, month or year: 2026-11-14, 2026-11, 2026."),
        click.option("--player", default="", help="Only with that player."),
        click.option("--game", default="", help="Only of that game."),
    ):
        command = option(command)
    return command


@click.group(invoke_without_command=True)
@wanted_options
@click.option("--from", "start", default=0, type=click.IntRange(0), help="Leave out that many of the newest.")
@click.option("--count", default=50, show_default=True, type=click.IntRange(1, 1_000_000))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--rebuild", is_flag=True, help="Throw the index away and make it again from the kifus.")
@data_option()
@language_option()
@click.pass_context
def history(
    context: click.Context,
    game: str,
    player: str,
    day: str,
    start: int,
    count: int,
    as_json: bool,
    rebuild: bool,
    data: Path,
    language: str,
) -> None:
    """List the matches of a table, the newest first. A kifu that cannot be read is named, and the others are listed."""
    if context.invoked_subcommand is not None:
        return
    library = opened(data)
    if rebuild:
        library.index.rebuild()
    library.refresh()

    def told(what: Message) -> str:
        return sentence(what, language)

    found = library.find(WantedMatches(game, player, day), start, count)
    for match in found.matches:
        click.echo(msgspec.json.encode(_as_data(match, told)) if as_json else _line(match, told))
    if not as_json:
        click.echo(told(plural("{count} match.", "{count} matches.", found.total)))
        for name, fault in faults(library.index):
            click.echo(told(message("{file}: {error}", file=f"{name}.kifu", error=fault)), err=True)
    library.close()


@history.command()
@click.argument("match")
@click.argument("title")
@data_option()
@language_option()
def rename(match: str, title: str, data: Path, language: str) -> None:
    """Give MATCH a TITLE; an empty one takes it away. It is kept beside the kifu, which stays as it was signed."""
    library = opened(data)
    library.refresh(0.0)
    library.entitle(match, title)
    click.echo(f"{match}: {library.match(match).title}")


@history.command()
@click.argument("match")
@click.option("--yes", is_flag=True, help="Do not ask.")
@data_option()
@language_option()
def delete(match: str, yes: bool, data: Path, language: str) -> None:
    """Delete MATCH for good: its kifu, its pictures, its clips. It is said what goes, and asked."""
    library = opened(data)
    library.refresh(0.0)
    for told in library.what_goes(match).told:
        click.echo(sentence(told, language))
    if DataFolder.user(data) is not None:
        raise Mistake(message("A table is running with this data folder: delete it from the page of the referee."))
    if not yes:
        click.confirm(sentence(message("Delete {name}?", name=match), language), abort=True)
    library.delete(match)
    click.echo(sentence(message("{name} is deleted.", name=match), language))


@history.command(name="export")
@click.argument("target", type=click.Path(path_type=Path, dir_okay=False))
@wanted_options
@data_option()
@language_option()
def export(target: Path, game: str, player: str, day: str, data: Path, language: str) -> None:
    """Write the kifus of all these matches to TARGET, a ZIP archive."""
    library = opened(data)
    library.refresh(0.0)
    archive = library.archived(WantedMatches(game, player, day))
    target.write_bytes(archive)
    click.echo(sentence(message("{file}: {size} bytes.", file=str(target), size=len(archive)), language))


@history.command(name="import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@data_option()
@language_option()
def import_(files: tuple[Path, ...], data: Path, language: str) -> None:
    """Take kifus, or ZIP archives of them, into the table's matches. Each is played through the rules first.

    Exit 1 where one was not taken.
    """
    library, refused = opened(data), 0
    library.refresh()
    for file in files:
        if file.stat().st_size > LARGEST_ARCHIVE:
            raise Mistake(message("The archive is larger than {size} MB.", size=LARGEST_ARCHIVE // 2**20))
        for brought in library.bring_in(file.name, file.read_bytes()):
            if brought.reason is not None:
                refused += 1
                told = message("{file} was not taken: {reason}", file=brought.file, reason=brought.reason)
            else:
                told = message("{file} is here as {name}.", file=brought.file, name=brought.name)
            click.echo(sentence(told, language))
    raise SystemExit(1 if refused else 0)


def opened(data: Path) -> MatchLibrary:
    if not data.is_dir():
        raise Mistake(message("There is no folder {folder}.", folder=str(data)))
    return MatchLibrary(data)


def _line(match: MatchListed, told: Told) -> str:
    players = ", ".join(seat.name for seat in match.seats)
    title = f"  “{match.title}”" if match.title else ""
    played = f"{title_of(match.game)}: {players}; " if match.game else ""
    return f"{match.began[:16]}  {match.name}  {played}{told(ending(match))}{title}"


def _as_data(match: MatchListed, told: Told) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(match)
    return plain | {"fault": None if match.fault is None else told(match.fault)}
