"""`shinpan export`: all moves of all matches as one table."""

from pathlib import Path

import click

from companion.cli.history import data_option, opened, wanted_options
from companion.cli.language import language_option
from companion.core.message import message, plural
from companion.core.rulings import ShinpanError
from companion.core.wording import sentence
from companion.history.export import COLUMNS, all_rows, write_csv
from companion.history.listing import WantedMatches
from companion.history.parquet import write_table

EVERYTHING = 10_000_000


@click.command(name="export")
@wanted_options
@click.option("--csv", "as_csv", type=click.Path(path_type=Path, dir_okay=False), help="Write a CSV file.")
@click.option("--parquet", "as_parquet", type=click.Path(path_type=Path, dir_okay=False), help="Write a Parquet file.")
@data_option()
@language_option()
def export(
    game: str, player: str, day: str, as_csv: Path | None, as_parquet: Path | None, data: Path, language: str
) -> None:
    """Write every move and act of all matches as one table.

    A row for each: match, game, line, match clock, player, seat, move, its fields as JSON, the rules it was refused by,
    and whether it was taken back. Whoever wants to stay unnamed is.
    """
    if as_csv is None and as_parquet is None:
        raise ShinpanError(message("Say what to write: --csv FILE or --parquet FILE."))
    library = opened(data)
    library.refresh()
    found = library.find(WantedMatches(game, player, day), count=EVERYTHING)
    files = [(each.name, library.path(each.name)) for each in reversed(found.matches)]
    names = library.wishes.shown
    for path in filter(None, (as_csv, as_parquet)):
        if path is as_csv:
            with path.open("w", encoding="utf-8", newline="") as text:
                rows = write_csv(text, all_rows(files, names))
        else:
            with path.open("wb") as raw:
                rows = write_table(raw, COLUMNS, all_rows(files, names))
        told = plural("{count} row in {file}.", "{count} rows in {file}.", rows, file=str(path))
        click.echo(sentence(told, language))
