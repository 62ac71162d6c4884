"""`shinpan config`: what holds at a table and why, what is wrong with a file, and a commented one to begin with."""

import os
from pathlib import Path
from typing import Any

import click
import msgspec

from companion.cli.language import language_option
from companion.core.files import write_whole
from companion.core.message import message, plural
from companion.core.rulings import ShinpanError
from companion.core.wording import sentence
from companion.upkeep.config import (
    FIELDS,
    BadConfig,
    Configured,
    Origin,
    checked,
    configured,
    converted,
    file_in_use,
    read_file,
)
from companion.upkeep.mending import mend_config
from companion.upkeep.settings import SETTINGS, example
from companion.upkeep.toml_text import as_toml, changed, read_value

HIDDEN = "******"

file_option = click.option(
    "--config",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file. Default: shinpan.toml in the data folder, or /etc/shinpan/shinpan.toml.",
)
folder_option = click.option(
    "--data", type=click.Path(path_type=Path, file_okay=False), help="The data folder, with a shinpan.toml in it."
)


class SettingHeld(msgspec.Struct, frozen=True):
    """One line of `shinpan config show --json`."""

    value: Any
    origin: Origin


@click.group()
def config() -> None:
    """The table's settings: show, check, mend, example, set."""


@config.command()
@file_option
@folder_option
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.option("--pins", is_flag=True, help="Show PINs, too.")
@language_option()
def show(file: Path | None, data: Path | None, as_json: bool, pins: bool, language: str) -> None:
    """Every setting: its value, and where that comes from."""
    holds = _configured(file, data)
    if as_json:
        told = {key: SettingHeld(_public(key, holds, pins), holds.origin(key)) for key in FIELDS}
        click.echo(msgspec.json.format(msgspec.json.encode(told)))
        return
    if holds.file is not None:
        click.echo(sentence(message("The configuration is {file}.", file=str(holds.file)), language))
    else:
        click.echo(sentence(message("There is no configuration file: defaults hold."), language))
    width = max(map(len, FIELDS))
    for key in FIELDS:
        value = as_toml(_public(key, holds, pins))
        click.echo(f"{key:{width}} = {value:24}  # {sentence(holds.origin(key).told, language)}")


@config.command()
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False))
@folder_option
@language_option()
def check(file: Path | None, data: Path | None, language: str) -> None:
    """Say what is wrong with FILE, or with the one in use, line by line. Exit 2 if something is."""
    holds = _configured(file, data)
    if holds.file is None:
        click.echo(sentence(message("There is no configuration file: defaults hold."), language))
        return
    told = plural(
        "{file} is in order: {count} setting is made in it.",
        "{file} is in order: {count} settings are made in it.",
        sum(origin.kind == "file" for origin in holds.origins.values()),
        file=str(holds.file),
    )
    click.echo(sentence(told, language))


@config.command("example")
@click.option("--set", "pairs", multiple=True, metavar="KEY=VALUE", help="Not commented out; may be repeated.")
@language_option("Of the comments.")
def example_(pairs: tuple[str, ...], language: str) -> None:
    """Print a commented file with every setting and its default."""
    click.echo(example(dict(_pair(each) for each in pairs), language), nl=False)


@config.command("set")
@click.argument("pairs", metavar="KEY=VALUE...", nargs=-1, required=True)
@file_option
@folder_option
@language_option()
def set_(pairs: tuple[str, ...], file: Path | None, data: Path | None, language: str) -> None:
    """Change settings in the file; comments stay. It holds from the next start on."""
    found = _configured(file, data).file
    if found is None:
        raise ShinpanError(
            message("There is no configuration file yet; begin with: shinpan config example > shinpan.toml")
        )
    text = read_file(found)
    for key, value in map(_pair, pairs):
        text = changed(text, key, value)
    checked(text, found)
    write_whole(found.resolve(), text.encode(), BadConfig, rights=found.stat().st_mode & 0o777)
    click.echo(sentence(message("{file} is changed; it holds from the next start on.", file=str(found)), language))


@config.command()
@file_option
@folder_option
@language_option()
def mend(file: Path | None, data: Path | None, language: str) -> None:
    """Comment out what cannot be used, so that its default holds; a copy of the file is kept."""
    found = file_in_use(data, file, os.environ)
    if found is None:
        click.echo(sentence(message("There is no configuration file: defaults hold."), language))
    else:
        click.echo(sentence(mend_config(found), language))


def _configured(file: Path | None, data: Path | None) -> Configured:
    return configured({"data": None if data is None else str(data)}, file)


def _public(key: str, holds: Configured, pins: bool) -> Any:
    value = getattr(holds.table, key)
    if pins or not SETTINGS[key].secret or not value:
        return value
    return dict.fromkeys(value, HIDDEN) if isinstance(value, dict) else HIDDEN


def _pair(text: str) -> tuple[str, Any]:
    key, sign, value = text.partition("=")
    key = key.strip()
    if not sign:
        raise ShinpanError(message("Say which setting and what: port=80"))
    try:
        kind = FIELDS[key].type if key in FIELDS else str
        return key, converted(key, read_value(value.strip(), kind))
    except BadConfig as error:
        raise BadConfig(message("That cannot be set: {reason}.", reason=error.message)) from None
