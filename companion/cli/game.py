"""`shinpan game`: your own games. List what is here, begin one, check one."""

import sys
from keyword import iskeyword
from pathlib import Path

import click

from companion import games
from companion.cli.game_name import GameName
from companion.cli.language import language_option
from companion.core.message import Message, message, plural
from companion.core.rulings import Mistake
from companion.core.wording import sentence


@click.group()
def game() -> None:
    """Your own games: list what is here, begin one, check one."""


@game.command(name="list")
@language_option()
def list_(language: str) -> None:
    """Print the games that can be played, and what is wrong with the others."""
    found, faults = games.playable()
    for each in found:
        click.echo(f"{each.name:16} {each.title} ({games.package(each.name)})")
    for fault in faults:
        click.echo(sentence(fault, language), err=True)


@game.command()
@click.argument("name")
@click.option("--folder", type=click.Path(path_type=Path, file_okay=False), default=".", help="Where to put it.")
@language_option()
def new(name: str, folder: Path, language: str) -> None:
    """Write a small game called NAME, as a package of its own, to begin yours from."""
    from companion.cli import game_skeleton

    if not name.isidentifier() or iskeyword(name) or name != name.lower():
        raise Mistake(message("A game is called by small letters, digits and underscores, not {name}.", name=name))
    if name in games.names():
        raise Mistake(message("There is a game called {name} already.", name=name))
    home = folder / name
    if home.exists():
        raise Mistake(message("{folder} exists already.", folder=str(home)))
    files = game_skeleton.write(name, home)
    written = plural("{count} file is in {folder}.", "{count} files are in {folder}.", len(files), folder=str(home))
    click.echo(sentence(written, language))
    install = f"pip install -e {home}"
    play = f"shinpan demo {name}"
    click.echo(
        sentence(message("Install it with: {install}. Then play it: {play}", install=install, play=play), language)
    )


@game.command()
@click.argument("name", metavar="GAME", type=GameName())
@click.option("--tests", type=click.Path(path_type=Path, exists=True, file_okay=False), help="Where its tests are.")
@language_option()
def check(name: str, tests: Path | None, language: str) -> None:
    """Say in sentences what is missing in GAME, or wrong with it. Exit 0: nothing."""
    from companion.cli.game_check import every_finding

    found = list(dict.fromkeys(sentence(each, language) for each in every_finding(name, tests)))
    for each in found:
        click.echo(each)
    click.echo(sentence(_verdict(name, len(found)), language), err=bool(found))
    sys.exit(1 if found else 0)


def _verdict(name: str, count: int) -> Message:
    if not count:
        return message("{name}: nothing is missing.", name=name)
    return plural(
        "{name}: {count} thing is to be put right.", "{name}: {count} things are to be put right.", count, name=name
    )
