"""`shinpan cards`: what is printed on the cards, where each value comes from, and the owner's corrections."""

from pathlib import Path

import click

from companion.cli.data_folder import data_option
from companion.cli.game_name import GameName
from companion.cli.language import language_option
from companion.core.message import message
from companion.core.rulings import ShinpanError
from companion.core.wording import sentence
from companion.games import game
from companion.games.kit.game import ORIGINS
from companion.record import corrections


@click.command()
@click.argument("name", metavar="GAME", type=GameName())
@click.option("--toml", "as_toml", is_flag=True, help="Print every value as the file has it, to begin one from.")
@language_option()
@data_option()
def cards(name: str, as_toml: bool, language: str, data: Path) -> None:
    """Print what is printed on the cards of GAME, each value with its origin: booklet, inferred, house or yours.

    Owners of the real cards put values right in cards/GAME.toml in the data folder, or on the page at /cards. This
    command checks that file, too.
    """
    chosen = game(name)
    try:
        kept = corrections.load(data, chosen)
    except corrections.BadCards as bad:
        raise ShinpanError(bad.message) from None
    if chosen.printed.scripted is not None:
        own = message(
            "Your own cards of {game} go into {file}; `shinpan deck` checks them.",
            game=chosen.title,
            file=str(corrections.script_of(data, chosen)),
        )
        click.echo(sentence(own, language))
    elif not chosen.printed.rows():
        click.echo(
            sentence(message("Nothing printed on the cards of {game} needs correcting.", game=chosen.title), language)
        )
    for row in chosen.printed.rows():
        yours = kept.get(row.key, {})
        if as_toml:
            click.echo(f"[{row.key}]")
            for value in row.values:
                click.echo(f"{value.field} = {corrections.toml(yours.get(value.field, value.value))}")
            continue
        told = [
            f"{sentence(value.title, language).lower()} {corrections.toml(yours.get(value.field, value.value))} "
            f"[{sentence(ORIGINS['yours' if value.field in yours else value.origin], language)}]"
            for value in row.values
        ]
        click.echo(f"{row.key:12} {sentence(row.title, language)}: {', '.join(told)}")
