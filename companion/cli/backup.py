"""`shinpan backup` and `shinpan restore`."""

from pathlib import Path

import click

from companion.cli.config import file_option, folder_option
from companion.cli.language import language_option
from companion.core.message import Message, message, plural
from companion.core.wording import sentence
from companion.upkeep.backup import drop_old, folder_of, make
from companion.upkeep.config import configured
from companion.upkeep.restore import look_through
from companion.upkeep.restore import restore as put_back


@click.command()
@click.option(
    "--to", type=click.Path(path_type=Path, file_okay=False), help="Where; otherwise the folder of the backups."
)
@click.option("--pictures/--no-pictures", default=None, help="With the pictures of rulings, or without them.")
@file_option
@folder_option
@language_option()
def backup(to: Path | None, pictures: bool | None, file: Path | None, data: Path | None, language: str) -> None:
    """Write matches, cards, measurements and settings into one file.

    The table may be running meanwhile.
    """
    holds = configured({"data": None if data is None else str(data)}, file)
    table, folder = holds.table, to or folder_of(holds.table, holds.data)
    path = make(holds.data, folder, holds.file, pictures=table.backup_pictures if pictures is None else pictures)
    size = path.stat().st_size
    told = message("{file} is written: {size} kB.", file=str(path), size=max(1, size // 1024))
    click.echo(sentence(told, language))
    if to is None:
        dropped = drop_old(folder, table.backup_keep)
        if dropped:
            told = plural("{count} old one was removed.", "{count} old ones were removed.", len(dropped))
            click.echo(sentence(told, language))


@click.command()
@click.argument("backup", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--check", is_flag=True, help="Only say whether it is whole.")
@click.option("--keep-settings", is_flag=True, help="Leave this machine's configuration as it is.")
@file_option
@folder_option
@language_option()
def restore(
    backup: Path, check: bool, keep_settings: bool, file: Path | None, data: Path | None, language: str
) -> None:
    """Bring BACKUP back, here or on another machine.

    What was there before is set aside. All of it is read and checked before anything is touched. A table that runs has
    to be stopped first.
    """
    if check:
        manifest, told = look_through(backup), list[Message]()
    else:
        holds = configured({"data": None if data is None else str(data)}, file)
        manifest, told = put_back(backup, holds.data, None if keep_settings else holds.file)
    whole = plural(
        "{file} is whole: {count} file of {table}, {made}.",
        "{file} is whole: {count} files of {table}, {made}.",
        len(manifest.files),
        file=backup.name,
        table=manifest.table,
        made=manifest.made,
    )
    for each in (whole, *told):
        click.echo(sentence(each, language))
